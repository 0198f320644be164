"""`elenchus mind`: personas that remember and change their minds."""
