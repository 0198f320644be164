"""A scene as docs/discord.md shows it: `python -m tests.bot.scenes.shown` plays it and prints it.

The real bot on the Discord of our own, and Bob as the subject of a scene in which all other lines are fixed.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from tests.bot.scenes.acting import (
    agree,
    all_posts,
    called,
    finished,
    invitation,
    over,
    panel,
    started,
)
from tests.bot.stage import Stage, stage_at, texts, until
from tests.fakes.discord.render import channel_text, indent

VERSION = "vega/pressed"
QUESTION = "Which of the two do you have, Ben?"
BOB = (
    {"lamp": "Vega", "sure": "7"},
    {"others": "most took Vega", "known": "No", "aim": "How one chooses a lamp."},
)
"""What Bob puts into the two forms."""


async def played(home: Path) -> dict[str, str]:
    """What stands there in the end, by who looks at what."""
    async with stage_at(home, judge=False) as stage:
        bob = stage.discord.world.person("Bob", guild=stage.guild)
        async with stage.running():
            control = await started(stage, scene="bandwagon", conditions=VERSION, minutes=10, model="")
            asked_to_join = await channel_text(stage.channel, bob)
            await bob.press(invitation(stage), "Take part")
            thread = all_posts(stage, bob)
            turn = await called(thread, bob)
            await bob.press(turn, "Yes")
            turn = await called(thread, bob, await agree(thread, bob))
            question = await bob.press(panel(thread), "Ask a question…")
            await bob.fill(question.modal, {"text": QUESTION})
            await until(lambda: any("stands on the sheet" in text for text in texts(thread)))
            for values in BOB:
                form = await bob.press(turn, "Answer")
                await bob.fill(form.modal, values)
                turn = await called(thread, bob, turn)
            await bob.press(turn, "Yes")
            await over(thread)
            await finished(stage, thread)
            await until(lambda: any("The scene is played." in text for text in texts(control)))
            results = await stage.alice.slash(control, "scene results")
            return {
                "channel": readable(stage, asked_to_join),
                "subject": readable(stage, await channel_text(thread, bob)),
                "control room": readable(stage, await channel_text(control, stage.alice)),
                "results": readable(stage, indent(results.text)),
            }


def readable(stage: Stage, text: str) -> str:
    """As Discord's client shows it: names for ids, no backslashes, times in words; sessions are called `session`."""
    for user in stage.discord.world.users.values():
        text = text.replace(f"<@{user.id}>", f"@{user.name}")
    text = re.sub(r"<t:\d+:R>", "in 10 minutes", text)
    text = re.sub(r"session [a-z2-9]{7}\b", "session …", text)
    text = re.sub(r"\b[a-z2-9]{7}-results", "…-results", text)
    return re.sub(r"\\([^\w\s])", r"\1", text)


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        for name, text in (await played(Path(home))).items():
            print(f"\n═══ {name} ═══\n\n{text}")


if __name__ == "__main__":
    asyncio.run(main())
