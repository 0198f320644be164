"""What comes out of a session: one projection of its log, and the files made from it. Pure but for `export`."""
