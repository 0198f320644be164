"""Everything of a study as files to take home: data with a codebook, scripts that count again, report, pictures."""
