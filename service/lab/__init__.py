"""What a front end does, said once: it gives what a person said, and renders what comes of it."""
