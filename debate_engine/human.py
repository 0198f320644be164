"""A seat that waits for a person. The open turn is in the log: any front end may answer it, today or tomorrow."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from debate_engine import events
from debate_engine.errors import UnreadableReply
from debate_engine.events import AnswerRejected, TurnOpened
from debate_engine.llm.schema import check
from debate_engine.participant import Answer, Ask, Declined, Participant, Room

HUMAN = "human"


def is_human(spec: str) -> bool:
    """Whether a seat's spec names a person: `human` or `human:NAME`."""
    return spec == HUMAN or spec.startswith(f"{HUMAN}:")


@dataclass(frozen=True)
class HumanSeat:
    """A person's chair. After `deadline` seconds (None: never) a `stand_in` answers, or the turn is declined."""

    room: Room
    deadline: float | None = None
    stand_in: Participant | None = None

    async def answer(self, ask: Ask) -> Answer | Declined:
        """Open the turn unless the log already holds it, and wait."""
        due = events.now() + timedelta(seconds=self.deadline) if self.deadline else None
        if not self.room.turn_is_open(ask.step):
            asked = ask.model_dump(mode="json")
            await self.room.note(
                TurnOpened(step=ask.step, seat=ask.seat, asked=asked, answer_schema=ask.answer_schema, due=due)
            )
        try:
            async with asyncio.timeout(self.deadline):
                return await self._first_readable(ask)
        except TimeoutError:
            if self.stand_in:
                return await self.stand_in.answer(ask)
            return Declined("no answer before the deadline")

    async def _first_readable(self, ask: Ask) -> Answer | Declined:
        while True:
            given = await self.room.answer_to(ask.step)
            if given.event.declined is not None:
                return Declined(given.event.declined or "passed")
            try:
                return Answer(read(ask, given.event.answer))
            except UnreadableReply as error:
                await self.room.note(AnswerRejected(step=ask.step, answer_seq=given.seq, reason=str(error)))

    def most(self, ask: Ask) -> tuple[int, float]:
        """A person costs no tokens."""
        return 0, 0.0


def read(ask: Ask, answer: Any) -> Any:
    """A person's answer as the ask wants it. Raises UnreadableReply saying what is wrong with it."""
    if ask.answer_schema is not None:
        return check(answer, ask.answer_schema)
    if not isinstance(answer, str) or not answer.strip():
        raise UnreadableReply("the answer is empty")
    return answer.strip()
