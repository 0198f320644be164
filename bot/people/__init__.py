"""People on seats: consent, open turns, leaving, and what is held on them."""
