"""All files of a study. Draws pictures: call it off the event loop."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from types import MappingProxyType
from typing import Any

from elenchus.debate_engine import events
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.export.columns import measures_of
from elenchus.debate_engine.protocols.rulegen.study.export.details import details
from elenchus.debate_engine.protocols.rulegen.study.export.figures import comparisons_table, figures_table
from elenchus.debate_engine.protocols.rulegen.study.export.methods import methods_markdown
from elenchus.debate_engine.protocols.rulegen.study.export.outcomes import outcomes_table
from elenchus.debate_engine.protocols.rulegen.study.export.package import package_of
from elenchus.debate_engine.protocols.rulegen.study.export.points import points_plots
from elenchus.debate_engine.protocols.rulegen.study.export.run_json import study_run
from elenchus.debate_engine.protocols.rulegen.study.export.runs import runs_table
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession, sessions_of, withdrawals
from elenchus.debate_engine.protocols.rulegen.study.export.table import Table, codebook
from elenchus.debate_engine.protocols.rulegen.study.export.utterances import utterances
from elenchus.debate_engine.protocols.rulegen.study.plot import strata_plots, study_plot
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import NONE_REMOVED, Removed, renewed_consents
from elenchus.debate_engine.reports.events_jsonl import jsonl
from elenchus.debate_engine.reports.methods import versions
from elenchus.debate_engine.reports.spending import used_in
from elenchus.debate_engine.scenes.scene import Scene

SCRIPTS = ("analysis.py", "analysis.R")


def study_files(
    study: Study,
    logs: Mapping[str, Sequence[Recorded]],
    plan: Mapping[str, Any] | None = None,
    scene: Scene | None = None,
    removed: Removed = NONE_REMOVED,
    pictures: Mapping[str, bytes] = MappingProxyType({}),
) -> dict[str, bytes]:
    """The files by name. `plan` is the grid's, None where the runs come from anywhere; `scene` as its file has it, with
    its factors. `pictures` are those that were shown, as files.

    People stand under made-up names everywhere; of a session from which somebody withdrew there is its day alone.
    """
    sessions = sessions_of(study, logs)
    gone = withdrawals(logs, removed)
    kept = {one.session: one.recorded for one in sessions}
    picture = study_plot(study)
    tables = tables_of(study, sessions, scene)
    texts = {
        "report.md": study_markdown(study, f"{picture.name}.png", picture.alt, used_in(kept.values())),
        "methods.md": methods_markdown(study, sessions, scene, len(gone), renewed_consents(logs, removed)),
        **{table.file: table.csv() for table in tables},
        **{name: script(name) for name in SCRIPTS},
        "run.json": _json(study_run(study, kept, plan)),
        **{f"events-{session}.jsonl": jsonl(recorded) for session, recorded in kept.items()},
    }
    plots = [picture, *strata_plots(study), *points_plots(study, measures_of(sessions, scene))]
    drawn = {f"{one.name}.{form}": data for one in plots for form, data in (("png", one.png), ("svg", one.svg))}
    files = {name: text.encode() for name, text in texts.items()} | drawn | dict(pictures)
    program = versions().get("elenchus", "")
    package = package_of(study.name, study.title, tables, files, gone, events.now(), program)
    return files | {"datapackage.json": _json(package).encode()}


def tables_of(study: Study, sessions: Sequence[PlayedSession], scene: Scene | None = None) -> list[Table]:
    """The tables, the codebook of all of them last."""
    counted = [comparisons_table(study), figures_table(study)]
    runs = [runs_table(study, sessions, scene), outcomes_table(study)]
    tables = [*runs, utterances(sessions), *details(sessions), *counted]
    return [*tables, codebook(tables)]


def script(name: str) -> str:
    """The text of a script that counts again. Kept as a text, as the one in Python is none of the program's modules."""
    kept = f"{name}.txt" if name.endswith(".py") else name
    return resources.files(__package__).joinpath("scripts", kept).read_text(encoding="utf-8")


def _json(value: Any) -> str:
    return f"{json.dumps(value, indent=2, ensure_ascii=False)}\n"
