"""A detection: what may be said of it, who sits where, and the session that it becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Self, get_args

from pydantic import Field, field_validator, model_validator

from elenchus.config.catalogue import bias_meant
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.printable import is_blank
from elenchus.detectors.decision.weights import DEFAULT, Weights, weights_of
from elenchus.detectors.matches import RATIONAL, REFEREES
from elenchus.detectors.protocol import seats_of
from elenchus.detectors.schemas import MOST_SUSPECTED, SCREENED_METHODS, TREE_METHODS, DetectConfig, Method, Turn
from elenchus.service.lab.new_sessions import NewSession
from elenchus.service.lab.options import RunOptions, options_of
from elenchus.service.lab.seats import context_of

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry

BY_MEANING = "embeddings"
KINDS = {"detector": ("detector",), "referee": (*REFEREES, RATIONAL)}
"""The seats that an option names, where they are there."""


class DetectOptions(RunOptions):
    """What is examined and how. Biases may have any of their names; `weights` are named, or a file.

    `model` sits everywhere unless `detector` or `referee` names another. `speaker` and `source`: see `DetectConfig`.
    """

    turns: tuple[Turn, ...]
    title: str = "the text"
    source: str = ""
    speaker: str = ""
    method: str = "full"
    weights: str = ""
    labels: tuple[str, ...] = ()
    bias: str = ""
    repeats: Annotated[int, Field(ge=1, le=50, examples=[3])] = 1
    screen: str = ""
    top: Annotated[int, Field(ge=1, le=100, examples=[3])] = 1
    model: str = ""
    detector: str = ""
    referee: str = ""

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        method = self.method.strip().lower()
        if method not in get_args(Method):
            return self  # `method_named` says what there is
        if self.bias and self.labels:
            raise ValueError("{bias} asks about one bias and {labels} compares several: give one of them.")
        if self.repeats > 1 and not self.bias:
            raise ValueError("{repeats} goes with {bias}: leave it out, or name the bias.")
        if self.bias and method != "full":
            raise ValueError("{bias} asks one detector about one bias, without any method: leave out {method}.")
        if self.top > 1 and (self.bias or method not in TREE_METHODS):
            raise ValueError("{top} ranks by the loser tree: leave it out, or take {method} full or tree.")
        if self.weights and (self.bias or method != "full"):
            raise ValueError("{weights} counts the referees' scores, which only {method} full has: leave it out.")
        return self


class _Text(FrozenModel):
    text: str

    @field_validator("text")
    @classmethod
    def _something_to_read(cls, text: str) -> str:
        if is_blank(text):
            raise ValueError("The text is empty: give one in which somebody judges or decides.")
        return text


def turn_of(text: str) -> Turn:
    """A whole text as the turn that is examined. Raises UsageError for what is no text, or an empty one."""
    return Turn(text=options_of(_Text, {"text": text}).text)


def config_of(options: DetectOptions) -> DetectConfig:
    """The settings of the detection. Raises UsageError."""
    method = method_named(options.method)
    labels = [bias_named(label) for label in options.labels]
    if len(set(labels)) < len(labels):
        raise UsageError(f"{', '.join(options.labels)} names a bias twice: give each one once.")
    screened = method in SCREENED_METHODS and not (options.bias or labels)
    return DetectConfig(
        title=options.title,
        turns=options.turns,
        source=options.source,
        speaker=options.speaker,
        method=method,
        weights=weights_named(options.weights),
        labels=tuple(labels),
        near=candidates_added(options.screen, screened=screened),
        top=options.top,
        bias=bias_named(options.bias) if options.bias else "",
        repeats=options.repeats,
    )


def detect_seats(options: DetectOptions, cfg: DetectConfig, default: Callable[..., str]) -> list[Seat]:
    """Everyone's seat; `default` gives who takes the seats of these names where nobody is named.

    Raises UsageError for an option about a seat that this way of detecting does not have.
    """
    names = seats_of(cfg)
    said = {"detector": options.detector.strip(), "referee": options.referee.strip()}
    taken = {option: [name for name in names if name in KINDS[option]] for option in KINDS}
    if idle := [option for option in KINDS if said[option] and not taken[option]]:
        raise UsageError(f"{idle[0]}: with the method {cfg.method} nobody sits there: leave it out.")
    own = {name: said[option] for option in KINDS for name in taken[option]}
    named = {name: own.get(name) or options.model.strip() for name in names}
    other = default(*(name for name, spec in named.items() if not spec)) if not all(named.values()) else ""
    return [Seat(name=name, spec=spec or other) for name, spec in named.items()]


def detection(cfg: DetectConfig, seats: Sequence[Seat]) -> NewSession:
    """The session that looks for the bias."""

    def configured(registry: Registry) -> DetectConfig:
        return cfg.model_copy(update=context_of(registry, seats))

    return NewSession("detect", cfg.title, seats, configured, cfg.source)


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────


def refuse_a_person(spec: str) -> None:
    """Raises UsageError where a person is to do it all."""
    if is_human(spec):
        raise UsageError("This asks many small questions and needs a model: give --model provider:model.")


def candidates_added(screen: str, *, screened: bool) -> int:
    """How many candidates the library adds, by `--screen`; `screened`: there are screeners. Raises UsageError."""
    how = screen.strip().lower()
    if how not in ("", BY_MEANING):
        raise UsageError(f"There is no further screen {screen!r}: give --screen {BY_MEANING}, or leave it out.")
    if how and not screened:
        raise UsageError("--screen adds to the screeners' suspicions, and here nobody screens: leave it out.")
    return MOST_SUSPECTED if how else 0


def method_named(name: str) -> Method:
    """A method by its name. Raises UsageError."""
    methods: tuple[Method, ...] = get_args(Method)
    for method in methods:
        if method == name.strip().lower():
            return method
    raise UsageError(f"There is no method {name!r}: take one of {', '.join(methods)}.")


def weights_named(name: str) -> Weights:
    """Weights by name or from a file, "" for the default. Raises UsageError."""
    try:
        return weights_of(name.strip() or DEFAULT)
    except ValueError as error:
        raise UsageError(f"{error}.") from error


def bias_named(name: str) -> str:
    """The id of a bias by any of its names. Raises UsageError, also for one that no detector looks for."""
    try:
        bias = bias_meant(name)
    except ValueError as error:
        raise UsageError(f"{error}.") from error
    if not bias.detected:
        raise UsageError(
            f"{bias.name} is in the catalogue for a scene, and no detector looks for it: name another bias."
        )
    return bias.id
