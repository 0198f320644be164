"""What people in scenes are promised, on a fake Discord: nothing left after a day, codes, and who sees what."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sqlite3
from dataclasses import replace
from datetime import timedelta

import pytest

from elenchus.debate_engine import events
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from tests.bot.scenes.acting import (
    all_posts,
    called,
    finished,
    invitation,
    log_of,
    offered,
    over,
    play_on,
    started,
    taken_part,
)
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord.answers import NotPossible
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message
from tests.twins import FOLDER

SLIP = "Luna, as my bed lies in the shade."
WEIGHED = "My own harvest weighed most; ten kilos."
DIARY = "Luna gave eleven kilos, Sol gave seven, says my seventeen-page diary."


async def config_in(stage: Stage, thread: Channel) -> SceneConfig:
    first = (await log_of(stage, thread))[0].event
    return SceneConfig.model_validate(first.config)  # type: ignore[union-attr]


async def to_the_end(stage: Stage, bob: Person) -> tuple[Channel, Message]:
    """Bob plays a scene to its end; the thread, and the post with the button for the codes."""
    thread, asked = await taken_part(stage, bob)
    await play_on(thread, bob, asked, DIARY, SLIP, WEIGHED)
    await over(thread)
    return thread, next(post for post in posts(thread) if "el:scodes:" in str(post.components))


async def test_a_scene_in_discord_is_a_demonstration_and_after_a_day_nothing_of_it_is_left(
    stage: Stage, bob: Person
) -> None:
    async with stage.running() as bot:
        assert stage.app is not None
        control = await started(stage)
        thread, _ = await to_the_end(stage, bob)
        assert (await config_in(stage, thread)).mode == "demonstration"
        assert any("This is a demonstration" in text for text in texts(thread))
        session = (await stage.app.log.sessions())[0].id
        retention = bot.scenes.promises.retention
        assert await retention.sweep() == 0
        late = replace(retention, clock=lambda: events.now() + timedelta(hours=25))
        assert await late.sweep() == 1
        assert thread.id not in stage.guild.channels, "the thread is gone"
        assert not [text for text in texts(control) if "seventeen-page" in text]
        assert session not in [info.id for info in await stage.app.log.sessions()]
        assert await stage.app.pseudonyms.find(f"discord:{bob.id}") is None
        held = b"".join(path.read_bytes() for path in stage.app.settings.home.rglob("*") if path.is_file())
    assert b"seventeen-page" not in held


@pytest.mark.slow
async def test_the_codes_are_shown_to_the_participant_alone_and_the_second_takes_it_back(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        assert stage.app is not None
        control = await started(stage)
        thread, button = await to_the_end(stage, bob)
        with pytest.raises(NotPossible):
            await stage.alice.press(button, "My codes")
        shown = (await bob.press(button, "My codes")).text
        codes = re.findall(r"`([a-z0-9-]{8,})`", shown)
        assert len(codes) == 2
        assert "complete" in shown
        everywhere = "\n".join([*texts(thread), *texts(control), *texts(stage.channel)])
        logged = "\n".join(str(r.line()) for r in await log_of(stage, thread))
        assert not [code for code in codes if code in everywhere or code in logged]
        for _ in range(5):
            assert "not known" in (await stage.alice.slash(stage.channel, "scene withdraw", code="wrong")).text
        assert "Too many" in (await stage.alice.slash(stage.channel, "scene withdraw", code=codes[1])).text
        assert "taken back" in (await bob.slash(stage.channel, "scene withdraw", code=codes[1])).text
        await until(lambda: not [text for text in texts(control) if "seventeen-page" in text])
        assert await stage.app.log.sessions() == []
        assert len(await stage.app.retention.withdrawals()) == 1


async def test_the_control_room_names_no_subject_and_says_not_why_it_ended(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        asked = await called(thread, bob)
        await bob.press(asked, "I do not agree")
        await until(lambda: any("Ended early" in text for text in texts(control)))
        assert (await finished(stage, thread)).ended == "no consent"
        told = "\n".join(texts(control))
    assert str(bob.id) not in told
    assert not re.search("agree|declin|withdr", told.replace("agreement to take part", ""))


async def test_a_study_in_discord_brings_its_own_consent_in_a_file_and_asks_for_the_age_first(
    stage: Stage, bob: Person
) -> None:
    terms = "contact: grace@example.org\nresponsible: Grace Hopper\npurpose: How people decide.\nretention_days: 30\n"
    async with stage.running():
        refused = await offered(stage, mode="study")
        assert "needs a consent of its own" in refused.text
        short = ("consent.yaml", terms.replace("contact: grace@example.org\n", "").encode())
        assert "contact is missing" in (await offered(stage, mode="study", consent=short)).text
        file = ("consent.yaml", terms.encode())
        await started(stage, mode="study", consent=file, ethics_approval="EC 2026-7")
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        age = await called(thread, bob, words="at least 18 years old")
        assert "Thank you" in (await bob.press(age, "Yes")).text
        await until(lambda: any("Do you agree to take part?" in text for text in texts(thread)))
        told = "\n".join(texts(thread))
        for part in ("grace@example.org", "How people decide.", "30 days after", "EC 2026-7"):
            assert part in told, part
        asked = next(post for post in posts(thread) if "Do you agree to take part?" in post.content)
        assert "The scene begins" in (await bob.press(asked, "I agree")).text
        config = await config_in(stage, thread)
        assert (config.mode, config.terms and config.terms.retention_days) == ("study", 30)


async def test_who_is_too_young_is_let_go_and_nothing_of_them_is_kept(stage: Stage, bob: Person) -> None:
    terms = "contact: grace@example.org\nresponsible: Grace Hopper\npurpose: How people decide.\nretention_days: 30\n"
    async with stage.running():
        control = await started(stage, mode="study", consent=("consent.yaml", terms.encode()))
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        age = await called(thread, bob, words="at least 18 years old")
        assert stage.app is not None
        app = stage.app
        name = await app.pseudonyms.find(f"discord:{bob.id}")
        assert list((await app.pseudonyms.expected()).values()) == [[name]], "a bot that dies now finds whom to let go"
        await bob.press(age, "No")
        await until(lambda: any("Ended early" in text for text in texts(control)))
        assert (await finished(stage, thread)).ended == "screened"

        async def gone() -> bool:
            return await app.pseudonyms.find(f"discord:{bob.id}") is None

        for _ in range(100):
            if await gone():
                break
            await asyncio.sleep(0.1)
        assert await gone()
        assert await app.pseudonyms.expected() == {}
        assert "was removed" not in "\n".join(texts(thread)), "nothing was said"


async def test_who_was_misled_and_says_no_once_told_of_it_is_gone_at_the_next_look(stage: Stage, bob: Person) -> None:
    source = (FOLDER / "seeds.md").read_text(encoding="utf-8")
    script = re.sub(r"^(condition|twin|differs): .*\n", "", source, flags=re.MULTILINE)
    script = script.replace("scene: 1\n", "scene: 1\ndeception: omission\n", 1)
    async with stage.running() as bot:
        added = await stage.alice.slash(stage.channel, "scene add", script=("hidden.md", script.encode()))
        assert "hidden" in added.text, added.text
        control = await started(stage, scene="hidden", ethics_approval="EC 2026-7")
        thread, asked = await taken_part(stage, bob)
        await play_on(thread, bob, asked, DIARY, SLIP, WEIGHED)
        keep = await called(thread, bob, words="May what you said be kept")
        told = "\n".join(texts(thread))
        assert told.index("Afterwards: what this was about") < told.index("May what you said be kept")
        assert "Thank you" in (await bob.press(keep, "No")).text
        await over(thread)
        assert (await finished(stage, thread)).ended == "not kept"
        assert await bot.scenes.promises.retention.sweep() == 1
        assert thread.id not in stage.guild.channels
        assert not [text for text in texts(control) if "seventeen-page" in text or "withdr" in text]


async def test_a_scene_that_leaves_something_unsaid_is_for_adults_unless_somebody_allowed_it(
    stage: Stage, bob: Person
) -> None:
    source = (FOLDER / "seeds.md").read_text(encoding="utf-8")
    script = re.sub(r"^(condition|twin|differs): .*\n", "", source, flags=re.MULTILINE)
    script = script.replace("scene: 1\n", "scene: 1\ndeception: omission\nage: 14\n", 1)
    async with stage.running():
        await stage.alice.slash(stage.channel, "scene add", script=("hidden.md", script.encode()))
        assert "people of 14 years and more" in (await offered(stage, scene="hidden", ethics_approval="The head")).text
        assert "people of 18 years and more" in (await offered(stage, scene="hidden")).text
        await started(stage, scene="hidden")
        await bob.press(invitation(stage), "Take part")
        await called(all_posts(stage, bob), bob, words="at least 18 years old")


async def test_what_is_taken_back_at_a_terminal_goes_from_discord_at_the_bots_next_look(
    stage: Stage, bob: Person
) -> None:
    async with stage.running() as bot:
        assert stage.app is not None
        control = await started(stage)
        thread, button = await to_the_end(stage, bob)
        code = re.findall(r"`([a-z0-9-]{19})`", (await bob.press(button, "My codes")).text)[-1]
        assert not await stage.app.retention.withdraw(code), "the bot shows it, and removes that itself"
        logged = "\n".join(str(r.line()) for r in await log_of(stage, thread))
        assert "seventeen-page" not in logged
        assert await bot.scenes.promises.retention.sweep() == 1
        assert thread.id not in stage.guild.channels
        assert not [text for text in texts(control) if "seventeen-page" in text]


@pytest.mark.slow
async def test_what_is_over_its_time_goes_by_itself_when_the_bot_starts(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        thread, _ = await to_the_end(stage, bob)
    with contextlib.closing(sqlite3.connect(stage.home / "elenchus.db")) as database, database:
        database.execute("UPDATE events SET at = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now', '-25 hours')")
    async with stage.running():
        await until(lambda: thread.id not in stage.guild.channels)
    held = b"".join(path.read_bytes() for path in stage.home.rglob("*") if path.is_file())
    assert b"seventeen-page" not in held
