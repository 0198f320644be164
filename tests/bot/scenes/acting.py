"""Scenes with members on their seats, for the tests: starting them, agreeing, speaking, and what anybody may see."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from elenchus.bot.guild import keep, settings_of
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.debate_engine.events import Event, Recorded, SessionFinished, SessionStarted
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.protocols.rulegen.assignment import as_played
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.played import Played
from tests.bot.stage import PATIENCE, Stage, offer_in, posts, texts, until
from tests.fakes.discord import payloads
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message
from tests.twins import twin_scenes

MODEL = "scripted:scene"
SEEDS = "seeds"
"""A scene in which everybody speaks in words of their own, and which has a neutral twin: the server's own."""
FINE: dict[str, Any] = {"what": "Nothing departs.", "why": "It is fine.", "deviation": "none", "steps": []}


def said_at(step: str) -> str:
    """What a scripted model says at a step: words by which it is found again."""
    return f"word{re.sub('[^a-z0-9]', '', step)}"


def seen(call: Call) -> dict[str, Any]:
    """A judge who says yes by the subject's own last words."""
    shown = "\n".join(message.content for message in call.messages)
    asked = re.search(r"present in (.+?)\?", shown)
    said = re.findall(rf"^{re.escape(asked[1])} to .+? said: (.+)$", shown, re.MULTILINE) if asked else []
    return {"reason": "It is there.", "quotes": said[-1:], "present": "yes"}


def client(**answers: Any) -> ScriptedClient:
    """Scripted models that say where they speak; `answers` by the name of the prompt."""

    def answer(call: Call) -> Any:
        prompt = call.prompt_id.removeprefix("rulegen/")
        if prompt in answers:
            answer = answers[prompt]
            return answer(call) if callable(answer) else answer
        if prompt == "evaluate":
            return seen(call)
        plain = {"supervise": FINE, "applies": {"reason": "It does.", "applies": True}}
        return plain.get(prompt, said_at(call.step))

    return ScriptedClient(Script(), answer)


async def offered(stage: Stage, who: Person | None = None, **options: Any) -> Answer:
    """Use `/scene start`, with scripted models on all other seats."""
    assert stage.app is not None
    await judged_by_script(stage)
    wanted = {"scene": SEEDS, "model": MODEL} | options
    if wanted["scene"] == SEEDS:
        await keep_seeds(stage.app.store, stage.guild.id)
    return await (who or stage.alice).slash(stage.channel, "scene start", **wanted)


async def keep_seeds(store: KeyValueStore, guild: int) -> None:
    """Have a server keep `SEEDS`, and its twin, as scenes of its own."""
    known = twin_scenes()
    for name in (SEEDS, f"{SEEDS}-neutral"):
        await Library(store).keep(guild, name, known[name], by=0)


async def judged_by_script(stage: Stage) -> None:
    """Have two scripted judges on each panel, who see what the script says."""
    assert stage.app is not None
    settings = await settings_of(stage.app.store, stage.guild.id)
    changed = settings.model_copy(update={"judges": (MODEL, MODEL)})
    await keep(stage.app.store, stage.guild.id, changed)


async def started(stage: Stage, who: Person | None = None, **options: Any) -> Channel:
    """Start a scene and confirm it; its control room."""
    answer = await offered(stage, who, **options)
    pressed = await (who or stage.alice).press(offer_in(answer), "Start")
    await until(lambda: "The control room is" in pressed.text)
    number = re.search(r"control room is <#(\d+)>", pressed.text)
    assert number
    return stage.guild.channels[int(number[1])]


def all_posts(stage: Stage, who: Person) -> Channel:
    """The newest thread that a member was added to."""
    found = [c for c in stage.guild.channels.values() if c.is_thread and who.id in c.thread_members]
    return max(found, key=lambda c: c.id)


async def threads_of(stage: Stage, who: Person, number: int) -> list[Channel]:
    """Wait until a member is in so many threads; they, the oldest first."""

    def found() -> list[Channel]:
        return [c for c in stage.guild.channels.values() if c.is_thread and who.id in c.thread_members]

    await until(lambda: len(found()) >= number)
    return sorted(found(), key=lambda c: c.id)


