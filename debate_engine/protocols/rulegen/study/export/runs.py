"""runs.csv: one run and subject a row, with all that was varied, stated, judged and spent. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from elenchus.debate_engine.protocols.rulegen.people.consent import Consent
from elenchus.debate_engine.protocols.rulegen.played import Opinion
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import NO_OUTCOME
from elenchus.debate_engine.protocols.rulegen.study.export.columns import (
    ANALYSED,
    FIRST,
    JUDGED,
    LAST,
    RESULT,
    FactorColumns,
    came_out_field,
    judge_fields,
    measure_field,
    measures_of,
    outcome_field,
    right_field,
)
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession, readable
from elenchus.debate_engine.protocols.rulegen.study.export.table import Table
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, ROBOTS, Observation
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import WITHDRAWN
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.scenes.scene import Scene


def runs_table(study: Study, sessions: Sequence[PlayedSession] = (), scene: Scene | None = None) -> Table:
    """All runs of the study but those from which somebody withdrew."""
    observed = [(one, case) for one, case in zip(study.observed, study.cases, strict=True) if one.why != WITHDRAWN]
    varied = FactorColumns.of(scene, (one.cell.condition for one in study.observed))
    measures = measures_of(sessions, scene)
    judges = max((len(one.opinions) for one, _ in observed), default=0)
    logs = {one.session: one for one in sessions}
    return Table(
        name="runs",
        meaning="One row is one subject of one run.",
        fields=[
            *FIRST,
            *varied.fields,
            *RESULT,
            outcome_field([one for one, _ in observed], sessions, scene),
            came_out_field(study),
            *ANALYSED,
            *(measure_field(one, f"measure_{one.name}") for one in measures.values()),
            *(right_field(one) for one in measures.values() if one.right),
            *JUDGED,
            *chain.from_iterable(judge_fields(n) for n in range(1, judges + 1)),
            *LAST,
        ],
        rows=[
            {
                **_row(study, one, logs.get(one.session), varied),
                **_stated(one, measures.keys()),
                "came_out": case.outcome,
                "left_out": "" if case.counts else case.excluded or NO_OUTCOME,
                "cluster": one.hangs_with,
            }
            for one, case in observed
        ],
        key=("session", "role"),
    )


_SUBJECTS = {PEOPLE: "people", ROBOTS: "robot"}


def _row(study: Study, one: Observation, session: PlayedSession | None, varied: FactorColumns) -> dict[str, Any]:
    row: dict[str, Any] = {
        "session": one.session,
        "scene": study.name,
        "role": one.role,
        "subject_kind": _SUBJECTS.get(one.cell.subject, "model"),
        "subject": one.cell.subject,
        "style": one.cell.style,
        "version": one.cell.condition,
        "drawn": session is not None and session.cfg.assignment is not None,
        "pilot": one.pilot,
        "mode": session.cfg.mode if session else "",
        "result": one.result,
        "why": safe.text(one.why),
        "excluded": one.excluded,
        "outcome": one.outcome,
        "bias": {"present": 1, "absent": 0}.get(one.result),
        "agreement": one.agreement,
        "via": one.via,
        "weak_model": one.uses("local"),
        "simulated": one.uses("scripted") or one.cell.subject == ROBOTS,
        "temperature": one.temperature,
        "seed": one.seed,
        "others": "; ".join(f"{seat}: {spec}" for seat, spec in one.others),
        "confounded": "; ".join(study.confounded(one.cell)),
        "record": one.record,
    }
    for name in ("yes", "no", "unread", "unfounded", "asked_again", "misquoted", "shortened"):
        row[f"judges_{name}"] = getattr(one, name)
    row |= varied.row(one.cell.condition)
    for number, opinion in enumerate(one.opinions, 1):
        row |= {f"judge_{number}": said_by(opinion), f"judge_{number}_founded": is_founded(opinion)}
    return row | (_of_log(session, one.role) if session else {})


def _stated(one: Observation, known: Collection[str]) -> dict[str, Any]:
    """What the subject stated for the measures that have a column."""
    values = {f"measure_{name}": value for name, value in one.stated.items() if name in known}
    return values | {f"right_{name}": value for name, value in one.right.items() if name in known}


def said_by(opinion: Opinion) -> str:
    """What a judge says, whether it counts or not."""
    return "unread" if opinion.present is None else "yes" if opinion.present else "no"


def is_founded(opinion: Opinion) -> bool | None:
    """Whether a yes rests on the subject's own words; None for what is no yes."""
    return not opinion.unfounded if opinion.present else None


def _of_log(session: PlayedSession, role: str) -> dict[str, Any]:
    """What is counted over the whole session, and over what its subject was asked."""
    turns = session.turns
    pages = [page.seconds for page in session.pages if page.seat == role and page.seconds is not None]
    use, ended = session.use, session.ended
    return {
        "grid": session.grid,
        "deviations": sum(turn.deviation is not None and bool(turn.text) for turn in turns.values()),
        "corrections": sum(len(turn.sent_back) for turn in turns.values()),
        "calls": use.calls,
        "input_tokens": use.tokens.input_tokens,
        "output_tokens": use.tokens.output_tokens,
        "cost_usd": None if use.unpriced else round(use.known_usd, 6),
        "started": session.begun,
        "seconds": None if ended is None else round((ended - session.begun).total_seconds(), 3),
        "seconds_answering": round(sum(pages), 3) if pages else None,
        "program": session.started.version,
        "consent_version": _consent(session, role),
        "prompts": "; ".join(f"{name}:{digest}" for name, digest in sorted(_prompts(session)) if name),
    }


def _prompts(session: PlayedSession) -> Counter[tuple[str, str]]:
    return Counter((call.prompt_id, call.prompt_hash) for call in session.calls)


def _consent(session: PlayedSession, role: str) -> int | None:
    given = readable(Consent, session.results.get(f"consent/{role}/given"))
    return given.version if given else None
