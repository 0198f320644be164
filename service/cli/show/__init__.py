"""What a terminal shows of a session: a projection of its events (`scene`), drawn live, as plain lines, or as JSON."""
