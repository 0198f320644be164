"""A member as the subject of a scene, from the invitation to the debriefing, on the strict fake."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.bot.scenes.participants import check_may_ask
from elenchus.bot.scenes.scene_view import SceneView, names_in
from elenchus.bot.scenes.seat_thread import panel_of
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Said, SessionStarted, StepDone, TurnAnswered
from elenchus.debate_engine.privacy.pseudonyms import is_pseudonym
from elenchus.debate_engine.protocols.rulegen.people.consent import CONSENT_VERSION
from tests.bot.people.seated import settle
from tests.bot.scenes.acting import (
    all_posts,
    called,
    finished,
    invitation,
    kinds,
    log_of,
    offered,
    over,
    panel,
    play_on,
    speak,
    started,
    taken_part,
)
from tests.bot.stage import PATIENCE, Stage, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission

LAST_SUMMER = "Luna gave eleven kilos, Sol gave seven, says my seventeen-page diary."
SLIP = "Luna, as my bed lies in the shade."
WEIGHED = "My own harvest weighed most; ten kilos."


async def test_a_member_takes_part_plays_the_whole_scene_and_is_told_what_it_was_about(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        await play_on(thread, bob, asked, LAST_SUMMER, SLIP, WEIGHED)
        await over(thread)
        played = await finished(stage, thread)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
    assert [turn.text for turn in played.turns if turn.speaker == "Robin"] == [LAST_SUMMER, SLIP, WEIGHED]
    spoken = [post for post in posts(thread) if post.webhook_id]
    assert {post.author.name for post in spoken} == {"Robin", "Mika", "Noor"}
    told = "\n".join(texts(thread))
    for part in ("Afterwards: what this was about", "Mika (the confederate): a language model", "What the judges see"):
        assert part in told, part
    assert "Bandwagon effect" in told


# ── consent ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_agreement_is_asked_first_and_stands_in_the_log_with_time_and_version(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        asked = await called(thread, bob)
        examined = ("examined once more", "`/privacy detection allowed: False` says no")
        for part in ("What is recorded", "told to you afterwards", "You may stop at any moment", *examined):
            assert part in asked.content, part
        assert not await kinds(stage, thread, Said), "nothing is played before"
        assert "The scene begins" in (await bob.press(asked, "I agree")).text
        await called(thread, bob, asked)
        given = [e.result for e in await kinds(stage, thread, StepDone) if e.step == "consent/Robin/given"]
    assert given[0]["agreed"] is True
    assert given[0]["version"] == CONSENT_VERSION
    assert given[0]["at"]


async def test_without_agreement_nothing_is_played_and_nothing_of_the_member_is_stored(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        await started(stage)
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        assert "Nothing is played" in (await bob.press(await called(thread, bob), "I do not agree")).text
        await over(thread)
        assert (await finished(stage, thread)).ended == "no consent"
        await unknown(stage, bob)
        log = await log_of(stage, thread)
        assert "Your thread is" in (await carla.press(invitation(stage), "Take part")).text, "the place is free again"
    assert not [r for r in log if isinstance(r.event, Said) and r.event.about != "ending"]
    assert not any("Afterwards: what this was about" in text for text in texts(thread))
    recorded = "\n".join(str(r.line()) for r in log)
    assert str(bob.id) not in recorded
    assert "P-" not in recorded, "no made-up name is left either"


async def test_of_who_never_answers_whether_they_agree_nothing_is_kept_either(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, turn_seconds=1.0)
        control = await started(stage)
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        await called(thread, bob)
        name = await known(stage, bob)
        assert name is not None
        await over(thread)
        await unknown(stage, bob)
        recorded = "\n".join(str(r.line()) for r in await log_of(stage, thread))
        await until(lambda: not any(bob.id in post.pinged for post in posts(thread)))
    assert name not in recorded
    held = {file.name: file.read_bytes() for file in stage.home.rglob("*") if file.is_file()}
    assert [file for file, content in held.items() if str(bob.id).encode() in content] == []
    assert any("Ended early" in text for text in texts(control))


async def unknown(stage: Stage, who: Person) -> None:
    """Wait until the member has no made-up name."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if await known(stage, who) is None:
                return
            await asyncio.sleep(0.05)


