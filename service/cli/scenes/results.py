"""What came out of a scene, at this terminal: tables, one document, files to take home; and its registration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.rulegen.study.registration import JSON
from elenchus.debate_engine.protocols.rulegen.study.selection import Selection
from elenchus.debate_engine.reports.export import check_folder
from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.session_outcome import written
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab import registration
from elenchus.service.lab.scene_results import PlayedScene, SceneResults, over_scene

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.debate_engine.protocols.rulegen.study.tables import Table


_GONE = ("version", "ended", "outcome", "sessions")
"""What is told of sessions that are removed."""


async def show_results(
    scene: str, chosen: Selection, export: Path | None, registered: Path | None, out: CommandOutput
) -> None:
    """Everything over the chosen sessions of a scene, beside what was registered of it."""
    played = PlayedScene.found(scene, context.settings().own_scenes)
    if export is not None:
        check_folder(export)
    if registered is None and export is not None and (export / JSON).exists():
        registered = export
    before = registration.read(registered) if registered is not None else None
    async with context.opened() as app:
        results = await over_scene(app.retention, played, chosen, before, pictures=app.pictures)
    await tell_results(results, export, out)
    for (version, ended, outcome), n in sorted(results.gone.items()):
        out.tell(f"and {n} removed since: {', '.join(part for part in (version, ended, outcome) if part)}")
    if taken_back := len(results.removed.days) - results.removed.declined - results.removed.silent:
        out.tell(f"and {taken_back} taken back, of which there is the day alone")


async def register(scene: str, file: Path, out: CommandOutput) -> None:
    """Write what is said of a scene's study before its first run, and keep it for its results."""
    played = PlayedScene.found(scene, context.settings().own_scenes)
    async with context.opened() as app:
        plan = await registration.register(app.store, played, file=file)
    written = [f"{file}", f"{file.with_suffix('.md')}"]
    out.document({"files": written, "sha256": plan.sha256})
    if not out.json:
        out.line(f"registered {plan.scene} ({plan.sha256[:12]}…): {' and '.join(written)}")
        if plan.by_default:
            out.line("the file names no contrasts: each version will be compared with the last")


async def tell_results(
    results: SceneResults,
    export: Path | None,
    out: CommandOutput,
    *,
    plan: Mapping[str, Any] | None = None,
    **more: Any,
) -> None:
    """Tables for the person, one document for a program (with `more` in it), files where they were asked for.

    `plan` is the grid's.
    """
    from elenchus.debate_engine.protocols.rulegen.study.export.run_json import usage_document
    from elenchus.debate_engine.protocols.rulegen.study.export.sessions import withdrawals
    from elenchus.debate_engine.reports.spending import used_in

    study = results.study
    files = [str(path) for path in await results.export(export, plan)] if export is not None else []
    document = study.model_dump(mode="json", exclude={"observed": {"__all__": {"opinions"}}})
    use = used_in(results.logs.values())
    withdrawn = withdrawals(results.logs, results.removed)
    gone = [dict(zip(_GONE, (*parts, n), strict=True)) for parts, n in sorted(results.gone.items())]
    counts = {"withdrawn": withdrawn, "removed": gone}
    out.document({**document, **more, **counts, "usage": usage_document(use), "export": files})
    if not out.json:
        show_tables(results, out)
        if use.calls:
            out.line(f"used: {use}")
    if export is not None:
        out.tell(written(files, export))


def show_tables(results: SceneResults, out: CommandOutput) -> None:
    """The cells, and what is compared."""
    from elenchus.debate_engine.protocols.rulegen.study import tables
    from elenchus.debate_engine.protocols.rulegen.study.in_short import in_short
    from elenchus.debate_engine.protocols.rulegen.study.notices import notices

    study = results.study
    if not study.rows:
        out.line(_why_no_number(results))
        return
    judges = study.instrument == "judges"
    what = "how often the bias is seen" if judges else f"what came out ({study.outcome})"
    out.line(f"{study.title}: {what} ({study.bias or 'no bias is named'})")
    out.show(_table(tables.judged(study) if judges else tables.outcomes(study)))
    for line in in_short(study):
        out.line(line)
    for over, title in _COMPARED.items():
        if found := [one for one in study.contrasts if one.over == over]:
            out.line(title)
            out.show(_table(tables.comparisons(found, study.unit)))
            for line in tables.not_compared(found):
                out.line(line)
    if (orders := tables.by_order(study)).rows:
        out.line("by what was met first")
        out.show(_table(orders))
    if not judges and study.second:
        out.line("what judges saw")
        out.show(_table(tables.judged(study)))
        out.show(_table(tables.second_readings(study)))
    show_agreement(study, out)
    for notice in [*notices(study), *study.departures]:
        out.line(_plain(notice.removeprefix("> ").replace("**", "")))


def show_agreement(study: Study, out: CommandOutput) -> None:
    """How far judges agree with one another."""
    from elenchus.debate_engine.protocols.rulegen.study import report, tables

    if (found := tables.judge_agreements(study)).rows:
        out.line("how far judges agree with one another")
        out.show(_table(found))
    else:
        out.line(report.agreement_untold(study) if study.judges_agree else "Nobody was judged.")


_COMPARED = {
    "versions": "versions compared",
    "pooled": "versions compared, pooled over strata",
    "strata": "versions compared in each stratum",
    "subjects": "people compared with models",
    "styles": "styles compared",
}


def _why_no_number(results: SceneResults) -> str:
    """Why there is no number."""
    study = results.study
    if results.gone or results.removed.days or study.unplayed:
        declined = f"; {study.unplayed} did not agree, or were too young" if study.unplayed else ""
        return f"{study.name}: nothing is kept of any session{declined}"
    if study.observed:
        return f"{study.name}: nobody has come as far as the lot that draws a version"
    if study.pilots or study.only:
        pilots = f" ({study.pilots} left out as pilots; to count them: --pilots)" if study.pilots else ""
        return f"{study.name}: no session counts{f' of {study.only}' if study.only else ''}{pilots}"
    return f"{study.name}: the scene has not been played yet; play it with: elenchus scene run {study.name}"


def _table(of: Table) -> WordTable:
    return WordTable.of(of.head, [[_plain(cell) for cell in row] for row in of.rows])


def _plain(markdown: str) -> str:
    """Escaped Markdown as it reads."""
    return re.sub(r"\\(.)", r"\1", markdown)
