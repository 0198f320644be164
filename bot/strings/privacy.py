"""What is held on a member, and its removal."""

from __future__ import annotations

from typing import Final

from elenchus.bot.strings import msg

WISHES: Final = {
    True: "Moderators may have your words examined for biases.",
    False: "Nobody but you can have your words examined for biases. What was examined before stays until it is "
    "deleted: `/privacy forget` takes your words out of it.",
}


def count(n: int, one: str) -> str:
    """A number with its noun."""
    return f"{n} {one if n == 1 else f'{one}s'}"


def asked(sessions: int, texts: int, votes: int, posts: int) -> str:
    """Before the removal."""
    return (
        f"Held on you: {count(texts, 'text')} and {count(votes, 'vote')} in {count(sessions, 'session')}; "
        f"{count(posts, 'post')} in threads with your words or name.\n"
        "Your words are replaced everywhere in the records, also where others quote them, and cannot be brought back; "
        "you leave your seats; the posts are deleted where I may. Reports that somebody downloaded are out of reach."
    )


def done(sessions: int, texts: int, posts: int, kept: int, running: int, scenes: int = 0) -> str:
    """After the removal."""
    told = f"Done: {count(texts, 'text')} in {count(sessions, 'session')} replaced, {count(posts, 'post')} deleted."
    told = f"{told} {msg('privacy-stands')}"
    if running:
        told = f"{told}\nYou still moderate {count(running, 'debate')}: ask again when they are over."
    if scenes:
        told = (
            f"{told}\nYou still run {count(scenes, 'scene')} in which somebody plays, so it is still noted that "
            "they are yours: end them with `/scene stop`, then ask again."
        )
    if not kept:
        return told
    return f"{told}\n{count(kept, 'post')} could not be deleted: ask a moderator of the server to give me access."
