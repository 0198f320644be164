"""A server whose model looks for biases as a script says, for the tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from tests.bot.people.seated import settle
from tests.bot.stage import Stage, finished, posts, texts, until
from tests.debate_engine.scripted_session import Answer, Written, written
from tests.detectors.scripted_detection import LOSS, PLAIN, SUNK, TEXT, yes_to
from tests.fakes.discord.answers import Answer as Told
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message

__all__ = ["LOSS", "PLAIN", "SUNK", "TEXT", "yes_to"]

DETECTOR = "scripted:detector"
SMALL: dict[str, Any] = {"labels": "Sunk cost fallacy, loss aversion"}
"""Two candidates and one match: 2 + 8 + 8 calls."""


@asynccontextmanager
async def looking(
    stage: Stage, answers: Mapping[str, Answer] | None = None, latency: float = 0.0
) -> AsyncIterator[ScriptedClient]:
    """The bot runs, with a scripted model on every seat of the server's detections. What it was asked is in it."""
    client = stage.scripts["detector"] = scripted(answers, latency)
    async with stage.running():
        await settle(stage, debater=DETECTOR)
        yield client


def scripted(answers: Mapping[str, Answer] | None = None, latency: float = 0.0) -> ScriptedClient:
    """The model: it answers as in `PLAIN`, but for these prompts."""
    known = {**PLAIN, **(answers or {})}

    def answer(call: Call) -> Written:
        return written(known.get(call.prompt_id), call)

    return ScriptedClient(Script(latency=latency), answer)


async def confirmed(stage: Stage, who: Person, offer: Told) -> Channel:
    """Press Start under an offer; the thread."""
    before = {c.id for c in stage.guild.channels.values()}
    pressed = await who.press(offer.with_buttons, "Start")
    await until(lambda: "It is in" in pressed.text)
    (thread,) = (c for c in stage.guild.channels.values() if c.is_thread and c.id not in before)
    return thread


async def result(stage: Stage, who: Person, offer: Told) -> str:
    """Confirm an offer and wait for the end; everything that its thread shows."""
    thread = await confirmed(stage, who, offer)
    await finished(thread)
    return "\n".join(texts(thread))


def threads(stage: Stage) -> list[Channel]:
    """All threads of the server."""
    return [c for c in stage.guild.channels.values() if c.is_thread]


def closing(thread: Channel) -> Message:
    """The post with the report."""
    return next(p for p in reversed(posts(thread)) if any(a.filename == "report.md" for a in p.attachments))
