"""The small profile: a debate's steps for models that cannot follow a prompt of several parts.

One short question at a time, a beginning (prefill) that carries side and topic, several samples of which the best is
taken, no headings, no heat in words. `docs/debate.md` tells what was measured with it.
"""
