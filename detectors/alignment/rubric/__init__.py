"""Answers of models to open questions, and how they are rated by rubric: CE, LS and BS (Cheng et al., section 4)."""
