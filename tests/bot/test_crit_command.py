"""`/crit` and "Score this argument"."""

from __future__ import annotations

import asyncio
from typing import Any

from elenchus.debate_engine.runner import started_of
from tests.bot.people.seated import settle
from tests.bot.stage import Stage, finished, offer_in, posts, texts, until
from tests.fakes.discord.people import Person

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
TEXT = "Cities should ban cars, because the air gets cleaner. The Institute of Streets found 30 % fewer accidents."


async def report(stage: Stage) -> str:
    """Wait until the newest thread holds a finished report."""
    await until(lambda: any(c.is_thread for c in stage.guild.channels.values()))
    thread = stage.thread()
    await finished(thread)
    return "\n".join(texts(thread))


async def test_a_text_is_scored_in_a_thread_of_its_own(stage: Stage, bob: Person) -> None:
    async with stage.running():
        answer = await bob.slash(
            stage.channel, "crit", text=TEXT, language=" Swiss  German ", max_reasons=2, temperature=0.3
        )
        assert "Being scored" in answer.text
        told = await report(stage)
        started = started_of(await stage.events(stage.thread()))
    assert (started.config["language"], started.config["max_reasons"]) == ("Swiss German", 2)
    assert started.temperature == 0.3
    assert "CRIT · “Cities should ban cars" in told
    assert "Claim:" in told
    assert "Γ" in told


async def test_a_text_file_is_scored(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await bob.slash(stage.channel, "crit", file=("essay.md", TEXT.encode()))
        assert "Claim:" in await report(stage)


async def test_a_message_is_scored_from_its_menu(stage: Stage, bob: Person) -> None:
    async with stage.running():
        message = await stage.alice.write(stage.channel, TEXT)
        answer = await bob.menu(message, "Score this argument")
        assert answer.ephemeral
        assert "Cities should ban cars" in await report(stage)


async def test_what_cannot_be_scored_is_refused_in_one_sentence(stage: Stage, bob: Person) -> None:
    async with stage.running():
        assert "There is no text" in (await bob.slash(stage.channel, "crit")).text
        assert "There is no text" in (await bob.slash(stage.channel, "crit", text="\u200b")).text
        for size in (400_001, 2_000_000):
            assert "too long" in (await bob.slash(stage.channel, "crit", file=("a.txt", b"x" * size))).text
        assert "no text: add one in" in (await bob.slash(stage.channel, "crit", file=("a.png", b"\xff\xfe\x00"))).text
        assert not [c for c in stage.guild.channels.values() if c.is_thread]


async def test_a_file_that_is_gone_before_it_could_be_read_is_asked_for_again(stage: Stage, bob: Person) -> None:
    faults, world = stage.discord.faults, stage.discord.world
    async with stage.running():
        for command, option in (("crit", "file"), ("scene add", "script")):
            with faults.hold("POST", CALLBACK):
                given: dict[str, Any] = {option: ("essay.md", TEXT.encode())}
                asking = asyncio.create_task(bob.slash(stage.channel, command, **given))
                await until(lambda: faults.waiting("POST", CALLBACK))
                world.files.clear()
            assert "add it again" in (await asking).text


async def test_a_file_whose_bytes_do_not_end_is_read_no_further_than_its_bound(stage: Stage, bob: Person) -> None:
    world = stage.discord.world
    world.endless_files = True
    async with stage.running():
        assert "too long" in (await bob.slash(stage.channel, "crit", file=("essay.md", TEXT.encode()))).text
        assert (
            "longer than 200,000 bytes"
            in (await bob.slash(stage.channel, "scene add", script=("scene.md", TEXT.encode()))).text
        )
        assert "too long" in (await bob.slash(stage.channel, "detect", file=("essay.md", TEXT.encode()))).text
    assert world.sent_of_endless < 50_000_000, "what was on its way when the bot hung up"


async def test_who_may_not_start_debates_scores_nothing_and_neither_does_who_has_no_budget_left(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        await settle(stage, start="moderators")
        assert "You may not start debates here" in (await bob.slash(stage.channel, "crit", text=TEXT)).text
        message = await bob.write(stage.channel, TEXT)
        assert "You may not start debates here" in (await bob.menu(message, "Score this argument")).text
        await settle(stage, day_tokens=1_999)
        assert "1,999 tokens left" in (await bob.slash(stage.channel, "crit", text=TEXT)).text
    assert not [c for c in stage.guild.channels.values() if c.is_thread]


async def test_a_private_report_is_seen_by_who_asked_alone(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await bob.slash(stage.channel, "crit", text=TEXT, private=True)
        await report(stage)
        thread = stage.thread()
    assert bob.can_see(posts(thread)[0])
    assert not stage.alice.can_see(posts(thread)[0])


async def test_a_thread_is_named_without_the_text_and_when_its_writer_is_forgotten_no_word_of_it_is_left(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        message = await bob.write(stage.channel, TEXT)
        await stage.alice.menu(message, "Score this argument")
        assert "Institute of Streets" in await report(stage)
        thread = stage.thread()
        assert "Cities should ban cars" in (await stage.alice.slash(thread, "session list")).text
        exported = await bob.slash(stage.channel, "privacy export")
        files = [a for post in (exported.message, *exported.followups) for a in post.attachments]
        assert b"Institute of Streets" in files[0].data
        asked = await bob.slash(stage.channel, "privacy forget")
        await bob.press(offer_in(asked), "Remove it for good")
        again = await until(lambda: next((p for p in posts(thread) if "were removed" in p.content), None))
        await bob.delete(message)  # a message of the member's own is theirs to delete
        recorded = "".join(str(r.line()) for r in await stage.events(thread))
        listed = (await stage.alice.slash(thread, "session list")).text
    attached = "".join(a.data.decode(errors="replace") for p in posts(thread) for a in p.attachments)
    shown = "\n".join([thread.name, listed, *texts(thread), *texts(stage.channel)])
    assert again.attachments
    assert thread.name == "Scoring a message"
    for gone in ("Cities should ban", "Institute of Streets", "fewer accidents", str(bob.id)):
        assert gone not in recorded
        assert gone not in shown
        assert gone not in attached
