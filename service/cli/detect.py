"""`elenchus detect`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import completing, context
from elenchus.service.cli.context import BudgetTokens, BudgetUsd, DryRun, Export, Json, PriceOption, Seed, UnpricedOk
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.detectors.schemas import DetectConfig
    from elenchus.service.app import App
    from elenchus.service.cli.examining import Wanted
    from elenchus.service.cli.launching import Options
    from elenchus.service.lab.default_models import Unnamed
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
    from elenchus.service.cli.examining import Wanted
    from elenchus.service.cli.launching import Options, limits_of

    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    options = Options(Out(json), limits, seed, dry_run, export)
    options.check()
    wanted = Wanted(file, method, weights, labels, bias, repeats, session, speaker, top, screen)
    who = {"model": model, "detector": detector, "referee": referee}
    raise typer.Exit(context.run(_detect(wanted, who, options)))


async def _detect(wanted: Wanted, who: dict[str, str], options: Options) -> int:
    from elenchus.detectors.plan import plan
    from elenchus.service.cli.examining import config_of
    from elenchus.service.cli.launching import Launch, launched
    from elenchus.service.lab.default_models import seated
    from elenchus.service.lab.seats import context_of
    from elenchus.service.lab.start import SessionSpec

    settings = context.settings()
    cfg = await config_of(wanted, settings)
    seats, unnamed = await seated(settings, "", lambda unnamed: _seats(cfg, who, unnamed))

    def made(registry: Registry) -> DetectConfig:
        return cfg.model_copy(update=context_of(registry, seats))

    async def library_is_there(app: App) -> None:
        await app.library.names()  # built where it is not there yet, and told where it cannot be had, before any cost

    session = SessionSpec("detect", cfg.title, seats, made, plan, cfg.source)
    return await launched(Launch(session, unnamed, library_is_there), settings, options, _building(options.out))


def _seats(cfg: DetectConfig, who: dict[str, str], unnamed: Unnamed) -> list[Seat]:
    """Everyone's seat. Raises UsageError for an option about a seat that this way of detecting does not have."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.events import Seat
    from elenchus.detectors.protocol import seats_of
    from elenchus.detectors.referees import RATIONAL, REFEREES

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
