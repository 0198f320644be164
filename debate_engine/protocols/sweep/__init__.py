"""Sweep: the same motion at several heats, side by side (SocraSynth, the table of heats)."""
