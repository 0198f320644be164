"""The audience's vote in the thread: asked before and after, and what came out. Pure."""

from __future__ import annotations

from datetime import datetime

from elenchus.bot.rendering.embeds import YELLOW, embeds, table
from elenchus.bot.rendering.post import Button, ButtonStyle, Embed
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.events import VoteClosed
from elenchus.debate_engine.protocols.judging.votes import CHOICES, OPENINGS, Swing, When, last_votes
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.participation import audience_votes

VOTE = "vote"
"""The name of a vote's clicks; the rest is SESSION:WHEN:SIDE, or SESSION:WHEN:close."""

_STYLES: dict[str, ButtonStyle] = {"pro": "primary", "con": "danger"}


def buttons(view: SessionView, when: When) -> tuple[Button, ...]:
    """One for each choice, and one by which the moderator closes the vote."""
    labels: dict[str, str] = {side: messages("audience-buttons")[side] for side in CHOICES} | {
        "close": messages("audience-close")[when]
    }
    return tuple(
        Button(f"el:{VOTE}:{view.session_id}:{when}:{side}", label, _STYLES.get(side, "secondary"))
        for side, label in labels.items()
    )


def question(when: When, until: str) -> str:
    """What the audience is asked, while the vote is open."""
    return msg("audience-ask-before", until=until) if when == "before" else msg("audience-ask-after", until=until)


def over(step: str) -> str:
    """What stands in the place of a vote that is over, by the step that opened it."""
    return messages("audience-asked")[OPENINGS[step]]


def was_closed(view: SessionView, when: When) -> bool:
    """Whether its end is in the log: a debate may have been stopped before."""
    return any(isinstance(r.event, VoteClosed) and r.event.when == when for r in view.moderation.votes)


def due(view: SessionView, when: When) -> datetime | None:
    """When an open vote closes by itself, None where it is not open."""
    return audience_votes(view).open.get(when)


def result(when: When, view: SessionView) -> list[Embed]:
    """How the room stands: after the debate with the swing, before it only how many voted (nobody is to be swayed)."""
    before, after = last_votes(view.moderation.votes)
    if when == "before":
        return embeds(msg("audience-title"), msg("audience-counted", n=len(before), when=when), colour=YELLOW)
    vote = view.moderation.audience()
    if vote is None:
        return embeds(msg("audience-title"), msg("audience-counted", n=len(after), when=when), colour=YELLOW)
    swings = {"pro": vote.swing_pro, "con": vote.swing_con}
    rows = [
        [
            messages("audience-buttons")[side],
            str(getattr(vote.before, side)),
            str(getattr(vote.after, side)),
            _moved(swings.get(side)),
        ]
        for side in CHOICES
    ]
    once = vote.only_before.total + vote.only_after.total
    voters = msg("audience-voters-once", n=vote.voters, once=once) if once else msg("audience-voters", n=vote.voters)
    head = ("", *messages("audience-head").values())
    text = f"**{messages('audience-room')[vote.winner]}**\n{voters}\n{table(head, rows)}"
    return embeds(msg("audience-title"), text, footer=msg("audience-legend"), colour=YELLOW)


def _moved(swing: Swing | None) -> str:
    return "" if swing is None else f"{swing.votes:+d} ({swing.points:+.0f} points)".replace("-", "−")
