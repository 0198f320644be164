"""One scene played many times: which runs there are, how they are run side by side, and what is counted over them."""
