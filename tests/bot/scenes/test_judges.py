"""A member as the judge of a scene: asked when it is over, shown the record alone, and nothing kept of who says no."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.events import SessionStarted, StepDone
from tests.bot.people.seated import settle
from tests.bot.people.test_members import files_with
from tests.bot.scenes.acting import (
    MODEL,
    called,
    everything,
    finished,
    kinds,
    offered,
    over,
    panel,
    play_on,
    started,
    taken_part,
    threads_of,
    view_of,
)
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message

SAYS = "I take Sol, since everybody has it."


async def asked_to_judge(stage: Stage, judge: Person, **options: Any) -> tuple[Channel, Channel, Message]:
    """A scene of models with a member as its judge: control room, the judge's thread, the question of agreement."""
    control = await started(stage, subject=MODEL, judge=judge.mention, conditions="treatment", **options)
    (own,) = await threads_of(stage, judge, 1)
    return control, own, await called(own, judge, words="Do you agree to judge it?")


async def judged(judge: Person, thread: Channel, asked: Message, **fields: str) -> Message:
    """Agree and judge; the post that called to the record."""
    assert "Thank you" in (await judge.press(asked, "I agree")).text
    turn = await called(thread, judge, asked, "it is your turn to judge")
    form = await judge.press(turn, "Answer")
    assert "Your judgement is recorded" in (await judge.fill(form.modal, fields)).text
    return turn


async def unread_in_the_control_room(control: Channel, why: str) -> None:
    """Wait until the control room says whose judgement is missing, and why."""

    def told() -> bool:
        shown = "\n".join(str(post.embeds) for post in posts(control))
        return "1 unreadable" in shown and f"no verdict: {why}" in shown

    await until(told)


# ── one who judges ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_member_judges_by_the_record_alone_and_sees_nothing_of_the_scene_before(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        control = await started(stage, judge=carla.mention, conditions="treatment")
        thread, begun = await taken_part(stage, bob)
        assert "A person who judges reads what was said in the scene" in everything(thread)
        (own,) = await threads_of(stage, carla, 1)
        await until(lambda: any("asked to judge a scene" in text for text in texts(own)))
        assert own.name == "You judge a scene"
        last = await play_on(thread, bob, begun, "Luna gave more.", SAYS)
        assert "without you" in str(panel(own).embeds)
        assert not any(carla.id in post.pinged for post in posts(own)), "nobody is called before there is a record"
        await play_on(thread, bob, last, "The others.")
        asked = await called(own, carla, words="Do you agree to judge it?")
        await until(lambda: any("Afterwards: what this was about" in text for text in texts(thread)))
        assert "Answer" not in str(asked.components), "agreement comes first"
        assert "Thank you" in (await carla.press(asked, "I agree")).text
        turn = await called(own, carla, asked, "it is your turn to judge")
        read = await carla.press(turn, "What is asked")
        assert read.ephemeral
        await until(lambda: SAYS in read.text)  # in several messages
        form = await carla.press(turn, "Answer")
        filled = {"reason": "He says so.", "quotes": "since everybody has it", "present": "yes"}
        assert "Your judgement is recorded" in (await carla.fill(form.modal, filled)).text
        played = await finished(stage, thread)
        await over(thread)
        await until(lambda: any("It is over." in text for text in texts(own)))
        await until(lambda: "He says so." in str([post.embeds for post in posts(control)]))
        results = await stage.alice.slash(control, "scene results")
        assert "1 of 1" in results.text
        (first,) = await kinds(stage, thread, SessionStarted)
        assert "You have taken part in no scene" in (await carla.slash(stage.channel, "scene debrief")).text
    assert played.evaluation is not None
    (opinion,) = played.evaluation.opinions
    assert (opinion.judge, opinion.present, opinion.reason) == ("judge-1", True, "He says so.")
    (seat,) = [seat for seat in first.seats if seat.name == "judge-1"]
    assert seat.spec.startswith("human:")
    assert str(carla.id) not in seat.spec
    shown = "\n".join(str((post.content, post.embeds, post.components)) for post in posts(own))
    for hidden in (SAYS, "wordrule", "Noor", "treatment", "Bob", MODEL, "seed list", "Afterwards", "You are told"):
        assert hidden not in shown, hidden
    record = everything(own)
    for hidden in ("treatment", "practically the whole garden", MODEL, "purpose"):
        assert hidden not in record, hidden


