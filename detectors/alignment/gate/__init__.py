"""The judge gate: what a judge of bias has to show before its scores make training data."""
