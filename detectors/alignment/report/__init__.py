"""One page of what was measured, beside the paper's tables."""
