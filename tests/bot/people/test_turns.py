"""Members on seats: their turns in the thread, with the real client on the strict fake."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.guild import GuildSettings, keep
from config.settings import DiscordSettings
from debate_engine.events import (
    Event,
    Redacted,
    SeatLeft,
    SessionStarted,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
)
from tests.bot.people.seated import SPEECH, agree, result_of, speak, turn_for, turn_of
from tests.bot.stage import DEMO, Stage, posts, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel


@pytest.fixture
def bob(stage: Stage) -> Person:
    return stage.discord.world.person("Bob", guild=stage.guild)


async def kinds(stage: Stage, thread: Channel, kind: type[Event]) -> list[Event]:
    return [r.event for r in await stage.events(thread) if isinstance(r.event, kind)]


async def settle(stage: Stage, **changes: object) -> None:
    """Change the server's settings while the bot runs."""
    assert stage.app is not None
    settings = GuildSettings(debater=DEMO, judges=(DEMO,), start="everyone")
    await keep(stage.app.shelf, stage.guild.id, settings.model_copy(update=changes))


# ── answering ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_member_agrees_speaks_in_a_form_and_the_speech_stands_in_the_thread(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        assert turn.pinged == {bob.id}
        sent = await speak(bob, turn, first=True)
        assert "Your answer is in." in sent.text
        post = await until(lambda: next((p for p in posts(thread) if "seventeen bees" in p.content), None))
    assert post.author.name == "Bob"
    assert post.webhook_id
    assert "opening · heat 0.90" in post.content


