"""A member who was given a seat and never agreed: when the debate is over nothing of theirs is left, by itself."""

from __future__ import annotations

import pytest

from elenchus.bot.people.consent import invitees, without
from elenchus.config.settings import Settings
from elenchus.debate_engine.events import (
    Event,
    Guidance,
    HeatSet,
    Recorded,
    Redacted,
    Said,
    Seat,
    SessionStarted,
    StopAsked,
    TurnAnswered,
    TurnExtended,
    now,
)
from elenchus.service.app import open_app
from tests.bot.people.seated import agree, kinds, over, settle, stop, traces, turn_of, waiting
from tests.bot.people.test_members import files_with
from tests.bot.stage import Stage, posts, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.memory_store import MemoryStore

A_MESSAGE = "/messages/{message_id}"
DELETED = ("/webhooks/{webhook_id}/{webhook_token}" + A_MESSAGE, "/channels/{channel_id}" + A_MESSAGE)


@pytest.fixture
def carla(stage: Stage) -> Person:
    return stage.discord.world.person("Carla", guild=stage.guild)


@pytest.mark.slow
async def test_who_never_answers_is_in_no_file_and_no_post_when_it_is_over_and_the_stand_ins_words_stay(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        await settle(stage, turn_seconds=0.2, stand_in=True)
        thread = await stage.debate(pro=bob.mention)
        await turn_of(thread, bob)
        await over(stage, thread)
        said = [e for e in await kinds(stage, thread, Said) if isinstance(e, Said) and e.speaker == "pro"]
        redactions = await kinds(stage, thread, Redacted)
    assert files_with(stage, str(bob.id)) == []
    assert traces(thread, bob) == []
    assert said, "a model stood in"
    assert not any("[redacted]" in one.text for one in said)
    assert [(e.seat, e.name_only) for e in redactions if isinstance(e, Redacted)] == [("[redacted]", True)]
    assert not any("were removed" in post.content for post in posts(thread))
    reports = [a for p in posts(thread) for a in p.attachments if a.filename == "report.md"]
    assert reports, "the report came as always"


async def test_passing_is_no_agreement(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await waiting(stage, bob)
        turn = await turn_of(thread, bob)
        await bob.press(turn, "More time")
        await bob.press(turn, "Pass")
        await stop(stage, thread)
        await over(stage, thread)
    assert files_with(stage, str(bob.id)) == []
    assert traces(thread, bob) == []


async def test_whoever_agreed_stays_on_record(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        thread = await waiting(stage, bob, carla)
        await agree(bob, await turn_of(thread, bob))
        await stop(stage, thread)
        await over(stage, thread)
    assert "elenchus.db" in " ".join(files_with(stage, str(bob.id)))
    assert files_with(stage, str(carla.id)) == []
    assert any(bob.mention in text for text in traces(thread, bob))
    assert traces(thread, carla) == []


async def test_files_that_are_handed_out_before_the_end_do_not_know_who_has_not_agreed(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention, con=carla.mention)
        await agree(bob, await turn_of(thread, bob))
        exported = await stage.alice.slash(thread, "debate export")
        await until(lambda: len(attached(exported)) > 3)
        files = attached(exported)
        assert any(str(bob.id).encode() in content for content in files.values())
        assert [name for name, content in files.items() if str(carla.id).encode() in content] == []
        recorded = "".join(str(r.line()) for r in await stage.events(thread))
        assert str(carla.id) in recorded, "she can still be called"


def attached(answer: Answer) -> dict[str, bytes]:
    """The files of an answer, by name."""
    return {a.filename: a.data for post in (answer.message, *answer.followups) for a in post.attachments}


@pytest.mark.slow
async def test_a_moderator_who_sits_and_never_agrees_is_still_known_as_the_moderator(stage: Stage) -> None:
    alice = stage.alice
    async with stage.running():
        await settle(stage, turn_seconds=0.2, stand_in=True)
        thread = await stage.debate(con=alice.mention)
        assert (await alice.slash(thread, "debate heat", value=0.5)).text
        await over(stage, thread)
        (heat,) = await kinds(stage, thread, HeatSet)
        (started,) = await kinds(stage, thread, SessionStarted)
        assert isinstance(heat, HeatSet)
        assert isinstance(started, SessionStarted)
    assert heat.by == f"discord:{alice.id}"
    assert [seat.spec for seat in started.seats if seat.name == "con"] == ["human"]


async def test_a_debate_that_ended_while_the_bot_was_away_keeps_nothing_of_them_once_the_bot_is_back(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await waiting(stage, bob)
        session = stage.session(thread)
    async with open_app(Settings(home=stage.home)) as app:
        await app.log.send(session, StopAsked(by="somebody", reason="Enough."))
        assert (await app.runner.run(session)).state == "stopped"
    assert files_with(stage, str(bob.id)) != []
    async with stage.running():
        await over(stage, thread)
    assert files_with(stage, str(bob.id)) == []
    assert traces(thread, bob) == []


async def test_the_record_forgets_them_even_where_their_call_cannot_be_deleted(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await waiting(stage, bob)
        for route in DELETED:
            stage.discord.faults.fail("DELETE", route, 403, times=20)
        await stop(stage, thread)
        await over(stage, thread)
    assert files_with(stage, str(bob.id)) == []
    calls = traces(thread, bob)
    assert calls, "the call still stands there"
    assert all("turn" in text for text in calls)


# ── what they are, and a record without them ─────────────────────────────────────────────────────────────────────


def log(*events: Event) -> list[Recorded]:
    """A session with members 1, 2 and 3 on seats, and what happened then."""
    seats = tuple(Seat(name=name, spec=f"human:discord:{n}") for n, name in enumerate(("pro", "con", "judge-1"), 1))
    started = SessionStarted(
        protocol="x", title="t", config={}, seats=(*seats, Seat(name="crit", spec="scripted:demo")), seed=1, version="0"
    )
    return [Recorded(seq=n, at=now(), event=event) for n, event in enumerate((started, *events), 1)]


async def test_invitees_are_who_neither_agreed_nor_answered() -> None:
    store = MemoryStore()
    old = {"member": 2, "session": "s", "version": 0, "at": "2026-01-01T00:00:00Z"}
    await store.put("consents", "s:discord:2", old)
    other = {"member": 3, "session": "another", "version": 1, "at": "2026-01-01T00:00:00Z"}
    await store.put("consents", "another:discord:3", other)
    assert await invitees(store, "s", log()) == [1, 3]
    passed = TurnAnswered(step="a", seat="pro", by="discord:1", declined="passed")
    assert await invitees(store, "s", log(passed)) == [1, 3]
    answered = TurnAnswered(step="a", seat="judge-1", by="discord:3", answer="yes")
    assert await invitees(store, "s", log(passed, answered)) == [1]


@pytest.mark.parametrize("who", [1, 2, 3])
def test_a_record_without_somebody_lacks_the_name_and_no_words(who: int) -> None:
    others = {1, 2, 3} - {who}
    events = log(
        Said(step="s", input_hash="h", speaker="pro", to=("con",), text="Words of a model."),
        Guidance(by=f"discord:{who}", to=("pro",), text="Do better."),
        TurnAnswered(step="a", seat="pro", by=f"discord:{who}", declined="passed"),
        TurnExtended(by=f"discord:{who}", step="a", due=now()),
    )
    first, *rest = (r.event for r in without(events, [who]))
    assert isinstance(first, SessionStarted)
    assert "human" in {seat.spec for seat in first.seats}
    assert all(f"discord:{one}" in first.model_dump_json() for one in others)
    assert rest[0] == events[1].event
    assert rest[1] == events[2].event, "what a moderator did stays the moderator's"
    for event in (first, *rest[2:]):
        assert f"discord:{who}" not in event.model_dump_json()
