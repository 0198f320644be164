"""The numbers of a study on a terminal, and its files."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.service.cli import context
from elenchus.service.cli.exporting import written
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.rulegen.study.gathering import Chosen, Logs
    from elenchus.debate_engine.protocols.rulegen.study.tally import Study
    from elenchus.service.cli.tables import WordTable


async def show_results(scene: str, chosen: Chosen, export: Path | None, out: Out) -> None:
    """Everything over the chosen sessions of a scene."""
    from elenchus.debate_engine.protocols.rulegen.study.gathering import results_of
    from elenchus.debate_engine.reports.export import check_folder
    from elenchus.service.lab.grid import versions_of

    name, versions = versions_of(scene, context.settings().own_scenes)
    if export is not None:
        check_folder(export)
    async with context.opened() as app:
        study, logs = await results_of(app.log, name, list(versions.values()), chosen)
    await tell_study(study, logs, export, out)


async def tell_study(
    study: Study, logs: Logs, export: Path | None, out: Out, *, plan: Mapping[str, Any] | None = None, **more: Any
) -> None:
    """Tables for the person, one document for a program (with `more` in it), files where they were asked for."""
    from elenchus.debate_engine.reports.spending import used_in
    from elenchus.debate_engine.reports.study.run import usage_document

    files = await asyncio.to_thread(_written, study, logs, export, plan) if export is not None else []
    document = study.model_dump(mode="json", exclude={"observed": {"__all__": {"opinions"}}})
    use = used_in(logs.values())
    out.document({**document, **more, "usage": usage_document(use), "export": files})
    if not out.json:
        show_tables(study, out)
        if use.calls:
            out.line(f"used: {use}")
    if export is not None:
        out.tell(written(files, export))


def _written(study: Study, logs: Logs, folder: Path, plan: Mapping[str, Any] | None) -> list[str]:
    from elenchus.debate_engine.reports.files import write_all
    from elenchus.debate_engine.reports.study.export import study_files

    return [str(path) for path in write_all(folder, study_files(study, logs, plan))]


def show_tables(study: Study, out: Out) -> None:
    """The cells, and how conditions differ."""
    from elenchus.debate_engine.reports.study import report

    if not study.rows:
        out.line(_nothing(study))
        return
    out.line(f"{study.title}: how often the bias is seen ({study.bias or 'no bias is named'})")
    styled = any(row.cell.style for row in study.rows)
    out.show(_table(report.HEAD, report.cells_of(study), styled=styled))
    if study.contrasts:
        out.line("treatment against control")
        out.show(_table(report.CONTRAST_HEAD, report.contrast_cells(study), styled=styled))
    out.line(report.agreement(study))
    for notice in report.notices(study):
        out.line(_plain(notice.removeprefix("> ").replace("**", "")))


def _nothing(study: Study) -> str:
    """Why there is no number."""
    if study.pilots or study.only:
        pilots = f" ({study.pilots} left out as pilots; to count them: --pilots)" if study.pilots else ""
        return f"{study.name}: no session counts{f' of {study.only}' if study.only else ''}{pilots}"
    return f"{study.name}: the scene has not been played yet; play it with: elenchus scene run {study.name}"


def _table(head: list[str], rows: list[list[str]], *, styled: bool) -> WordTable:
    """A table; the column of styles only where a subject was given one."""
    from rich.text import Text

    from elenchus.service.cli.tables import WordTable

    kept = [number for number, name in enumerate(head) if styled or name != "style"]
    table = WordTable()
    for number in kept:
        table.add_column(head[number], overflow="fold")
    for row in rows:
        table.add_row(*(Text(_plain(row[number])) for number in kept))
    return table


def _plain(markdown: str) -> str:
    """Escaped Markdown as it reads."""
    return re.sub(r"\\(.)", r"\1", markdown)
