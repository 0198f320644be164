"""A match of two candidates: their debate, its referees, and the decision (steps 4 to 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from elenchus.debate_engine.protocols.loser_tree.protocol import Meeting
from elenchus.debate_engine.session import Session
from elenchus.detectors.context import Desk
from elenchus.detectors.debate import debate
from elenchus.detectors.decision.weights import Weights, decide
from elenchus.detectors.library import Knowledge
from elenchus.detectors.referees import elected, means, score, vote
from elenchus.detectors.schemas import Ballot, Card, Decision, Match

Judged = dict[str, Any]
"""The fields of a `Match` beyond those of its `Meeting`."""


class Matches:
    """Plays matches, and keeps what was said and scored in each, by the two ids. One for each run of a detection."""

    def __init__(self, desk: Desk, knowledge: Mapping[str, Knowledge]) -> None:
        self._desk, self._knowledge = desk, knowledge
        self._judged: dict[tuple[str, str], Judged] = {}

    async def play(self, s: Session, first: str, second: str) -> str | None:
        """Debate and judge; the winner, None where the referees cannot tell."""
        sides = (self._knowledge[first], self._knowledge[second])
        said = await debate(s, self._desk, *sides)
        if self._desk.cfg.method == "tree":
            ballots = await vote(s, self._desk, sides, said)
            winner, judged = elected(ballots), _by_ballots(ballots)
        else:
            cards = await score(s, self._desk, sides, said)
            winner, judged = by_scores(cards, first, second, self._desk.cfg.weights)
        self._judged[first, second] = {"speeches": said, **judged}
        return winner

    def told(self, meeting: Meeting) -> Match:
        """A meeting with all that happened in it."""
        return Match(**meeting.model_dump(), **self._judged[meeting.first, meeting.second])


# ── pure ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def by_scores(cards: tuple[Card, ...], first: str, second: str, weights: Weights) -> tuple[str | None, Judged]:
    """Step 6: the side with the higher weighted sum of mean scores wins; None for a tie or an unread side."""

    def winner(of: Iterable[Card]) -> str | None:
        counted = list(of)
        ahead = decide(means(counted, first), means(counted, second), weights)
        return None if ahead is None else first if ahead else second

    scores = (means(cards, first), means(cards, second))
    totals = tuple(None if mean is None else weights.total(mean) for mean in scores)
    orders = [winner(card for card in cards if card.shown_first == side) for side in (first, second)]
    judged = {"cards": cards, "scores": scores, "totals": totals, "flipped": _flipped(orders)}
    return winner(cards), judged


def _by_ballots(ballots: tuple[Ballot, ...]) -> Judged:
    return {"ballots": ballots, "flipped": _flipped([ballot.winner for ballot in ballots])}


def _flipped(winners: list[str | None]) -> bool | None:
    """Whether the order of showing changed the winner; None where one order gave none."""
    return None if None in winners else len(set(winners)) > 1


def decision_of(method: str, weights: Weights, matches: Iterable[Match]) -> Decision:
    """How the matches were decided, and how often the order of showing changed a winner."""
    flips = [match.flipped for match in matches if match.flipped is not None]
    if method == "tree":
        rule, used = "one rational referee names the winner, asked once with each side shown first", None
    else:
        rule, used = "the higher weighted sum of the two referees' mean scores wins", weights
    return Decision(rule=rule, weights=used, flips=sum(flips), pairs=len(flips))
