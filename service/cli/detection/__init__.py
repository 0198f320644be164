"""Finding biases, measuring how well that goes, and learning the weights by which it is decided."""
