"""Who can be asked: people and models sit on the same chair and answer the same `Ask`."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import Field

from elenchus.debate_engine.events import CallRecord, FrozenModel, PromptTrimmed, Recorded
from elenchus.debate_engine.llm.cache import Repeat
from elenchus.debate_engine.log.turns import Turns
from elenchus.debate_engine.prompts import Section, quoted


class Ask(FrozenModel):
    """What one seat is asked. The schema becomes a vendor's JSON-schema output, a form, or a Discord modal.

    `prefill` is how the answer begins (text only): the answerer goes on from there, and the answer holds it.
    `person` is what is asked in the words for a person, "" where the task will do.
    `deadline` is seconds for a person (None: no deadline); `max_tokens` bounds a model's reply. `repeat` says which
    repetition this is, where a kept answer will do as well; it is no part of the step's input, as the key tells it.
    `topics` are those that the answer names by number: who answers every one is asked for each.
    """

    step: str
    seat: str
    prompt_id: str
    prompt_hash: str
    role: str
    material: tuple[Section, ...]
    task: str
    prefill: str = Field("", exclude_if=lambda prefill: not prefill)
    person: str = Field("", exclude_if=lambda person: not person)
    topics: dict[int, str] = Field(default_factory=dict, exclude_if=lambda topics: not topics)
    answer_schema: dict[str, Any] | None = None
    schema_name: str = ""
    temperature: float | None = None
    max_tokens: int = 800
    seed: int | None = None
    deadline: float | None = None
    repeat: Repeat | None = Field(None, exclude=True)

    @property
    def text(self) -> str:
        """The whole text as a model reads it: material with headings, then the task."""
        return "\n\n".join([*(s.shown for s in self.material), self.task])

    @property
    def asked_of_person(self) -> str:
        """What is asked, in the words for a person."""
        return self.person or self.task

    @property
    def text_for_person(self) -> str:
        """The whole text as a person reads it: material with headings, words of others quoted, then what is asked."""
        return quoted("\n\n".join([*(s.shown for s in self.material), self.asked_of_person]))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat answered: a text, or a JSON value of the asked form. `calls` is empty for a person."""

    value: Any
    calls: tuple[CallRecord, ...] = ()
    trimmed: PromptTrimmed | None = None


@dataclass(frozen=True, slots=True)
class Declined:
    """There is no answer, and `reason` says why. A declined score is no score: it never counts as a number."""

    reason: str
    calls: tuple[CallRecord, ...] = ()
    trimmed: PromptTrimmed | None = None


class Participant(Protocol):
    """Anyone on a seat."""

    async def answer(self, ask: Ask) -> Answer | Declined:
        """Answer, or say why not.

        Raises ProviderError when the seat could not be reached at all; the session then pauses, or goes on without
        the answer where the protocol can.
        """
        ...

    def most(self, ask: Ask) -> tuple[int, float | None]:
        """What answering may use at the most: tokens and US dollars (None: nobody knows); (0, 0.0) for a person."""
        ...


class SeatContext(Protocol):
    """What a seat may do with the session while it answers; the session is this to its seats."""

    async def note(self, event: Any) -> None:
        """Append an event that is no step's result (a failed attempt, an opened turn)."""
        ...

    async def prepare(self, ask: Ask, by: Participant) -> Answer | Declined:
        """What another seat would answer, within the session's budget; Declined where it cannot be reached."""
        ...

    def draft(self, step: str, seat: str, text: str | None) -> None:
        """Show a further piece of an answer that is being written; None: it starts again from nothing."""
        ...

    def effect(self, tokens: int, usd: float | None) -> AbstractAsyncContextManager[None]:
        """Around a call of a seat that costs nothing itself, a stand-in's: waits while it does not fit the budget."""
        ...

    @property
    def watched(self) -> bool:
        """Whether anybody is shown drafts: an answer that nobody sees being written need not be streamed."""
        ...

    @property
    def turns(self) -> Turns:
        """What the log says of the turns of people."""
        ...

    async def answer_to(self, step: str, seat: str) -> Recorded | None:
        """Wait for the next answer (a TurnAnswered) to an open turn; None when the person has left the seat."""
        ...
