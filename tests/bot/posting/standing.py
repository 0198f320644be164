"""What was posted into a thread, and what should stand there, for the tests."""

from __future__ import annotations

import asyncio

from elenchus.bot.bindings import ViewKey
from elenchus.bot.rendering.post import Mark, mark_in
from elenchus.bot.rendering.posts import all_posts
from elenchus.debate_engine.events import VoteClosed
from tests.bot.stage import PATIENCE, Stage, posts, texts
from tests.fakes.discord.server import Made
from tests.fakes.discord.state import Channel

WEBHOOK = ("POST", "/webhooks/{webhook_id}/{webhook_token}")


def marks(thread: Channel) -> list[Mark]:
    return [mark for post in posts(thread) if (mark := mark_in(post.content))]


def speeches(stage: Stage) -> list[Made]:
    """The posts of personas that were sent."""
    return [call for call in stage.discord.made(*WEBHOOK) if "thread_id" in call.query]


async def whole(stage: Stage, thread: Channel) -> None:
    """The thread holds every post of its session once, in order."""
    assert marks(thread) == [post.mark for post in all_posts(stage.session(thread), await stage.events(thread))]


async def quiet(stage: Stage, thread: Channel) -> None:
    """Wait until a debate whose models take their time waits for them, and its thread shows all that came before.

    The last that comes by itself is the end of the vote before the debate.
    """
    async with asyncio.timeout(PATIENCE):
        while True:
            assert stage.bot is not None
            session = stage.session(thread)
            events = await stage.events(thread)
            due, voted = all_posts(session, events), any(isinstance(r.event, VoteClosed) for r in events)
            running = any("▶ Running" in text for text in texts(thread))
            if running and voted and stage.bot.bindings.of(ViewKey(session)).confirmed == due[-1].mark:
                return
            await asyncio.sleep(0.02)
