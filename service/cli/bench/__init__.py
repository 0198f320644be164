"""`elenchus bench …`: one file a command."""
