"""`elenchus cogbench`: how a persona's opinions change with what it reads, measured against people's."""
