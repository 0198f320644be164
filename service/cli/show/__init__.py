"""What a terminal shows of a session: its `terminal_view`, drawn live, as plain lines, or as JSON."""
