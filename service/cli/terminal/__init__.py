"""The terminal as a device: keys that arrive, a line being edited, modes that are always put back."""
