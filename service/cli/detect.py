"""`elenchus detect`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli import completing, context
from elenchus.service.cli.context import BudgetTokens, BudgetUsd, DryRun, Export, Json, PriceOption, Seed, UnpricedOk
from elenchus.service.cli.output import Out, clean

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.service.cli.launching import Options
    from elenchus.storage.vectors import Progress

WEIGHTS = "mean, annealing, genetic, ant-colony, dqn-genetic (the default) or a file"
METHODS = "full, tree, candidates, zero-shot, cot, dialogue or group"
Screen = Annotated[
    str,
    typer.Option(
        "--screen", metavar="HOW", help="embeddings: 8 more candidates by meaning, from the library, at no cost."
    ),
]


def detect(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="The text: a file, or - for standard input.")] = "",
    method: Annotated[
        str, typer.Option("--method", metavar="M", autocompletion=completing.one_of(METHODS), help=f"How: {METHODS}.")
    ] = "full",
    weights: Annotated[
        str, typer.Option("--weights", metavar="NAME", help=f"What the scores count for: {WEIGHTS}.")
    ] = "",
    labels: Annotated[
        str, completing.bias("--labels", metavar="A,B", help="The candidates, instead of the screeners' suspicions.")
    ] = "",
    bias: Annotated[str, completing.bias("--bias", help="Ask only whether this one is there.")] = "",
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", help="With --bias: ask so often.")] = 1,
    session: Annotated[str, completing.session("--session", help="Look at what was said in a session.")] = "",
    speaker: Annotated[
        str, typer.Option("--speaker", metavar="NAME", help="With --session: examine only what this one said.")
    ] = "",
    screen: Screen = "",
    top: Annotated[int, typer.Option("--top", metavar="K", help="Rank the first K biases.")] = 1,
    model: Annotated[str, completing.model("--model", help="Who does it all: provider:model, or human.")] = "",
    detector: Annotated[
        str, completing.model("--detector", help="Who looks for the bias in question (default: --model).")
    ] = "",
    referee: Annotated[str, completing.model("--referee", help="Who judges the debates (default: --model).")] = "",
    seed: Seed = None,
    dry_run: DryRun = False,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    price: PriceOption = "",
    unpriced_ok: UnpricedOk = False,
    export: Export = None,
    json: Json = False,
) -> None:
    """Find the cognitive bias in a text, by debates between the suspected ones."""
    from elenchus.service.cli.launching import Options, limits_of

    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    options = Options(Out(json), limits, seed, dry_run, export)
    options.check()
    if bool(file) == bool(session):
        raise UsageError("Give what is to be examined, one thing only: a FILE, - for standard input, or --session ID.")
    if speaker and not session:
        raise UsageError("--speaker goes with --session: a text has no speakers.")
    how: dict[str, Any] = {
        "method": method, "weights": weights, "labels": labels.split(",") if labels else (), "bias": bias,
        "repeats": repeats, "screen": screen, "top": top, "model": model, "detector": detector, "referee": referee,
    }  # fmt: skip
    raise typer.Exit(context.run(_detect(how, (file, session, speaker), options)))


async def _detect(how: dict[str, Any], examined: tuple[str, str, str], options: Options) -> int:
    from elenchus.service.cli import checks
    from elenchus.service.cli.launching import Launch, launched
    from elenchus.service.lab import detection
    from elenchus.service.lab.default_models import seated
    from elenchus.service.lab.options import options_of

    settings = context.settings()
    file, session, speaker = examined
    options_of(detection.DetectOptions, {**how, "turns": ()}, checks.option)  # before anything is read
    what = await _said_in(session, speaker, settings) if session else _written_in(file)
    said = options_of(detection.DetectOptions, how | what, checks.option)
    cfg = detection.config_of(said)
    seats, unnamed = await seated(settings, "", lambda unnamed: detection.detect_seats(said, cfg, unnamed))

    async def library_is_there(app: App) -> None:
        await app.library.names()  # built where it is not there yet, and told where it cannot be had, before any cost

    launch = Launch(detection.detection(cfg, seats), unnamed, library_is_there)
    return await launched(launch, settings, options, _building(options.out))


def _written_in(file: str) -> dict[str, Any]:
    """A file's text, or standard input's."""
    from elenchus.detectors.schemas import Turn
    from elenchus.service.cli.text_file import name_of_file_or_input, text_of_file_or_input
    from elenchus.service.lab.options import LONGEST_DOCUMENT

    text = clean(text_of_file_or_input(file, LONGEST_DOCUMENT, "text")).strip()
    if not text:
        raise UsageError("The text is empty: give one in which somebody decides or argues.")
    return {"title": name_of_file_or_input(file), "turns": (Turn(text=text),)}


async def _said_in(beginning: str, speaker: str, settings: Settings) -> dict[str, Any]:
    """A session's turns, and whose words count."""
    from elenchus.detectors.transcript import speakers_of, turns_of
    from elenchus.service.cli.finding import find

    async with context.opened(settings) as app:
        info = await find(app.log, beginning)
        turns = turns_of(await app.log.read(info.id))
    speakers = speakers_of(turns)
    if not turns:
        raise UsageError(f"Nothing was said in {info.id} yet: there is nothing to examine.")
    if speaker and speaker not in speakers:
        raise UsageError(f"Nobody called {speaker!r} spoke in {info.id}: it was {', '.join(speakers)}.")
    return {"title": f"{info.title} ({info.id})", "turns": turns, "source": info.id, "speaker": speaker}


def _building(out: Out) -> Progress:
    return lambda done, of: out.tell(f"building the knowledge library: {done} of {of} biases")
