"""What is looked at of minds at the terminal: lists, a mind as of any day, its history, exports; and deleting one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.cognition.history import (
    difference_blocks,
    differences,
    history_blocks,
    iteration_on,
    mind_blocks,
)
from elenchus.debate_engine.protocols.cognition.presentation import mind_as_json
from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput
from elenchus.service.lab.mind_options import mind_id

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.cognition.projection import MindProjection
    from elenchus.debate_engine.reports.blocks import Block


def show_blocks(blocks: Iterable[Block], out: CommandOutput) -> None:
    """Blocks on a terminal, or as plain lines where none reads them; nothing beside a JSON document."""
    from elenchus.service.cli.show import plain
    from elenchus.service.cli.show.render import rendered

    for block in () if out.json else blocks:
        if out.console.is_terminal:
            out.show(rendered(block))
        else:
            for line in plain.lines(block):
                out.line(line)


def tell(mind: MindProjection, name: str, out: CommandOutput) -> None:
    """A whole mind."""
    out.document(document_of(mind, name))
    show_blocks(mind_blocks(mind), out)


def document_of(mind: MindProjection, name: str) -> dict[str, Any]:
    """A mind as JSON, with its name and session."""
    return {"name": name, "session": mind_id(name), **mind_as_json(mind)}


async def list_minds(out: CommandOutput) -> None:
    """Tell of every mind."""
    from elenchus.service.cli.tables import WordTable

    async with context.opened() as app:
        found = await app.minds.all()
    out.document([{"name": one.title, "session": one.id, "made": one.created.isoformat()} for one in found])
    if out.json:
        return
    if not found:
        out.tell("There are no minds yet; make one with: elenchus mind create NAME --person invented --character LINE")
        return
    out.show(WordTable.of(("name", "made", "session"), [(o.title, f"{o.created:%Y-%m-%d %H:%M}", o.id) for o in found]))


def moment(typed: str) -> tuple[date | None, int | None]:
    """A day or an iteration; both None for nothing. Raises UsageError."""
    if not (text := typed.strip()):
        return None, None
    if text.isascii() and text.isdigit() and len(text) < 8:
        return None, int(text)
    try:
        return date.fromisoformat(text), None
    except ValueError:
        raise UsageError(
            f"{text[:40]!r} is no day and no iteration: write 2026-03-31, or a number such as 3."
        ) from None


async def show_mind(name: str, at: str, out: CommandOutput) -> None:
    """Show a mind, now or then. Raises UsageError."""
    day, iteration = moment(at)
    async with context.opened() as app:
        mind = await app.minds.look(name, day=day, iteration=iteration)
    tell(mind, name, out)


async def tell_history(name: str, out: CommandOutput) -> None:
    """Tell it day by day. Raises UsageError."""
    async with context.opened() as app:
        mind = await app.minds.look(name)
    out.document(document_of(mind, name))
    if not (mind.readings or mind.surveys or mind.talks or mind.waiting):
        out.tell(f"Nobody has fed or asked {name} yet.")
    show_blocks(history_blocks(mind), out)


async def tell_differences(name: str, since: str, until: str, out: CommandOutput) -> None:
    """What changed between two moments, and why. Raises UsageError."""
    async with context.opened() as app:
        mind = await app.minds.look(name)
    first, last = _iteration(mind, since, 0), _iteration(mind, until, mind.iteration)
    if first > last:
        raise UsageError("--from comes after --to: turn them round.")
    found = differences(mind, first, last)
    out.document(
        {
            "name": name,
            "from": first,
            "to": last,
            "changes": [{**one.model_dump(mode="json"), "attribute": one.change.attribute} for one in found],
        }
    )
    show_blocks(difference_blocks(found, since or "the beginning", until or "now"), out)


def _iteration(mind: MindProjection, typed: str, otherwise: int) -> int:
    day, iteration = moment(typed)
    if iteration is not None and iteration > mind.iteration:
        raise UsageError(f"There is no iteration {iteration} yet: the last one is {mind.iteration}.")
    return iteration_on(mind, day) if day else otherwise if iteration is None else iteration


async def export_mind(name: str, folder: Path, out: CommandOutput) -> None:
    """Write its files. Raises UsageError, StorageError."""
    from elenchus.debate_engine.reports.export import check_folder

    await asyncio.to_thread(check_folder, folder)
    async with context.opened() as app:
        files = await app.minds.export(name, folder)
    out.document({"name": name, "files": [str(file) for file in files]})
    if not out.json:
        for file in files:
            out.line(str(file))


async def delete_mind(name: str, out: CommandOutput, *, yes: bool) -> None:
    """Delete it. Raises UsageError where nobody agrees."""
    async with context.opened() as app:
        await app.minds.events(name)
        context.confirm(f"Delete the mind {name} with all that it remembers", yes=yes or out.json)
        await app.minds.delete(name)
    out.document({"name": name, "deleted": True})
    if not out.json:
        out.line(f"{name} is deleted")
