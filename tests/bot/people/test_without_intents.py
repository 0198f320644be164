"""The bot without any privileged intent: people are found, seated and called, and one who leaves holds nothing up."""

from __future__ import annotations

from tests.bot.people.seated import speak, turn_for, turn_of
from tests.bot.stage import Stage, finished, posts, texts
from tests.fakes.discord.events import PRIVILEGED, Intent
from tests.fakes.discord.people import Person


async def test_without_privileged_intents_a_member_is_found_speaks_and_leaves_and_the_debate_ends(
    stage: Stage, bob: Person
) -> None:
    stage.discord.world.application.privileged = Intent(0)
    async with stage.running():
        identified = next(data for op, data in stage.discord.gateway.log if op == 2)
        assert not identified["intents"] & PRIVILEGED
        offered = await stage.alice.complete(stage.channel, "debate start", "pro", "@Bob", motion="x")
        assert [choice["value"] for choice in offered] == [bob.mention]
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await speak(bob, turn, first=True)
        later = await turn_of(thread, bob, turn)
        await bob.leave()  # nobody tells the bot: the turn stays open until its end, or a moderator's word
        asked = await stage.alice.press(later, "Leave the seat")
        await stage.alice.press(asked.message, "Yes, for good")
        await finished(thread)
    assert any("seventeen bees" in post.content for post in posts(thread))
    assert not any("intent" in text for text in texts(thread))


async def test_no_file_of_the_bot_holds_who_did_not_agree(stage: Stage, bob: Person) -> None:
    bob.user.name = bob.member.nick = "Bartholomew Quill"
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        asked = await bob.press(await turn_of(thread, bob), "Answer")
        await bob.press(asked.message, "I do not agree")
        await finished(thread)
    held = {file.name: file.read_bytes() for file in stage.home.rglob("*") if file.is_file()}
    assert "elenchus.db" in held
    for gone in (str(bob.id), "Bartholomew", "Quill"):
        assert [name for name, content in held.items() if gone.encode() in content] == []
