"""From the options of `elenchus detect` to its session; all is checked before anything is spent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from elenchus.config.catalogue import bias_meant
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human import is_human
from elenchus.detectors.decision.weights import DEFAULT, Weights, weights_of
from elenchus.detectors.plan import plan
from elenchus.detectors.protocol import seats_of
from elenchus.detectors.referees import RATIONAL, REFEREES
from elenchus.detectors.schemas import MOST_SUSPECTED, SCREENED_METHODS, TREE_METHODS, DetectConfig, Method, Turn
from elenchus.service.cli import checks, context
from elenchus.service.cli.launching import Launch, Options, launched
from elenchus.service.cli.output import Out, clean
from elenchus.service.cli.session_lookup import find
from elenchus.service.cli.starting import context_of
from elenchus.service.cli.text_file import name_of_file_or_input, text_of_file_or_input
from elenchus.service.lab.default_models import seated

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.app import App
    from elenchus.service.lab.default_models import Unnamed
    from elenchus.storage.vectors import Progress

LARGEST = 400_000
"""Bytes of a text."""

BY_MEANING = "embeddings"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options that say what is examined and how, as they were typed."""

    file: str
    method: str
    weights: str
    labels: str
    bias: str
    repeats: int
    session: str
    speaker: str
    top: int
    screen: str = ""


async def config_of(wanted: Wanted, settings: Settings) -> DetectConfig:
    """The settings of the detection. Raises UsageError, UnknownSession."""
    checks.within(wanted.top, 1, 100, "--top", "3")
    checks.within(wanted.repeats, 1, 50, "--repeats", "3")
    method = method_named(wanted.method)
    screened = method in SCREENED_METHODS and not (wanted.bias or wanted.labels)
    how: dict[str, Any] = {
        "method": method,
        "weights": weights_named(wanted.weights),
        "labels": [bias_named(label) for label in wanted.labels.split(",")] if wanted.labels else [],
        "bias": bias_named(wanted.bias) if wanted.bias else "",
        "repeats": wanted.repeats,
        "top": wanted.top,
        "near": candidates_added(wanted.screen, screened=screened),
    }
    _refuse_what_does_not_go_together(wanted, how["labels"])
    _refuse_what_would_be_passed_over(wanted, method)
    return DetectConfig.model_validate(how | await _examined(wanted, settings))


def refuse_a_person(spec: str) -> None:
    """Raises UsageError where a person is to do it all."""
    if is_human(spec):
        raise UsageError("This asks many small questions and needs a model: give --model provider:model.")


def _refuse_what_does_not_go_together(wanted: Wanted, labels: list[str]) -> None:
    if wanted.bias and labels:
        raise UsageError("--bias asks about one bias and --labels compares several: give one of them.")
    if wanted.repeats > 1 and not wanted.bias:
        raise UsageError("--repeats goes with --bias: leave it out, or name the bias.")
    if len(set(labels)) < len(labels):
        raise UsageError("--labels names a bias twice: give each one once.")
    if bool(wanted.file) == bool(wanted.session):
        raise UsageError("Give what is to be examined, one thing only: a FILE, - for standard input, or --session ID.")
    if wanted.speaker and not wanted.session:
        raise UsageError("--speaker goes with --session: a text has no speakers.")


def _refuse_what_would_be_passed_over(wanted: Wanted, method: Method) -> None:
    """Raises UsageError for an option that this way of detecting has no use for."""
    if wanted.bias and method != "full":
        raise UsageError("--bias asks one detector about one bias, without any method: leave out --method.")
    if wanted.top > 1 and (wanted.bias or method not in TREE_METHODS):
        raise UsageError("--top ranks by the loser tree: leave it out, or take --method full or tree.")
    if wanted.weights and (wanted.bias or method != "full"):
        raise UsageError("--weights counts the referees' scores, which only --method full has: leave it out.")


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
    """The id of a bias by any of its names. Raises UsageError."""
    try:
        return bias_meant(name).id
    except ValueError as error:
        raise UsageError(f"{error}.") from error


# ── what is examined ─────────────────────────────────────────────────────────────────────────────────────────────


async def _examined(wanted: Wanted, settings: Settings) -> dict[str, Any]:
    if wanted.session:
        return await _said_in(wanted.session, wanted.speaker, settings)
    text = clean(text_of_file_or_input(wanted.file, LARGEST, "text")).strip()
    if not text:
        raise UsageError("The text is empty: give one in which somebody decides or argues.")
    return {"title": name_of_file_or_input(wanted.file), "turns": (Turn(text=text),)}


async def _said_in(beginning: str, speaker: str, settings: Settings) -> dict[str, Any]:
    """A session's turns, and whose words count."""
    from elenchus.detectors.transcript import speakers_of, turns_of

    async with context.opened(settings) as app:
        info = await find(app.log, beginning)
        turns = turns_of(await app.log.read(info.id))
    speakers = speakers_of(turns)
    if not turns:
        raise UsageError(f"Nothing was said in {info.id} yet: there is nothing to examine.")
    if speaker and speaker not in speakers:
        raise UsageError(f"Nobody called {speaker!r} spoke in {info.id}: it was {', '.join(speakers)}.")
    return {"title": f"{info.title} ({info.id})", "turns": turns, "source": info.id, "speaker": speaker}


# ── the session ──────────────────────────────────────────────────────────────────────────────────────────────────


async def start_detection(wanted: Wanted, who: dict[str, str], options: Options) -> int:
    """Check it, then plan or run it; the exit code. `who`: the models typed, by option. Raises UsageError."""
    settings = context.settings()
    cfg = await config_of(wanted, settings)
    seats, unnamed = await seated(settings, "", lambda unnamed: _seats(cfg, who, unnamed))

    def made(registry: Registry) -> DetectConfig:
        return cfg.model_copy(update=context_of(registry, seats))

    async def library_is_there(app: App) -> None:
        await app.library.names()  # built where it is not there yet, and told where it cannot be had, before any cost

    launch = Launch("detect", cfg.title, seats, unnamed, made, plan, cfg.source, library_is_there)
    return await launched(launch, settings, options, _building(options.out))


def _seats(cfg: DetectConfig, who: dict[str, str], unnamed: Unnamed) -> list[Seat]:
    """Everyone's seat. Raises UsageError for an option about a seat that this way of detecting does not have."""
    names = seats_of(cfg)
    kinds = {"detector": ("detector",), "referee": (*REFEREES, RATIONAL)}
    taken = {option: [name for name in names if name in kinds[option]] for option in kinds}
    if idle := [option for option in kinds if who[option].strip() and not taken[option]]:
        raise UsageError(f"--{idle[0]}: with --method {cfg.method} nobody sits there: leave it out.")
    own = {name: who[option].strip() for option in kinds for name in taken[option]}
    named = {name: own.get(name) or who["model"].strip() for name in names}
    default = unnamed.debater(*(name for name, spec in named.items() if not spec)) if not all(named.values()) else ""
    return [Seat(name=name, spec=spec or default) for name, spec in named.items()]


def _building(out: Out) -> Progress:
    return lambda done, of: out.tell(f"building the knowledge library: {done} of {of} biases")
