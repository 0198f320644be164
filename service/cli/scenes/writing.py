"""`elenchus scene new` and `elenchus scene save`: a scene written by a model, for a person to review."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import completing, context
from elenchus.service.cli.context import BudgetTokens, BudgetUsd, DryRun, Json, PriceOption, SessionId, UnpricedOk
from elenchus.service.cli.output import Out, clean
from elenchus.service.lab.scene_files import free_name, neutral_of, store

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.protocols.scene_writing.schemas import WritingConfig
    from elenchus.debate_engine.runner import Run
    from elenchus.service.app import App
    from elenchus.service.cli.launching import Options

LONGEST_WISH = 2_000

Save = Annotated[
    Path | None,
    typer.Option(
        "--save", metavar="FILE", help="Where to write it (default: your scene folder, named after the bias)."
    ),
]


def new(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    bias: Annotated[str, completing.bias("--bias", help="Which bias the scene is to elicit.")],
    model: Annotated[str, completing.model("--model", help="Who writes: provider:model.")] = "",
    about: Annotated[str, typer.Option("--about", metavar="TEXT", help="The situation you wish for.")] = "",
    language: Annotated[str, typer.Option("--language", metavar="L", help="The scene's language.")] = "English",
    roles: Annotated[int, typer.Option("--roles", metavar="N", help="How many roles.")] = 3,
    save: Save = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="For the model's chance.")] = None,
    dry_run: DryRun = False,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    price: PriceOption = "",
    unpriced_ok: UnpricedOk = False,
    json: Json = False,
) -> None:
    """Have a model write a scene that elicits a bias. Review it before it is played: `elenchus scene review FILE`."""
    from elenchus.debate_engine.protocols.scene_writing.schemas import MAX_ROLES, MIN_ROLES, WritingConfig
    from elenchus.service.cli import checks
    from elenchus.service.cli.launching import Options, limits_of

    checks.within(roles, MIN_ROLES, MAX_ROLES, "--roles", "3")
    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    checks.run_options(seed=seed)
    wishes = {"about": clean(about).strip()[:LONGEST_WISH], "language": clean(language).strip(), "roles": roles}
    cfg = WritingConfig.model_validate({**_of_the_catalogue(bias), **wishes})
    raise typer.Exit(context.run(_new(cfg, model, save, Options(Out(json), limits, seed, dry_run))))


def save(session: SessionId, save: Save = None, json: Json = False) -> None:
    """Write the scene of a finished `scene new` into a file, as after a session that was resumed."""
    raise typer.Exit(context.run(_save(session, save, Out(json))))


def _of_the_catalogue(name: str) -> dict[str, Any]:
    """What the writer is told of the bias. Raises UsageError."""
    from elenchus.config.catalogue import bias_meant
    from elenchus.debate_engine.errors import UsageError

    try:
        entry = bias_meant(name)
    except ValueError as error:
        raise UsageError(f"A scene elicits a bias of the catalogue: {error}.") from error
    definition = " ".join(part for part in (entry.definition, entry.mindscope) if part)
    return {
        "bias": entry.id,
        "name": entry.name,
        "definition": definition,
        "elements": list(entry.elements),
        "recipe": entry.recipe,
        "called": list(entry.aliases),
    }


async def _new(cfg: WritingConfig, model: str, save: Path | None, options: Options) -> int:
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.protocols.scene_writing.protocol import WRITER
    from elenchus.service.cli.launching import priced
    from elenchus.service.cli.starting import checked_models, prepare, refuse_unpriced, tell_before
    from elenchus.service.lab.default_models import seated
    from elenchus.service.lab.detection import refuse_a_person

    settings, out, limits = context.settings(), options.out, options.limits
    spec, unnamed = await seated(settings, "", lambda unnamed: model.strip() or unnamed.debater(WRITER))
    refuse_a_person(spec)
    refuse_files_that_are_there(save, save and neutral_of(save))
    (seat,) = priced([Seat(name=WRITER, spec=spec)], limits.price)
    async with checked_models(settings, [seat], rehearsal=options.dry_run) as registry:
        room = registry.model(spec).context_tokens
        cfg = cfg.model_copy(update={"writer": spec, "context_tokens": room})
        refuse_unpriced(registry, [seat], limits, out, rehearsal=options.dry_run)
        if options.dry_run:
            from elenchus.debate_engine.protocols.scene_writing.plan import plan
            from elenchus.service.cli.planning import tell_plan

            await tell_plan(settings, registry, lambda pace: plan(cfg, [seat], pace), out, limits.price, unnamed)
            return 0
    prepare(None, settings)
    tell_before(out, [seat], unnamed)
    started = {"protocol": "scene-writing", "title": f"a scene on {cfg.name}", "config": cfg.model_dump(mode="json")}
    more = {"seed_models": options.seed is not None, **limits.fields}
    return await _written(settings, seat, {**started, **more}, options.seed, save, out)


async def _written(
    settings: Settings, seat: Seat, started: dict[str, Any], seed: int | None, save: Path | None, out: Out
) -> int:
    from elenchus.service.cli.playing import sits_here
    from elenchus.service.cli.scenes.session import ran

    async with context.opened(settings, interactive=sits_here() and not out.json) as app:
        run = await ran(app, seat, started, seed, out)
        return await concluded(app, run, save, out)


async def _save(session: str, save: Path | None, out: Out) -> int:
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.runner import end_of, started_of
    from elenchus.service.cli.finding import find

    refuse_files_that_are_there(save, save and neutral_of(save))
    async with context.opened() as app:
        session_id = (await find(app.log, session)).id
        recorded = await app.log.read(session_id)
        run = end_of(session_id, recorded)
        if started_of(recorded).protocol != "scene-writing" or run is None or run.outcome is None:
            raise UsageError(
                f"{session_id} is no finished `elenchus scene new`: `elenchus sessions list` shows them all."
            )
        return await concluded(app, run, save, out)


async def concluded(app: App, run: Run, save: Path | None, out: Out) -> int:
    """Write the file, print the document, and say what comes next; the exit code."""
    from elenchus.debate_engine.reports.view import DebateView
    from elenchus.service.cli.failures import PROVIDER
    from elenchus.service.cli.playing import next_step
    from elenchus.service.cli.show.document import session_document

    document = session_document(DebateView.of(run.session_id, await app.log.read(run.session_id)))
    written = run.outcome or {}
    if run.state != "finished":
        out.document(document | {"file": None})
        out.tell(f"{run.session_id} is {run.state}\n{next_step(run)}\nthen: elenchus scene save {run.session_id}")
        return run.exit_code
    if not written["text"]:
        out.document(document | {"file": None})
        out.tell(f"no scene came of it ({written['unwritten']}); try again, or take another --model")
        return PROVIDER
    path = save or free_name(app.settings.own_scenes, written["bias"])
    twin = stored_with_twin(path, written)
    out.document(document | {"file": str(path), "twin_file": str(twin) if twin else None})
    _tell_written(out, path, written, written["problems"])
    if twin is None:
        out.warn(f"it has no neutral twin ({written['untwinned']}): write one by hand, or try again")
    else:
        _tell_written(out, twin, written, written["twin_problems"])
    return 0


def stored_with_twin(path: Path, written: dict[str, Any]) -> Path | None:
    """Write the scene and its twin beside it, each naming the other's file; the twin's, None where there is none."""
    twin = neutral_of(path)
    bias = written["bias"]
    files = {f'twin: "{bias}-neutral.md"': f'twin: "{twin.name}"', f'twin: "{bias}.md"': f'twin: "{path.name}"'}
    for place, text in ((path, written["text"]), (twin, written["twin"])):
        lines = [files.get(line, line) for line in text.split("\n")]
        if text:
            store(place, "\n".join(lines))
    return twin if written["twin"] else None


def _tell_written(out: Out, path: Path, written: dict[str, Any], problems: list[dict[str, Any]]) -> None:
    for problem in problems:
        out.warn(f"{path}:{problem['line']}: {problem['what']}; {problem['remedy']}")
    out.line(f"{path}: “{written['title']}”, not reviewed yet")
    out.tell(f"read it, mend what you like, and accept it: elenchus scene review {path}")


def refuse_files_that_are_there(*paths: Path | None) -> None:
    """Raises UsageError: nothing of a person's is overwritten."""
    from elenchus.debate_engine.errors import UsageError

    for path in paths:
        if path is not None and path.exists():
            raise UsageError(f"The file {path} is there already: give another name.")
