"""A scene rehearsed: each version played by example answers, nobody asked, nothing kept; and what each role saw of it.

The protocol is the one that people meet, over a log in memory: the subject's seat is a person's, with consent and
debriefing, and answers at once with an example; whoever else would make up words says that it would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from elenchus.debate_engine.events import Recorded, Said, Seat, SessionStarted, StepDone
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.log import reached
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.participant import Answer, Ask
from elenchus.debate_engine.protocols.rulegen.assignment import FirstPlace
from elenchus.debate_engine.protocols.rulegen.casting import asked, config_for, is_supervised
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.measuring import outcomes_of
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF
from elenchus.debate_engine.protocols.rulegen.people.pages import part_of
from elenchus.debate_engine.protocols.rulegen.played import Outcome, Played, Statement
from elenchus.debate_engine.protocols.rulegen.protocol import rulegen
from elenchus.debate_engine.retrieval import WordOverlap
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.scenes.examples import ordinary, others_than
from elenchus.debate_engine.scenes.measures import stated
from elenchus.debate_engine.scenes.outcome import is_yes_or_no, names_in
from elenchus.debate_engine.scenes.scene import SYSTEM, Scene
from elenchus.debate_engine.scenes.versions import places, played_rules, versions
from elenchus.debate_engine.session import Session

CONSENT = "rulegen/consent"
_DECISIONS = {"rulegen/age": "consent", CONSENT: "consent", "rulegen/keep": "keep"}
"""By prompt: what kind of line it is that a person decides beside the scene."""


EXAMPLE = "example"
_DEMONSTRATED: Mapping[str, Any] = {"mode": "demonstration"}
"""What people are promised unless something else is said."""


@dataclass(frozen=True, slots=True)
class Line:
    """Something that was said, shown or asked, the roles that saw it, and `given`: the example that was answered."""

    speaker: str
    to: tuple[str, ...]
    seen_by: tuple[str, ...]
    text: str
    kind: str = "said"
    given: Mapping[str, Any] | str | None = None


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """One version played once. `lines` are all there were, `views` by role the numbers (from 1) of those it saw.

    `outcomes` by subject, and by level where something varies within; `silent`: by rule (from 1, in the version) why
    it said nothing.
    """

    version: str
    answers: Mapping[str, Any]
    outcomes: tuple[Outcome, ...]
    lines: tuple[Line, ...]
    views: Mapping[str, tuple[int, ...]]
    silent: Mapping[int, str]

    def as_json(self) -> dict[str, Any]:
        """The play as a document."""
        outcomes = [{**one.model_dump(mode="json"), "told": one.told} for one in self.outcomes]
        return {**asdict(self), "outcomes": outcomes, "views": {name: list(at) for name, at in self.views.items()}}


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """All versions, each played as ordinary answers have it and, where it can come out otherwise, once more so.

    `problems` say which rule never plays, and which outcome cannot be told or is always the same.
    """

    plays: tuple[Rehearsed, ...]
    problems: tuple[str, ...]


async def rehearse(
    scene: Scene, only: Sequence[str] = (), promised: Mapping[str, Any] = _DEMONSTRATED, others: str = ""
) -> Rehearsal:
    """Play each version (of `only` these) by example, people `promised` what they will be when it is played (settings
    of the scene) beside the model `others`. Raises UsageError where the scene cannot be played.
    """
    plays: list[Rehearsed] = []
    problems = list(_never_played(scene))
    for label, version in versions(scene).items():
        if only and label not in only:
            continue
        own = [await _played(label, version, answers, promised, others or EXAMPLE) for answers in _two_ways(version)]
        plays += own
        problems += _problems(label, version, own)
    return Rehearsal(tuple(plays), tuple(problems))


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────────────────────


def _two_ways(scene: Scene) -> list[dict[str, Any]]:
    """Ordinary answers, and others by which it comes out otherwise, as far from it as they can."""
    first = ordinary(scene)
    if not scene.outcome:
        return [first]
    told = _told_by(scene, first)
    named = [f"{name}{f'_{met}' if met else ''}" for name in names_in(scene.outcome) for met in scene.met or ("",)]
    named += [block.name + "_" for block in scene.trials if any(name.startswith(f"{block.name}_") for name in named)]
    apart = [(_apart(told, _told_by(scene, other)), other) for other in others_than(scene, first, named)]
    far = max(apart, key=lambda pair: pair[0], default=(0.0, first))
    return [first, far[1]] if far[0] > 0 else [first]


def _told_by(scene: Scene, answers: Mapping[str, Any]) -> list[Any]:
    """What comes out, at each level, of a subject that answers so."""
    subject = next(role.name for role in scene.roles if role.kind == "subject")
    measures = [*scene.measures, *(one for block in scene.trials for one in block.measures)]
    found = [
        Statement(rule=1, subject=subject, measure=one.name, value=stated(one, answers[one.name])) for one in measures
    ]
    return [one.value for one in outcomes_of(scene, found) if one.subject == subject]


def _apart(one: Sequence[Any], other: Sequence[Any]) -> float:
    return sum(abs(float(b) - float(a)) for a, b in zip(one, other, strict=True) if a is not None and b is not None)


@dataclass(frozen=True)
class ExampleSeat:
    """A seat that answers at once: a subject by examples, anybody else that words of its own would stand here."""

    name: str
    answers: Mapping[str, Any]

    async def answer(self, ask: Ask) -> Answer:
        """An example of the asked form."""
        if ask.answer_schema is None:
            return Answer(f"(Here {self.name} speaks in words of their own.)")
        return Answer({name: self._of(name, one) for name, one in ask.answer_schema["properties"].items()})

    def _of(self, name: str, schema: Mapping[str, Any]) -> Any:
        """The example under this name, else the plainest value of the form."""
        if name in self.answers:
            return self.answers[name]
        if "enum" in schema:
            return schema["enum"][0]
        plain: dict[str, Any] = {"boolean": True, "array": [], "integer": 0, "number": 0}
        return plain.get(str(schema.get("type")), "An example.")

    def most(self, ask: Ask) -> tuple[int, float | None]:
        """Nothing: nobody is asked."""
        return 0, 0.0


# ── playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _played(
    label: str, scene: Scene, answers: Mapping[str, Any], promised: Mapping[str, Any], others: str
) -> Rehearsed:
    subjects = [role.name for role in scene.roles if role.kind == "subject"]
    seats = [Seat(name=name, spec=f"{HUMAN}:example") for name in subjects]
    seats += [Seat(name=name, spec=others) for name in asked(scene) if name not in subjects]
    beside = [seat.name for seat in seats if seat.name not in subjects]
    seats += [Seat(name=SYSTEM, spec=others)] if is_supervised(scene, beside) else []
    cfg = config_for(scene, seats, **promised)
    log, retriever = MemoryLog(), WordOverlap()

    async def play(session: Session, config: dict[str, Any]) -> dict[str, Any]:
        return await rulegen(session, config, retriever, FirstPlace())

    by_subject = {"agreed": "yes", **answers}
    runner = Runner(
        log, {"rulegen": play}, lambda seat, _: ExampleSeat(seat.name, by_subject if seat.name in subjects else {})
    )
    started = SessionStarted(
        protocol="rulegen",
        title=scene.title,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        seed=1,
        version="0",
    )
    session_id = await runner.create(started)
    run = await runner.run(session_id)
    if run.outcome is None:
        raise RuntimeError(f"The rehearsal of {label or 'the scene'} did not end: {run.reason}")
    return _as_seen(label, cfg, answers, Played.model_validate(run.outcome), await log.read(session_id))


def _as_seen(
    label: str, cfg: SceneConfig, answers: Mapping[str, Any], played: Played, recorded: Sequence[Recorded]
) -> Rehearsed:
    names = [role.name for role in cfg.scene.roles]
    lines = tuple(_lines(recorded, cfg.scene))
    views = {name: tuple(n for n, line in enumerate(lines, 1) if name in line.seen_by) for name in names}
    silent = {turn.rule: turn.silent for turn in played.turns if turn.silent}
    return Rehearsed(label, answers, played.outcomes, lines, views, silent)


def _lines(recorded: Sequence[Recorded], scene: Scene) -> Iterator[Line]:
    names = [role.name for role in scene.roles]
    for r in recorded:
        match r.event:
            case Said() as said:
                seen_by = tuple(name for name in names if reached(name, said))
                kind = "debrief" if said.about == DEBRIEF else "said"
                yield Line(said.speaker, said.to, seen_by, said.text, kind)
            case StepDone(inputs={"seat": seat, "prompt_id": prompt} as inputs, result={"value": value}):
                ask = Ask.model_validate(inputs)
                if kind := _DECISIONS.get(prompt, ""):
                    yield Line(SYSTEM, (seat,), (seat,), ask.text_for_person, kind, value)
                if ask.answer_schema is not None and prompt == "rulegen/state":
                    yield Line(SYSTEM, (seat,), (seat,), _asked_for(ask), "question", value)
                if prompt == CONSENT:
                    role = next(role for role in scene.roles if role.name == seat)
                    part = part_of(seat, role.background, role.task, scene.language)
                    yield Line(SYSTEM, (seat,), (seat,), part, "part")


def _asked_for(ask: Ask) -> str:
    """The questions of a form, a line each."""
    assert ask.answer_schema is not None
    return "\n".join(str(one.get("description", name)) for name, one in ask.answer_schema["properties"].items())


# ── what is wrong ────────────────────────────────────────────────────────────────────────────────────────────────────


def _never_played(scene: Scene) -> Iterator[str]:
    """The rules of the file that no version has."""
    arms = places(scene).values() if scene.factors else [((), ())]
    found = {index for levels, met in arms for index, _ in played_rules(scene, levels, met)}
    yield from (f"rule {n} is played in no version" for n in range(1, len(scene.rules) + 1) if n - 1 not in found)


def _problems(label: str, scene: Scene, plays: Sequence[Rehearsed]) -> Iterator[str]:
    where = f"{label}: " if label else ""
    for n, why in {n: why for play in plays for n, why in play.silent.items()}.items():
        yield f"{where}{scene.rules[n - 1].initiator} says nothing in turn {n} ({why})"
    values = [one.value for play in plays for one in play.outcomes]
    if not scene.outcome:
        return
    if None in values or not values:
        yield f"{where}the outcome {scene.outcome} cannot be told from these answers"
    elif len(set(values)) < 2:
        kind = "yes or no" if is_yes_or_no(scene.outcome) else "a number"
        yield f"{where}the outcome {scene.outcome} is {kind}, and {plays[0].outcomes[0].told} whatever is answered"
