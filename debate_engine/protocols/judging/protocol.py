"""Judges: each rules on every topic twice, once with each side claiming (SocraSynth, tables 5 and 6).

Where the lines stand in the paper, and what differs from it: NOTES.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, model_in
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.judging.material import NOTHING, Case
from elenchus.debate_engine.protocols.judging.schemas import LETTER, Cell, Judgement, PlainRuling, Ruling
from elenchus.debate_engine.protocols.judging.tally import count
from elenchus.debate_engine.protocols.speech import SIDES, Side, Topic, other
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

prompts = prompts_of("elenchus.debate_engine.protocols.judging")

_MOST_READ = 1_200
"""Characters of one side's words that a small judge reads, the last ones."""


async def judge(s: Session, case: Case, judges: Sequence[str]) -> Judgement:
    """The judgement of the seats `judges` on a debate; every ruling is asked for side by side.

    A ruling that cannot be had is left out and reported. Raises UsageError without judges or topics. Step keys:
    `judging/JUDGE/A-claims/topic/1`, `judging/judgement`.
    """
    if not judges or not case.topics:
        raise UsageError("a judgement needs at least one judge and one topic")
    s = s.under("judging")
    topics = case.topics
    cells = await together(
        *(rule(s, case, name, claimant, n) for name in judges for claimant in SIDES for n in range(1, len(topics) + 1))
    )

    async def counted() -> Any:
        return (await asyncio.to_thread(judgement_of, topics, cells)).model_dump(mode="json")

    return Judgement.model_validate(await s.step("judgement", [list(judges), len(topics)], counted))


async def rule(s: Session, case: Case, judge: str, claimant: Side, topic: int) -> Cell:
    """One judge's ruling on one topic (from 1), with the given side claiming."""
    letter = LETTER[claimant]
    if case.is_empty(topic):
        return Cell(judge=judge, claimant=letter, topic=topic, declined="neither side spoke on this topic")
    if s.is_small(judge):
        return await rule_plainly(s, case, judge, claimant, topic)
    ruling = await s.ask(
        f"{judge}/{letter}-claims/topic/{topic}",
        judge,
        prompts.ruling,
        Ruling,
        optional=True,
        **case.variables(topic, claimant),
    )
    if isinstance(ruling, Declined):
        return Cell(judge=judge, claimant=letter, topic=topic, declined=ruling.reason)
    return Cell(judge=judge, claimant=letter, topic=topic, ruling=ruling)


async def rule_plainly(s: Session, case: Case, judge: str, claimant: Side, topic: int) -> Cell:
    """A small judge's ruling: points and a choice between the first and the second speaker, without reasons.

    It knows the sides by their place, not by a letter, so that a liking for a place shows in the swap.
    """
    letter, sides = LETTER[claimant], (claimant, other(claimant))
    passages = case.passages(topic, claimant)
    texts = [" ".join(p.text for p in passages if p.side == side)[-_MOST_READ:] or NOTHING for side in sides]
    answer = await s.ask(
        f"{judge}/{letter}-claims/topic/{topic}", judge, prompts.small_ruling, PlainRuling, optional=True,
        motion=case.motion, first=texts[0], second=texts[1],
    )  # fmt: skip
    if isinstance(answer, Declined):
        return Cell(judge=judge, claimant=letter, topic=topic, declined=answer.reason)
    return Cell(judge=judge, claimant=letter, topic=topic, ruling=answer.ruling(letter))


def judgement_of(topics: Sequence[Topic], cells: Sequence[Cell]) -> Judgement:
    """The cells with everything that is counted from them. Pure; slow the first time (see `count`)."""
    tally = count([cell.counted() for cell in cells])
    return Judgement(**dict(tally), topics=tuple(topic.title for topic in topics), cells=tuple(cells))


def debating_judges(seats: Iterable[Seat]) -> list[str]:
    """The judges whose model, or named person, debates too: a front end warns of them before the start."""
    taken = list(seats)
    debaters = {model_in(seat.spec) for seat in taken if seat.name in SIDES} - {HUMAN}
    return [seat.name for seat in taken if seat.name.startswith("judge-") and model_in(seat.spec) in debaters]
