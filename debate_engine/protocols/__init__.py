"""One folder a protocol: `protocol.py` reads like its paper, `NOTES.md` maps it to the paper and lists what differs."""
