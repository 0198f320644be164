"""A persona with a mind (CogGPT, Lv et al., arXiv 2401.08438): it reads, changes, remembers, forgets and judges."""
