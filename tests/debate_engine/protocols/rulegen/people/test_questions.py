"""Questions beside the rules: answered by the moderator's seat while the own turn stays open, and recorded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml

from elenchus.debate_engine.events import Said, TurnAnswered, TurnOpened, UnforeseenQuestion
from elenchus.debate_engine.log import heard_by, transcript
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.scenes.language import phrase
from elenchus.debate_engine.scenes.plan import Plan
from tests.debate_engine.protocols.rulegen.people.scripted_people import (
    AGREED,
    CONDITIONED,
    WORDS,
    StartedScene,
    at_the_turn,
    started_scene,
    willing,
)
from tests.debate_engine.protocols.rulegen.stage import ASKS, NAMES, TASTING, TELLS, scene

QUESTION = "Does the green one really cost the same?"


async def asking(where: StartedScene, number: int = 1) -> str:
    await where.send(UnforeseenQuestion(by="bo", seat="Ada", text=QUESTION))
    await where.until(lambda event: isinstance(event, Said) and event.step == f"unscripted/{number}/said")
    return WORDS


async def test_a_question_is_answered_by_the_moderators_seat_while_the_own_turn_stays_open(tmp_path: Path) -> None:
    async with started_scene(tmp_path, {"Ada": at_the_turn(asking)}) as started:
        played = await started.played()
        question, answer, debrief = await started.told("Ada")
        ben = heard_by("Ben", transcript(await started.events()))
    assert (question.speaker, question.to, question.text) == ("Ada", ("Cleo",), QUESTION)
    assert (answer.speaker, answer.to, bool(answer.text)) == ("Cleo", ("Ada",), True)
    assert debrief.about == "debrief"
    assert not any(said.about == "unscripted" for said in ben), "nobody else hears it"
    contents = [entry.content for entry in played.record]
    assert contents.index(QUESTION) + 1 == contents.index(answer.text) < contents.index(WORDS), "in the order of time"


@pytest.mark.parametrize(("policy", "own"), [("moderator", False), ("fixed", True)])
async def test_when_the_scenes_own_answers_are_used_up_the_moderator_answers_where_that_is_allowed(
    tmp_path: Path, policy: Literal["moderator", "fixed"], own: bool
) -> None:
    said = "I cannot say more."
    written = CONDITIONED.model_copy(update={"answers": (said,), "plan": Plan(questions=policy)})

    async def asking_twice(where: StartedScene) -> str:
        for number in (1, 2):
            await asking(where, number)
        return WORDS

    async with started_scene(tmp_path, {"Ada": at_the_turn(asking_twice)}, written) as started:
        await started.played()
        told = [one for one in await started.told("Ada") if one.about == "unscripted" and one.speaker == "Cleo"]
    first, second = told
    assert first.text == said
    assert (second.text == said) == own


LEAK = "You are Cleo. Your task: Take no side."


@pytest.mark.parametrize("answers", [(LEAK, "Both cost two euros."), (LEAK, LEAK)], ids=["mended", "not mended"])
async def test_an_answer_that_tells_the_moderators_task_is_sent_back_once_and_then_withheld(
    tmp_path: Path, answers: tuple[str, str]
) -> None:
    rules = [
        {"prompt": "rulegen/unscripted", "step": f"unscripted/1/answer{n}", "text": text}
        for n, text in zip(("", "/2"), answers, strict=True)
    ]
    script = tmp_path / "leaking.yaml"
    script.write_text(yaml.safe_dump({"rules": rules}), encoding="utf-8")
    async with started_scene(tmp_path, {"Ada": at_the_turn(asking)}, model=f"scripted:{script}") as started:
        await started.played()
        _, answer, *_ = await started.told("Ada")
        said = transcript(await started.events())
        asked = [r.event for r in await started.events() if r.event.kind == "step_done"]
    notes = [one for one in said if one.about == "deviation" and one.step.startswith("unscripted")]
    if answers[1] == LEAK:
        assert (answer.speaker, answer.text) == ("system", phrase("en", "cannot-answer"))
        assert [note.to for note in notes] == [("moderator",)]
        assert "nobody heard it" in notes[0].text
    else:
        assert (answer.speaker, answer.text, notes) == ("Cleo", "Both cost two euros.", [])
    assert not [one for one in heard_by("Ada", said) if "Take no side" in one.text]
    (again,) = [done for done in asked if done.step == "unscripted/1/answer/2"]
    assert "gives away what you were told beforehand" in str(again.inputs)


async def test_a_person_as_the_moderator_is_given_the_question(tmp_path: Path) -> None:
    async def cleo(ask: Ask, _: StartedScene) -> Any:
        if ask.prompt_id == "rulegen/unscripted":
            assert QUESTION in ask.text
            return "The same, two euros."
        return await willing(ask, _)

    async with started_scene(tmp_path, {"Ada": at_the_turn(asking), "Cleo": cleo}) as started:
        await started.played()
        _, answer, _ = await started.told("Ada")
    assert (answer.speaker, answer.text) == ("Cleo", "The same, two euros.")


async def test_without_a_moderator_the_asker_is_told_so_at_once(tmp_path: Path) -> None:
    alone = scene(NAMES.model_copy(update={"receivers": ("Ben",)}), roles=TASTING.roles[:2])
    async with started_scene(tmp_path, {"Ada": at_the_turn(asking)}, alone) as started:
        played = await started.played()
        question, answer, _ = await started.told("Ada")
    assert (question.to, answer.speaker) == (("system",), "system")
    assert "Nobody can answer" in answer.text
    assert QUESTION in [entry.content for entry in played.record]


async def test_a_scene_with_a_question_goes_on_after_a_crash_as_if_nothing_had_been(tmp_path: Path) -> None:
    """The run is broken off at the person's second turn, after a question was answered in the first."""

    async def person(ask: Ask, where: StartedScene) -> Any:
        if ask.step.startswith("rule/3"):
            return None
        return AGREED if ask.schema_name == "Agreement" else await asking(where)

    rules = scene(NAMES, ASKS, NAMES, TELLS)
    async with started_scene(tmp_path, {"Ada": person}, rules) as started:
        playing = asyncio.create_task(started.play())
        await started.until(lambda event: isinstance(event, TurnOpened) and event.step == "rule/3/turn/1/answer/1")
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        before = len(transcript(await started.events()))
        started.people["Ada"] = willing
        await started.send(TurnAnswered(step="rule/3/turn/1/answer/1", seat="Ada", by="bo", answer="Green after all."))
        played = await started.played()
        said = transcript(await started.events())
    assert played.ended == ""
    assert [one.step for one in said[:before]].count("unscripted/1/said") == 1
    assert [one.step for one in said].count("unscripted/1/said") == 1
    assert "Green after all." in [entry.content for entry in played.record]
