"""Who can be asked: people and models sit on the same chair and answer the same `Ask`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import Field

from elenchus.debate_engine.events import CallRecord, FrozenModel, PromptTrimmed
from elenchus.debate_engine.llm.cache import Repeat
from elenchus.debate_engine.prompts import Section, quoted


class Ask(FrozenModel):
    """What one seat is asked. The schema becomes a vendor's JSON-schema output, a form, or a Discord modal.

    `prefill` is how the answer begins (text only): the answerer goes on from there, and the answer holds it.
    `person` is what is asked in the words for a person, "" where the task will do.
    `deadline` is seconds for a person (None: no deadline); `max_tokens` bounds a model's reply. `repeat` says which
    repetition this is, where a kept answer will do as well; it is no part of the step's input, as the key tells it.
    `topics` are those that the answer names by number: who answers every one is asked for each. A person's text has
    `most_words` at the most.
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
    most_words: int | None = Field(None, exclude_if=lambda most: most is None)
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