async def test_a_yes_that_rests_on_nothing_is_asked_about_once_more(stage: Stage, carla: Person) -> None:
    async with stage.running():
        _, own, asked = await asked_to_judge(stage, carla)
        turn = await judged(carla, own, asked, reason="It is clear.", quotes="", present="yes")
        again = await called(own, carla, turn, "look again")
        form = await carla.press(again, "Answer")
        await carla.fill(form.modal, {"reason": "No, it is not.", "quotes": "", "present": "no"})
        played = await finished(stage, own)
    assert played.evaluation is not None
    assert [(one.present, one.asked_again) for one in played.evaluation.opinions] == [(False, True)]


async def test_after_a_restart_the_question_and_the_open_form_of_a_judge_still_work(
    stage: Stage, carla: Person
) -> None:
    async with stage.running():
        _, own, asked = await asked_to_judge(stage, carla)
    async with stage.running():
        assert "Thank you" in (await carla.press(asked, "I agree")).text
        turn = await called(own, carla, asked, "it is your turn to judge")
        form = await carla.press(turn, "Answer")
    async with stage.running():
        sent = await carla.fill(form.modal, {"reason": "He keeps his view.", "quotes": "", "present": "no"})
        assert "Your judgement is recorded" in sent.text
        played = await finished(stage, own)
        given = [e for e in await kinds(stage, own, StepDone) if e.step == "consent/judge-1/given"]
    assert played.evaluation is not None
    assert [one.present for one in played.evaluation.opinions] == [False]
    assert len(given) == 1, "agreement is asked once"
    assert sum("Do you agree to judge it?" in text for text in texts(own)) == 1


# ── one who does not ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_declines_leaves_a_judgement_unread_and_no_trace_and_the_other_judge_counts(
    stage: Stage, carla: Person
) -> None:
    async with stage.running():
        control = await started(stage, subject=MODEL, judge=f"{carla.mention} {MODEL}", conditions="treatment")
        (own,) = await threads_of(stage, carla, 1)
        asked = await called(own, carla, words="Do you agree to judge it?")
        assert files_with(stage, str(carla.id)) != []
        refused = await carla.press(asked, "I do not agree")
        assert "one judge gave no answer" in refused.text
        played = await finished(stage, own)
        await unread_in_the_control_room(control, "the judge did not agree to judge")
        results = await stage.alice.slash(control, "scene results")
        await until(lambda: files_with(stage, str(carla.id)) == [])
        await until(lambda: carla.mention not in everything(control))
    assert played.evaluation is not None
    assert [(one.judge, one.present) for one in played.evaluation.opinions] == [("judge-1", None), ("judge-2", True)]
    (verdict,) = played.evaluation.verdicts
    assert (verdict.yes, verdict.unread) == (1, 1)
    assert "1 of 1" in results.text
    assert "Afterwards: what this was about" not in everything(own)


@pytest.mark.slow
async def test_who_lets_the_time_go_by_leaves_it_unread_and_is_forgotten(stage: Stage, carla: Person) -> None:
    async with stage.running():
        offer = await offered(stage, subject=MODEL, judge=carla.mention, conditions="treatment")
        assert "judge-1: a member" in offer.text
        await settle(stage, turn_seconds=0.5)
        control, own, _ = await asked_to_judge(stage, carla)
        played = await finished(stage, own)
        await unread_in_the_control_room(control, "no answer before the deadline")
        await until(lambda: files_with(stage, str(carla.id)) == [])
        shown = await stage.alice.slash(control, "scene results")
    assert played.evaluation is not None
    assert [one.verdict for one in played.evaluation.verdicts] == ["unread"]
    assert "0 of 0" in shown.text or "No subject" in shown.text


