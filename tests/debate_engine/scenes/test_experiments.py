"""The experiments that come with the program: read without findings, versions alike but for their factors, playable."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from elenchus import config
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.casting import target_of
from elenchus.debate_engine.protocols.rulegen.moves import is_fixed
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.checks import giveaways
from elenchus.debate_engine.scenes.consistency import inconsistencies
from elenchus.debate_engine.scenes.measures import Choice, Number, Rating, Stated, YesNo, stated
from elenchus.debate_engine.scenes.outcome import is_yes_or_no, names_in, outcome_of
from elenchus.debate_engine.scenes.scene import Rule, Scene
from elenchus.debate_engine.scenes.script import check_any
from elenchus.debate_engine.scenes.versions import differences, versions
from tests.debate_engine.protocols.rulegen.leaks import leaks
from tests.debate_engine.protocols.rulegen.stage import Stage

FOLDER = Path(config.__file__).with_name("experiments")
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.md")) if not path.stem.endswith("-teacher")}
SCENES = {name: canonical.read(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
VERSIONS = [(name, label) for name, scene in SCENES.items() for label in versions(scene)]
MOST_WORDS, MOST_APART, MOST_LINES_APART = 480, 0.20, 0.15
MANY_TRIALS = {"conformity"}
"""Scenes of many quick choices: more is read and answered there, each of it in a moment."""
MORE_NAMES = {"dilution": ("dilution effect", "dilution", "diluting")}
"""What a bias is called that the catalogue does not have."""
RESEARCH = re.compile(
    r"\b(?:experiment\w*|stud(?:y|ies)|subjects?|confederates?|participants?|hypothes\w+|manipulat\w+|psycholog\w+|"
    r"observ(?:e|ed|ation)|treatment|control group|debrief\w*|deceiv\w*|demonstration)\b",
    re.IGNORECASE,
)
"""Words that would tell those who play that they are watched."""


def version(name: str, label: str) -> Scene:
    return versions(SCENES[name])[label]


def subject_of(scene: Scene) -> str:
    (name,) = [role.name for role in scene.roles if role.kind == "subject"]
    return name


def told(scene: Scene) -> Iterator[str]:
    """All that the subject reads: who it is, what reaches it, and what it is asked."""
    name = subject_of(scene)
    for role in scene.roles:
        if role.name == name:
            yield f"{role.background} {role.task}"
    for rule in scene.rules:
        if rule.initiator == name:
            yield rule.content
        elif name in rule.receivers:
            yield f"{rule.message} {rule.says}"
    for measure in scene.measures:
        yield f"{measure.ask} {' '.join(measure.options) if isinstance(measure, Choice) else ''}"


def words(texts: Iterator[str]) -> int:
    return sum(len(text.split()) for text in texts)


@pytest.mark.parametrize("name", FILES)
def test_an_experiment_reads_without_a_finding_and_is_written_back_as_it_stands(name: str) -> None:
    text = FILES[name].read_text(encoding="utf-8")
    assert check_any(text) == ()
    assert canonical.write(canonical.read(text)) == text
    scene = SCENES[name]
    assert all((scene.title, scene.purpose, scene.background, scene.observation, scene.debrief, scene.outcome))
    assert "Deception: " in scene.purpose
    assert len(scene.debrief) < 1900  # one message in Discord
    assert "never a person. Thank you" in scene.debrief
    assert "judge" not in scene.debrief.replace("judgement", "")


@pytest.mark.parametrize("name", FILES)
def test_an_experiment_has_a_page_for_the_teacher(name: str) -> None:
    page = FOLDER.joinpath(f"{name}-teacher.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {SCENES[name].title}: for the teacher")
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    assert headings == ["## Before", "## What to expect", "## Afterwards", "## What it cannot show"]
    for said in ("Time: ", "Age: ", "Deception: ", "Versions: "):
        assert any(line.startswith(f"- {said}") for line in page.splitlines()), said


@pytest.mark.parametrize(("name", "label"), VERSIONS)
def test_each_version_is_a_scene_in_which_everything_but_the_subject_is_fixed(name: str, label: str) -> None:
    scene = version(name, label)
    assert len(versions(SCENES[name])) >= 2
    assert not [*inconsistencies(scene), *giveaways(scene, *MORE_NAMES.get(name, ()))]
    subject = subject_of(scene)
    spoken = [rule for rule in scene.rules if rule.mode != "self-receiving"]
    assert all(bool(rule.measures) if rule.initiator == subject else is_fixed(rule) for rule in spoken)
    assert not [text for text in told(scene) if RESEARCH.search(text)]
    assert not [text for text in told(scene) if re.search(r"\{(?!\w+\})", text)]


@pytest.mark.parametrize("name", FILES)
def test_the_versions_take_equally_long_and_a_few_minutes(name: str) -> None:
    counts = {label: words(told(scene)) for label, scene in versions(SCENES[name]).items()}
    assert max(counts.values()) <= min(counts.values()) * (1 + MOST_APART), counts
    if name not in MANY_TRIALS:
        assert max(counts.values()) <= MOST_WORDS, counts
        assert len(SCENES[name].measures) <= 5


@pytest.mark.parametrize("name", FILES)
def test_lines_that_stand_in_for_one_another_are_equally_long(name: str) -> None:
    each = [placed(scene) for scene in versions(SCENES[name]).values()]
    assert len({tuple(lines) for lines in each}) == 1, "the same people speak in the same order"
    for where in each[0]:
        counts = [len(f"{lines[where].message} {lines[where].says}".split()) for lines in each]
        # where a line is short, a word more or less is no difference
        assert max(counts) <= max(min(counts) * (1 + MOST_LINES_APART), min(counts) + 2), where


def placed(scene: Scene) -> dict[str, Rule]:
    """The rules by who speaks to whom, counted: as `differences` names them."""
    counted: Counter[str] = Counter()
    rules = {}
    for rule in scene.rules:
        who = f"{rule.initiator} → {', '.join(rule.receivers)}"
        counted[who] += 1
        rules[f"{who} ({counted[who]})"] = rule
    return rules


@pytest.mark.parametrize("name", FILES)
def test_two_versions_differ_in_nothing_but_what_depends_on_their_factors(name: str) -> None:
    scene = SCENES[name]
    found = versions(scene)
    levels = dict(zip(found, product(*([level.name for level in one.levels] for one in scene.factors)), strict=True))
    for one, other in combinations(found, 2):
        pairs = zip(scene.factors, levels[one], levels[other], strict=True)
        varied = {factor.name for factor, here, there in pairs if here != there}
        apart = {where for where, _, _ in differences(found[one], found[other])}
        assert apart, f"{one} and {other} are the same"
        may = {f"measure {m.name}" for m in scene.measures if depends(m.ask, varied)}
        may |= {f"role {r.name}" for r in scene.roles if depends(f"{r.background} {r.task}", varied)}
        may |= {where for where, texts in origins(scene, one, other).items() if depends(texts, varied)}
        assert apart <= may, (one, other)


def depends(text: str, factors: set[str]) -> bool:
    return any(re.search(rf"\b{name}\b(?= *!?=)|{{ *{name} *}}", text) for name in factors)


def origins(scene: Scene, *labels: str) -> dict[str, str]:
    """By place of a rule in versions: conditions and words of the rules that stand there, as they are in the file."""
    texts: dict[str, str] = {}
    for label in labels:
        rules = [rule for rule in scene.rules if plays(scene, rule, label)]
        for where, rule in zip(placed(versions(scene)[label]), rules, strict=True):
            texts[where] = f"{texts.get(where, '')}\n{rule.when}\n{rule.content} {rule.message} {rule.says}"
    return texts


def plays(scene: Scene, rule: Rule, label: str) -> bool:
    alone = scene.model_copy(update={"rules": (rule,)})
    return bool(versions(alone)[label].rules)


def some(scene: Scene) -> Iterator[dict[str, Stated]]:
    """Statements: each measure that the outcome speaks of at both ends, with all the others at theirs."""
    ends: dict[str, tuple[Any, ...]] = {}
    for measure in scene.measures:
        match measure:
            case Choice(options=options):
                ends[measure.name] = options
            case Number(low=low, high=high):
                ends[measure.name] = (low, high)
            case Rating(low=low, high=high):
                ends[measure.name] = (low, high)
            case YesNo():
                ends[measure.name] = (True, False)
            case _:
                ends[measure.name] = ("Because.",)
    spoken = [name for name in names_in(scene.outcome) if name in ends]
    first = {name: stated(scene.measure(name), values[0]) for name, values in ends.items()}
    for at in range(max(len(ends[name]) for name in spoken)):
        yield first | {name: ends[name][min(at, len(ends[name]) - 1)] for name in spoken}
    for name in spoken:
        for value in ends[name]:
            yield first | {name: value}


@pytest.mark.parametrize(("name", "label"), VERSIONS)
def test_every_version_can_come_out_in_every_way(name: str, label: str) -> None:
    scene = version(name, label)
    found = [outcome_of(scene.outcome, values) for values in some(scene)]
    assert None not in found
    if is_yes_or_no(scene.outcome):
        assert set(found) == {True, False}
    else:
        assert len(set(found)) >= 2
        assert not any(isinstance(value, str) for value in found)


def answered(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A small answer of that form, within its bounds."""
    some_of = {"boolean": True, "string": "For no reason."}
    return {
        name: one["enum"][0] if "enum" in one else some_of.get(one["type"], min(7, one.get("maximum", 7)))
        for name, one in schema["properties"].items()
    }


