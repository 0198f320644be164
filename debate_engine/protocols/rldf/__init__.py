"""Debates of several roles, whose statements a referee scores for social bias (Cheng et al., arXiv 2404.10160)."""
