"""People in seats at the terminal: reading a form line by line, editing text, taking open turns."""