async def test_logs_hold_a_made_up_name_in_place_of_the_account(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        await play_on(thread, bob, asked, LAST_SUMMER)
        (first,) = await kinds(stage, thread, SessionStarted)
        answers = await kinds(stage, thread, TurnAnswered)
        log = "\n".join(str(r.line()) for r in await log_of(stage, thread))
    (spec,) = [seat.spec for seat in first.seats if seat.name == "Robin"]
    assert is_pseudonym(spec.removeprefix("human:"))
    assert {answer.by for answer in answers} == {spec.removeprefix("human:")}
    assert str(bob.id) not in log
    assert "Bob" not in log


async def known(stage: Stage, who: Person) -> str | None:
    """The member's made-up name."""
    assert stage.app is not None
    return await stage.app.pseudonyms.find(f"discord:{who.id}")


# ── stopping ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_subject_who_vanishes_is_reminded_and_the_scene_ends_kindly(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, turn_seconds=2.0)
        control = await started(stage)
        thread, _ = await taken_part(stage, bob)
        await until(
            lambda: any("the time for it ends" in post.content for post in posts(thread) if bob.id in post.pinged)
        )
        await over(thread)
        assert (await finished(stage, thread)).ended == "vanished"
        await until(lambda: any("Ended early" in text for text in texts(control)))
    assert any("Afterwards: what this was about" in text for text in texts(thread))


async def test_a_subject_takes_more_time_but_not_for_ever_and_may_pass(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        turn = await called(thread, bob, asked)
        for _ in range(3):
            assert "You have more time" in (await bob.press(turn, "More time")).text
        assert "3 times already" in (await bob.press(turn, "More time")).text
        assert "Passed" in (await bob.press(turn, "Pass")).text
        await called(thread, bob, turn)
        await until(lambda: any("Robin says nothing: passed" in text for text in texts(control)))
        assert "This turn is over" in (await bob.press(turn, "Answer")).text


# ── questions, and afterwards ────────────────────────────────────────────────────────────────────────────────────


async def test_a_question_that_no_rule_foresees_is_answered_by_the_moderators_seat_and_recorded(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        turn = await called(thread, bob, asked)
        form = await bob.press(panel(thread), "Ask a question…")
        await bob.fill(form.modal, {"text": "Does Sol need a fence?"})
        await until(lambda: any("wordunscripted1answer" in text for text in texts(thread)))
        assert "You have said it." in (await speak(bob, turn, LAST_SUMMER)).text, "the own turn stays open"
        await play_on(thread, bob, turn, SLIP, WEIGHED)
        played = await finished(stage, thread)
    assert "Does Sol need a fence?" in [entry.content for entry in played.record]
    answer = next(post for post in posts(thread) if "wordunscripted1answer" in post.content)
    assert answer.author.name == "Noor"
    assert any("Does Sol need a fence?" in text for text in texts(control))


async def test_the_debriefing_can_be_read_again_and_the_results_seen_when_it_is_over(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        assert "it is not over yet" in (await bob.slash(thread, "scene debrief")).text
        assert "when your own part is over" in (await bob.slash(thread, "scene results")).text
        await play_on(thread, bob, asked, LAST_SUMMER, SLIP, WEIGHED)
        await finished(stage, thread)
        again = await bob.slash(stage.channel, "scene debrief")
        await until(lambda: "Bandwagon effect" in again.text)
        for who, place in ((bob, thread), (stage.alice, control)):
            shown = await who.slash(place, "scene results")
            assert "Bandwagon effect" in shown.text
            assert "1 of 1" in shown.text
            assert "Dot plot" in shown.text


async def test_after_the_debriefing_nobody_waits_for_the_judges_nor_asks_in_vain(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        await play_on(thread, bob, asked, LAST_SUMMER, SLIP, WEIGHED)
        await finished(stage, thread)
        log = await log_of(stage, thread)
    told = next(n for n, r in enumerate(log) if isinstance(r.event, Said) and r.event.about == "debrief")
    people = {names_in(log)[0]: bob.id}
    before, after = (SceneView.of("s", log[:n], people) for n in (told, told + 1))
    assert [button.label for button in panel_of(before, "Robin").buttons] == ["Ask a question…", "Withdraw"]
    assert [button.label for button in panel_of(after, "Robin").buttons] == ["Withdraw"]
    assert "you need not wait" in str(panel_of(after, "Robin").embed)
    with pytest.raises(UsageError, match="over"):
        check_may_ask(after, "Robin")


# ── who may take part ────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_invitation_and_the_subjects_thread_tell_nothing_of_what_it_is_about(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        await called(thread, bob, asked)
        shown = f"{invitation(stage).content} {thread.name} {' '.join(texts(thread))}".casefold()
    for secret in ("bandwagon", "seeds", "treatment", "control", "confederate", "scripted:scene"):
        assert secret not in shown, secret


async def test_who_knows_the_scene_or_could_look_behind_it_is_no_subject(stage: Stage, bob: Person) -> None:
    world = stage.discord.world
    keeper = world.person(
        "Kim", guild=stage.guild, roles=[world.role(stage.guild, "keeper", Permission.MANAGE_THREADS)]
    )
    async with stage.running():
        await started(stage)
        post = invitation(stage)
        assert "knows what it is about" in (await stage.alice.press(post, "Take part")).text
        assert "could read the control room" in (await keeper.press(post, "Take part")).text
        assert "cannot be its subject" in (await offered(stage, subject=stage.alice.mention)).text
        assert "could read the control room" in (await offered(stage, subject=keeper.mention)).text


async def test_a_place_is_given_once_and_to_nobody_twice(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        await started(stage, subjects=2)
        assert "Your thread is" in (await bob.slash(stage.channel, "scene join")).text
        assert "a place in this scene already" in (await bob.press(invitation(stage), "Take part")).text
        assert "Your thread is" in (await carla.press(invitation(stage), "Take part")).text
        dora = stage.discord.world.person("Dora", guild=stage.guild)
        assert "All places are taken" in (await dora.press(invitation(stage), "Take part")).text
        assert "No scene of this server" in (await dora.slash(stage.channel, "scene join")).text


async def test_nobody_acts_for_somebody_else(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        turn = await called(thread, bob, asked)
        changes.give_role(
            stage.discord.world, carla.member, stage.discord.world.role(stage.guild, "k", Permission.MANAGE_THREADS)
        )
        assert "somebody else's" in (await carla.press(turn, "Answer")).text
        assert "somebody else's" in (await carla.press(panel(thread), "Withdraw")).text
        assert "There is more time" in (await carla.press(turn, "More time")).text
