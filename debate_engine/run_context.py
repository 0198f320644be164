"""What a running session is carried out with: performs steps, asks seats, notes events, shows drafts."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import ProviderError
from elenchus.debate_engine.events import (
    AnswerRejected,
    CallFailed,
    CallRecord,
    Event,
    Said,
    ShownPicture,
    StepDone,
    TurnOpened,
    TurnReminded,
)
from elenchus.debate_engine.llm.cache import Repeat
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.participant import Answer, Ask, Declined, Participant
from elenchus.debate_engine.prompts import Prompt, Rendered
from elenchus.debate_engine.run_state import RunState
from elenchus.debate_engine.steps import Steps, hash_of, said_inputs


@dataclass(frozen=True, slots=True)
class Draft:
    """A piece of an answer being written: not in the log yet, shown by the process that runs the session.

    `text` None: it starts again from nothing. `done`: the step's result is in the log now.
    """

    step: str
    seat: str
    text: str | None
    done: bool = False


OnDraft = Callable[[Draft], None]


class RunContext:
    """What a session's run is made of. The session performs steps and asks; seats only note, prepare and draft."""

    def __init__(
        self,
        steps: Steps,
        state: RunState,
        *,
        seed: int,
        seed_models: bool = False,
        temperature: float | None = None,
        on_draft: OnDraft | None = None,
        clock: Callable[[], datetime] = events.now,
    ) -> None:
        self._steps, self.state, self.clock = steps, state, clock
        self._seed, self._seed_models, self._temperature = seed, seed_models, temperature
        self._on_draft = on_draft
        self.calls: dict[str, tuple[CallRecord, ...]] = {}

    # ── steps ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def perform(self, key: str, inputs: Any, effect: Callable[[], Awaitable[Any]]) -> StepDone:
        """Look up or run a step that calls no model."""

        async def run() -> list[Event]:
            async with self.state.effect():
                return [StepDone(step=key, input_hash=hash_of(inputs), inputs=inputs, result=await effect())]

        done, _ = await self._steps.run(key, inputs, run)
        assert isinstance(done, StepDone)
        return done

    async def say(
        self, key: str, speaker: str, to: tuple[str, ...], text: str, about: str, picture: ShownPicture | None = None
    ) -> Said:
        """Look up or record that words reached somebody."""
        inputs = said_inputs(speaker, to, text, about)

        async def run() -> list[Event]:
            async with self.state.effect():
                said = Said(step=key, input_hash=hash_of(inputs), speaker=speaker, to=to, text=text, about=about)
                return [said.model_copy(update={"picture": picture})]

        found, _ = await self._steps.run(key, inputs, run)
        assert isinstance(found, Said)
        return found

    def found(self, key: str) -> Any:
        """The result (of words: what was said) that this run found recorded under a key, None for none."""
        found = self._steps.found(key)
        return found.text if isinstance(found, Said) else found and found.result

    # ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────

    def ask_for(
        self,
        key: str,
        seat: str,
        prompt: Prompt,
        schema: type[BaseModel] | None,
        max_tokens: int | None,
        rendered: Rendered,
        repeat: Repeat | None = None,
        topics: Mapping[int, str] | None = None,
    ) -> Ask:
        """The Ask that a rendered prompt makes for a seat."""
        return Ask(
            step=key,
            seat=seat,
            prompt_id=prompt.id,
            prompt_hash=prompt.hash,
            role=rendered.role,
            material=rendered.material,
            task=rendered.task,
            prefill=rendered.prefill,
            person=rendered.person,
            topics=dict(topics or {}),
            answer_schema=json_schema_of(schema) if schema else None,
            schema_name=schema.__name__ if schema else "",
            temperature=self._temperature if prompt.temperature is None else prompt.temperature,
            max_tokens=max_tokens or prompt.max_tokens or 800,
            seed=self.seed_of(key) if self._seed_models else None,
            repeat=repeat,
        )

    def seed_of(self, key: str) -> int:
        """A seed of 31 bits for one step, fixed by the session's seed."""
        return int.from_bytes(hashlib.sha256(f"{self._seed}/{key}".encode()).digest()[:4], "big") >> 1

    async def ask(self, ask: Ask, participant: Participant, optional: bool) -> dict[str, Any]:
        """The recorded answer (`{"value": …}` or `{"declined": reason}`) of a seat to this ask."""
        inputs = ask.model_dump(mode="json")

        async def run() -> list[Event]:
            outcome = await self._answer(ask, participant, optional)
            result = {"declined": outcome.reason} if isinstance(outcome, Declined) else {"value": outcome.value}
            own = StepDone(step=ask.step, input_hash=hash_of(inputs), inputs=inputs, result=result, calls=outcome.calls)
            await self.state.pay(outcome.calls)
            return [own, outcome.trimmed] if outcome.trimmed else [own]

        done, fresh = await self._steps.run(ask.step, inputs, run)
        assert isinstance(done, StepDone)
        self.calls[ask.step] = done.calls
        if fresh:
            self.draft(ask.step, ask.seat, None, done=True)
        return dict(done.result)

    async def _answer(self, ask: Ask, participant: Participant, optional: bool) -> Answer | Declined:
        while True:
            try:
                async with self.state.effect(*participant.most(ask)):
                    return await participant.answer(ask)
            except ProviderError as error:
                if optional:
                    return Declined(str(error))
                await self.state.pause("provider", f"{ask.seat}: {error}")

    # ── what seats may do ────────────────────────────────────────────────────────────────────────────────────────

    async def note(self, event: Event) -> None:
        """Append an event that is no step's result."""
        match event:
            case TurnOpened() | TurnReminded() | AnswerRejected():
                self.state.turns.note(event)
                if isinstance(event, TurnOpened):
                    await self.state.pay(event.calls)
            case CallFailed(call=call) if call:
                await self.state.pay([call])
        await self._steps.append([event])

    async def prepare(self, ask: Ask, by: Participant) -> Answer | Declined:
        """What another seat would answer, within the budget; Declined where it cannot be reached."""
        try:
            async with self.state.effect(*by.most(ask)):
                return await by.answer(ask)
        except ProviderError as error:
            return Declined(str(error))

    def draft(self, step: str, seat: str, text: str | None, *, done: bool = False) -> None:
        """Pass a further piece of an answer on to whoever watches."""
        if self._on_draft is not None:
            self._on_draft(Draft(step, seat, text, done))

    @property
    def watched(self) -> bool:
        """Whether anybody is shown drafts."""
        return self._on_draft is not None