@pytest.mark.parametrize(("name", "label"), VERSIONS)
async def test_a_version_is_played_with_a_person_and_nobody_else_is_asked_for_anything(name: str, label: str) -> None:
    scene = version(name, label)
    subject = subject_of(scene)
    people = {subject: lambda ask: answered(ask.answer_schema or {})}
    stage = Stage(scene, people=people, target=target_of(scene.bias), judges=())
    played = await stage.played()
    assert [one.measure for one in played.stated if one.value is not None] == [
        name for rule in scene.rules for name in rule.measures
    ]
    assert [outcome.value is None for outcome in played.outcomes] == [False]
    asks: list[Ask] = await stage.asks()
    assert {ask.seat for ask in asks} == {subject}
    assert leaks(stage.cfg, asks) == []
    assert not [turn.silent for turn in played.turns if turn.silent]


@pytest.mark.parametrize(("name", "label"), VERSIONS)
async def test_a_model_as_the_subject_states_its_measures_and_remembers_and_is_asked_nothing_else(
    name: str, label: str
) -> None:
    scene = version(name, label)
    answers = {"rulegen/state": lambda call: answered(call.schema or {})}
    stage = Stage(scene, answers, target=target_of(scene.bias), judges=())
    played = await stage.played()
    assert [one.measure for one in played.stated if one.value is not None] == [
        name for rule in scene.rules for name in rule.measures
    ]
    asks = await stage.asks()
    assert {(ask.seat, ask.prompt_id) for ask in asks} <= {
        (subject_of(scene), "rulegen/state"), (subject_of(scene), "rulegen/remember"),
    }  # fmt: skip
    assert leaks(stage.cfg, asks) == []
