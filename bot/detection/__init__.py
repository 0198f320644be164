"""Looking for biases from Discord: `/detect`, "Detect biases" on a message, "Look for biases" after a session."""
