"""A small set of written statements, and the scripted teacher that speaks and scores by them."""
