"""The columns of runs.csv: those that are always there, and those of a scene's factors, measures and judges. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import are_shares
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession
from elenchus.debate_engine.protocols.rulegen.study.export.table import Field, Type
from elenchus.debate_engine.protocols.rulegen.study.observation import RESULTS, Observation
from elenchus.debate_engine.scenes.factors import Factor, crossed, label
from elenchus.debate_engine.scenes.measures import Measure, Number, Rating, Scale
from elenchus.debate_engine.scenes.outcome import UnreadableRule, is_yes_or_no
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import places, versions as versions_of

ORDER = "order_of_levels"
"""The column of the order."""
_ONLY_JUDGED = "nobody judged it"
_ONLY_PLAYED = "not played to the end"

FIRST = (
    Field(name="session", meaning="the run's session"),
    Field(name="grid", meaning="the series of runs that it is one of", empty="it was started alone"),
    Field(name="scene", meaning="the scene's name"),
    Field(name="role", meaning="the subject's name in the scene"),
    Field(name="subject_kind", meaning="whether a person, a model or a robot is the subject",
          values=("people", "model", "robot")),
    Field(name="subject", meaning="the subject's model as it was asked for; people are taken together",
          form="people, or provider:model"),
    Field(name="style", meaning="how the subject was told to decide", empty="as the scene has it"),
    Field(name="version", meaning="which version of the scene was played", empty="none was drawn yet",
          form="a level of each factor, apart by /; treatment or control where the scene has a twin"),
)  # fmt: skip
RESULT = (
    Field(name="drawn", type="boolean", meaning="whether the version was drawn by lot (see assignments.csv)"),
    Field(name="pilot", type="boolean", meaning="whether it was started as a pilot"),
    Field(name="mode", values=("demonstration", "study"), empty="no person was promised anything",
          meaning="what people were promised: of a demonstration all is removed 24 hours after its end, and a later "
                  "export has it no more; a study is kept as long as its consent says"),
    Field(name="result", meaning="what became of the run, as its judges saw it", values=RESULTS),
    Field(name="why", meaning="why it ended early or is not finished", empty="any other result"),
    Field(name="excluded", meaning="the rule of the scene's file by which the subject does not count",
          empty="it is not excluded"),
)  # fmt: skip
ANALYSED = (
    Field(name="left_out", meaning="why the subject does not count in the analysis", empty="it counts"),
    Field(name="cluster", meaning="runs with the same value are no independent observations of one another: they are "
          "of one session, or say the same word for word"),
)  # fmt: skip
JUDGED = (
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
LAST = (
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
          empty=_ONLY_PLAYED),
)  # fmt: skip


@dataclass(frozen=True)
class FactorColumns:
    """The factors of a scene, the `names` of their columns, and the levels of each version."""

    names: tuple[str, ...]
    factors: tuple[Factor, ...]
    levels: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, scene: Scene | None, versions: Iterable[str]) -> FactorColumns:
        """As the scene's file has them; where it is not known, the parts of the versions' names."""
        played = list(dict.fromkeys(filter(None, versions)))
        if scene and any(factor.within for factor in scene.factors):
            found = {version: tuple(level for _, level in of) for version, (of, _) in places(scene).items()}
            between = tuple(factor for factor in scene.factors if not factor.within)
            if set(played) <= set(found):
                orders = {version: (*of, version.rpartition("/")[2]) for version, of in found.items()}
                return cls((*_columns(between), ORDER), between, orders)
        elif scene and scene.factors:
            levels = {label(found): tuple(level for _, level in found) for found in crossed(scene.factors)}
            if set(played) <= set(levels):
                return cls(_columns(scene.factors), scene.factors, levels)
        parts = {version: tuple(version.split("/")) for version in played}
        widths = {len(found) for found in parts.values()}
        width = widths.pop() if len(widths) == 1 else 0
        return cls(tuple(f"factor_{n}" for n in range(1, width + 1)) if width > 1 else (), (), parts)

    @property
    def fields(self) -> list[Field]:
        """A column for each factor."""
        known = {f"factor_{one.name}": tuple(level.name for level in one.levels) for one in self.factors}
        order = "the order in which levels were met that vary within subjects (see outcomes.csv)"
        meanings = {name: f"the level of the factor {name.removeprefix('factor_')}" for name in self.names}
        meanings |= {ORDER: order}
        return [Field(name=name, meaning=meanings[name], values=known.get(name, ())) for name in self.names]

    def row(self, version: str) -> dict[str, str]:
        """The levels of a version."""
        return dict(zip(self.names, self.levels.get(version, ()), strict=False))


def _columns(factors: Iterable[Factor]) -> tuple[str, ...]:
    return tuple(f"factor_{factor.name}" for factor in factors)


def measures_of(sessions: Sequence[PlayedSession], scene: Scene | None) -> dict[str, Measure]:
    """All measures by name, as the newest session has them, in the order of the scene; what is asked at each level that
    a subject meets by the names that it has there.
    """
    plain = {one.name: one for one in scene.measures} if scene else {}
    asked = (one for version in versions_of(scene).values() for one in version.measures) if scene else ()
    found = {one.name: plain.get(one.name, one) for one in asked}
    return found | {one.name: one for session in sessions for one in session.cfg.scene.measures}


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


def right_field(measure: Measure) -> Field:
    """The column of whether its answer was right."""
    return Field(
        name=f"right_{measure.name}",
        type="boolean",
        meaning=f"whether the answer to {measure.name} was right, by the scene's rule",
        empty="it cannot be told",
    )


def outcome_field(observed: Sequence[Observation], sessions: Sequence[PlayedSession], scene: Scene | None) -> Field:
    """The column of what the scene's rule makes of what was stated."""
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


def came_out_field(study: Study) -> Field:
    """The column of what is analysed."""
    of = "bias, as the scene has no rule for an outcome" if study.instrument == "judges" else "outcome"
    return Field(
        name="came_out",
        type="boolean" if are_shares(study.cases) and not study.design.has_within else "number",
        meaning=f"what is analysed: {of}; where a subject meets several levels their mean (see outcomes.csv)",
        empty="it cannot be told",
    )


def judge_fields(number: int) -> Iterator[Field]:
    """The columns of one judge."""
    yield Field(
        name=f"judge_{number}",
        meaning=f"what judge {number} says: whether the subject shows the bias",
        values=("yes", "no", "unread"),
        empty=_ONLY_JUDGED,
    )
    yield Field(
        name=f"judge_{number}_founded",
        type="boolean",
        meaning=f"whether the yes of judge {number} quotes words of the subject's own: else it is no vote",
        empty="it says no, or nothing readable",
    )
