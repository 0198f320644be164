"""Step 5, the referees of a debate. Two score one side a call, in both orders; `tree` has one that names the winner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.session import Session, together
from elenchus.detectors.context import Desk, prompts
from elenchus.detectors.debate import shown
from elenchus.detectors.decision.weights import CRITERIA, Scores
from elenchus.detectors.library import Knowledge
from elenchus.detectors.replies import Marks, preferred
from elenchus.detectors.schemas import Ballot, Card, Speech

REFEREES = ("analytical", "intuitive")
RATIONAL = "rational"
Sides = tuple[Knowledge, Knowledge]


async def score(s: Session, desk: Desk, sides: Sides, said: Sequence[Speech]) -> tuple[Card, ...]:
    """Every referee's card of each side, with each side shown first, all side by side.

    Step keys: `REFEREE/ID/shown-first` and `REFEREE/ID/shown-second`. A card that cannot be had has no scores.
    """
    return await together(
        *(_card(s, desk, referee, side, in_order(sides, first), said)
          for referee, side, first in product(REFEREES, sides, sides))
    )  # fmt: skip


async def _card(s: Session, desk: Desk, referee: str, side: Knowledge, order: Sides, said: Sequence[Speech]) -> Card:
    place = order.index(side)
    answer = await s.ask(
        f"{referee}/{side.bias}/shown-{('first', 'second')[place]}",
        referee,
        prompts.marks,
        Marks,
        optional=True,
        analytical=referee == "analytical",
        text=desk.material.shown,
        debate=_debate(said, order),
        side=f"side {place + 1}",
        own=side.name,
        rival=order[1 - place].name,
    )
    known = {"referee": referee, "side": side.bias, "shown_first": order[0].bias}
    if isinstance(answer, Declined):
        return Card(**known, scores=None, unread=answer.reason)
    return Card(**known, scores=answer.model_dump(include=set(CRITERIA)), remark=answer.remark.strip())


async def vote(s: Session, desk: Desk, sides: Sides, said: Sequence[Speech]) -> tuple[Ballot, ...]:
    """The rational referee's winner with each side shown first. Step keys: `rational/ID-first`."""
    return await together(*(_ballot(s, desk, in_order(sides, first), said) for first in sides))


async def _ballot(s: Session, desk: Desk, order: Sides, said: Sequence[Speech]) -> Ballot:
    names = tuple(side.name for side in order)
    answer = await s.ask(
        f"{RATIONAL}/{order[0].bias}-first",
        RATIONAL,
        prompts.rational,
        preferred(names),
        optional=True,
        text=desk.material.shown,
        debate=_debate(said, order),
        names=names,
    )
    if isinstance(answer, Declined):
        return Ballot(shown_first=order[0].bias, winner=None, unread=answer.reason)
    winner = next(side.bias for side in order if side.name == answer.bias)
    return Ballot(shown_first=order[0].bias, winner=winner, reason=answer.reason.strip())


def _debate(said: Sequence[Speech], order: Sides) -> str:
    """The debate with one side before the other in every stage."""
    first = order[0].bias
    stages = dict.fromkeys(speech.stage for speech in said)
    turned = sorted(said, key=lambda speech: (list(stages).index(speech.stage), speech.bias != first))
    return shown(turned, {side.bias: f"Side {n} ({side.name})" for n, side in enumerate(order, 1)})


def in_order(sides: Sides, first: Knowledge) -> Sides:
    """The two sides with this one first."""
    return sides if sides[0] is first else (sides[1], sides[0])


# ── pure ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def means(cards: Iterable[Card], side: str) -> Scores | None:
    """A side's mean score on each criterion over the readable cards; None where there is none."""
    read = [card.scores for card in cards if card.side == side and card.scores is not None]
    if not read:
        return None
    return {name: sum(scores[name] for scores in read) / len(read) for name in CRITERIA}


def elected(ballots: Iterable[Ballot]) -> str | None:
    """The winner that all readable ballots name; None where they differ, or there is none."""
    named = {ballot.winner for ballot in ballots if ballot.winner is not None}
    return named.pop() if len(named) == 1 else None
