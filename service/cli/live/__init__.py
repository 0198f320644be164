"""The live view: what is going on at the foot of the terminal, what is finished above it, keys in between."""
