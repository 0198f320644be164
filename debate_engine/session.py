"""The session as a protocol sees it: `step`, `ask`, `say`, and the moderator's heat, words and wishes.

A protocol is plain async code over this class. Nothing of logging, posting, retrying or pausing shows in it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random
from typing import Any, TypeVar, overload

from pydantic import BaseModel, ValidationError

from elenchus.debate_engine import log
from elenchus.debate_engine.errors import ElenchusError, ProtocolBug
from elenchus.debate_engine.events import CallRecord, Command, Guidance, HeatSet, Question, Recorded, Said, ShownPicture
from elenchus.debate_engine.human_seat import in_person
from elenchus.debate_engine.llm.cache import Repeat
from elenchus.debate_engine.llm.reply_parsing import LEFT_OUT
from elenchus.debate_engine.participant import Declined, Participant
from elenchus.debate_engine.prompts import Prompt, Section
from elenchus.debate_engine.run_context import RunContext

T = TypeVar("T", bound=BaseModel)
R = TypeVar("R")

SENT_BACK = "What to mend in your last answer, which nobody has heard"
"""The title over it."""


@dataclass(frozen=True)
class Session:
    """One run of one session. `prefix` is put before every step key; `under` gives a narrower view of the same run.

    `repeat` None: every question is asked anew; else an answer that was kept for this repetition will do.
    `small` are the seats whose model has the small profile.
    """

    id: str
    context: RunContext
    seats: Mapping[str, Participant]
    prefix: str = ""
    _said: list[Said] = field(default_factory=list)
    _heard: dict[str, list[Said]] = field(default_factory=dict)
    _heard_commands: set[tuple[int, str]] = field(default_factory=set)
    repeat: Repeat | None = None
    small: frozenset[str] = frozenset()

    def with_small(self, seats: Iterable[str]) -> Session:
        """The same session, in which the models on these seats are small ones: `is_small` says so."""
        return replace(self, small=frozenset(seats))

    def is_small(self, seat: str) -> bool:
        """Whether the seat's model needs short plain questions, one thing at a time (its profile is `small`)."""
        return seat in self.small

    def under(self, prefix: str) -> Session:
        """The same session with `prefix/` before every step key."""
        return replace(self, prefix=f"{self.prefix}{prefix}/")

    def recalling(self) -> Session:
        """The same session, whose questions may be answered from the cache (see `llm.cache`)."""
        return replace(self, repeat=())

    def repeated(self, n: int) -> Session:
        """The same session in repetition `n` (from 1) of what goes on in it: no answer of another one is used."""
        return self if self.repeat is None else replace(self, repeat=(*self.repeat, n))

    # ── steps ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def step(self, key: str, inputs: Any, effect: Callable[[], Awaitable[Any]]) -> Any:
        """The result (JSON) of a named effect: from the log, or made now and recorded.

        Raises DuplicateStep when the key was used before in this run, ChangedInput when it is recorded with other
        `inputs`.
        """
        done = await self.context.perform(self.prefix + key, inputs, effect)
        return done.result

    async def record(self, key: str, value: Any) -> Any:
        """Put a computed value (JSON) into the log under a name, for front ends and readers."""

        async def known() -> Any:
            return value

        return await self.step(key, value, known)

    def found(self, key: str) -> Any:
        """The result that an earlier run has left under a key, None for none: only to go on in the same way as it."""
        return self.context.found(self.prefix + key)

    async def now(self, key: str) -> str:
        """The time (ISO 8601, UTC), the same on every replay."""

        async def clock() -> str:
            return self.context.clock().isoformat()

        return str(await self.step(key, None, clock))

    def drawn(self, key: str, options: Sequence[R]) -> R:
        """One of the options by lot: fixed by the session's seed and the key, the same on every replay."""
        return options[self.context.seed_of(self.prefix + key) % len(options)]

    def shuffled(self, key: str, options: Sequence[R]) -> list[R]:
        """The options in an order by lot: fixed by the session's seed and the key, the same on every replay."""
        return Random(self.context.seed_of(self.prefix + key)).sample(options, len(options))

    @property
    def calls(self) -> Mapping[str, Sequence[CallRecord]]:
        """The calls to models so far in this run, by the step that asked (the same on every replay)."""
        return self.context.calls

    # ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────

    @overload
    async def ask(
        self, key: str, seat: str, prompt: Prompt, *, max_tokens: int | None = None, optional: bool = False,
        sent_back: str = "", **variables: Any,
    ) -> str | Declined: ...  # fmt: skip

    @overload
    async def ask(
        self, key: str, seat: str, prompt: Prompt, schema: type[T], *, max_tokens: int | None = None,
        optional: bool = False, sent_back: str = "", by_number: Mapping[int, str] | None = None, **variables: Any,
    ) -> T | Declined: ...  # fmt: skip

    async def ask(
        self,
        key: str,
        seat: str,
        prompt: Prompt,
        schema: type[BaseModel] | None = None,
        *,
        max_tokens: int | None = None,
        optional: bool = False,
        sent_back: str = "",
        by_number: Mapping[int, str] | None = None,
        **variables: Any,
    ) -> Any:
        """Ask one seat: text without a schema, else an instance of it; Declined where there is no answer that fits.

        A seat that cannot be reached pauses the session until someone resumes it; an `optional` one is declined.
        `sent_back` says what is to be mended in the answer that came before; it stands last in the material.
        `by_number`: the topics that the answer names by number (`Ask.topics`).
        """
        rendered = prompt.render(**variables)
        if sent_back:
            rendered = replace(rendered, material=(*rendered.material, Section(title=SENT_BACK, text=sent_back)))
        ask = self.context.ask_for(
            self.prefix + key, seat, prompt, schema, max_tokens, rendered, self.repeat, by_number
        )
        result = await self.context.ask(ask, self._on(seat), optional)
        if "declined" in result:
            return Declined(result["declined"])
        try:
            return schema.model_validate(result["value"]) if schema else result["value"]
        except ValidationError as error:  # by a rule of the model's own, which no schema says: the record stands
            first = error.errors(include_url=False)[0]
            return Declined(f"the answer does not fit: {first['msg'].removeprefix('Value error, ')}")

    def _on(self, seat: str) -> Participant:
        if seat not in self.seats:
            raise ProtocolBug(f"it asks the seat {seat!r}, but there are only {', '.join(self.seats) or 'none'}")
        return self.seats[seat]

    def answered_by_model(self, key: str) -> bool:
        """Whether a model gave the answer under a key, and no person: a person's costs no call."""
        return bool(self.context.calls.get(self.prefix + key))

    def left_out(self, key: str) -> tuple[str, ...]:
        """What was wrong with the entries of lists that the answer under a key had and that could not be read."""
        notes = [note for call in self.context.calls.get(self.prefix + key, ())[-1:] for note in call.adjusted]
        return tuple(note.removesuffix(LEFT_OUT) for note in notes if note.endswith(LEFT_OUT))

    # ── saying ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def say(
        self, key: str, speaker: str, to: Iterable[str], text: str, about: str = "", picture: ShownPicture | None = None
    ) -> Said:
        """Let `to` (seats, or `EVERYONE`) hear the words: what a seat has heard is made of this alone.

        It stands in the log then, as a `Said`. Whoever shows the session has it from there, by following the log: a
        thread on Discord by the `follower` in `bot/posting/`.

        The key of what was asked has `/said` after it here: by that front ends know whether a model stood in for a
        person. Raises ProtocolBug for a Declined.

        A `picture` is shown by front ends: what is on it, the text tells as well (`events.with_alt`).
        """
        said = await self.utter(key, speaker, to, text, about, picture)
        self.take_in(said)
        return said

    async def utter(
        self, key: str, speaker: str, to: Iterable[str], text: str, about: str = "", picture: ShownPicture | None = None
    ) -> Said:
        """Record words that are spoken beside the protocol's course; they are in nobody's memory until `take_in`."""
        words: object = text
        if isinstance(words, Declined):
            raise ProtocolBug(
                f"it lets {speaker} say what {speaker} did not answer ({words.reason}): leave out `say` where `ask` "
                "gives a Declined"
            )
        return await self.context.say(self.prefix + key, speaker, tuple(to), text, about, picture)

    def take_in(self, said: Said) -> None:
        """Put words that were uttered into the memory of those whom they reached, here in the protocol's order."""
        self._said.append(said)
        for name, heard in self._heard.items():
            if log.reached(name, said):
                heard.append(said)

    def heard_by(self, name: str) -> list[Said]:
        """What has reached a seat so far in this run, in the order of the protocol (the same on every replay)."""
        if name not in self._heard:
            self._heard[name] = log.heard_by(name, self._said)
        return list(self._heard[name])

    # ── the moderator ────────────────────────────────────────────────────────────────────────────────────────────

    async def heat(self, key: str, default: float) -> float:
        """The contentiousness to go on with: `default`, or what the moderator has set since the last time."""

        async def current() -> dict[str, Any]:
            sets = self._unheard("heat", HeatSet)
            return {"heat": sets[-1][1].heat if sets else default, "set_by": [seq for seq, _ in sets]}

        result = await self.step(f"{key}/heat", default, current)
        self._hear("heat", result["set_by"])
        return float(result["heat"])

    async def wished(self, key: str, wish: type[Command], to: str = "") -> bool:
        """Whether the moderator has expressed this wish (another round, the closings) since it was last heard.

        With `to`, only a wish addressed to that seat counts.
        """
        ear = f"{wish.__name__} {to}"

        async def current() -> list[int]:
            return [seq for seq, event in self._unheard(ear, wish) if getattr(event, "to", "") == to]

        seqs = await self.step(key, ear, current)
        self._hear(ear, seqs)
        return bool(seqs)

    async def words_to(self, key: str, seat: str) -> list[str]:
        """Guidance and questions for a seat that it has not been given yet; they become part of what it heard."""

        async def current() -> list[dict[str, Any]]:
            notes = self._unheard(seat, Guidance) + self._unheard(seat, Question)
            return [
                {"seq": seq, "kind": event.kind, "text": event.text}
                for seq, event in sorted(notes, key=lambda note: note[0])
                if seat in ((event.to,) if isinstance(event, Question) else event.to)
            ]

        notes = await self.step(f"{key}/from-moderator/{seat}", seat, current)
        self._hear(seat, [note["seq"] for note in notes])
        for note in notes:
            await self.say(f"{key}/moderator/{seat}/{note['seq']}", "moderator", [seat], note["text"], note["kind"])
        return [note["text"] for note in notes]

    async def next_command(
        self, kinds: type[Command] | tuple[type[Command], ...], after: int = 0, until: datetime | None = None
    ) -> Recorded:
        """The next command of these kinds (`seq` > `after`), waiting for it. Not a step: what comes of it must be.

        Who ends the waiting by a timeout tells `until` when.
        """
        return await self.context.state.next_command(kinds, after, until)

    async def next_command_or_rest(
        self, kinds: type[Command] | tuple[type[Command], ...], after: int, reason: str
    ) -> Recorded:
        """The next command of these kinds (`seq` > `after`) that has come by now; else the run is left, and the session
        waits for whoever appends one and runs it again. Not a step: what comes of it must be.
        """
        return await self.context.state.next_command_or_rest(kinds, after, reason)

    def commands(self) -> Sequence[Recorded]:
        """All commands that have come by now, in their order. Not a step: what comes of them must be."""
        return list(self.context.state.commands)

    def command_of(self, kind: type[Command]) -> Recorded | None:
        """The first command of this kind that has come by now. Not a step: what comes of it must be."""
        return next((r for r in self.context.state.commands if isinstance(r.event, kind)), None)

    def failures(self, kind: type[ElenchusError]) -> int:
        """How often this session has ended by such an error, and was resumed: what failed may be tried once more."""
        return self.context.state.failures[kind.__name__]

    def in_person(self, seat: str) -> Session:
        """The same session, in which nobody stands in for the person on `seat`."""
        return replace(self, seats={**self.seats, seat: in_person(self.seats[seat])})

    def _unheard(self, ear: str, kind: type[R]) -> list[tuple[int, R]]:
        return [
            (r.seq, r.event)
            for r in self.context.state.commands
            if isinstance(r.event, kind) and (r.seq, ear) not in self._heard_commands
        ]

    def _hear(self, ear: str, seqs: Iterable[int]) -> None:
        self._heard_commands.update((seq, ear) for seq in seqs)


Protocol = Callable[[Session, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]
"""A protocol's entry: the session and its settings (JSON) in, its outcome (JSON) out."""
