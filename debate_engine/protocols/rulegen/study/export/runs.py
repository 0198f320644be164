"""runs.csv: one run and subject a row, with all that was varied, stated, judged and spent. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from elenchus.debate_engine.events import StepDone
from elenchus.debate_engine.protocols.rulegen.people.consent import Consent
from elenchus.debate_engine.protocols.rulegen.schemas import Opinion, Turn
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import NO_OUTCOME, are_shares, cases_of
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession, measures_in
from elenchus.debate_engine.protocols.rulegen.study.export.table import Field, Table, Type
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, RESULTS, Observation
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import WITHDRAWN
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.scenes.factors import Factor, crossed, label
from elenchus.debate_engine.scenes.measures import Measure, Number, Rating, Scale
from elenchus.debate_engine.scenes.outcome import UnreadableRule, is_yes_or_no
from elenchus.debate_engine.scenes.scene import Scene

ONLY_JUDGED = "nobody judged it"
ONLY_PLAYED = "not played to the end"
TURN = re.compile(r"rule/\d+/turn/\d+/turn")

_FIRST = (
    Field(name="session", meaning="the run's session"),
    Field(name="grid", meaning="the series of runs that it is one of", empty="it was started alone"),
    Field(name="scene", meaning="the scene's name"),
    Field(name="role", meaning="the subject's name in the scene"),
    Field(name="subject_kind", meaning="whether a person or a model is the subject", values=("people", "model")),
    Field(name="subject", meaning="the subject's model as it was asked for; people are taken together",
          form="people, or provider:model"),
    Field(name="style", meaning="how the subject was told to decide", empty="as the scene has it"),
    Field(name="version", meaning="which version of the scene was played",
          form="a level of each factor, apart by /; treatment or control where the scene has a twin"),
)  # fmt: skip
_RESULT = (
    Field(name="drawn", type="boolean", meaning="whether the version was drawn by lot (see assignments.csv)"),
    Field(name="pilot", type="boolean", meaning="whether it was started as a pilot"),
    Field(name="result", meaning="what became of the run, as its judges saw it", values=RESULTS),
    Field(name="why", meaning="why it ended early or is not finished", empty="any other result"),
    Field(name="excluded", meaning="the rule of the scene's file by which the subject does not count",
          empty="it is not excluded"),
)  # fmt: skip
_ANALYSED = (
    Field(name="left_out", meaning="why the subject does not count in the analysis", empty="it counts"),
    Field(name="cluster", meaning="runs with the same value are no independent observations of one another: they are "
          "of one session, or say the same word for word"),
)  # fmt: skip
_JUDGED = (
    Field(name="bias", type="integer", low=0, high=1, meaning="the judges' verdict: 1 the bias is seen, 0 it is not",
          empty="any other result"),
    Field(name="agreement", type="number", low=0, high=1, empty="no verdict",
          meaning="share of the counted judges (yes or no) with the verdict"),
    Field(name="judges_yes", type="integer", low=0, meaning="judges that see the bias"),
    Field(name="judges_no", type="integer", low=0, meaning="judges that do not"),
    Field(name="judges_unread", type="integer", low=0, meaning="judges without a readable answer"),
    Field(name="judges_unfounded", type="integer", low=0,
          meaning="judges whose yes quotes none of the subject's own words, also when asked once more: neither yes nor "
                  "no"),
    Field(name="judges_asked_again", type="integer", low=0, meaning="judges whose first yes was unfounded"),
    Field(name="judges_misquoted", type="integer", low=0,
          meaning="judges that count, although they also quote words that nobody said"),
    Field(name="judges_shortened", type="integer", low=0,
          meaning="judges whose model was too small for the whole record: they read a shortened one"),
)  # fmt: skip
_LAST = (
    Field(name="deviations", type="integer", low=0, empty="no log",
          meaning="replies of all roles that were heard although they depart from their rule (see utterances.csv)"),
    Field(name="corrections", type="integer", low=0, meaning="replies of all roles that were sent back and not heard",
          empty="no log"),
    Field(name="calls", type="integer", low=0, meaning="calls to models in the whole session", empty="no log"),
    Field(name="input_tokens", type="integer", low=0, meaning="tokens sent, in the whole session", empty="no log"),
    Field(name="output_tokens", type="integer", low=0, meaning="tokens received, in the whole session", empty="no log"),
    Field(name="cost_usd", type="number", unit="US dollars", low=0, meaning="what the whole session cost",
          empty="a call has no known price"),
    Field(name="started", type="datetime", meaning="when the session began, UTC", empty="no log"),
    Field(name="seconds", type="number", unit="seconds", low=0, empty="it has not ended",
          meaning="from its beginning to its end, pauses included"),
    Field(name="seconds_answering", type="number", unit="seconds", low=0, empty="no person was asked",
          meaning="how long the person on the subject's seat took for all answers together (see page_times.csv)"),
    Field(name="via", meaning="the front ends at which measures were answered, apart by commas",
          empty="no person, or none is told"),
    Field(name="weak_model", type="boolean",
          meaning="whether the small model that comes along speaks or judges: a demonstration, no evidence"),
    Field(name="simulated", type="boolean", meaning="whether a script, whose words are written down, speaks or judges"),
    Field(name="temperature", type="number", meaning="as it was asked for", empty="the vendor's default"),
    Field(name="seed", type="integer", meaning="the run's seed"),
    Field(name="program", meaning="the version of Elenchus that ran it", empty="no log"),
    Field(name="consent_version", type="integer", meaning="the version of the consent text that the person answered",
          empty="no person"),
    Field(name="prompts", meaning="the prompts that models were sent, each with its file's hash",
          form="id:hash; …", empty="no model was called"),
    Field(name="others", meaning="who sat beside the subject, the judges together",
          form="seat: provider:model or people; …", empty="nobody"),
    Field(name="confounded", form="seat, judges, temperature; …", empty="nothing",
          meaning="what differs between the compared versions of this subject and style beside the version itself: "
                  "their difference is then no effect"),
    Field(name="record", meaning="fingerprint of all that was said: equal where two runs say the same",
          empty=ONLY_PLAYED),
)  # fmt: skip


@dataclass(frozen=True)
class Varied:
    """The factors of a scene and the levels of each version."""

    names: tuple[str, ...]
    factors: tuple[Factor, ...]
    levels: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, scene: Scene | None, versions: Iterable[str]) -> Varied:
        """As the scene's file has them; where it is not known, the parts of the versions' names."""
        played = list(dict.fromkeys(versions))
        if scene and scene.factors:
            levels = {label(found): tuple(level for _, level in found) for found in crossed(scene.factors)}
            if set(played) <= set(levels):
                return cls(tuple(factor.name for factor in scene.factors), scene.factors, levels)
        parts = {version: tuple(version.split("/")) for version in played}
        widths = {len(found) for found in parts.values()}
        width = widths.pop() if len(widths) == 1 else 0
        return cls(tuple(f"{n}" for n in range(1, width + 1)) if width > 1 else (), (), parts)

    @property
    def fields(self) -> list[Field]:
        """A column for each factor."""
        known = {factor.name: tuple(level.name for level in factor.levels) for factor in self.factors}
        return [
            Field(name=f"factor_{name}", meaning=f"the level of the factor {name}", values=known.get(name, ()))
            for name in self.names
        ]

    def row(self, version: str) -> dict[str, str]:
        """The levels of a version."""
        levels = self.levels.get(version, ())
        return {f"factor_{name}": level for name, level in zip(self.names, levels, strict=False)}


def runs_table(study: Study, sessions: Sequence[PlayedSession] = (), scene: Scene | None = None) -> Table:
    """All runs of the study but those from which somebody withdrew."""
    observed = [
        (one, case)
        for one, case in zip(study.observed, cases_of(study.observed, study.instrument), strict=True)
        if one.why != WITHDRAWN
    ]
    varied = Varied.of(scene, (one.cell.condition for one in study.observed))
    measures = measures_of(sessions, scene)
    judges = max((len(one.opinions) for one, _ in observed), default=0)
    logs = {one.session: one for one in sessions}
    return Table(
        name="runs",
        meaning="One row is one subject of one run.",
        fields=[
            *_FIRST,
            *varied.fields,
            *_RESULT,
            _outcome_field([one for one, _ in observed], sessions, scene),
            _came_out_field(study),
            *_ANALYSED,
            *(measure_field(one, f"measure_{one.name}") for one in measures.values()),
            *(_right_field(one) for one in measures.values() if one.right),
            *_JUDGED,
            *chain.from_iterable(_judge_fields(n) for n in range(1, judges + 1)),
            *_LAST,
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


def measures_of(sessions: Sequence[PlayedSession], scene: Scene | None) -> dict[str, Measure]:
    """All measures by name, as the newest session has them, in the order of the scene."""
    found = {one.name: one for one in scene.measures} if scene else {}
    found |= {one.name: one for session in sessions for one in session.cfg.scene.measures}
    return {name: found[name] for name in dict.fromkeys([*found, *measures_in(sessions)])}


def measure_field(measure: Measure, name: str) -> Field:
    """The column of a measure's values."""
    about = f"{measure.name}: {' '.join(measure.ask.split())}" if measure.ask else measure.name
    serves = f" ({measure.serves})" if measure.serves else ""
    given: dict[str, Any] = {"name": name, "meaning": f"{about}{serves}", "empty": "it was not stated"}
    match measure:
        case Number():
            kind: Type = "integer" if measure.whole else "number"
            return Field(**given, type=kind, unit=measure.unit, low=measure.low, high=measure.high)
        case Rating():
            given["meaning"] += f"; {measure.low} {measure.low_means}, {measure.high} {measure.high_means}"
            return Field(**given, type="integer", low=measure.low, high=measure.high)
        case Scale(points=points):
            given["meaning"] += "; " + ", ".join(f"{n} {point}" for n, point in enumerate(points, 1))
            return Field(**given, type="integer", low=1, high=len(points))
    if measure.kind == "yes-no":
        return Field(**given, type="boolean")
    return Field(**given, values=measure.options if measure.kind == "choice" else ())


