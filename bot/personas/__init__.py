"""Personas that remember and change their minds, on Discord: `/persona`."""
