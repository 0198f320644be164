"""People in a scene: consent first, stopping at any moment, and always a debriefing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.events import (
    CloseAsked,
    PauseAsked,
    Redacted,
    Said,
    Seat,
    SeatLeft,
    SessionFinished,
    SessionPaused,
    StepDone,
    TurnAnswered,
    TurnOpened,
    Withdrawn,
)
from elenchus.debate_engine.log import transcript
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.casting import config_for
from elenchus.debate_engine.protocols.rulegen.people.consent import CONSENT_VERSION, Consent
from elenchus.debate_engine.protocols.rulegen.people.pages import prompts_in
from elenchus.debate_engine.protocols.rulegen.people.procedure import withdraw
from tests.debate_engine.protocols.rulegen.leaks import leaks
from tests.debate_engine.protocols.rulegen.people.scripted_people import (
    AGREED,
    CONDITIONED,
    WORDS,
    StartedScene,
    at_the_turn,
    refusing,
    silent,
    silent_after_agreeing,
    started_scene,
    willing,
)
from tests.debate_engine.protocols.rulegen.stage import ASKS, NAMES, TASTING, TELLS, scene

# ── consent ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_nothing_is_played_before_the_person_agrees_and_the_log_holds_time_and_version(tmp_path: Path) -> None:
    asked: list[Ask] = []

    async def person(ask: Ask, where: StartedScene) -> Any:
        asked.append(ask)
        if ask.schema_name == "Agreement":
            assert transcript(await where.events()) == []
            return AGREED
        return WORDS

    async with started_scene(tmp_path, {"Ada": person}) as started:
        played = await started.played()
        steps = {r.event.step: r.event.result for r in await started.events() if isinstance(r.event, StepDone)}
    consent = Consent.model_validate(steps["consent/Ada/given"])
    assert (consent.agreed, consent.version, consent.at.isoformat()) == (True, CONSENT_VERSION, steps["consent/Ada/at"])
    assert played.ended == ""
    text = asked[0].text
    for part in ("recorded", "scripted", "at any moment", "told to you afterwards", "Ada", "examined once more"):
        assert part in text, part
    assert leaks(config_for(CONDITIONED, SEATS), asked) == []


KNOWN = ("9f2e57a663218329", "12e2acc88ceb6b6e", "cdd7a3dd0acae677", "f3e38b15779a76b7")


def test_another_consent_text_is_another_version() -> None:
    """Where this fails a text was changed: raise CONSENT_VERSION, and write down all here."""
    texts = (prompts_in("en").consent, prompts_in("en").judging, prompts_in("en").age, prompts_in("en").keep)
    assert (CONSENT_VERSION, *(text.hash for text in texts)) == (6, *KNOWN)


SEATS = [Seat(name=name, spec="scripted:demo") for name in ("Ada", "Ben", "Cleo", "system", "judge-1")]


async def test_who_does_not_agree_is_thanked_and_nothing_is_played_nor_told(tmp_path: Path) -> None:
    async with started_scene(tmp_path, {"Ada": refusing}) as started:
        played = await started.played()
        told = await started.told("Ada")
        said = transcript(await started.events())
    assert (played.ended, played.ended_by, played.turns) == ("no consent", "Ada", ())
    assert [one.about for one in told] == ["ending"]
    assert "perfectly fine" in told[0].text
    assert said == told, "nothing of the scene was said"


async def test_a_stand_in_never_agrees_for_a_person(tmp_path: Path) -> None:
    async with started_scene(tmp_path, {"Ben": silent}, deadline=0.2, stand_in="scripted:demo") as started:
        played = await started.played()
        calls = [r.event.calls for r in await started.events() if isinstance(r.event, StepDone)]
    assert played.ended == "no consent"
    assert not any(calls), "no model was asked for anything"


async def test_everybody_who_is_a_person_is_asked_and_one_refusal_keeps_the_scene_from_being_played(
    tmp_path: Path,
) -> None:
    async with started_scene(tmp_path, {"Ada": willing, "Ben": refusing}) as started:
        played = await started.played()
        told = {name: await started.told(name) for name in ("Ada", "Ben")}
    assert (played.ended, played.ended_by) == ("no consent", "Ben")
    assert [len(words) for words in told.values()] == [1, 1]
    assert told["Ada"][0].text != told["Ben"][0].text


# ── the debriefing ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_debriefing_names_the_bias_who_was_a_model_and_what_judges_see_and_comes_before_they_work(
    tmp_path: Path,
) -> None:
    async with started_scene(tmp_path, {"Ada": willing, "Cleo": willing}) as started:
        played = await started.played()
        events = [r.event for r in await started.events()]
        (debrief,) = await started.told("Ada")
        (of_cleo,) = await started.told("Cleo")
    for part in (
        TASTING.debrief,
        "Ben (the confederate): a language model (scripted:demo)",
        "Ada (the subject): you",
        "Cleo (the moderator): a person",
        "asked to influence",
        "1 of them",
    ):
        assert part in debrief.text, part
    assert "bandwagon" in debrief.text.casefold()
    assert "ended early" not in debrief.text
    assert "You have helped" in of_cleo.text
    steps = [event.step for event in events if isinstance(event, StepDone | Said)]
    assert steps.index("debrief/Ada") < steps.index("evaluation/subject/1/judge-1")
    assert all(entry.content != debrief.text for entry in played.record), "the judges do not read it"


# ── withdrawing ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_withdrawing_in_the_middle_removes_the_words_ends_kindly_and_still_debriefs(tmp_path: Path) -> None:
    turns = 0

    async def person(ask: Ask, where: StartedScene) -> Any:
        nonlocal turns
        if ask.schema_name == "Agreement":
            return AGREED
        turns += 1
        if turns == 2:
            await where.send(Withdrawn(by="bo", seat="Ada"))
            return None
        return WORDS

    async with started_scene(tmp_path, {"Ada": person}, scene(*TASTING.rules, NAMES)) as started:
        played = await started.played()
        told = await started.told("Ada")
        events = await started.events()
    assert (played.ended, played.ended_by, played.record) == ("withdrawn", "Ada", ())
    assert [one.about for one in told] == ["ending", "debrief"]
    assert "removed" in told[0].text
    assert told[1].text.startswith("This scene ended early: no judge looks at what was said in it.")
    text = "\n".join(r.event.model_dump_json() for r in events)
    assert "Mathilda" not in text
    kinds = [type(r.event) for r in events]
    assert kinds.index(Redacted) < next(i for i, r in enumerate(events) if r.event == told[0]), "removed, then thanked"
    assert isinstance(events[-1].event, SessionFinished)


async def test_a_withdrawal_found_in_the_log_of_a_scene_that_nobody_runs_is_carried_out_there(tmp_path: Path) -> None:
    async def pausing(where: StartedScene) -> None:
        await where.send(PauseAsked(by="m"))

    async with started_scene(tmp_path, {"Ada": at_the_turn(pausing)}) as started:
        playing = asyncio.create_task(started.app.runner.run(started.session))
        await started.until(lambda event: isinstance(event, TurnOpened))
        await started.send(TurnAnswered(step="consent/Ada", seat="Ada", by="bo", answer=AGREED))
        await started.until(lambda event: isinstance(event, TurnOpened) and event.step.startswith("rule/"))
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        async with asyncio.timeout(60):
            await withdraw(started.app.log, started.app.runner, started.session, "Ada", "bo")
        assert [one.about for one in await started.told("Ada")] == ["ending", "debrief"]
        assert (await started.app.log.info(started.session)).state == "finished"


async def test_a_crash_between_the_withdrawal_and_its_execution_loses_nothing_of_it(tmp_path: Path) -> None:
    """The process dies with the withdrawal in the log and the words still there; whoever runs it next does the rest."""

    async def person(ask: Ask, where: StartedScene) -> Any:
        return AGREED if ask.schema_name == "Agreement" else WORDS

    async with started_scene(tmp_path, {"Ada": person}, scene(NAMES, ASKS, NAMES, TELLS)) as started:
        own = await started.app.log.claim(started.session)
        await own.release()
        await started.send(Withdrawn(by="bo", seat="Ada"))
        played = await started.played()
        opened = [r.event for r in await started.events() if isinstance(r.event, TurnOpened)]
    assert (played.ended, opened) == ("withdrawn", [])


async def test_one_may_withdraw_after_the_end_and_the_words_go(tmp_path: Path) -> None:
    async with started_scene(tmp_path, {"Ada": willing}) as started:
        await started.played()
        await withdraw(started.app.log, started.app.runner, started.session, "Ada", "bo")
        assert "Mathilda" not in "\n".join(r.event.model_dump_json() for r in await started.events())


async def test_withdrawing_from_a_paused_scene_ends_it(tmp_path: Path) -> None:
    async def pausing(where: StartedScene) -> None:
        await where.send(PauseAsked(by="m"))
        await where.until(lambda event: isinstance(event, SessionPaused))
        await where.send(Withdrawn(by="bo", seat="Ada"))

    async with started_scene(tmp_path, {"Ada": at_the_turn(pausing)}) as started:
        assert (await started.played()).ended == "withdrawn"
        assert [one.about for one in await started.told("Ada")] == ["ending", "debrief"]


# ── vanishing, closing ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("leaves", [True, False])
async def test_a_subject_who_vanishes_ends_the_scene_kindly_and_no_model_decides_in_their_place(
    tmp_path: Path, leaves: bool
) -> None:
    async def leaving(where: StartedScene) -> None:
        await where.send(SeatLeft(by="bo", seat="Ada"))

    person = at_the_turn(leaving) if leaves else silent_after_agreeing
    async with started_scene(
        tmp_path, {"Ada": person}, deadline=60 if leaves else 0.5, stand_in="scripted:demo"
    ) as started:
        played = await started.played()
        told = await started.told("Ada")
    assert (played.ended, played.ended_by) == ("vanished", "Ada")
    assert [one.about for one in told] == ["ending", "debrief"]


async def test_the_moderator_may_close_a_scene_early_and_everybody_is_debriefed(tmp_path: Path) -> None:
    async def closing(where: StartedScene) -> None:
        await where.send(CloseAsked(by="m"))

    async with started_scene(tmp_path, {"Ada": at_the_turn(closing), "Ben": willing}) as started:
        played = await started.played()
        told = [await started.told(name) for name in ("Ada", "Ben")]
    assert (played.ended, played.ended_by) == ("closed", "")
    assert [[one.about for one in words] for words in told] == [["ending", "debrief"]] * 2