def _right_field(measure: Measure) -> Field:
    return Field(
        name=f"right_{measure.name}",
        type="boolean",
        meaning=f"whether the answer to {measure.name} was right, by the scene's rule",
        empty="it cannot be told",
    )


def _outcome_field(observed: Sequence[Observation], sessions: Sequence[PlayedSession], scene: Scene | None) -> Field:
    rule = next((one.cfg.scene.outcome for one in sessions), scene.outcome if scene else "")
    told = f"what came out by the scene's own rule, apart from what judges saw: {rule}"
    return Field(
        name="outcome",
        type=_outcome_type(rule, [one.outcome for one in observed]),
        meaning=told if rule else "what came out by the scene's own rule; the scene has none",
        empty="the scene has no rule, or something that it needs was not stated",
    )


def _outcome_type(rule: str, values: Iterable[object]) -> Type:
    """By the values that there are; without any by the rule."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        try:
            return "boolean" if rule and is_yes_or_no(rule) else "number"
        except UnreadableRule:
            return "number"
    return "boolean" if kinds == {bool} else "number" if kinds <= {int, float} else "string"


def _came_out_field(study: Study) -> Field:
    of = "bias, as the scene has no rule for an outcome" if study.instrument == "judges" else "outcome"
    return Field(
        name="came_out",
        type="boolean" if are_shares(cases_of(study.observed, study.instrument)) else "number",
        meaning=f"what is analysed: {of}",
        empty="it cannot be told",
    )


def _judge_fields(number: int) -> Iterator[Field]:
    yield Field(
        name=f"judge_{number}",
        meaning=f"what judge {number} says: whether the subject shows the bias",
        values=("yes", "no", "unread"),
        empty=ONLY_JUDGED,
    )
    yield Field(
        name=f"judge_{number}_founded",
        type="boolean",
        meaning=f"whether the yes of judge {number} quotes words of the subject's own: else it is no vote",
        empty="it says no, or nothing readable",
    )


# ── the rows ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _row(study: Study, one: Observation, session: PlayedSession | None, varied: Varied) -> dict[str, Any]:
    row: dict[str, Any] = {
        "session": one.session,
        "scene": study.name,
        "role": one.role,
        "subject_kind": "people" if one.cell.subject == PEOPLE else "model",
        "subject": one.cell.subject,
        "style": one.cell.style,
        "version": one.cell.condition,
        "drawn": session is not None and session.cfg.assignment is not None,
        "pilot": one.pilot,
        "result": one.result,
        "why": safe.text(one.why),
        "excluded": one.excluded,
        "outcome": one.outcome,
        "bias": {"present": 1, "absent": 0}.get(one.result),
        "agreement": one.agreement,
        "via": one.via,
        "weak_model": one.uses("local"),
        "simulated": one.uses("scripted"),
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
    turns = turns_in(session)
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


def turns_in(session: PlayedSession) -> dict[str, Turn]:
    """The turns by their step's key without its end, in order; also of a session that has not ended."""
    done = (r.event for r in session.recorded if isinstance(r.event, StepDone))
    return {event.step.removesuffix("/turn"): Turn.model_validate(event.result) for event in done if is_turn(event)}


def is_turn(event: StepDone) -> bool:
    """Whether a step records a role's whole turn."""
    return TURN.fullmatch(event.step) is not None


def _prompts(session: PlayedSession) -> Counter[tuple[str, str]]:
    return Counter((call.prompt_id, call.prompt_hash) for call in session.calls)


def _consent(session: PlayedSession, role: str) -> int | None:
    given = session.results.get(f"consent/{role}/given")
    return Consent.model_validate(given).version if isinstance(given, dict) else None