async def test_passing_the_question_after_agreeing_is_a_judgement_unread(stage: Stage, carla: Person) -> None:
    async with stage.running():
        control, own, asked = await asked_to_judge(stage, carla)
        await carla.press(asked, "I agree")
        await carla.press(await called(own, carla, asked, "it is your turn to judge"), "Pass")
        played = await finished(stage, own)
        await unread_in_the_control_room(control, "passed")
        view = await view_of(stage, own)
        assert view.member_on("judge-1") == carla.id, "who agreed stays on record"
    assert played.evaluation is not None
    assert [one.present for one in played.evaluation.opinions] == [None]


# ── others ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_nobody_else_agrees_reads_or_answers_for_a_judge(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        _, own, asked = await asked_to_judge(stage, carla)
        assert not bob.can_see(asked), "the thread is the judge's own"
        for one in (bob, stage.alice):
            own.thread_members[one.id] = 0.0  # as whoever may manage threads could add them
        for who in (bob, stage.alice):
            refused = await who.press(asked, "I agree")
            assert refused.ephemeral
            assert "Thank you" not in refused.text
        await carla.press(asked, "I agree")
        turn = await called(own, carla, asked, "it is your turn to judge")
        for who in (bob, stage.alice):
            assert "said:" not in (await who.press(turn, "What is asked")).text
            assert (await who.press(turn, "Answer")).interaction.modal is None
        form = await carla.press(turn, "Answer")
        stolen = await bob.fill(form.modal, {"reason": "x", "quotes": "", "present": "no"})
        assert "recorded" not in stolen.text
        await carla.fill(form.modal, {"reason": "No.", "quotes": "", "present": "no"})
        played = await finished(stage, own)
    assert played.evaluation is not None
    assert [one.reason for one in played.evaluation.opinions] == ["No."]


async def test_who_plays_runs_or_may_look_behind_a_scene_cannot_judge_it(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        for seat in ("subject", "confederate", "moderator"):
            given: dict[str, Any] = {"subject": MODEL, seat: bob.mention, "judge": bob.mention}
            assert "cannot judge it" in (await offered(stage, **given)).text, seat
        assert "cannot judge it" in (await offered(stage, judge=stage.alice.mention)).text
        assert "same person twice" in (await offered(stage, judge=f"{carla.mention} {carla.mention}")).text
        await started(stage, judge=carla.mention)
        refused = await carla.slash(stage.channel, "scene join")
        assert "you cannot be its subject" in refused.text


async def test_who_said_no_is_not_asked_for_the_next_subject_whom_a_model_judges_then(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        await started(stage, subject=MODEL, subjects=2, judge=carla.mention, conditions="treatment")
        (own,) = await threads_of(stage, carla, 1)
        await carla.press(await called(own, carla, words="Do you agree to judge it?"), "I do not agree")
        await until(lambda: files_with(stage, str(carla.id)) == [])
        thread, begun = await taken_part(stage, bob)
        await play_on(thread, bob, begun, "Luna gave more.", SAYS, "The others.")
        played = await finished(stage, thread)
        (first,) = await kinds(stage, thread, SessionStarted)
    assert [seat.spec for seat in first.seats if seat.name == "judge-1"] == [MODEL]
    assert played.evaluation is not None
    assert [one.present for one in played.evaluation.opinions] == [True]


async def test_a_judge_who_is_forgotten_leaves_no_word_of_the_judgement(stage: Stage, carla: Person) -> None:
    async with stage.running():
        control, own, asked = await asked_to_judge(stage, carla)
        await judged(carla, own, asked, reason="My aunt in Lisbon grew seventeen Lunas.", quotes="", present="no")
        await finished(stage, own)
        await until(lambda: "seventeen Lunas" in str([post.embeds for post in posts(control)]))
        exported = await carla.slash(stage.channel, "privacy export")
        files = [a.data for post in (exported.message, *exported.followups) for a in post.attachments]
        assert b"seventeen Lunas" in files[0]
        sure = await carla.slash(stage.channel, "privacy forget")
        await carla.press(sure.with_buttons, "Remove it for good")
        await until(lambda: files_with(stage, "seventeen Lunas") == [])
        await until(lambda: "seventeen Lunas" not in str([post.embeds for post in posts(control)]))
        assert files_with(stage, str(carla.id)) == []
