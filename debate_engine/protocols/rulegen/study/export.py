"""All files of a study. Draws a picture: call it off the event loop."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.reports.events_jsonl import jsonl
from elenchus.debate_engine.reports.pseudonymous import pseudonymous
from elenchus.debate_engine.reports.spending import used_in
from elenchus.debate_engine.protocols.rulegen.study.data import runs_codebook, runs_csv
from elenchus.debate_engine.protocols.rulegen.study.plot import study_plot
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.protocols.rulegen.study.run import study_run


def study_files(
    study: Study, logs: Mapping[str, Sequence[Recorded]], plan: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """The files by name: report, data with codebook, picture, run.json, and every session's events.

    People stand under made-up names everywhere.
    """
    picture = study_plot(study)
    run = study_run(study, logs, plan)
    texts = {
        "report.md": study_markdown(study, f"{picture.name}.png", picture.alt, used_in(logs.values())),
        "runs.csv": runs_csv(study),
        "runs-codebook.md": runs_codebook(),
        "run.json": f"{json.dumps(run, indent=2, ensure_ascii=False)}\n",
        **{f"events-{session}.jsonl": jsonl(pseudonymous(recorded)) for session, recorded in logs.items()},
    }
    drawn = {f"{picture.name}.png": picture.png, f"{picture.name}.svg": picture.svg}
    return {name: text.encode() for name, text in texts.items()} | drawn
