"""Every word of ours that a person reads in Discord: a file a feature, plain constants and functions that fill them in.

Nothing else in `bot/` holds prose. What other people or models wrote is passed in already safe (`rendering/safe.py`).
"""
