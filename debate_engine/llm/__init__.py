"""Language models behind one protocol: `client.py` says what a call and a reply are, one file a provider does it."""
