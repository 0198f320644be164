"""The real bot on the Discord of our own, with scripted people, shown as its moderator sees it: `make demo-discord`.

Needs no token and no network: models are scripted, what they say is filler. The bot is a process of its own, invited
with the permissions of `bot.invite` and no others, at home in a temporary folder. On standard error stands what people
do, on standard output how the channel and the thread look in the end. Takes about half a minute.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elenchus.bot.invite import PERMISSIONS
from tests.fakes.discord import changes
from tests.fakes.discord.answers import Modal
from tests.fakes.discord.openapi import openapi_file
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import EVERYONE, NONE, Permission
from tests.fakes.discord.render import channel_text, indent
from tests.fakes.discord.server import Discord, serving
from tests.fakes.discord.state import Channel, Guild, Message

ROOT = Path(__file__).parents[3]
MODEL = "scripted:demo?latency=0.2"
MOTION = "Should a city ban private cars from its centre?"
PATIENCE = 60.0
FILLER = """\
The bot is the real one; its models here are scripts: what they say, score and judge is filler, made without reading
the motion. Look at what the bot does with it."""

SPEECHES = """\
I drive the night bus, and I meet those who clean the offices at four. For them a ban comes before the bus does: \
no line serves their streets at that hour, so they would lose the job, not the habit.
My opponent counts whole cities. Nobody counted my passengers: the school run was never the problem, and neither \
are the empty lanes at night. Ban the parking first, and see who is left.
Who pays was the question. The depot told us what a night line costs: less than the new signs would. Nobody has \
answered me when it would run.
I would sign a ban that begins when the night buses run. Not one that begins with a promise of them.
""".splitlines()
"""What Bob says: opening, two refutations, closing."""

LISTS = {
    "decision": "1 | sign\n2 | amend | The ban begins in a street when a night bus serves it.",
    "verdict": "1 | agree\n2 | agree",
    "pro concern": "Clean air | The way to work at night | Who breathes better, and who no longer gets to work.\n"
    "Safe streets | Shops and deliveries | What a street gains without cars, and what its shops lose.",
}
"""What Bob writes where a form wants one thing a line, by the column that the form's hint names."""


@dataclass
class Show:
    """The stage: a server, a channel, and people; `alice` manages the server and moderates."""

    discord: Discord
    home: Path
    guild: Guild = field(init=False)
    channel: Channel = field(init=False)
    people: dict[str, Person] = field(default_factory=dict)

    def __post_init__(self) -> None:
        world = self.discord.world
        self.guild = world.guild("Agora", bot_permissions=Permission(PERMISSIONS.value))
        changes.set_role(world, self.guild, self.guild.roles[self.guild.id], NONE)
        citizens = world.role(self.guild, "citizens", EVERYONE)
        managers = world.role(self.guild, "managers", Permission.MANAGE_GUILD | Permission.MANAGE_THREADS)
        self.channel = world.text_channel(self.guild, "debates")
        for name in ("Alice", "Bob", "Carla", "Dmitri", "Esra"):
            roles = [citizens, managers] if name == "Alice" else [citizens]
            self.people[name] = world.person(name, guild=self.guild, roles=roles)

    @property
    def thread(self) -> Channel:
        """The only thread."""
        return next(place for place in self.guild.channels.values() if place.is_thread)

    def posts(self) -> list[Message]:
        """What stands in the thread for everyone."""
        standing = [post for post in self.thread.messages.values() if not post.deleted and not post.ephemeral]
        return sorted(standing, key=lambda post: post.id)

    def post(self, words: str) -> Message | None:
        """The first post with these words in its text, embeds or buttons."""
        return next((p for p in self.posts() if words in f"{p.content} {p.embeds} {p.components}"), None)

    async def seen(self, words: str) -> Message:
        """Wait for such a post."""
        found: Message = await self.discord.world.until(lambda: self.post(words), PATIENCE)
        return found


def told(what: str) -> None:
    """Say what somebody does."""
    print(f"· {what}", file=sys.stderr, flush=True)


