"""A seat that waits for a person. The open turn is in the log: any front end may answer it, today or tomorrow."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.events import AnswerRejected, Recorded, TurnAnswered, TurnOpened, TurnReminded
from elenchus.debate_engine.llm.schema import check
from elenchus.debate_engine.participant import Answer, Ask, Declined, Participant
from elenchus.debate_engine.printable import is_blank

if TYPE_CHECKING:
    from elenchus.debate_engine.run_context import RunContext

HUMAN = "human"
LAST_PART = 0.25
"""Of the time for a turn: when only this much is left, the person is reminded; a restart leaves at least so much."""

LEFT = "the person has left the seat"
LATE = "no answer before the deadline"
"""Why a person's turn was declined, where nobody passed it and nobody stands in."""


def is_human(spec: str) -> bool:
    """Whether a seat's spec names a person: `human` or `human:NAME`."""
    return spec == HUMAN or spec.startswith(f"{HUMAN}:")


ROBOT = "robot-"
"""How an answering robot on a person's seat is called begins so."""


def is_robot(spec: str) -> bool:
    """Whether a seat's spec names an answering robot: its front end is a person's, and nobody is there."""
    return spec.startswith(f"{HUMAN}:{ROBOT}")


@dataclass(frozen=True)
class HumanSeat:
    """A person's chair. After `deadline` seconds (None: never) a `stand_in` answers, or the turn is declined.

    The end of an open turn may be put off (TurnExtended); once the person has left (SeatLeft) nobody is asked any more.
    The stand-in fills in the forms named in `prepares` beforehand: the person approves or changes them.
    """

    context: RunContext
    deadline: float | None = None
    stand_in: Participant | None = None
    prepares: Collection[str] = ()

    async def answer(self, ask: Ask) -> Answer | Declined:
        """Open the turn unless the log already holds it, and wait."""
        if ask.seat in self.context.state.turns.left:
            return await self._without(ask, LEFT)
        try:
            return await self._first_readable(ask, await self._opened(ask))
        except TimeoutError:
            return await self._without(ask, LATE)

    async def _opened(self, ask: Ask) -> datetime:
        """The earliest moment at which this turn may end, which is now where it was opened now."""
        if ask.step in self.context.state.turns.dues:
            if self.context.state.woken:  # nobody was kept from answering meanwhile
                return self.context.state.turns.reminded.get(ask.step) or events.now()
            return events.now() + timedelta(seconds=(self.deadline or 0) * LAST_PART)
        draft = await self._prepared(ask)
        due = events.now() + timedelta(seconds=self.deadline) if self.deadline else None
        await self.context.note(
            TurnOpened(
                step=ask.step, seat=ask.seat, asked=ask.model_dump(mode="json"), answer_schema=ask.answer_schema,
                due=due, prepared=draft.value if isinstance(draft, Answer) else None, calls=draft.calls,
            )
        )  # fmt: skip
        return events.now()

    async def _prepared(self, ask: Ask) -> Answer | Declined:
        if self.stand_in is None or ask.schema_name not in self.prepares:
            return Declined("nobody prepares this")
        draft = await self.context.prepare(ask, self.stand_in)
        try:
            return draft if isinstance(draft, Declined) else replace(draft, value=read_answer(ask, draft.value))
        except UnreadableReply as error:
            return Declined(f"what was prepared could not be used: {error}", draft.calls)

    async def _without(self, ask: Ask, why: str) -> Answer | Declined:
        if self.stand_in is None:
            return Declined(why)
        async with self.context.state.effect(*self.stand_in.most(ask)):  # the person's own turn held nothing back
            return await self.stand_in.answer(ask)

    async def _first_readable(self, ask: Ask, earliest: datetime) -> Answer | Declined:
        while True:
            given = await self._given(ask, earliest)
            if given is None:
                return await self._without(ask, LEFT)
            answered = given.event
            assert isinstance(answered, TurnAnswered), "a turn's answer is an answer"
            if answered.declined is not None:
                return Declined(answered.declined or "passed")
            try:
                return Answer(read_answer(ask, answered.answer))
            except UnreadableReply as error:
                await self.context.note(AnswerRejected(step=ask.step, answer_seq=given.seq, reason=str(error)))

    async def _given(self, ask: Ask, earliest: datetime) -> Recorded | None:
        """The next answer; None when the person has left. Raises TimeoutError once the turn has ended."""
        while end := self._end(ask, earliest):
            reminded = self.context.state.turns.reminded.get(ask.step) == end
            wake = end if reminded else end - timedelta(seconds=(self.deadline or 0) * LAST_PART)
            try:
                async with asyncio.timeout((wake - events.now()).total_seconds()):
                    return await self._next(ask, wake)
            except TimeoutError:
                if self._end(ask, earliest) != end:
                    continue  # it was put off meanwhile
                if reminded:
                    raise
                await self.context.note(TurnReminded(step=ask.step, seat=ask.seat, due=end))
        return await self._next(ask)

    async def _next(self, ask: Ask, until: datetime | None = None) -> Recorded | None:
        return await self.context.state.answer_to(ask.step, ask.seat, until)

    def _end(self, ask: Ask, earliest: datetime) -> datetime | None:
        due = self.context.state.turns.dues[ask.step]
        return due and max(due, earliest)

    def most(self, ask: Ask) -> tuple[int, float]:
        """A person costs no tokens."""
        return 0, 0.0


def in_person(seat: Participant) -> Participant:
    """The same seat, on which nobody stands in for the person."""
    return replace(seat, stand_in=None, prepares=()) if isinstance(seat, HumanSeat) else seat


def read_answer(ask: Ask, answer: Any) -> Any:
    """A person's answer as the ask wants it. Raises UnreadableReply saying what is wrong with it."""
    if ask.answer_schema is not None:
        checked = check(answer, ask.answer_schema)
        _demand_what_was_chosen(checked, ask.answer_schema)
        return _about_its_topics(checked, ask.topics)
    if not isinstance(answer, str) or is_blank(answer):
        raise UnreadableReply("the answer is empty")
    return answer.strip()


def _demand_what_was_chosen(answer: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Who amends an entry says how. Raises UnreadableReply where all that is asked only then is empty."""
    for name, part in schema["properties"].items():
        if not (fields := part.get("items", {}).get("properties", {})):
            continue
        for n, entry in enumerate(answer[name]):
            asked = [one for one, of in fields.items() if (only := of.get("onlyIf")) and only.items() <= entry.items()]
            if asked and not any(str(entry.get(one, "")).strip() for one in asked):
                raise UnreadableReply(f"{name}[{n}].{asked[-1]} must not be empty")


def _about_its_topics(answer: dict[str, Any], topics: Mapping[int, str]) -> dict[str, Any]:
    """The answer, if it names no other topics, and says something to each that it is asked about.

    Raises UnreadableReply naming those that are not there, or that are missing.
    """
    entries = [entry for part in answer.values() if isinstance(part, list) for entry in part] if topics else []
    answered = [entry["number"] for entry in entries if isinstance(entry, dict) and "number" in entry]
    if other := [n for n in answered or entries if n not in topics]:
        raise UnreadableReply(no_topic(other[0], topics))
    if answered and (missing := topics.keys() - set(answered)):
        raise UnreadableReply(f"nothing is said to topic {', '.join(map(str, sorted(missing)))}")
    return answer


def no_topic(number: int, topics: Mapping[int, str]) -> str:
    """What is said of a number that no topic has."""
    return f"there is no topic {number}; the numbers are {', '.join(map(str, topics))}"
