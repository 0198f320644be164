"""A laboratory for moderated debate between language models and people."""
