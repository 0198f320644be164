"""Sessions that workers run: the queue in PostgreSQL, who puts sessions there, and what a worker does with them."""