async def test_before_the_first_turn_a_member_sees_what_is_recorded_and_who_will_see_it(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        asked = await bob.press(await turn_of(thread, bob), "Answer")
    assert asked.ephemeral
    assert "What is recorded" in asked.text
    assert "everyone who can see this channel" in asked.text
    assert "/privacy forget" in asked.text


async def test_who_does_not_agree_leaves_the_seat_and_nothing_of_theirs_is_kept(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        asked = await bob.press(await turn_of(thread, bob), "Answer")
        declined = await bob.press(asked.message, "I do not agree")
        assert "Nothing of yours is stored" in declined.text
        await until(lambda: any("report.md" in text for text in texts(thread)))
        recorded = "\n".join(str(r.line()) for r in await stage.events(thread))
        assert str(bob.id) not in recorded
        assert "Bob" not in recorded
        assert len(await kinds(stage, thread, Redacted)) == 1
        assert stage.app is not None
        assert await stage.app.shelf.all("consents") == {}


async def test_agreement_is_asked_once_a_debate_and_outlives_the_bot(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        assert (await agree(bob, turn)).has_modal
    async with stage.running():
        assert (await bob.press(turn, "Answer")).has_modal


async def test_an_open_turn_and_its_form_survive_a_restart_of_the_bot(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        opened = await agree(bob, turn)
    async with stage.running():
        sent = await bob.fill(opened.modal, {"Your words": SPEECH})
        assert "Your answer is in." in sent.text
        await until(lambda: any("seventeen bees" in text for text in texts(thread)))
    calls = [p for p in posts(thread) if bob.id in p.pinged and "opening speech" in p.content]
    assert len(calls) == 1


async def test_a_judge_fills_a_ruling_in_two_steps_and_a_mistake_can_be_corrected(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(judges=bob.mention)
        turn = await turn_of(thread, bob)
        first = await agree(bob, turn)
        rest = {"A credibility": "6", "B validity": "5", "B credibility": "4"}
        between = await bob.fill(first.modal, {"Rationale": "A was clearer.", "A validity": "eleven", **rest})
        assert "Step 1 of 2" in between.text
        second = await bob.press(between.message, "Continue")
        wrong = await bob.fill(second.modal, {"Winner": "A"})
        assert "A validity must be a whole number" in wrong.text
        again = await bob.press(wrong.message, "Correct it")
        between = await bob.fill(again.modal, {"A validity": "7"})
        last = await bob.press(between.message, "Continue")
        sent = await bob.fill(last.modal, {"Winner": "A"})
        assert "Your answer is in." in sent.text
        given = (await kinds(stage, thread, TurnAnswered))[0]
        assert isinstance(given, TurnAnswered)
        assert given.answer == {
            "rationale": "A was clearer.", "a_validity": 7, "a_credibility": 6, "b_validity": 5, "b_credibility": 4,
            "winner": "A",
        }  # fmt: skip
        assert stage.app is not None
        assert await stage.app.shelf.all("drafts") == {}


async def test_what_is_asked_is_read_by_its_member_alone(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        read = await bob.press(turn, "What is asked")
        assert read.ephemeral
        assert "Cities should ban cars" in read.text
        refused = await stage.alice.press(turn, "What is asked")
        assert "This turn is Bob's." in refused.text


async def test_nobody_answers_for_somebody_else(stage: Stage, bob: Person) -> None:
    carla = stage.discord.world.person("Carla", guild=stage.guild)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        for button in ("Answer", "Pass", "More time", "Leave the seat"):
            assert "You may not steer this debate" in (await carla.press(turn, button)).text
        assert not await kinds(stage, thread, TurnAnswered)


async def test_a_turn_that_is_over_says_so(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        await bob.press(turn, "Pass")
        await turn_of(thread, bob, turn)
        assert "This turn is over" in (await bob.press(turn, "Answer")).text


# ── passing, time, leaving ───────────────────────────────────────────────────────────────────────────────────────


async def test_a_passed_opening_is_a_turn_without_a_speech(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        assert "Passed" in (await bob.press(turn, "Pass")).text
        await until(lambda: any("(gave no speech) passed" in text for text in texts(thread)))
        assert await result_of(stage, thread, "opening/pro") == {"declined": "passed"}


async def test_a_member_takes_more_time_three_times_and_the_moderator_whenever_he_likes(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        for _ in range(3):
            assert "You have more time" in (await bob.press(turn, "More time")).text
        assert "3 times already" in (await bob.press(turn, "More time")).text
        assert "You have more time" in (await stage.alice.press(turn, "More time")).text
        opened = (await kinds(stage, thread, TurnOpened))[0]
        extended = (await kinds(stage, thread, TurnExtended))[-1]
        assert isinstance(opened, TurnOpened)
        assert isinstance(extended, TurnExtended)
        assert opened.due is not None
        assert extended.due - opened.due == timedelta(hours=48)
        await until(lambda: sum("gave more time" in text for text in texts(thread)) == 4)


async def test_a_turn_without_an_answer_is_reminded_of_and_then_a_model_stands_in(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, turn_seconds=2.0, stand_in=True)
        thread = await stage.debate(judges=bob.mention)
        await until(lambda: any("is still open and ends" in p.content and bob.id in p.pinged for p in posts(thread)))
        await until(lambda: any("report.md" in text for text in texts(thread)))
        assert not await kinds(stage, thread, TurnAnswered)
    assert any("│ The judges" in text for text in texts(thread))


async def test_who_leaves_a_seat_is_asked_once_more_and_then_a_model_takes_over(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        sure = await bob.press(await turn_of(thread, bob), "Leave the seat")
        assert "for good" in sure.text
        assert "You have left the seat." in (await bob.press(sure.message, "Yes, for good")).text
        await until(lambda: any("report.md" in text for text in texts(thread)))
        assert len(await kinds(stage, thread, TurnOpened)) == 1
        assert len(await kinds(stage, thread, SeatLeft)) == 1
    assert any("Bob has left the seat. A model takes over." in text for text in texts(thread))
    spoken = [p.author.name for p in posts(thread) if p.webhook_id]
    assert "Stand-in (pro)" in spoken
    assert "Bob" not in spoken


async def test_without_a_stand_in_nobody_takes_over(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, stand_in=False)
        thread = await stage.debate(judges=bob.mention)
        await turn_of(thread, bob)
        left = await bob.slash(thread, "session leave")
        assert "You have left your seat." in left.text
        await until(lambda: any("report.md" in text for text in texts(thread)))
        assert "You sit on no seat" not in left.text
    assert any("could not be counted" in text for text in texts(thread))


async def test_a_member_who_leaves_the_server_leaves_the_seat_and_the_moderator_is_told(
    stage: Stage, bob: Person
) -> None:
    stage.settings = DiscordSettings(members=True)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        await turn_of(thread, bob)
        await bob.leave()
        await until(lambda: any("report.md" in text for text in texts(thread)))
        assert len(await kinds(stage, thread, SeatLeft)) == 1
    told = [p.content for p in stage.discord.world.posts if "left the server" in p.content]
    assert told == ["Bob left the server and so the seat in “Cities should ban cars”: a model takes over."]


# ── plain messages ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_plain_message_counts_where_the_bot_may_read_it_and_the_server_lets_it(
    stage: Stage, bob: Person
) -> None:
    stage.settings = DiscordSettings(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        before = await bob.write(thread, "I have not agreed to anything yet.")
        await agree(bob, turn)
        written = await bob.write(thread, SPEECH)
        await until(lambda: written.reactions)
        await until(lambda: any(p.webhook_id and "seventeen bees" in p.content for p in posts(thread)))
        assert not before.reactions
        assert await result_of(stage, thread, "opening/pro") == {"value": SPEECH}


async def test_a_plain_message_that_was_written_while_the_bot_was_away_counts_when_it_is_back(
    stage: Stage, bob: Person
) -> None:
    stage.settings = DiscordSettings(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=bob.mention)
        await agree(bob, await turn_for(thread, bob, "opening speech"))
    written = await bob.write(thread, SPEECH)
    async with stage.running():
        await until(lambda: written.reactions)
        await until(lambda: any(p.webhook_id and "seventeen bees" in p.content for p in posts(thread)))
        assert await result_of(stage, thread, "opening/pro") == {"value": SPEECH}


async def test_a_plain_message_counts_for_nothing_where_the_server_does_not_let_it(stage: Stage, bob: Person) -> None:
    stage.settings = DiscordSettings(message_content=True)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
        await bob.write(thread, SPEECH)
        sent = await speak(bob, turn, "The speech that counts.")
        assert "Your answer is in." in sent.text
        await until(lambda: any("The speech that counts." in text for text in texts(thread)))
        assert await result_of(stage, thread, "opening/pro") == {"value": "The speech that counts."}


async def test_the_log_names_people_by_their_id_and_the_panel_hides_scores_from_them(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(con=bob.mention)
        await turn_of(thread, bob)
        (started,) = await kinds(stage, thread, SessionStarted)
        assert isinstance(started, SessionStarted)
        assert next(s.spec for s in started.seats if s.name == "con") == f"human:discord:{bob.id}"
        assert "Γ" not in texts(thread)[0]


async def test_the_moderator_takes_an_absent_person_off_the_seat(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        sure = await stage.alice.press(await turn_of(thread, bob), "Leave the seat")
        assert "Take this person off the seat" in sure.text
        assert "free of its person" in (await stage.alice.press(sure.message, "Yes, for good")).text
        await until(lambda: any("report.md" in text for text in texts(thread)))
        assert "This turn is over" in (await bob.press(await turn_of(thread, bob), "Answer")).text
