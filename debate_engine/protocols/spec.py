"""What a protocol says of itself. Who runs, shows or exports a session looks it up by the name in its first event.

A protocol needs a name and something to run. All else has a default that tells no more than the log holds: what was
said, and the outcome as it was returned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import iscoroutinefunction
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from elenchus.config.validation import fault_told
from elenchus.debate_engine.dry_run.stubs import Stub, filling
from elenchus.debate_engine.errors import ProtocolBug, UsageError
from elenchus.debate_engine.protocols import faults
from elenchus.debate_engine.protocols.presentation import Presentation

if TYPE_CHECKING:
    from elenchus.debate_engine.session import Protocol as Run

T = TypeVar("T")
Place = str
"""Where something stands, `package.module:name`: it is imported when it is first needed."""

NEVER = r"(?!)"


class UnusableProtocol(UsageError):
    """The package that brings this protocol is there, but cannot be loaded: mend it, or install another version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """How a session is played dry, before anything is spent (see `dry_run.simulation`).

    - `stub`: what answers every question of a session with these settings; default: it fills whatever form is asked.
    - `given`: what stands for the `needs` of `run`, which the application hands to a real session.
    - `prepared`: the forms that a model drafts for a person whose seat `prepares`: each draft is a call.
    - `drawn`: the session's seed decides who does what, so that a plan is that of one seed.
    - `parts`: the settings of what a long session consists of, each with how often; none: it is played whole.
    """

    stub: Callable[[Any], Stub] = lambda _: filling()
    given: Mapping[str, Any] = field(default_factory=dict)
    prepared: Collection[str] = ()
    drawn: bool = False
    parts: Callable[[Any], Sequence[tuple[BaseModel, int]]] = lambda _: ()


