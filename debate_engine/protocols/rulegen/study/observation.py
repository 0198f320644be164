"""What one run of a scene tells a study: read from its log, whoever ran it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field, ValidationError

from elenchus.debate_engine.events import FrozenModel, PromptTrimmed, Recorded, Said, SessionStarted
from elenchus.debate_engine.human_seat import is_human, is_robot
from elenchus.debate_engine.log import state_of
from elenchus.debate_engine.protocols.rulegen.assignment import as_played
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig, config_in
from elenchus.debate_engine.protocols.rulegen.evaluation import judge_asked
from elenchus.debate_engine.protocols.rulegen.page_times import PageTime, page_times
from elenchus.debate_engine.protocols.rulegen.people.ending import UNPLAYED
from elenchus.debate_engine.protocols.rulegen.played import Evaluation, Opinion, Played
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.run_ends import end_of
from elenchus.debate_engine.scenes.measures import Purpose, Stated
from elenchus.debate_engine.scenes.outcome import UnreadableRule, at_level, outcome_of
from elenchus.debate_engine.scenes.plan import Plan
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.steps import hash_of

Result = Literal["present", "absent", "undecided", "unfounded", "unread", "not judged", "ended early", "unfinished"]
RESULTS: tuple[Result, ...] = (
    "present", "absent", "undecided", "unfounded", "unread", "not judged", "ended early", "unfinished",
)  # fmt: skip
"""What became of a run. The first two are counted as yes and no; all others stand apart, and are never a no."""

PEOPLE = "people"
"""What stands for the subject where a person plays it."""
ROBOTS = "answering robots"
"""What stands for it where a robot fills in the forms, to try a class out."""


Seats = tuple[tuple[str, str], ...]
"""Seats, each with its spec."""


class Observation(FrozenModel):
    """One subject (role `role`) of one run. `record` is the fingerprint of what was said, "" where nothing counts.

    `yes`, `no`, `unread` and `unfounded` are judges, `asked_again` those that were asked once more, and `misquoted`
    those that count although they also quote what nobody said; `agreement` is the share of the counted judges with the
    verdict. `shortened` of the judges could not read the whole record, as it did not fit their model's context.
    `others` are the other seats with the spec of each: the roles, the system agent, and all judges as one (people
    are `PEOPLE`). `pilot`: it was started as one. `outcome` is what the scene's rule makes of what the subject
    `stated` by measure; None where it cannot be told, or the scene has none. `outcomes` are those at each level
    that was met, where factors vary within subjects. `right` says by measure whether the answer was right where the
    scene says what is, `failed` the checks (`attention`, `manipulation`) that it was not; `excluded` is the rule,
    said beforehand, by which the subject does not count. `seconds` a person took for each measure, by `via` (a
    front end). `began`: something was said to those who play. `chosen`: its version was set by somebody, and not
    drawn by lot. `choices`: the subject had no words of its own to find, only values to state, so that two records
    may be the same by chance.
    """

    session: str
    role: str
    cell: Cell
    result: Result
    record: str = ""
    yes: int = 0
    no: int = 0
    unread: int = 0
    unfounded: int = 0
    misquoted: int = 0
    agreement: float | None = None
    shortened: int = 0
    seed: int
    temperature: float | None
    why: str = ""
    opinions: tuple[Opinion, ...] = ()
    others: Seats = ()
    pilot: bool = False
    outcome: Stated | None = None
    outcomes: dict[str, Stated | None] = Field(default_factory=dict)
    stated: dict[str, Stated | None] = Field(default_factory=dict)
    right: dict[str, bool | None] = Field(default_factory=dict)
    failed: tuple[Purpose, ...] = ()
    excluded: str = ""
    began: bool = True
    choices: bool = False
    chosen: bool = False
    seconds: dict[str, float] = Field(default_factory=dict)
    via: str = ""

    @property
    def finished(self) -> bool:
        """Whether it was played to its end."""
        return self.result not in ("ended early", "unfinished")

    @property
    def hangs_with(self) -> str:
        """What runs that are no independent observations of one another share: their session, or their record.

        People say the same of their own accord; so do models that have only values to state, unless at temperature 0.
        """
        by_chance = self.cell.subject == PEOPLE or (self.choices and self.temperature != 0)
        return self.session if by_chance or not self.record else self.record

    @property
    def asked_again(self) -> int:
        """The judges whose first yes was unfounded."""
        return sum(one.asked_again for one in self.opinions)

    def uses(self, provider: str) -> bool:
        """Tell whether a model of this provider sits on any seat."""
        specs = (self.cell.subject, *(spec for _, seated in self.others for spec in seated.split(" + ")))
        return any(spec.startswith(f"{provider}:") for spec in specs)

    @property
    def settings(self) -> Seats:
        """All that may make a run another measurement than the next of its cell, by name."""
        temperature = "default" if self.temperature is None else f"{self.temperature:g}"
        return (*self.others, ("temperature", temperature))


def seats_beside(started: SessionStarted, cfg: SceneConfig, role: str) -> Seats:
    """All seats but the role's; the judges as one, by their specs, for it does not matter who sits first."""
    specs = {seat.name: PEOPLE if is_human(seat.spec) else safe.spec(seat.spec) for seat in started.seats}
    judges = " + ".join(sorted(spec for seat, spec in specs.items() if seat in cfg.judges))
    others = tuple((seat, spec) for seat, spec in specs.items() if seat not in (role, *cfg.judges))
    return (*others, ("judges", judges)) if judges else others


