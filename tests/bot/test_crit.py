"""`/crit` and "Score this argument"."""

from __future__ import annotations

from tests.bot.stage import Stage, finished, posts, texts, until
from tests.fakes.discord.people import Person

TEXT = "Cities should ban cars, because the air gets cleaner. The Institute of Streets found 30 % fewer accidents."


async def report(stage: Stage) -> str:
    """Wait until the newest thread holds a finished report."""
    await until(lambda: any(c.is_thread for c in stage.guild.channels.values()))
    thread = stage.thread()
    await finished(thread)
    return "\n".join(texts(thread))


async def test_a_text_is_scored_in_a_thread_of_its_own(stage: Stage, bob: Person) -> None:
    async with stage.running():
        answer = await bob.slash(stage.channel, "crit", text=TEXT)
        assert "Being scored" in answer.text
        told = await report(stage)
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
        assert "too long" in (await bob.slash(stage.channel, "crit", file=("a.txt", b"x" * 50_000))).text
        assert "no text: add one in" in (await bob.slash(stage.channel, "crit", file=("a.png", b"\xff\xfe\x00"))).text
        assert not [c for c in stage.guild.channels.values() if c.is_thread]


async def test_a_private_report_is_seen_by_who_asked_alone(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await bob.slash(stage.channel, "crit", text=TEXT, private=True)
        await report(stage)
        thread = stage.thread()
    assert bob.can_see(posts(thread)[0])
    assert not stage.alice.can_see(posts(thread)[0])
