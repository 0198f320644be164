"""What a member is told before and after the removal of what is held on them. Pure."""

from __future__ import annotations

from elenchus.bot.strings import msg


def held(sessions: int, texts: int, votes: int, posts: int) -> str:
    """Before the removal."""
    return msg(
        "privacy-asked",
        texts=msg("privacy-texts", n=texts),
        votes=msg("privacy-votes", n=votes),
        sessions=msg("privacy-sessions", n=sessions),
        posts=msg("privacy-posts", n=posts),
    )


def removed(sessions: int, texts: int, posts: int, kept: int, running: int, scenes: int = 0) -> str:
    """After the removal: `kept` posts could not be deleted, `running` debates and `scenes` are still the member's."""
    done = msg(
        "privacy-done",
        texts=msg("privacy-texts", n=texts),
        sessions=msg("privacy-sessions", n=sessions),
        posts=msg("privacy-posts", n=posts),
    )
    lines = [
        f"{done} {msg('privacy-stands')}",
        msg("privacy-moderates", debates=msg("privacy-debates", n=running)) if running else "",
        msg("privacy-runs", scenes=msg("privacy-scenes", n=scenes)) if scenes else "",
        msg("privacy-not-deleted", posts=msg("privacy-posts", n=kept)) if kept else "",
    ]
    return "\n".join(filter(None, lines))