def observations_in(session: str, recorded: Sequence[Recorded]) -> list[Observation]:
    """What a run of a scene tells of each of its subjects; nothing where the session is no readable scene."""
    started = recorded[0].event if recorded else None
    if not isinstance(started, SessionStarted) or (settings := config_in(started)) is None:
        return []
    cfg = as_played(settings, recorded)
    run = end_of(session, list(recorded))
    played = _played(run.outcome if run else None)
    shortened = {judge_asked(r.event.step) for r in recorded if isinstance(r.event, PromptTrimmed)}
    why = (played.ended if played else "") or (run.reason if run and not played else "")
    return [
        Observation.model_validate(
            {
                "session": session,
                "role": role.name,
                "cell": cell_of(started, cfg, role.name),
                "seed": started.seed,
                "temperature": started.temperature,
                "why": why,
                "pilot": cfg.pilot,
                "began": why not in UNPLAYED and any(isinstance(r.event, Said) for r in recorded),
                "choices": states_only(cfg.scene),
                "chosen": cfg.assignment is None,
                "others": seats_beside(started, cfg, role.name),
                "shortened": sum(asked is not None and asked[0] == number for asked in shortened),
                **_result(cfg.scene, role.name, played, state_of(recorded)),
                **_times(role.name, played, page_times(recorded)),
            }
        )
        for number, role in enumerate((one for one in cfg.scene.roles if one.kind == "subject"), 1)
    ]


def cell_of(started: SessionStarted, cfg: SceneConfig, role: str) -> Cell:
    """Where a run belongs, its condition "" before one was drawn. A person's name is no part of it."""
    spec = next((seat.spec for seat in started.seats if seat.name == role), "")
    style = next(one.style for one in cfg.scene.roles if one.name == role)
    subject = ROBOTS if is_robot(spec) else PEOPLE if is_human(spec) else safe.spec(spec)
    condition = cfg.scene.condition or ("" if cfg.versions else "treatment")
    return Cell(subject=subject, style=style, condition=condition)


def same_scene(one: Scene, other: Scene) -> bool:
    """Whether two scenes are the same to those who play: styles, what is told afterwards, and who wrote it, apart."""
    return _bare(one) == _bare(other)


def _bare(scene: Scene) -> Scene:
    roles = tuple(role.model_copy(update={"style": ""}) for role in scene.roles)
    apart = {"debrief": "", "written_by": "", "reviewed": "", "twin": "", "plan": Plan()}
    return scene.model_copy(update={"roles": roles, **apart})


def states_only(scene: Scene) -> bool:
    """Whether a subject has no words of its own to find: values alone, and all others have fixed lines."""
    kinds = {one.name: one.kind for one in scene.measures}
    return all(
        rule.message or rule.says or (rule.measures and all(kinds.get(name) != "text" for name in rule.measures))
        for rule in scene.rules
    )


def _played(outcome: object) -> Played | None:
    try:
        return Played.model_validate(outcome) if outcome is not None else None
    except ValidationError:
        return None


def _times(role: str, played: Played | None, times: Sequence[PageTime]) -> dict[str, object]:
    """How long a person took for each measure; nothing of a model."""
    asked = {time.step: time for time in times if time.seat == role and time.seconds is not None}
    found = {one.measure: asked[one.step] for one in (played.stated if played else ()) if one.step in asked}
    seconds = {measure: time.seconds for measure, time in found.items()}
    return {"seconds": seconds, "via": ", ".join(sorted({time.via for time in found.values()} - {""}))}


def _result(scene: Scene, role: str, played: Played | None, state: str) -> dict[str, object]:
    """The fields of what became of the run."""
    if played is None:
        return {"result": "ended early" if state == "stopped" else "unfinished"}
    if played.ended:
        return {"result": "ended early"}
    record = hash_of([[entry.origin, list(entry.target), entry.content] for entry in played.record])
    verdict = _verdict(played.evaluation, role)
    outcomes = {one.met: one.value for one in played.outcomes if one.subject == role}
    stated = {one.measure: one.value for one in played.stated if one.subject == role}
    at = {met: at_level(scene, stated, met) for met in ("", *scene.met)}
    checked = {one.name: holds(one.right, at[_met(scene, one.name)]) for one in scene.measures if one.right}
    failed = {scene.measure(name).serves for name, is_right in checked.items() if is_right is False}
    excluded = next((rule for rule in scene.plan.exclusions if any(holds(rule, known) for known in at.values())), "")
    answers: dict[str, object] = {
        "outcome": outcomes.get(""),
        "outcomes": outcomes if scene.met else {},
        "stated": stated,
        "right": checked,
        "excluded": excluded,
        "failed": sorted(failed),
    }
    return {"record": record, **answers, **(verdict or {"result": "not judged"})}


def _met(scene: Scene, measure: str) -> str:
    """Which of what a subject meets a measure was asked in, "" outside."""
    return next((met for met in scene.met if measure.endswith(f"_{met}")), "")


def holds(rule: str, stated: Mapping[str, Stated | None]) -> bool | None:
    """Whether a rule over measures holds; None where it cannot be told."""
    try:
        found = outcome_of(rule, stated)
    except UnreadableRule:
        return None
    return None if found is None else bool(found)


def _verdict(evaluation: Evaluation | None, role: str) -> dict[str, object] | None:
    found = next((one for one in evaluation.verdicts if one.subject == role), None) if evaluation else None
    if found is None or evaluation is None:
        return None
    counts = found.model_dump(include={"yes", "no", "unread", "unfounded", "misquoted", "agreement"})
    opinions = tuple(opinion for opinion in evaluation.opinions if opinion.subject == role)
    return {"result": found.verdict, **counts, "opinions": opinions}