def shown(show: Show, text: str) -> None:
    """Print a text as Discord's client shows it: names for ids, no backslashes, times in words."""
    for who in show.people.values():
        text = text.replace(who.mention, f"@{who.name}")
    for place in show.guild.channels.values():
        text = text.replace(f"<#{place.id}>", f"#{place.name}")
    text = re.sub(r"<t:(\d+):R>", lambda found: when(int(found[1]) - time.time()), text)
    print(re.sub(r"\\([^\w\s])", r"\1", text), end="\n\n", flush=True)


def when(seconds: float) -> str:
    """A moment as Discord's client tells it from now: in 24 hours, 2 minutes ago."""
    units = ((3600, "hour"), (60, "minute"), (1, "second"))
    size, unit = next((one for one in units if abs(seconds) >= 0.99 * one[0]), units[-1])
    number = round(abs(seconds) / size)
    told = f"{number} {unit}{'s' * (number != 1)}"
    return f"{told} ago" if seconds < 0 else f"in {told}"


# ── the bot ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def bot(show: Show) -> AsyncIterator[None]:
    """`elenchus bot` beside the fake; it has ended when this ends. Its log is in its home."""
    address = ["--discord-api", show.discord.api, "--discord-gateway", show.discord.gateway_url]
    environment = {**os.environ, "ELENCHUS_HOME": str(show.home), "DISCORD_TOKEN": show.discord.token}
    environment["ELENCHUS_DISCORD_MODELS"] = "scripted:demo*"
    with (show.home / "bot.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "elenchus.service.cli",
            "bot",
            *address,
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
        )
    try:
        yield
    except TimeoutError:
        print((show.home / "bot.log").read_text(encoding="utf-8"), file=sys.stderr)
        raise
    finally:
        await ended(process)


async def ended(process: asyncio.subprocess.Process) -> None:
    """Ask the process to end, and end it where it does not."""
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), 20)
    except TimeoutError:
        process.kill()
        await process.wait()


# ── what people do ───────────────────────────────────────────────────────────────────────────────────────────────────


async def begun(show: Show) -> None:
    """Alice settles the models, starts a debate with Bob in a seat, sees its cost and confirms."""
    alice, bob, place = show.people["Alice"], show.people["Bob"], show.channel
    told("Alice settles which models debate and judge here: /settings set")
    await alice.slash(place, "settings set", debater=MODEL, judges=f"{MODEL}, {MODEL}")
    told(f"Alice starts a debate: /debate start motion:{MOTION} con:@Bob topics:2 rounds:2")
    offer = await alice.slash(place, "debate start", motion=MOTION, con=bob.mention, topics=2, rounds=2)
    shown(show, f"── what Alice is asked before it starts ──\n\n{indent(offer.text)}")
    told("Alice sees what it will cost, and presses Start")
    started = await alice.press(offer.with_buttons, "Start")
    await show.discord.world.until(lambda: "The debate is in" in started.text, PATIENCE)
    await show.seen("el:panel:")


async def voted(show: Show, words: str, votes: Mapping[str, str]) -> Message:
    """The audience votes under the post with these words."""
    post = await show.seen(words)
    for name, side in votes.items():
        told(f"{name} votes: {side}")
        await show.people[name].press(post, side)
    return post


async def steered(show: Show) -> None:
    """Alice turns the heat down, and gives both sides guidance by the panel."""
    alice, panel = show.people["Alice"], await show.seen("el:panel:")
    told("Alice presses Heat −, and gives both sides guidance: Guide…")
    await alice.press(panel, "Heat −")
    form = (await alice.press(panel, "Guide…")).modal
    await alice.fill(form, {"side": "both", "text": "Say who pays, and when."})


async def seated(show: Show) -> None:
    """Bob agrees to what is recorded and takes every turn by its form, until the debate is over."""
    bob, last, speeches = show.people["Bob"], 0, list(SPEECHES)
    while turn := await next_turn(show, last):
        if "a refutation" in turn.content and len(speeches) == 3:
            await steered(show)
        answer = await bob.press(turn, "Answer")
        if not last:
            shown(show, f"── what Bob is asked before his first turn ──\n\n{indent(answer.text)}")
            told("Bob reads what is recorded and who will see it, and agrees")
            answer = await bob.press(answer.message, "I agree")
        if answer.has_modal:
            await answered(bob, answer.modal, speeches)
        else:
            told("Bob reads what a model has drafted, and sends it")
            await bob.press(answer.message, "Yes, send this")
        last = turn.id


