"""A protocol from outside stands in a thread of the real bot, which is stopped in between and goes on."""

from __future__ import annotations

from pathlib import Path

from elenchus.bot.thread_opener import PendingThread
from elenchus.debate_engine.protocols.registry import register
from elenchus.debate_engine.runner import new_id
from tests.bot.stage import finished, posts, stage_at, texts, until
from tests.fakes.discord.render import text_of
from tests.foreign.test_foreign_protocol import STARTED
from tests.foreign.turn_taking import SPEC


async def test_a_bot_posts_its_speeches_panel_end_and_report(tmp_path: Path) -> None:
    register(SPEC)
    seats = tuple(seat.model_copy(update={"spec": "scripted:demo?latency=0.3"}) for seat in STARTED.seats)
    async with stage_at(tmp_path) as stage:
        async with stage.running() as bot:
            opening = PendingThread(
                session=new_id(), guild=stage.guild.id, channel=stage.channel.id, moderator=stage.alice.user.id,
                private=False, title="Tea", click=1, started=STARTED.model_copy(update={"seats": seats}),
            )  # fmt: skip
            binding = await bot.opener.open(bot, opening)
            bot.manager.run_and_show(binding.session)
            thread = stage.thread()
            await until(lambda: any("turn 1" in text for text in texts(thread)))
        async with stage.running():
            await finished(thread)
            await until(lambda: "Finished" in text_of(stage.panel(thread)))
    spoken = [post for post in posts(thread) if "-# turn " in post.content]
    assert [post.author.name for post in spoken] == ["first", "second", "first", "second"]
    told = "\n".join(texts(thread))
    assert told.count("**better:** ") == 1
    assert "The judge named the " in told
    assert "scores.csv" in told
    assert not [word for word in ("motion", "CRIT", "heat") if word in told]
