"""The engine of Elenchus: events, named steps, participants, models, protocols. No front end, no database."""
