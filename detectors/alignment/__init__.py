"""Data for training against social bias, the gate before it, and the measuring of what it did."""
