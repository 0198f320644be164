"""What was posted into a thread, and what should stand there, for the tests."""

from __future__ import annotations

from bot.rendering.post import Mark, mark_in
from bot.rendering.thread import thread_of
from tests.bot.stage import Stage, posts
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
    assert marks(thread) == [post.mark for post in thread_of(stage.session(thread), await stage.events(thread))]
