"""An experiment as it is played: trials in an order that is in the log, levels met one after another, own answers."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any

import pytest

from elenchus.debate_engine.events import Said, ShownPicture, StepDone, UnforeseenQuestion
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF, debrief_of
from elenchus.debate_engine.protocols.rulegen.study.observation import observations_in
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.protocols.rulegen.stage import Stage
from tests.debate_engine.scenes.test_trials import FRAMES, LINES


def version(text: str, label: str, **more: Any) -> Scene:
    return versions(canonical.read(text))[label].model_copy(update=more)


async def order_in(stage: Stage) -> list[list[Any]]:
    steps = [r.event for r in await stage.log.read("s") if isinstance(r.event, StepDone)]
    return next(step.result for step in steps if step.step.endswith("/order"))


def first_option(ask: Ask) -> dict[str, Any]:
    assert ask.answer_schema is not None
    return {name: field["enum"][0] for name, field in ask.answer_schema["properties"].items()}


async def test_trials_are_shown_in_the_order_that_is_in_the_log_and_counted_as_they_are_written() -> None:
    stage = Stage(version(LINES, "wrong"), people={"Mika": first_option}, judges=(), target=None)
    played = await stage.played()
    order = await order_in(stage)
    assert sorted(item for item, _ in order) == [1, 2]
    assert all(sorted(options) == ["1", "2", "3"] for _, options in order)
    shown = [entry.content for entry in played.record if entry.origin == "system"]
    assert [text[:8] for text in shown] == ["Round 1:", "Round 2:"]
    assert ["Before you: 1, 1" in text for text in shown] == [item == 2 for item, _ in order]
    first = {item: options[0] for item, options in order}
    stated = {one.measure: one.value for one in played.stated}
    assert stated == {f"lines_{item}": option for item, option in first.items()}
    assert [one.value for one in played.outcomes] == [int(first[2] != "3")]


async def test_the_same_seed_gives_the_same_order_and_another_one_another() -> None:
    async def orders(seed: int) -> str:
        stage = Stage(version(LINES, "right"), people={"Mika": first_option}, judges=(), target=None, seed=seed)
        await stage.played()
        return str(await order_in(stage))

    assert await orders(1) == await orders(1)
    assert len({await orders(seed) for seed in range(6)}) > 1


async def test_options_stand_in_an_order_of_their_own_for_each_item_only_where_the_file_says_so() -> None:
    async def orders(text: str) -> set[str]:
        found: set[str] = set()
        for seed in range(4):
            stage = Stage(version(text, "right"), people={"Mika": first_option}, judges=(), target=None, seed=seed)
            await stage.played()
            found |= {"".join(options) for _, options in await order_in(stage)}
        return found

    assert len(await orders(LINES)) > 2
    assert await orders(LINES.replace(', "shuffle_options": true', "")) == {"123"}


async def test_who_meets_all_levels_has_an_outcome_at_each() -> None:
    def risk(ask: Ask) -> dict[str, Any]:
        (name,) = (ask.answer_schema or {})["properties"]
        return {name: 2 if name == "risk_gain" else 9}

    stage = Stage(version(FRAMES, "cue/loss-gain"), people={"Robin": risk}, judges=(), target=None)
    played = await stage.played()
    assert [(one.met, one.value) for one in played.outcomes] == [("loss", 9), ("gain", 2)]
    said = [entry.content for entry in played.record]
    assert said.index("200 of 600 are lost.") < said.index("200 of 600 are saved.")
    assert "I say 9 of 10." in said
    (seen,) = observations_in("s", await stage.log.read("s"))
    assert seen.outcomes == {"loss": 9, "gain": 2}


async def test_who_is_left_out_and_what_is_right_is_told_by_counts_over_trials_and_at_each_level_that_was_met() -> None:
    counted = LINES.replace("contrasts:", 'exclusions: ["lines_errors > 0"]\ncontrasts:')

    def one(ask: Ask) -> dict[str, Any]:
        (name,) = (ask.answer_schema or {})["properties"]
        return {name: "1"}

    stage = Stage(version(counted, "wrong"), people={"Mika": one}, judges=(), target=None)
    await stage.played()
    (seen,) = observations_in("s", await stage.log.read("s"))
    assert seen.excluded == "lines_errors > 0"
    within = FRAMES.replace("contrasts:", 'exclusions: ["risk > 8"]\ncontrasts:')
    within = within.replace('"rating",', '"rating", "serves": "attention", "right": "risk < 5",')

    def risk(ask: Ask) -> dict[str, Any]:
        (name,) = (ask.answer_schema or {})["properties"]
        return {name: 2 if name == "risk_gain" else 9}

    stage = Stage(version(within, "cue/loss-gain"), people={"Robin": risk}, judges=(), target=None)
    await stage.played()
    (seen,) = observations_in("s", await stage.log.read("s"))
    assert (seen.excluded, seen.right) == ("risk > 8", {"risk_gain": True, "risk_loss": False})
    assert seen.failed == ("attention",)


@pytest.mark.parametrize(("policy", "third"), [("fixed", "I still cannot."), ("moderator", "I still cannot.")])
async def test_a_question_gets_the_scenes_own_answers_one_after_another_and_no_model(policy: str, third: str) -> None:
    scene = version(FRAMES, "cue/gain-loss", answers=("I cannot say more.", "I still cannot."))
    scene = scene.model_copy(update={"plan": scene.plan.model_copy(update={"questions": policy})})

    def risk(ask: Ask) -> dict[str, Any]:
        (name,) = (ask.answer_schema or {})["properties"]
        return {name: 5}

    stage = Stage(scene, people={"Robin": risk}, judges=(), target=None)
    await stage.make()
    for asked in range(3):
        await stage.log.send("s", UnforeseenQuestion(by="bo", seat="Robin", text=f"What is this about ({asked})?"))
    await asyncio.wait_for(stage.run(), 20)
    assert not stage.client.asked
    told = [r.event for r in await stage.log.read("s") if isinstance(r.event, Said) and r.event.to == ("Robin",)]
    answers = [said.text for said in told if said.text in (*scene.answers,)]
    assert answers == ["I cannot say more.", "I still cannot.", third]


async def test_the_debrief_holds_what_was_stated_the_version_and_what_others_found() -> None:
    found = 'literature: [{citation: "Tversky and Kahneman (1981)", arms: "72 % - 22 %", n: 307, same: task},'
    found += ' {citation: "Somebody else", same: name}]'
    text = FRAMES.replace("That was all.\n", "You said {risk_gain}. {{No place}} and {}.\n")
    text = text.replace("within: [frame]", f"within: [frame]\n{found}")

    def risk(ask: Ask) -> dict[str, Any]:
        (name,) = (ask.answer_schema or {})["properties"]
        return {name: 3}

    stage = Stage(version(text, "quiet/gain-loss"), people={"Robin": risk}, judges=(), target=None)
    await stage.played()
    said = [r.event for r in await stage.log.read("s") if isinstance(r.event, Said) and r.event.about == DEBRIEF]
    (told,) = [one.text for one in said]
    assert "You said 3 of 10. {{No place}} and {}." in told
    assert "How far would you take the risk, with 200 saved? 3 of 10" in told
    assert "Tversky and Kahneman (1981): 72 % - 22 %; 307 people" in told
    assert "Somebody else" not in told
    assert "the version “pressure quiet”" in told


async def test_a_debrief_says_how_often_something_happened_over_the_trials() -> None:
    text = LINES.replace(', "shuffle_options": true', "")
    text = text.replace(
        "That was all.", "You went along in {lines_errors} of {lines_critical}; 2 you took {lines_chosen_2} times."
    )
    stage = Stage(version(text, "wrong"), people={"Mika": first_option}, judges=(), target=None)
    await stage.played()
    said = [r.event for r in await stage.log.read("s") if isinstance(r.event, Said) and r.event.about == DEBRIEF]
    (told,) = [one.text for one in said]
    assert "You went along in 1 of 1; 2 you took 0 times." in told
    assert "Answered otherwise than was right: 1 of 1." in told


async def test_who_left_early_is_told_no_count() -> None:
    text = LINES.replace("That was all.", "You went along in {lines_errors}.")
    stage = Stage(version(text, "wrong"), people={"Mika": first_option}, judges=(), target=None)
    assert "You went along in –." in debrief_of(stage.cfg, "Mika", early=True)


CARDS = """---
scene: 1
title: "Cards"
bias: ""
---

