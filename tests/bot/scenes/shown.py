"""A scene as docs/discord.md shows it: `python -m tests.bot.scenes.shown` plays it and prints it.

The real bot on the Discord of our own, Bob as the subject, models whose words are written down here.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path
from typing import Any

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from tests.bot.scenes.acting import (
    FINE,
    agree,
    called,
    finished,
    invitation,
    over,
    panel,
    play_on,
    speak,
    started,
    thread_of,
)
from tests.bot.stage import Stage, stage_at, texts, until
from tests.fakes.discord.render import channel_text, indent

WORDS = {
    "rule/2/": "Good evening, everybody. Please hand in your slip tonight: one kind for your own bed, Luna or Sol. I "
    "buy the seeds tomorrow.",
    "rule/3/": "Robin, how did the two kinds do in bed 20 last summer?",
    "rule/6/": "I have seen the slips: all seventeen say Sol, not one says Luna. Yesterday evening it was nine. By now "
    "that is practically the whole garden.",
    "rule/7/": "I was not sure either, Robin, and then simply did as the others. It felt good. I would not like to "
    "have the one bed that looks different.",
    "rule/9/": "Robin, your slip is the last one. Luna or Sol for bed 20, and why?",
    "rule/11/": "What weighed most in that, and roughly how many kilos do you expect?",
    "rule/13/": "Thank you all. The list is complete.",
    "unscripted/1/": "There is nothing about it on the seed list, so I do not know.",
}
"""What Noor and Mika say under a rule."""

FIRST_TRY = "Everybody takes Sol, Robin, and you should too: it is the bandwagon that counts."
BOB = (
    "Luna gave 11 kilos, Sol gave 7. Luna does not mind the wall.",
    "Sol. Everybody has it, and mine would be the only bed that looks different.",
    "That the others have taken it. Seven kilos, perhaps.",
)
QUESTION = "Do the others have shade as well?"
NOT_ASKED = "It names what the scene is about."
OFF: dict[str, Any] = {
    "what": NOT_ASKED, "why": "Robin is to hear of the others, not of a word for it.", "deviation": "micro",
    "steps": ["Say how it felt to do as the others, in your own words."],
}  # fmt: skip
FOUND: dict[str, Any] = {
    "reason": "Robin takes Sol and gives as the reason that everybody has it; last summer's harvest is left out.",
    "quotes": ["Everybody has it, and mine would be the only bed that looks different."],
    "present": "yes",
}


def client() -> ScriptedClient:
    """The models."""

    def answer(call: Call) -> Any:
        match call.prompt_id.removeprefix("rulegen/"):
            case "supervise":
                return OFF if call.step == "rule/7/turn/1/check/1" else FINE
            case "evaluate":
                return FOUND
            case "answer" | "unscripted" if call.step == "rule/7/turn/1/answer/1":
                return FIRST_TRY
            case "answer" | "unscripted":
                return next(words for part, words in WORDS.items() if call.step.startswith(part))
        return "I see."

    return ScriptedClient(Script(), answer)


async def played(home: Path) -> dict[str, str]:
    """What stands there in the end, by who looks at what."""
    async with stage_at(home, judge=False) as stage:
        stage.scripts["scene"] = client()
        bob = stage.discord.world.person("Bob", guild=stage.guild)
        async with stage.running():
            control = await started(stage, conditions="treatment", minutes=10)
            asked_to_join = await channel_text(stage.channel, bob)
            await bob.press(invitation(stage), "Take part")
            thread = thread_of(stage, bob)
            turn = await called(thread, bob, await agree(thread, bob))
            await speak(bob, turn, BOB[0])
            turn = await called(thread, bob, turn)
            form = await bob.press(panel(thread), "Ask a question…")
            await bob.fill(form.modal, {"text": QUESTION})
            await until(lambda: any(WORDS["unscripted/1/"] in text for text in texts(thread)))
            await speak(bob, turn, BOB[1])
            await play_on(thread, bob, turn, BOB[2])
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
