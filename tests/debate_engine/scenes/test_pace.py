"""How long a version takes its subject, from its words: what is assumed, and that more of anything takes longer."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.pace import minutes_of, words_to
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.scenes.test_trials import FRAMES, LINES

GAIN = versions(canonical.read(FRAMES))["cue/gain-loss"]


def test_the_words_that_reach_the_subject_are_counted_and_nobody_elses() -> None:
    told = "Hello, {Robin}. 200 of 600 are saved. Quickly! Choose. 200 of 600 are lost. Quickly! Choose. Thank you."
    asked = "How far would you take the risk, with 200 saved? not at all fully"
    assert words_to(GAIN, "Robin") == len(told.split()) + 2 * len(asked.split())


def test_a_scene_takes_the_minutes_that_its_words_and_questions_do() -> None:
    words = words_to(GAIN, "Robin") + len(["That", "was", "all."]) + 350
    assert minutes_of(GAIN) == pytest.approx(words / 200 + 2 * 12 / 60)


def test_trials_take_their_time_each_and_are_read_once() -> None:
    scene = versions(canonical.read(LINES))["wrong"]
    (block,) = scene.trials
    longer = scene.model_copy(update={"trials": (block.model_copy(update={"items": block.items * 2}),)})
    assert minutes_of(longer) - minutes_of(scene) == pytest.approx(2 * 8 / 60)
