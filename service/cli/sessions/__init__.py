"""`elenchus sessions …`: stored sessions, and the moderator's hand on running ones."""