@dataclass(frozen=True, kw_only=True)
class ProtocolSpec:
    """A protocol. `noun` is what people call a session of it ("debate"); without one its name.

    `needs` names what the application hands to `run` by keyword (`library`, `retriever`); `config` and `outcome` are
    pydantic models of both. `step_words` are pairs of a pattern of step keys and a verb phrase ("rules on a topic"),
    `tasks` of one and what a person is asked for there ("a ruling on one topic"): the first that matches counts.
    `turn_kinds` are pairs of one and a kind of a person's turn, where the kinds are shown in different ways;
    `decisions` are those by which a person says whether they take part, and whether it may be kept: nobody passes them.
    `turns_end` is the step with which whatever anybody is still asked is over.
    `drafts` is the pattern of keys whose text may be shown while it is written.
    `commands` are what a moderator may do to it beyond what may be done to any session.
    `seats` are the names of its seats, where these are always the same: whoever starts a session need not name them.
    `scoring_seats` score what is said on the others, and say nothing themselves: they are not shown among who speaks.
    `has_speakers`: what is said in it may be looked through for biases once it is over. `has_subjects`: people sit in
    it as subjects: they see what reaches them and nothing else, are debriefed, and their names leave the machine only
    as made-up ones.
    """

    name: str
    run: Place | Run
    noun: str = ""
    seats: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    config: Place | type[BaseModel] | None = None
    outcome: Place | type[BaseModel] | None = None
    step_words: Sequence[tuple[str, str]] = ()
    tasks: Sequence[tuple[str, str]] = ()
    turn_kinds: Sequence[tuple[str, str]] = ()
    decisions: Collection[str] = ()
    turns_end: str = ""
    drafts: str = NEVER
    commands: tuple[str, ...] = ()
    scoring_seats: tuple[str, ...] = ()
    has_speakers: bool = False
    has_subjects: bool = False
    dry_run: Place | DryRun = field(default_factory=DryRun)
    presentation: Place | Presentation = field(default_factory=Presentation)

    @property
    def kind(self) -> str:
        """What people call a session of it."""
        return self.noun or self.name

    @cached_property
    def runs(self) -> Run:
        """The protocol's code, an `async def`. Raises UnusableProtocol."""
        run = self._loaded(self.run)
        if not (iscoroutinefunction(run) or iscoroutinefunction(getattr(run, "__call__", None))):  # noqa: B004
            raise UnusableProtocol(faults.fault_in(self.name, ProtocolBug("what it runs is no `async def`"), run))
        return cast("Run", run)

    @cached_property
    def dry(self) -> DryRun:
        """How its sessions are played dry. Raises UnusableProtocol."""
        return cast("DryRun", self._loaded(self.dry_run, "dry run"))

    @cached_property
    def present(self) -> Presentation:
        """How its sessions are told. Of what fails of it the view of a session takes note."""
        try:
            return faults.guarded(imported(self.presentation), self.name, self.run)
        except Exception as error:  # noqa: BLE001 - whatever an import raises, the session can be read without it
            return faults.unusable(Presentation(), faults.fault_in(self.name, error, self.run, "presentation"))

    def _loaded(self, place: Any, part: str = "") -> Any:
        try:
            return imported(place)
        except Exception as error:
            raise UnusableProtocol(faults.fault_in(self.name, error, self.run, part)) from error

    def config_of(self, config: Any) -> BaseModel | None:
        """The settings, where they are of the protocol's form."""
        return _valid(self.config, config)

    @property
    def config_model(self) -> type[BaseModel] | None:
        """The model of its settings. Raises UnusableProtocol."""
        return cast("type[BaseModel] | None", self._loaded(self.config, "settings"))

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The settings as JSON, with defaults for those that are not given. Raises UsageError as `checked` does, and
        for one that the protocol does not know.
        """
        if (model := self.config_model) is None:
            return dict(given)
        names = {name for field, info in model.model_fields.items() for name in (field, info.alias) if name}
        if model.model_config.get("extra") != "allow" and (odd := [name for name in given if name not in names]):
            known = ", ".join(model.model_fields) or "none"
            raise UsageError(f"The protocol {self.name} has no setting {odd[0]!r}: its settings are {known}.")
        return cast("BaseModel", self.checked(given)).model_dump(mode="json", by_alias=True)

    def checked(self, config: Mapping[str, Any]) -> BaseModel | None:
        """The settings, None without a model. Raises UsageError, which names the setting, for what it does not take."""
        try:
            return self.config_model.model_validate(config) if self.config_model else None
        except ValidationError as error:
            raise UsageError(f"The protocol {self.name} does not take these settings: {_first_of(error)}.") from error

    def check_outcome(self, outcome: dict[str, Any]) -> None:
        """Raises ProtocolBug for one that is not of the protocol's form, UnusableProtocol where that is not there."""
        if (model := self._loaded(self.outcome, "outcome")) is None:
            return
        try:
            model.model_validate(outcome)
        except ValidationError as error:
            raise ProtocolBug(f"the outcome that it returned is not of its form: {_first_of(error)}") from None

    def outcome_of(self, outcome: Any) -> BaseModel | None:
        """The outcome, where it is of the protocol's form."""
        return _valid(self.outcome, outcome)

    def doing(self, step: str) -> str:
        """What a seat does in this step, as words after its name."""
        if step.endswith(AGAIN):
            return f"{self.doing(step.removesuffix(AGAIN))} once more"
        return next((words for pattern, words in self._patterns if pattern.search(step)), f"works on {step}")

    def task(self, step: str) -> str:
        """What a person is asked for in this step, as a noun."""
        return next((words for pattern, words in self.tasks if re.search(pattern, step)), "an answer")

    def turn_kind(self, step: str) -> str:
        """The kind of turn that this step is for a person, "" where the protocol tells none apart."""
        return next((kind for pattern, kind in self.turn_kinds if re.search(pattern, step)), "")

    def is_decision(self, step: str) -> bool:
        """Whether a person says here whether they take part."""
        return self.turn_kind(step) in self.decisions

    def is_draft(self, step: str) -> bool:
        """Whether the step's answer is a text that may be shown while it is written."""
        return bool(re.search(self.drafts, step))

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(pattern), words) for pattern, words in self.step_words]


AGAIN = "/again"
"""The end of a step's key where the seat is asked once more, with the fault of its first answer."""


def imported(place: Place | T) -> Any | T:
    """What stands at a place; anything else as it is. Raises ImportError, AttributeError."""
    return resolve_name(place) if isinstance(place, str) else place


def _first_of(error: ValidationError) -> str:
    """The first thing that is wrong: the field, and what."""
    first = error.errors(include_url=False)[0]
    return ": ".join([*filter(None, [".".join(map(str, first["loc"]))]), fault_told(first)])


def _valid(model: Place | type[BaseModel] | None, value: Any) -> BaseModel | None:
    if model is None or value is None:
        return None
    try:
        return cast("type[BaseModel]", imported(model)).model_validate(value)
    except ValidationError:
        return None
