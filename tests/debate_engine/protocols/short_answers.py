"""A model's seat whose replies are cut short, for the tests with the embedded model."""

from __future__ import annotations

from dataclasses import dataclass

from elenchus.debate_engine.model_seat import ModelSeat
from elenchus.debate_engine.participant import Answer, Ask, Declined


@dataclass
class ShortAnswers:
    """At the most so many tokens of free text, and of a structured reply, which is then seldom whole and not read."""

    seat: ModelSeat
    text: int = 30
    structured: int = 150

    async def answer(self, ask: Ask) -> Answer | Declined:
        longest = self.text if ask.answer_schema is None else self.structured
        return await self.seat.answer(ask.model_copy(update={"max_tokens": min(ask.max_tokens, longest)}))

    def most(self, ask: Ask) -> tuple[int, float | None]:
        return self.seat.most(ask)
