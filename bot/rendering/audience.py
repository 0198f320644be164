"""The audience's vote in the thread: asked before and after, and what came out. Pure."""

from __future__ import annotations

from typing import Literal

from bot.rendering.embeds import YELLOW, embeds, table
from bot.rendering.post import Button, ButtonStyle, Embed
from bot.strings import audience as words
from debate_engine.events import VoteClosed
from debate_engine.protocols.judging.votes import CHOICES, Swing, last_votes
from debate_engine.reports.view import DebateView

VOTE = "vote"
"""The name of a vote's clicks; the rest is SESSION:WHEN:SIDE, or SESSION:WHEN:close."""

When = Literal["before", "after"]
_STYLES: dict[str, ButtonStyle] = {"pro": "primary", "con": "danger"}


def is_asked(view: DebateView) -> bool:
    """Whether the audience votes: on a motion, not on an open question."""
    return view.config is not None and not view.config.open_question


def buttons(view: DebateView, when: When) -> tuple[Button, ...]:
    """One for each choice, and one to close the vote after the debate."""
    sides = (*CHOICES, "close") if when == "after" else CHOICES
    return tuple(
        Button(f"el:{VOTE}:{view.session_id}:{when}:{side}", words.BUTTONS[side], _STYLES.get(side, "secondary"))
        for side in sides
    )


def is_open(view: DebateView, when: When) -> bool:
    """Whether a vote counts now: before the first speech, or after the closings, until it was closed."""
    if any(isinstance(r.event, VoteClosed) and r.event.when == when for r in view.hand.votes):
        return False
    if when == "before":
        return not view.course.spoken
    return view.course.phase in ("aftermath", "over")


def result(when: When, view: DebateView) -> list[Embed]:
    """How the room stands: after the debate with the swing, before it only how many voted (nobody is to be swayed)."""
    before, after = last_votes(view.hand.votes)
    if when == "before":
        return embeds(words.TITLE, words.counted(len(before), when), colour=YELLOW)
    vote = view.hand.audience()
    if vote is None:
        return embeds(words.TITLE, words.counted(len(after), when), colour=YELLOW)
    swings = {"pro": vote.swing_pro, "con": vote.swing_con}
    rows = [
        [words.BUTTONS[side], str(getattr(vote.before, side)), str(getattr(vote.after, side)), _moved(swings.get(side))]
        for side in CHOICES
    ]
    once = vote.only_before.total + vote.only_after.total
    text = f"**{words.ROOM[vote.winner]}**\n{words.voters(vote.voters, once)}\n{table(words.HEAD, rows)}"
    return embeds(words.TITLE, text, footer=words.LEGEND, colour=YELLOW)


def _moved(swing: Swing | None) -> str:
    return "" if swing is None else f"{swing.votes:+d} ({swing.points:+g} %)".replace("-", "−")
