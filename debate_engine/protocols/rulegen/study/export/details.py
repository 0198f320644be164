"""What stands beside runs.csv, in long form: judgements, measures, trials, assignments, page times. Pure.

Each has `session`, and `role` where a row is about one subject: by these it is joined to runs.csv.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from elenchus.debate_engine.events import StepDone
from elenchus.debate_engine.log import state_of
from elenchus.debate_engine.protocols.rulegen.assignment import place_in, stratum_of
from elenchus.debate_engine.protocols.rulegen.played import Opinion, Statement
from elenchus.debate_engine.protocols.rulegen.study.export.runs import is_founded, said_by
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession, readable
from elenchus.debate_engine.protocols.rulegen.study.export.table import SESSION, Field, Row, Table
from elenchus.debate_engine.protocols.rulegen.study.export.trials import trials
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.scenes.measures import FreeText, Measure, Number

_VERSION = Field(name="version", meaning="which version of the scene was played", empty="none was drawn yet")
_STATED = re.compile(r"rule/(\d+)/turn/\d+/measures")


def details(sessions: Sequence[PlayedSession]) -> list[Table]:
    """All of these tables."""
    return [make(sessions) for make in (judgements, measures, trials, assignments, page_times_table)]


# ── judgements.csv ───────────────────────────────────────────────────────────────────────────────────────────────────

_JUDGEMENT = (
    SESSION,
    Field(name="role", meaning="the subject that is judged"),
    _VERSION,
    Field(name="judge", meaning="the judge's seat"),
    Field(name="judge_model", meaning="who judges", form="people, or provider:model", empty="nobody sat there"),
    Field(name="says", meaning="whether the judge sees the bias", values=("yes", "no", "unread")),
    Field(name="counted_as", meaning="how it counts: a yes without the subject's own words is no vote",
          values=("yes", "no", "unread", "unfounded")),
    Field(name="asked_again", type="boolean", meaning="whether the first answer was an unfounded yes"),
    Field(name="misquotes", type="boolean", meaning="whether it quotes words that nobody said"),
    Field(name="quotes", type="integer", low=0, meaning="how many stretches it quotes"),
    Field(name="quotes_of_subject", type="integer", low=0, meaning="how many of them are the subject's own words"),
    Field(name="quoted", meaning="the quotes", form="quote | quote …", empty="there are none"),
    Field(name="reason", meaning="the judge's reason", empty="it is unread"),
    Field(name="unread", meaning="why there is no readable answer", empty="there is one"),
)  # fmt: skip


def judgements(sessions: Sequence[PlayedSession]) -> Table:
    """What each judge says of each subject."""
    return Table(
        name="judgements",
        meaning="One row is what one judge says of one subject.",
        fields=_JUDGEMENT,
        rows=[
            _judgement(session, one, opinion)
            for session in sessions
            for one in session.observed
            for opinion in one.opinions
        ],
        key=("session", "role", "judge"),
    )


def _judgement(session: PlayedSession, one: Observation, opinion: Opinion) -> Row:
    says = said_by(opinion)
    return {
        "session": session.session,
        "role": opinion.subject,
        "version": one.cell.condition,
        "judge": opinion.judge,
        "judge_model": session.model_on(opinion.judge),
        "says": says,
        "counted_as": "unfounded" if is_founded(opinion) is False else says,
        "asked_again": opinion.asked_again,
        "misquotes": opinion.misquotes,
        "quotes": len(opinion.quotes),
        "quotes_of_subject": sum(quote.stands == "subject" for quote in opinion.quotes),
        "quoted": " | ".join(" ".join(quote.words.split()) for quote in opinion.quotes),
        "reason": opinion.reason,
        "unread": safe.text(opinion.unread),
    }


# ── measures.csv ─────────────────────────────────────────────────────────────────────────────────────────────────────

_MEASURE = (
    SESSION,
    Field(name="role", meaning="the subject that was asked"),
    Field(name="subject", meaning="the subject's model, or people", form="people, or provider:model"),
    _VERSION,
    Field(name="n", type="integer", low=1, meaning="the place among what this subject was asked"),
    Field(name="rule", type="integer", low=1, meaning="the rule under which it was asked"),
    Field(name="measure", meaning="the measure's name"),
    Field(name="kind", meaning="what was asked for", values=("number", "choice", "likert", "rating", "yes-no", "text")),
    Field(name="serves", meaning="what it is asked for", empty="the outcome, or whatever else the scene is about",
          values=("attention", "manipulation", "met-before", "suspicion", "demographic")),
    Field(name="unit", meaning="in what the number is given", empty="it has none"),
    Field(name="value", meaning="the value as it is stored; true or false for yes or no", empty="there is none"),
    Field(name="number", type="number", meaning="the same as a number: a scale's point, 1 for yes, 0 for no",
          empty="it is no number, or there is none"),
    Field(name="words", meaning="the value as people read it", empty="there is none"),
    Field(name="right", type="boolean", meaning="whether the answer was right, by the scene's rule",
          empty="the scene has none, or it cannot be told"),
    Field(name="seconds", type="number", unit="seconds", low=0, empty="no person was asked",
          meaning="from the page on which it was asked to its answer, the way to the person included: of all that "
                  "stood on that page, and no reaction time"),
    Field(name="via", meaning="the front end that took the answer", empty="no person was asked, or it is not told"),
    Field(name="why", meaning="why there is no value", empty="there is one"),
)  # fmt: skip


def measures(sessions: Sequence[PlayedSession]) -> Table:
    """What was stated, a row a measure: also of a session that did not come to its end."""
    return Table(
        name="measures",
        meaning="One row is one measure that one subject was asked for, in the order of asking.",
        fields=_MEASURE,
        rows=[row for session in sessions for row in _stated(session)],
        key=("session", "role", "n"),
    )


def _stated(session: PlayedSession) -> Iterator[Row]:
    known = {one.name: one for one in session.cfg.scene.measures}
    seen = {one.role: one for one in session.observed}
    pages = {page.step: page for page in session.pages}
    counted: dict[str, int] = {}
    for one in statements_in(session):
        if (of := seen.get(one.subject)) is None or (measure := known.get(one.measure)) is None:
            continue
        counted[one.subject] = counted.get(one.subject, 0) + 1
        page = pages.get(one.step)
        yield {
            "session": session.session,
            "role": one.subject,
            "subject": of.cell.subject,
            "version": of.cell.condition,
            "n": counted[one.subject],
            "rule": one.rule,
            "measure": one.measure,
            **_value(measure, one),
            "right": of.right.get(one.measure),
            "seconds": page.seconds if page else None,
            "via": page.via if page else "",
            "why": safe.text(one.why),
        }


def _value(measure: Measure, one: Statement) -> Row:
    number = isinstance(one.value, int | float) and not isinstance(measure, FreeText)
    value = str(one.value).lower() if isinstance(one.value, bool) else one.value
    return {
        "kind": measure.kind,
        "serves": measure.serves,
        "unit": measure.unit if isinstance(measure, Number) else "",
        "value": "" if value is None else f"{value}",
        "number": float(one.value) if number and one.value is not None else None,
        "words": one.told,
    }


def statements_in(session: PlayedSession) -> Iterable[Statement]:
    """What subjects stated, in order, as it was recorded."""
    done = (r.event for r in session.recorded if isinstance(r.event, StepDone))
    found = (event.result for event in done if _STATED.fullmatch(event.step) and isinstance(event.result, list))
    read = (readable(Statement, one) for result in found for one in result)
    return [one for one in read if one is not None]


# ── assignments.csv ──────────────────────────────────────────────────────────────────────────────────────────────────

_ASSIGNMENT = (
    SESSION,
    Field(name="grid", meaning="the series of runs that it is one of", empty="it was started alone"),
    Field(name="by", meaning="whether the version was drawn, or somebody chose it", values=("lot", "chosen")),
    _VERSION,
    Field(name="among", meaning="the versions among which it was drawn, in the order of the block's making",
          form="version; …", empty="it was chosen"),
    Field(name="seed", type="integer", meaning="what the lot was drawn from", empty="it was chosen"),
    Field(name="stratum", meaning="the answers within which versions are balanced, in words", form="measure: answer; …",
          empty="the file names none"),
    Field(name="place", type="integer", low=1, empty="it was chosen",
          meaning="the place among all lots of that seed and stratum"),
    Field(name="block", type="integer", low=1, empty="it was chosen",
          meaning="the block in which the place is: each holds every version among which it was drawn once"),
    Field(name="state", meaning="completed: played to its end; lapsed: it ended early; active: neither yet",
          values=("completed", "active", "lapsed")),
    Field(name="started", type="datetime", meaning="when the session began, UTC"),
)  # fmt: skip


def assignments(sessions: Sequence[PlayedSession]) -> Table:
    """Who got which version, and how."""
    return Table(
        name="assignments",
        meaning="One row is one session, with the version that it got. Analyses count each subject in this version.",
        fields=_ASSIGNMENT,
        rows=[_assignment(one) for one in sessions],
        key=("session",),
    )


def _assignment(session: PlayedSession) -> Row:
    lot, place = session.cfg.assignment, place_in(session.recorded)
    drawn: dict[str, object] = {} if lot is None else {"among": "; ".join(lot.of), "seed": lot.seed}
    if lot is not None and place is not None:
        drawn |= {
            "stratum": stratum_of(session.cfg, statements_in(session)),
            "place": place.number,
            "block": (place.number - 1) // len(lot.of) + 1,
        }
    return {
        "session": session.session,
        "grid": session.grid,
        "by": "lot" if lot else "chosen",
        "version": session.cfg.scene.condition or ("" if session.cfg.versions else "treatment"),
        "state": _state(session),
        "started": session.begun,
        **drawn,
    }


def _state(session: PlayedSession) -> str:
    if session.played is not None:
        return "lapsed" if session.played.ended else "completed"
    return "lapsed" if state_of(session.recorded) in ("stopped", "failed") else "active"


# ── page_times.csv ───────────────────────────────────────────────────────────────────────────────────────────────────

_PAGE = (
    SESSION,
    Field(name="n", type="integer", low=1, meaning="the place among what people were asked in this session"),
    Field(name="role", meaning="the seat of the person: a role, or a judge"),
    Field(name="step", meaning="what was asked, as the log names it (events.jsonl)"),
    Field(name="measures", meaning="the measures on this page, apart by commas", empty="it asks for something else"),
    Field(name="opened", type="datetime", meaning="when it was asked, UTC"),
    Field(name="answered", type="datetime", meaning="when the log had the answer that counts, UTC",
          empty="it never was answered"),
    Field(name="seconds", type="number", unit="seconds", low=0, empty="it never was answered",
          meaning="from the one to the other, the way to the person and back included: no reaction time"),
    Field(name="via", meaning="the front end that took the answer", empty="it is not told"),
)  # fmt: skip


def page_times_table(sessions: Sequence[PlayedSession]) -> Table:
    """How long people took for each thing that they were asked."""
    return Table(
        name="page_times",
        meaning="One row is one thing that one person was asked.",
        fields=_PAGE,
        rows=[row for session in sessions for row in _pages(session)],
        key=("session", "n"),
    )


def _pages(session: PlayedSession) -> Iterator[Row]:
    asked: dict[str, list[str]] = {}
    for one in statements_in(session):
        asked.setdefault(one.step, []).append(one.measure)
    for n, page in enumerate(session.pages, 1):
        yield {
            "session": session.session,
            "n": n,
            "role": page.seat,
            "step": page.step,
            "measures": ", ".join(asked.get(page.step, ())),
            "opened": page.opened,
            "answered": page.answered,
            "seconds": page.seconds,
            "via": page.via,
        }
