"""An offer that was confirmed says in the end what came of it, in whichever way the start ends."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from elenchus.bot.offers import NAMESPACE
from elenchus.bot.strings import msg
from elenchus.debate_engine.dry_run.simulation import plan_of
from elenchus.debate_engine.events import SessionStarted
from elenchus.storage.sqlite_log import open_log
from tests.bot import child
from tests.bot.people.seated import settle
from tests.bot.stage import DEMO, ENDLESS, Stage, offer_in, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person

THREADS = ("POST", "/channels/{channel_id}/threads")
MEMBER = ("GET", "/guilds/{guild_id}/members/{user_id}")


async def left(stage: Stage) -> int:
    log = await open_log(stage.home / "elenchus.db")
    kept = len(await log.key_value_store.all(NAMESPACE))
    await log.aclose()
    return kept


async def test_a_start_that_goes_well_names_its_thread(stage: Stage) -> None:
    async with stage.running():
        offer = offer_in(await stage.offer())
        await stage.alice.press(offer, "Start")
        await until(lambda: offer.content.startswith("The debate is in <#"))
    assert await left(stage) == 0


async def test_a_cancelled_offer_says_that_nothing_was_started(stage: Stage) -> None:
    async with stage.running():
        offer = offer_in(await stage.offer())
        await stage.alice.press(offer, "Cancel")
        await until(lambda: offer.content == msg("debate-cancelled"))
        assert offer.components == []


@pytest.mark.parametrize("status", [500, 504], ids=["failed", "timed out"])
async def test_a_start_that_fails_or_takes_too_long_says_that_nothing_was_started(stage: Stage, status: int) -> None:
    async with stage.running():
        offer = offer_in(await stage.offer())
        stage.discord.faults.fail(*THREADS, status, times=2)
        await stage.alice.press(offer, "Start")
        await until(lambda: offer.content == msg("debate-cancelled"))
        assert [c for c in stage.guild.channels.values() if c.is_thread] == []
    assert await left(stage) == 0


@pytest.mark.kill
@pytest.mark.parametrize("held", [MEMBER, THREADS], ids=["before anything was made", "while its thread was made"])
async def test_a_bot_that_dies_while_it_starts_tells_when_it_is_back(
    stage: Stage, bob: Person, held: tuple[str, str]
) -> None:
    stage.home.mkdir()
    await child.settle(stage, DEMO)
    async with child.bot(stage) as bot:
        offer = offer_in(await stage.offer(pro=bob.mention))
        with stage.discord.faults.hold(*held):
            await stage.alice.press(offer, "Start", patience=0)
            await until(lambda: offer.content == msg("debate-starting"))
            await asyncio.sleep(0.5)
            await bot.kill()
    assert offer.content == msg("debate-starting")
    async with child.bot(stage) as bot:
        await until(lambda: offer.content != msg("debate-starting"))
        await bot.end()
    threads = [c for c in stage.guild.channels.values() if c.is_thread]
    said = msg("debate-cancelled") if held == MEMBER else f"It is in <#{threads[-1].id}>."
    assert (offer.content, len(threads)) == (said, 0 if held == MEMBER else 1)
    assert await left(stage) == 0


@pytest.mark.kill
async def test_a_bot_that_dies_while_it_makes_a_control_room_names_it_when_it_is_back(stage: Stage) -> None:
    stage.home.mkdir()
    await child.settle(stage, DEMO)
    async with child.bot(stage) as bot:
        answer = await stage.alice.slash(stage.channel, "scene start", scene="bandwagon", model=DEMO)
        offer = offer_in(answer)
        with stage.discord.faults.hold(*THREADS):
            await stage.alice.press(offer, "Start", patience=0)
            await until(lambda: offer.content == msg("debate-starting"))
            await asyncio.sleep(0.5)
            await bot.kill()
    async with child.bot(stage) as bot:
        await until(lambda: offer.content != msg("debate-starting"))
        await bot.end()
    (control,) = [c for c in stage.guild.channels.values() if c.is_thread]
    assert offer.content == f"It is in <#{control.id}>."
    assert await left(stage) == 0


async def test_a_bot_that_is_stopped_while_it_starts_tells_when_it_is_back(stage: Stage) -> None:
    async with stage.running():
        offer = offer_in(await stage.offer())
        holding = stage.discord.faults.hold(*THREADS)
        holding.__enter__()
        await stage.alice.press(offer, "Start", patience=0)
        await until(lambda: offer.content == msg("debate-starting"))
    holding.__exit__(None, None, None)
    async with stage.running():
        await until(lambda: offer.content != msg("debate-starting"))
        threads = [c for c in stage.guild.channels.values() if c.is_thread]
        assert offer.content in (msg("debate-cancelled"), *(f"It is in <#{thread.id}>." for thread in threads))
        assert (offer.content == msg("debate-cancelled")) == (threads == [])
    assert await left(stage) == 0


def said(answer: Answer, words: str) -> bool:
    return words in answer.text


async def test_an_offer_counts_the_tokens_of_the_very_debate_that_it_starts(stage: Stage, bob: Person) -> None:
    """Who merges the lists and who drafts is drawn, and one of them is no model here."""
    async with stage.running():
        await settle(stage, stand_in=False)
        for _ in range(4):
            offered = await stage.offer(pro=ENDLESS, con=bob.mention, topics=2)
            told = offered.text
            pressed = await stage.alice.press(offer_in(offered), "Start")
            await until(partial(said, pressed, "The debate is in"))
            (first, *_) = await stage.events(stage.thread())
            assert isinstance(first.event, SessionStarted)
            planned = await asyncio.to_thread(plan_of, first.event)
            read, written = planned.tokens
            assert f"**{planned.count:,}** calls · **{read:,}** tokens in, **{written:,}** out" in told
