"""A match of two candidates: their debate, its referees, and the decision (steps 4 to 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, fenced
from elenchus.debate_engine.protocols.crit.quotes import missing, normalised, quotes_in
from elenchus.debate_engine.protocols.loser_tree.protocol import Meeting
from elenchus.debate_engine.protocols.withholding import ask_in_public
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.debate_engine.words import clipped
from elenchus.detectors.context import Context, prompts
from elenchus.detectors.decision.weights import CRITERIA, Scores, Weights, decide
from elenchus.detectors.library import Knowledge
from elenchus.detectors.replies import Marks, Preferred, naming
from elenchus.detectors.schemas import Ballot, Card, Decision, Match, Speech

SEAT = "debater"
STAGES: Mapping[str, int] = {"introduction": 100, "argument": 100, "refutation": 150, "summary": 200}
"""The stages in their order, each with the words that a side may use."""

_TOKENS_A_WORD = 3
NOTHING = "(nothing)"

REFEREES = ("analytical", "intuitive")
RATIONAL = "rational"
Sides = tuple[Knowledge, Knowledge]

MatchFields = dict[str, Any]
"""The fields of a `Match` beyond those of its `Meeting`."""


class Matches:
    """Plays matches, and keeps what was said and scored in each, by the two ids. One for each run of a detection."""

    def __init__(self, context: Context, knowledge: Mapping[str, Knowledge]) -> None:
        self._context, self._knowledge = context, knowledge
        self._judged: dict[tuple[str, str], MatchFields] = {}

    async def play(self, s: Session, first: str, second: str) -> str | None:
        """Debate and judge; the winner, None where the referees cannot tell."""
        sides = (self._knowledge[first], self._knowledge[second])
        said = await debate(s, self._context, *sides)
        if self._context.cfg.method == "tree":
            ballots = await vote(s, self._context, sides, said)
            winner, judged = elected(ballots), _by_ballots(ballots)
        else:
            cards = await score(s, self._context, sides, said)
            winner, judged = by_scores(cards, first, second, self._context.cfg.weights)
        self._judged[first, second] = {"speeches": said, **judged}
        return winner

    def played(self, meeting: Meeting) -> Match:
        """A meeting with all that happened in it."""
        return Match(**meeting.model_dump(), **self._judged[meeting.first, meeting.second])


# ── step 4: the debate ───────────────────────────────────────────────────────────────────────────────────────────────


async def debate(s: Session, context: Context, first: Knowledge, second: Knowledge) -> tuple[Speech, ...]:
    """All speeches, stage by stage, the first side's before the second's. Step keys: `introduction/ID` and so on."""
    said: tuple[Speech, ...] = ()
    for stage in STAGES:
        said += await together(
            speak(s, context, stage, first, second, said), speak(s, context, stage, second, first, said)
        )
    return said


async def speak(
    s: Session, context: Context, stage: str, own: Knowledge, rival: Knowledge, said: Sequence[Speech]
) -> Speech:
    """One side's speech in one stage, held to its length, its quotes checked."""
    prompt: Prompt = getattr(prompts, stage)
    words = STAGES[stage]
    answer = await ask_in_public(
        s,
        f"{stage}/{own.bias}",
        SEAT,
        prompt,
        max_tokens=words * _TOKENS_A_WORD,
        **_given(
            prompt,
            own=own.name,
            rival=rival.name,
            knowledge=own.shown,
            signs=own.signs,
            rival_knowledge=rival.shown,
            text=context.text.shown,
            heard=shown(said, {own.bias: "You", rival.bias: "Your rival"}),
            words=words,
        ),
    )
    if isinstance(answer, Declined):
        return Speech(bias=own.bias, stage=stage, text="", declined=answer.reason)
    text, shortened = clipped(answer, words)
    known = [own.shown, own.signs, rival.shown, *(speech.text for speech in said if speech.bias == rival.bias)]
    unfound = missing([quote for quote in quotes_in(text) if not context.text.holds(quote)], *map(normalised, known))
    return Speech(bias=own.bias, stage=stage, text=text, missing_quotes=unfound, shortened=shortened)


def shown(said: Iterable[Speech], titles: Mapping[str, str]) -> str:
    """Speeches as an agent reads them, under the title of each side; quotes that were not found are marked."""
    return "\n\n".join(
        f"{titles[speech.bias]}, {speech.stage}:\n{fenced(speech.text or NOTHING)}{_unfound(speech)}" for speech in said
    )


def _unfound(speech: Speech) -> str:
    if not speech.missing_quotes:
        return ""
    quotes = "\n".join(f"“{quote}”" for quote in speech.missing_quotes)
    return f"\nChecked: these words are put in quotation marks above, but do not stand in the text:\n{fenced(quotes)}"


def _given(prompt: Prompt, **known: Any) -> dict[str, Any]:
    """Of all that a side knows, what this stage's prompt asks for."""
    return {name: known[name] for name in prompt.variables}


# ── step 5: the referees, both sides shown first in turn ─────────────────────────────────────────────────────────────


async def score(s: Session, context: Context, sides: Sides, said: Sequence[Speech]) -> tuple[Card, ...]:
    """Every referee's card of each side, with each side shown first, all side by side.

    Step keys: `REFEREE/ID/shown-first` and `REFEREE/ID/shown-second`. A card that cannot be had has no scores.
    """
    return await together(
        *(_card(s, context, referee, side, in_order(sides, first), said)
          for referee, side, first in product(REFEREES, sides, sides))
    )  # fmt: skip


async def _card(
    s: Session, context: Context, referee: str, side: Knowledge, order: Sides, said: Sequence[Speech]
) -> Card:
    place = order.index(side)
    answer = await s.ask(
        f"{referee}/{side.bias}/shown-{('first', 'second')[place]}",
        referee,
        prompts.marks,
        Marks,
        optional=True,
        analytical=referee == "analytical",
        text=context.text.shown,
        debate=_debate(said, order),
        side=f"side {place + 1}",
        own=side.name,
        rival=order[1 - place].name,
    )
    known = {"referee": referee, "side": side.bias, "shown_first": order[0].bias}
    if isinstance(answer, Declined):
        return Card(**known, scores=None, unread=answer.reason)
    return Card(**known, scores=answer.model_dump(include=set(CRITERIA)), remark=answer.remark.strip())


async def vote(s: Session, context: Context, sides: Sides, said: Sequence[Speech]) -> tuple[Ballot, ...]:
    """The rational referee's winner with each side shown first. Step keys: `rational/ID-first`."""
    return await together(*(_ballot(s, context, in_order(sides, first), said) for first in sides))


async def _ballot(s: Session, context: Context, order: Sides, said: Sequence[Speech]) -> Ballot:
    names = tuple(side.name for side in order)
    answer = await s.ask(
        f"{RATIONAL}/{order[0].bias}-first",
        RATIONAL,
        prompts.rational,
        naming(Preferred, names),
        optional=True,
        text=context.text.shown,
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


# ── step 6: the decision (pure) ──────────────────────────────────────────────────────────────────────────────────────


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


def by_scores(cards: tuple[Card, ...], first: str, second: str, weights: Weights) -> tuple[str | None, MatchFields]:
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


def _by_ballots(ballots: tuple[Ballot, ...]) -> MatchFields:
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
