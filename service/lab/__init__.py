"""What a front end does, once: it gives what a person said, and renders what comes of it (see `lab`, the Python API)."""
