"""BBQ, the bias benchmark for question answering (Parrish et al. 2022): items, scores, and what these are worth."""
