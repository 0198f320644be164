"""outcomes.csv: what came out of each subject in each cell that it met; this is what is analysed. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import NO_OUTCOME, are_shares
from elenchus.debate_engine.protocols.rulegen.study.export.table import SESSION, Field, Table
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import WITHDRAWN

_BEFORE = (
    SESSION,
    Field(name="role", meaning="the subject's name in the scene"),
    Field(name="subject", meaning="the subject's model, or people", form="people, or provider:model"),
    Field(name="style", meaning="how the subject was told to decide", empty="as the scene has it"),
    Field(name="version", meaning="which version of the scene was played"),
    Field(name="group", meaning="the levels that vary between subjects", empty="none does"),
    Field(name="cell", meaning="what the subject met: the levels of all factors, in the order of the scene's file",
          form="a level of each factor, apart by /; * where only the whole run is told of"),
    Field(name="place", type="integer", low=1, meaning="the place of this cell among those that the subject met"),
)  # fmt: skip
_AFTER = (
    Field(name="stratum", meaning="what the subject answered to the measures within which versions are balanced",
          form="measure: answer, apart by ;", empty="there are none"),
    Field(name="left_out", meaning="why the subject does not count in the analysis", empty="it counts"),
    Field(name="cluster", meaning="subjects with the same value are no independent observations of one another"),
)  # fmt: skip


def outcomes_table(study: Study) -> Table:
    """A row for each subject of each run in each cell; of sessions from which somebody withdrew none, nor before a
    version was drawn.
    """
    came_out = Field(
        name="came_out",
        type="boolean" if are_shares(study.cases) else "number",
        unit="" if are_shares(study.cases) else study.unit,
        meaning="what came out",
        empty="it cannot be told",
    )
    return Table(
        name="outcomes",
        meaning="One row is what came out of one subject in one cell that it met; where nothing varies within subjects "
        "each has one row.",
        fields=(*_BEFORE, came_out, *_AFTER),
        rows=list(_rows(study)),
        key=("session", "role", "cell"),
    )


def _rows(study: Study) -> Iterator[dict[str, Any]]:
    for one, case in zip(study.observed, study.cases, strict=True):
        if one.why == WITHDRAWN:
            continue
        for place, (cell, value) in enumerate(case.outcomes.items(), 1):
            yield {
                "session": one.session,
                "role": one.role,
                "subject": case.subject,
                "style": case.style,
                "version": case.version,
                "group": "/".join(study.design.group(cell)),
                "cell": cell,
                "place": place,
                "came_out": value,
                "stratum": case.stratum,
                "left_out": "" if case.counts else case.excluded or NO_OUTCOME,
                "cluster": case.cluster,
            }