async def called(thread: Channel, who: Person, after: Message | None = None, words: str = "") -> Message:
    """Wait for the newest post that calls a member, made after another post."""

    def found() -> Message | None:
        made = [p for p in posts(thread) if who.id in p.pinged and "el:sturn:" in str(p.components)]
        new = [p for p in made if (after is None or p.id > after.id) and words in p.content]
        return new[-1] if new else None

    post: Message = await until(found)
    return post


async def agree(thread: Channel, who: Person) -> Message:
    """Wait for the question, and agree; the post of the question."""
    asked = await called(thread, who, words="Do you agree to take part?")
    assert "The scene begins" in (await who.press(asked, "I agree")).text
    return asked


async def speak(who: Person, turn: Message, text: str) -> Answer:
    """Answer an open turn: with these words, or with 7 and these words where values are asked for."""
    opened = await who.press(turn, "Answer")
    fields = {
        part["component"]["custom_id"]: "7" if "number" in str(part.get("description")) else text
        for part in payloads.walk(opened.modal.body["components"])
        if part.get("component")
    }
    return await who.fill(opened.modal, fields)


def invitation(stage: Stage) -> Message:
    """The newest invitation in the channel."""
    return [post for post in posts(stage.channel) if "el:sjoin:" in str(post.components)][-1]


async def taken_part(stage: Stage, who: Person) -> tuple[Channel, Message]:
    """Take a place by the invitation, and agree; the thread, and the post of the question."""
    joined = await who.press(invitation(stage), "Take part")
    assert "Your thread is" in joined.text, joined.text
    thread = all_posts(stage, who)
    return thread, await agree(thread, who)


async def play_on(thread: Channel, who: Person, last: Message, *speeches: str) -> Message:
    """Take so many turns; the post of the last of them."""
    for text in speeches:
        last = await called(thread, who, last)
        assert "You have said it." in (await speak(who, last, text)).text
    return last


async def over(thread: Channel) -> None:
    """Wait until a seat's thread says that the scene is over."""
    await until(lambda: any("The scene is over." in text for text in texts(thread)))


def panel(thread: Channel, kind: str = "el:seat:") -> Message:
    """The panel in a seat's thread, or one in a control room."""
    found = [post for post in posts(thread) if kind in str(post.components)]
    assert found, "no panel"
    return found[0]


def session_in(stage: Stage, thread: Channel) -> str:
    """The session that a seat's thread shows."""
    assert stage.bot is not None
    found = [b for b in stage.bot.bindings.shown_in(thread.id) if b.key.seat is not None]
    return found[0].session


async def log_of(stage: Stage, thread: Channel) -> list[Recorded]:
    """The log of the session that a seat's thread shows."""
    assert stage.app is not None
    return await stage.app.log.read(session_in(stage, thread))


async def version_in(stage: Stage, thread: Channel) -> str | None:
    """The version that was drawn for the session which a seat's thread shows, None before."""
    recorded = await log_of(stage, thread)
    assert isinstance(recorded[0].event, SessionStarted)
    return as_played(SceneConfig.model_validate(recorded[0].event.config), recorded).scene.condition


async def kinds(stage: Stage, thread: Channel, kind: type[Event]) -> list[Any]:
    """The events of a kind in that log."""
    return [r.event for r in await log_of(stage, thread) if isinstance(r.event, kind)]


async def view_of(stage: Stage, thread: Channel) -> SceneView:
    """How the scene stands that a seat's thread shows."""
    assert stage.bot is not None
    return await stage.bot.scenes.sessions.view(session_in(stage, thread))


async def finished(stage: Stage, thread: Channel) -> Played:
    """Wait for the end of the session that a seat's thread shows; what came out."""
    session = session_in(stage, thread)
    assert stage.app is not None
    async with asyncio.timeout(PATIENCE):
        async for r in stage.app.log.follow(session):
            if isinstance(r.event, SessionFinished):
                return Played.model_validate(r.event.outcome)
    raise AssertionError("the log was closed")


def everything(thread: Channel) -> str:
    """All that stands in a thread and ever stood there, ephemeral answers too."""
    return "\n".join(str((p.content, p.embeds, p.components)) for p in thread.messages.values())