# Roles

## Mika (subject)

## Sunna (moderator)

# Rules

1. **self-receiving, SYS** system → Mika: a table
   > Here you sit.
   picture: table
2. **unicast, DES** Mika → Sunna: Choose.
   trials: cards

# Trials

cards: {"answer": {"kind": "choice", "ask": "Which?", "options": ["1", "2"]},
  "items": [{"right": "1", "picture": "card"}]}

# Pictures

table: {"file": "table.png", "alt": "A table."}
card: {"file": "card.png", "alt": "Two lines:\\n1 ━━\\n2 ━━━"}

# Observation

Count.

# Debrief

That was all.
"""


def seen(**more: Any) -> Scene:
    """The scene of cards as it is once the files of its pictures were read."""
    scene = canonical.read(CARDS)
    read = [
        one.model_copy(update={"sha256": sha256(one.name.encode()).hexdigest(), "media_type": "image/png"})
        for one in scene.pictures
    ]
    return scene.model_copy(update={"pictures": tuple(read), **more})


async def test_a_picture_is_in_the_log_by_its_hash_and_in_the_words_by_its_alt_text() -> None:
    stage = Stage(seen(), people={"Mika": first_option}, judges=(), target=None)
    played = await stage.played()
    table, card = [r.event for r in await stage.log.read("s") if isinstance(r.event, Said) and r.event.picture]
    assert (table.text, table.alt, table.below_picture) == (
        "[picture: A table.]\nHere you sit.",
        "A table.",
        "Here you sit.",
    )
    assert (card.alt, card.below_picture) == ("Two lines:\n1 ━━\n2 ━━━", "")
    assert card.text.split("\n") == ["[picture: Two lines:", "1 ━━", "2 ━━━", "]"], "no sign lengthens a line"
    assert card.picture == ShownPicture(sha256=sha256(b"card").hexdigest(), media_type="image/png", lines=4)
    assert [entry.content for entry in played.record][:2] == [table.text, card.text], "judges read the words"


async def test_what_is_said_without_a_picture_is_stored_as_before() -> None:
    stage = Stage(version(LINES, "wrong"), people={"Mika": first_option}, judges=(), target=None)
    await stage.played()
    lines = [r.line() for r in await stage.log.read("s") if isinstance(r.event, Said)]
    assert not any("picture" in line for line in lines)


async def test_a_scene_whose_pictures_were_not_read_is_not_played() -> None:
    stage = Stage(canonical.read(CARDS), people={"Mika": first_option}, judges=(), target=None)
    run = await stage.run()
    assert run.state == "failed"
    assert "table.png is not beside it; put the picture there" in run.reason


async def test_a_session_with_a_picture_is_replayed_and_redacted_and_keeps_it() -> None:
    stage = Stage(seen(), people={"Mika": first_option}, judges=(), target=None)
    await stage.played()
    before = [r.event for r in await stage.log.read("s") if isinstance(r.event, Said)]
    await stage.runner().forget("s", "Mika")
    after = [r.event for r in await stage.log.read("s") if isinstance(r.event, Said)]
    assert [said.picture for said in after] == [said.picture for said in before]
    assert [said.text for said in after if said.picture] == [said.text for said in before if said.picture]
