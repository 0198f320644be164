"""Scenes that come along in another language: the same experiment, told anew; and what the program says around them."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.rehearsal import rehearse
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.language import LANGUAGES, WORDS
from elenchus.debate_engine.scenes.library import BUILT_IN
from elenchus.debate_engine.scenes.measures import Choice
from elenchus.debate_engine.scenes.scene import Scene
from tests.shipped_scenes import SCENES

TRANSLATED = [name for name, scene in SCENES.items() if scene.language != "en"]


def names_of(scene: Scene, original: Scene) -> dict[str, str]:
    """What the original calls each factor, level and value that this scene has in its place."""
    found = {}
    for own, there in zip(scene.factors, original.factors, strict=True):
        found[own.name] = there.name
        for level, same in zip(own.levels, there.levels, strict=True):
            found |= {level.name: same.name, level.value: same.value.replace(",", "")}
    for measure, same_asked in zip(scene.measures, original.measures, strict=True):
        if isinstance(measure, Choice) and isinstance(same_asked, Choice):
            found |= dict(zip(measure.options, same_asked.options, strict=True))
    return {name: there for name, there in found.items() if name}


def built_of(scene: Scene, names: dict[str, str]) -> dict[str, Any]:
    """All of a scene but its words, in the names of the original."""

    def named(text: str) -> str:
        return re.sub(r"[\wäöüß]+(?:,\d+)?", lambda word: names.get(word[0], word[0].replace(",", "")), text)

    def places(text: str) -> list[str]:
        return sorted({names.get(name, name) for name in re.findall(r"\{(\w+)\}", text)})

    return {
        "bias": scene.bias,
        "outcome": named(scene.outcome),
        "roles": [(role.name, role.kind, role.style) for role in scene.roles],
        "factors": [(len(factor.levels), factor.within) for factor in scene.factors],
        "rules": [
            (rule.mode, rule.purpose, rule.initiator, rule.receivers, named(rule.when), rule.measures,
             places(rule.says), bool(rule.message), rule.trials, rule.picture)
            for rule in scene.rules
        ],
        "measures": [
            one.model_dump(exclude={"ask", "options", "unit", "low_means", "high_means"}) | {"right": named(one.right)}
            for one in scene.measures
        ],
        "plan": scene.plan.model_dump(exclude={"stop", "contrasts", "literature"}),
        "contrasts": [(named(one.compare), one.expect, one.margin) for one in scene.plan.contrasts],
        "literature": [one.model_dump(exclude={"citation", "arms", "told"}) for one in scene.plan.literature],
        "answers": len(scene.answers),
        "told": places(scene.debrief),
    }  # fmt: skip


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_scene_in_another_language_is_the_same_experiment_rule_by_rule(name: str) -> None:
    scene, original = SCENES[name], SCENES[name.rpartition("-")[0]]
    names = names_of(scene, original)
    assert built_of(scene, names) == built_of(original, names_of(original, original))
    texts = [text for one in (scene, original) for text in (one.title, one.background, one.debrief)]
    assert len(set(texts)) == len(texts)


def test_a_rule_that_was_left_out_would_be_found() -> None:
    scene, original = SCENES["anchoring-de"], SCENES["anchoring"]
    names = names_of(scene, original)
    less = scene.model_copy(update={"rules": scene.rules[:-1]})
    assert built_of(less, names) != built_of(original, names_of(original, original))


@pytest.mark.parametrize("name", TRANSLATED)
async def test_nothing_that_is_read_around_it_is_in_english(name: str) -> None:
    done = await rehearse(SCENES[name])
    subject = SCENES[name].subjects[0]
    told = "\n".join(line.text for play in done.plays for line in play.lines if subject in line.seen_by)
    assert re.findall(ENGLISH, told) == []
    for words in ("Sie sind ", "Was Sie schreiben, liest kein Sprachmodell.", "Darf bleiben, was Sie gesagt haben"):
        assert words in told
    assert "Diesmal war es die Fassung „" in told
    english = await rehearse(SCENES["anchoring"])
    assert re.findall(ENGLISH, english.plays[0].lines[0].text)


ENGLISH = r"\b(?:the|and|with|of|you|your|yes|one|is|people|words|number|this|that)\b"


# ── what the program says ────────────────────────────────────────────────────────────────────────────────────────────


def test_every_phrase_is_there_in_every_language_with_the_same_places() -> None:
    def places(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    for language in LANGUAGES:
        own = WORDS[language]
        assert list(own) == list(WORDS["en"]), language
        assert {name for name in own if places(own[name]) != places(WORDS["en"][name])} == set()


@pytest.mark.parametrize("package", ["rulegen", "rulegen.people"])
def test_a_prompt_in_another_language_asks_the_same_of_the_same(package: str) -> None:
    whole = f"elenchus.debate_engine.protocols.{package}"
    for name in (german := prompts_of(whole, "de")).names():
        own, there = getattr(german, name), getattr(prompts_of(whole), name)
        assert (own.id, own.variables, own.max_tokens) == (there.id, there.variables, there.max_tokens)
        parts = [[(kind, policy) for kind, _, policy, _ in one.sections] for one in (own, there)]
        assert parts[0] == parts[1]
        assert own.hash != there.hash


def test_all_that_people_read_around_a_scene_is_there_in_german() -> None:
    german = set(prompts_of("elenchus.debate_engine.protocols.rulegen.people", "de").names())
    english = set(prompts_of("elenchus.debate_engine.protocols.rulegen.people").names())
    assert english - german == {"unscripted"}, "which a model is asked"


def test_a_language_that_the_program_does_not_speak_is_told_on_its_line(tmp_path: Path) -> None:
    text = BUILT_IN.joinpath("anchoring-de.md").read_text(encoding="utf-8").replace('language: "de"', 'language: "fr"')
    scene, findings = canonical.check(text)
    assert scene.language == "en"
    assert [(one.line, one.what) for one in findings] == [
        (4, "the program does not speak 'fr' to people around the lines")
    ]
