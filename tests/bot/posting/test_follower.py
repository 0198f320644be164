"""What following a session costs."""

from __future__ import annotations

import gc

from elenchus.debate_engine.events import Recorded
from tests.bot.people.seated import turn_for
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.people import Person


def held() -> int:
    """The recorded events that something in this process holds on to."""
    gc.collect()
    return sum(type(one) is Recorded for one in gc.get_objects())


async def test_a_debate_that_waits_for_its_moderator_keeps_no_log_in_memory(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(con=bob.mention)
        await turn_for(thread, bob, "refutation")
        await stage.alice.press(stage.panel(thread), "Pause")
        await until(lambda: "⏸ Paused" in texts(thread)[0])
        length = len(await stage.events(thread))
    before = held()
    async with stage.running():
        await stage.alice.press(stage.panel(thread), "Heat −")
        await until(lambda: "→" in texts(thread)[0] or "next turn" in texts(thread)[0])  # its thread is followed
        await until(lambda: held() - before < length / 2)  # what reads it for a moment lets it go
