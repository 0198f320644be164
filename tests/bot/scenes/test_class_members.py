"""One class on Discord and in browsers at once: one code, one count, the same debriefing and the same reveal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from elenchus.bot.services import BotServices
from elenchus.service.app import App
from elenchus.service.web.server import SERVICE, make_web
from tests.bot.scenes.acting import all_posts, called, panel, threads_of
from tests.bot.stage import Stage, services_of, texts, until
from tests.fakes.discord.people import Person
from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import TOKEN, Served
from tests.service.web.test_classes import Pupil, a_class, press, pupil


@asynccontextmanager
async def both(stage: Stage) -> AsyncIterator[Served]:
    """The server and the bot in one process, as `elenchus up` runs them."""
    made = list[web.Application]()

    def beside(app: App) -> BotServices:
        made.append(make_web(app, token=TOKEN))
        return replace(services_of(app), classes=made[-1][SERVICE].classes)

    stage.services_of = beside
    if not (stage.home / "scenes").exists():
        scene_in(stage.home)
    async with stage.running():
        assert stage.app is not None
        async with TestClient(TestServer(made[-1])) as client:
            yield Served(stage.app, made[-1][SERVICE], client)


async def joins(stage: Stage, who: Person, code: str) -> str:
    return str((await who.slash(stage.channel, "class join", code=code)).text)


async def plays(stage: Stage, who: Person, weight: str) -> None:
    """Agree, and say one's number, in one's thread."""
    (thread,) = await threads_of(stage, who, 1)
    asked = await called(thread, who, words="Do you agree to take part?")
    await who.press(asked, "I agree")
    turn = await called(thread, who, asked)
    opened = await who.press(turn, "Answer")
    names = [part["component"]["custom_id"] for part in opened.modal.body["components"] if part.get("component")]
    await who.fill(opened.modal, dict.fromkeys(names, weight))


def _is_told(thread: Any, words: str) -> bool:
    return any(words in text for text in texts(thread))


async def told(served: Served, made: Any) -> Any:
    return await served.moderator.get(f"/classes/{made['id']}/teacher")


async def all_wait(served: Served, made: Any, people: int) -> None:
    async with asyncio.timeout(60):
        while sum(row["counts"]["done"] for row in (await told(served, made))["versions"]) < people:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_one_class_in_browsers_and_on_discord_is_counted_debriefed_and_revealed_together(
    stage: Stage, bob: Person, carla: Person
) -> None:
    members = [bob, carla, stage.discord.world.person("Dora", guild=stage.guild)]
    async with both(stage) as served:
        made = await a_class(served, 6)
        for who in members:
            assert "You are in, as" in await joins(stage, who, made["code"])
        assert "already, as" in await joins(stage, bob, made["code"])
        pupils = [await pupil(served, made["code"]) for _ in range(3)]
        assert (await served.moderator.get(f"/classes/{made['id']}"))["people"] == 6
        await press(served, made["id"], "playing")
        await asyncio.gather(
            *(plays(stage, who, str(10 + n)) for n, who in enumerate(members)),
            *(one.answers(20.0 + n) for n, one in enumerate(pupils)),
        )
        await all_wait(served, made, 6)
        for who in members:
            assert "This was about a number" not in "\n".join(texts(all_posts(stage, who)))
        await press(served, made["id"], "closed", "debrief")
        for who in members:
            thread = all_posts(stage, who)
            await until(partial(_is_told, thread, "This was about a number"))
        await press(served, made["id"], "revealed")
        shown = await pupils[0].until(revealed=True)
        assert shown["own"]
        found = await served.moderator.get(f"/classes/{made['id']}/revealed")
        assert (found["of"], found["analysed"]) == ("people", 6)
        for n, who in enumerate(members):
            thread = all_posts(stage, who)
            await until(partial(_is_told, thread, "What came out in your class"))
            assert f"Your own answer: {10 + n} kilos" in "\n".join(texts(thread))
        said = str(await told(served, made))
    assert not [who.name for who in members if who.name in said or str(who.id) in said]


async def test_a_member_withdraws_in_the_thread_and_counts_no_more(stage: Stage, bob: Person) -> None:
    async with both(stage) as served:
        made = await a_class(served, 2)
        await joins(stage, bob, made["code"])
        await press(served, made["id"], "playing")
        (thread,) = await threads_of(stage, bob, 1)
        await called(thread, bob, words="Do you agree to take part?")
        pressed = await bob.press(panel(thread), "Withdraw")
        await bob.press(pressed.with_buttons, "Yes, withdraw")
        await until(lambda: any("The scene is over." in text for text in texts(thread)))
        async with asyncio.timeout(20):
            while not any(r["counts"]["left_early"] for r in (await told(served, made))["versions"]):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_who_joined_before_a_restart_has_the_thread_after_it_and_goes_on_in_a_browser(
    stage: Stage, bob: Person
) -> None:
    async with both(stage) as served:
        made = await a_class(served, 2)
        said = await joins(stage, bob, made["code"])
    async with both(stage) as served:
        await press(served, made["id"], "playing")
        await threads_of(stage, bob, 1)
    async with both(stage) as served:
        one = await pupil(served, said.rpartition("by the code ")[2].rstrip("."))
        assert isinstance(one, Pupil)
        await one.answers(12.0)
        await one.until(waits_for="debriefing")
        threads = [c for c in stage.guild.channels.values() if c.is_thread and bob.id in c.thread_members]
        assert len(threads) == 1


async def test_wrong_codes_are_refused_and_not_tried_for_ever(stage: Stage, bob: Person) -> None:
    async with both(stage) as served:
        made = await a_class(served, 2)
        for _ in range(10):
            assert "for no class" in await joins(stage, bob, "aaaaaa")
        assert "too many wrong codes" in await joins(stage, bob, made["code"])


async def test_a_bot_without_a_server_says_where_classes_are(stage: Stage, bob: Person) -> None:
    async with stage.running():
        assert "elenchus up" in await joins(stage, bob, "abcdef")
