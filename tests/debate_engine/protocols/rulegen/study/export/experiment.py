"""A small experiment for the tests: two factors, six versions, measures of every kind, played by people and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from elenchus.debate_engine.events import Recorded, SessionStarted
from elenchus.debate_engine.protocols.rulegen.assignment import drawn
from elenchus.debate_engine.protocols.rulegen.config import Assignment
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation, Result
from elenchus.debate_engine.protocols.rulegen.study.selection import Selection, counted, studied_scene
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import common_to, versions
from tests.debate_engine.protocols.rulegen.stage import Stage

TEXT = """---
scene: 1
title: "A price"
bias: "anchoring-effect"
outcome: "OUTCOME"
factors: {anchor: {low: 90, high: 480, none: ""}, pressure: [cue, quiet]}
contrasts: ["high/* - low/*", "high/* - none/*", {compare: "*/cue - */quiet", expect: same, margin: 60}]
exclusions: ["known"]
n: 60
stop: "after 60 subjects"
deception: omission
age: 14
literature: [{citation: "Klein and others (2014)", arms: "high - low", metric: d, size: 2.42, same: paradigm}]
---

# Purpose

# Background

# Roles

## Ada (subject)
## Ben (confederate)
- Task: Ask in the words of your lines.

# Rules

1. **self-receiving, SYS** system → Ada, Ben: the bicycle
   > A bicycle stands here: "city", 7 gears.
   >
   > It is for sale.
2. **unicast, FTO** Ben → Ada: a number
   when: anchor != none
   says: "{Ada}, more or less than {anchor}?"
3. **unicast, CON** Ben → Ada: presses
   when: pressure = cue
   says: "It would feel strange to end far from that."
4. **unicast, DES** Ada → Ben: the price
   measure: price, why
5. **unicast, DES** Ada → Ben: the rest
   measure: sure, colour, known, age

# Measures

price: {kind: number, unit: euros, low: 0, high: 5000, ask: "How much?"}
why: {kind: text, words: 40, ask: "Why?", optional: true, why: "to understand you"}
sure: {kind: rating, low: 0, high: 10, ask: "How sure are you?"}
colour: {kind: choice, options: [blue, red], ask: "Which colour is the sky?", serves: attention, right: 'colour = "blue"'}
known: {kind: yes-no, ask: "Have you met this before?", serves: met-before}
age: {kind: number, low: 14, high: 120, whole: true, ask: "How old are you?", serves: demographic, optional: true, why: "to describe who took part"}

# Observation

A high price.

# Debrief

It was about {anchor}.
"""  # noqa: E501 - a scene's line ends where it ends

NUMBER, YES_NO = "price", "price >= 250"
ROBOT, OTHER = "openai:robot", "anthropic:other"
Logs = dict[str, Sequence[Recorded]]


def experiment(outcome: str = NUMBER) -> Scene:
    """The scene as its file has it, all versions in one."""
    scene, findings = canonical.check(TEXT.replace("OUTCOME", outcome))
    assert findings == ()
    return scene


def states(price: float | None = 200, **more: Any) -> dict[str, Any]:
    """What a subject answers to everything at once."""
    given = {"price": price, "why": None, "sure": 5, "colour": "blue", "known": False, "age": None}
    return given | more


class Subject(Stage):
    """One run: a person, or the model of this name, on Ada's seat."""

    def __init__(self, scene: Scene, answers: Mapping[str, Any], who: str = ROBOT, **settings: Any) -> None:
        given = {"rulegen/state": lambda call: _asked(answers, call.schema or {})}
        person = {"Ada": lambda ask: _asked(answers, ask.answer_schema or {})}
        settings.setdefault("judges", ())
        super().__init__(scene, given, people=person if who == "people" else None, **settings)
        self.who = who

    def started(self) -> SessionStarted:
        started = super().started()
        seats = tuple(
            seat.model_copy(update={"spec": self.who}) if seat.name == "Ada" and self.who != "people" else seat
            for seat in started.seats
        )
        return started.model_copy(update={"seats": seats})

    async def log_of(self) -> Sequence[Recorded]:
        """The whole log, played to its end."""
        await self.run()
        return await self.log.read("s")


def _asked(answers: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answers.items() if name in schema.get("properties", ())}


async def played(scene: Scene, each: int = 2, who: Sequence[str] = (ROBOT,), seed: int = 1) -> Logs:
    """Every version `each` times by each of these subjects; prices are drawn about the anchor's."""
    chance, logs, number = Random(seed), Logs(), 0
    middles = {"low": 180, "high": 300, "none": 240}
    for subject in who:
        for version, one in versions(scene).items():
            for _ in range(each):
                number += 1
                price = round(chance.gauss(middles[version.split("/")[0]], 70), 1)
                answers = states(max(0.0, price), sure=chance.randrange(11), known=chance.random() < 0.1)
                lots = drawing(scene, seed, number)
                by_lot = drawn(lots["assignment"], number) == version
                run = (
                    Subject(lots.pop("common"), answers, subject, **lots) if by_lot else Subject(one, answers, subject)
                )
                logs[f"g-{number:04}"] = await run.log_of()
    return logs


class Place:
    """Lots of which one place is free."""

    def __init__(self, number: int) -> None:
        self.number = number

    async def draw(self, assignment: Assignment) -> int:
        """That place."""
        return self.number


def drawing(scene: Scene, seed: int, number: int) -> dict[str, Any]:
    """What a session is played with whose version is that of this place; `common` is its scene until then."""
    found = versions(scene)
    lot = Assignment(study="price", holder="s", seed=seed, of=tuple(found))
    return {"assignment": lot, "versions": found, "lots": Place(number), "common": common_to(found)}


async def study_over(scene: Scene, logs: Logs, chosen: Selection | None = None) -> Study:
    """The study over all of these runs."""
    return await counted(studied_scene("price", scene), logs, chosen or Selection())


def run(
    n: int,
    version: str,
    outcome: float | bool | None,
    subject: str = PEOPLE,
    result: Result = "not judged",
    **more: Any,
) -> Observation:
    """One subject's run, as it would have been played."""
    cell = Cell(subject=subject, style=more.pop("style", ""), condition=version)
    given = {
        "session": f"s{n}", "role": "Ada", "cell": cell,
        "result": result, "record": f"r{n}", "seed": n, "temperature": None, "outcome": outcome,
    }  # fmt: skip
    return Observation.model_validate(given | more)