async def next_turn(show: Show, last: int) -> Message | None:
    """Wait for the post that calls Bob to another turn; None when the debate is over."""
    bob = show.people["Bob"]

    def found() -> Message | None:
        called = [p for p in show.posts() if p.id > last and bob.id in p.pinged and "el:turn:" in str(p.components)]
        return called[0] if called else show.post("The debate is over")

    turn: Message = await show.discord.world.until(found, PATIENCE)
    return turn if "el:turn:" in str(turn.components) else None


async def answered(bob: Person, form: Modal, speeches: list[str]) -> None:
    """Fill the form of a turn."""
    told(f"Bob answers his turn ({form.title}) by the form")
    fields = fields_in(form.body)
    said = speeches[0]
    if fields[0]["custom_id"] == "text" and len(speeches) > 1:
        del speeches[0]
    typed = {field["custom_id"]: filled(field, said) for field in fields}
    sent = await bob.fill(form, typed)
    if "there is no topic 2" in sent.text:  # the other is signed by then, or not in the draft
        told("Bob is told that one topic is still to be signed, and corrects his answer")
        again = await bob.press(sent.message, "Correct it")
        sent = await bob.fill(again.modal, {name: text.partition("\n2 | ")[0] for name, text in typed.items()})
    assert "Your answer is in." in sent.text, sent.text


def fields_in(form: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields of a form, each with the hint of its label."""
    return [{**part["component"], "hint": part.get("description") or ""} for part in form["components"]]


def filled(asked: dict[str, Any], said: str) -> str:
    """What Bob puts into a field: his speech, his lines, or the first choice, which is yes."""
    if asked.get("options"):
        return str(asked["options"][0]["value"])
    lines = next((text for column, text in LISTS.items() if column in asked["hint"]), "")
    return said if asked["custom_id"] == "text" else lines


# ── all together ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def play(show: Show) -> None:
    """From the first command to the end of the audience's vote."""
    world, alice = show.discord.world, show.people["Alice"]
    shown(show, FILLER)
    told("the bot starts: elenchus bot --discord-api … --discord-gateway …")
    await world.until(lambda: world.commands, PATIENCE)
    await world.until(lambda: world.events.sessions, PATIENCE)  # before it has identified itself it hears nothing
    await begun(show)
    vote = await voted(show, "before the debate?", {"Carla": "For", "Dmitri": "Against", "Esra": "Undecided"})
    told("Alice begins the debate")
    await alice.press(vote, "Begin the debate")
    async with asyncio.TaskGroup() as both:
        both.create_task(seated(show))
        both.create_task(closed(show))
    await show.seen("✔ Finished")


async def closed(show: Show) -> None:
    """The audience votes once more, and Alice closes the vote."""
    vote = await voted(show, "where do you stand now?", {"Carla": "Against", "Dmitri": "Against", "Esra": "Against"})
    told("Alice closes the vote")
    await show.people["Alice"].press(vote, "Close the vote")
    await show.seen("The vote is closed")


async def demonstrate() -> None:
    """Play it in a folder that is removed afterwards, and print the channel and the thread."""
    judge = openapi_file().is_file()
    with tempfile.TemporaryDirectory(prefix="elenchus-demo-") as home:
        async with serving(Discord(rate_scale=0.05, judge=judge)) as discord:
            show = Show(discord, Path(home))
            async with bot(show):
                await play(show)
            for place in (show.channel, show.thread):
                shown(show, await channel_text(place, show.people["Alice"]))
    told(
        "every request of the bot was checked against Discord's own description of its API"
        if judge
        else "nothing was checked against Discord's own description of its API: its file is missing"
    )


if __name__ == "__main__":
    asyncio.run(demonstrate())
