"""A detection as docs/discord.md shows it: `python -m tests.bot.detection.shown` runs it and prints it.

The real bot on the Discord of our own; what the models say is written down here.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path
from typing import Any

from elenchus.debate_engine.llm.client import Call
from tests.bot.detection.looking import confirmed, looking
from tests.bot.stage import Stage, finished, stage_at, until
from tests.debate_engine.scripted_session import Answer, Written
from tests.detectors.scripted_detection import bias_in, marks
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.render import channel_text, indent, text_of

MESSAGE = (
    "Three winters and most of what we had saved have gone into the boat. The surveyor says that the hull will not "
    "pass, and that a sound one costs less than the planks still missing. I have heard him. But if we sold her now, "
    "all that work would have been for nothing, so I have ordered the planks."
)
PAID = "if we sold her now, all that work would have been for nothing"
MADE = "Three winters and most of what we had saved have gone into the boat"
CHECKS: dict[str, Any] = {
    "sunk-cost-fallacy": {
        "quotes": [PAID, "so I have ordered the planks"],
        "reason": "What is spent cannot be had back either way, yet it is the only reason given for spending more.",
        "present": "yes",
    },
    "loss-aversion": {
        "quotes": ["all that work would have been for nothing"],
        "reason": "To end it is told as a loss; what the planks will cost is not weighed against it.",
        "present": "yes",
    },
    "ikea-effect": {
        "quotes": [MADE, "no other boat sails like her"],
        "reason": "They built it, but nothing is said of what it is worth to them because of that.",
        "present": "no",
    },
}
SUSPECTED = {
    "aggressive": ["Loss aversion", "Sunk cost fallacy", "IKEA effect"],
    "conservative": ["Sunk cost fallacy"],
}
STRENGTH = {
    "sunk-cost-fallacy": marks(8, support=9, refutation=7, persuasiveness=9),
    "loss-aversion": marks(6, support=5, refutation=7),
}
SPEECHES = {
    "sunk-cost-fallacy": f"The writer goes on because of what is gone: “{PAID}”. Nothing to come is named.",
    "loss-aversion": "To sell is felt as a loss, “all that work would have been for nothing”, and so it is refused.",
}


def speech(call: Call) -> Written:
    """What a side says in any stage."""
    return next(text for bias, text in SPEECHES.items() if call.step.endswith(bias))


ANSWERS: dict[str, Answer] = {
    "detectors/screen": lambda call: {"biases": SUSPECTED[bias_in(call)]},
    "detectors/check": lambda call: CHECKS[bias_in(call)],
    "detectors/marks": lambda call: STRENGTH[call.step.split("/")[-2]],
    **{f"detectors/{stage}": speech for stage in ("introduction", "argument", "refutation", "summary")},
}


async def played(home: Path) -> dict[str, str]:
    """Bob has Alice's message examined: the offer, and the thread as he sees it in the end."""
    async with stage_at(home) as stage:
        moderators = stage.discord.world.role(stage.guild, "mods", Permission.MANAGE_THREADS)
        bob = stage.discord.world.person("Bob", guild=stage.guild, roles=[moderators])
        async with looking(stage, ANSWERS):
            message = await stage.alice.write(stage.channel, MESSAGE)
            offer = await bob.menu(message, "Detect biases")
            asked = indent(offer.text)
            thread = await confirmed(stage, bob, offer)
            await finished(thread)
            await until(lambda: "Finished" in text_of(stage.panel(thread)))  # the panel is edited beside the posts
            return {"offer": _plain(asked, stage), "thread": _plain(await channel_text(thread, bob), stage)}


def _plain(text: str, stage: Stage) -> str:
    """As Discord's client shows it, without what changes from run to run."""
    text = re.sub(r"session \w{7}", "session a7k2m9q", text.replace(stage.alice.mention, "@Alice"))
    return re.sub(r"\\([^\w\s])", r"\1", text)


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="elenchus-shown-") as folder:
        for name, text in (await played(Path(folder) / "home")).items():
            print(f"── {name} ──\n\n{text}\n")


if __name__ == "__main__":
    asyncio.run(main())
