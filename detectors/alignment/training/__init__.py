"""Training on the data of debates: SFT, reward model, PPO, RLOO, DPO, each in a process of its own.

Nothing in this folder imports torch; `learning/` does, and runs in that process alone.
"""
