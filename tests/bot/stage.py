"""A stage for the bot's tests: the strict Discord on loopback, the real client on it, a server with people in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elenchus.bot.client import ElenchusBot
from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.services import BotServices
from elenchus.config.settings import DiscordSettings, Settings
from elenchus.config.shared_settings import DatabaseSettings
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.service.app import App, open_app
from tests.fakes.discord import waiting
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.render import text_of
from tests.fakes.discord.running import using
from tests.fakes.discord.server import TOKEN, Discord, serving
from tests.fakes.discord.state import Channel, Guild, Message
from tests.fakes.discord.world import Times

DEMO = "scripted:demo"
ENDLESS = "scripted:demo?latency=60"
"""A model whose debate stays where it is for the length of a test."""

VOTE = 0.002
"""Minutes for which the audience may vote, where a test is about something else."""

PATIENCE = 120.0
QUICK: dict[str, Any] = {"panel_interval": 0.05, "guild_ready_timeout": 0.05}
"""How long a bot waits here between two edits of a panel, and for news of a further server."""


SCRIPTS_TOO = ("*", "scripted:*")
"""The models of a bot whose owner lets members have scripts as well: the tests' models are no others."""


def granted(*, message_content: bool = False, members: bool = False) -> DiscordSettings:
    """What the bot's owner says in the tests."""
    return DiscordSettings(models=SCRIPTS_TOO, message_content=message_content, members=members)


def services_of(app: App) -> BotServices:
    """The services as `elenchus bot` makes them."""
    return BotServices(app.settings, app.log, app.registry, app.runner, app.store, app.pseudonyms)


@dataclass
class Stage:
    """One Discord, one server in it, and our bot. `alice` is its moderator; `services_of` lays the bot's services."""

    discord: Discord
    home: Path
    guild: Guild
    channel: Channel
    alice: Person
    settings: DiscordSettings = field(default_factory=granted)
    database: DatabaseSettings = field(default_factory=DatabaseSettings)
    scripts: dict[str, ScriptedClient] = field(default_factory=dict)
    quick: bool = False
    """Whether a bot that is a process of its own starts warm (`tests/warm`) and is that of `quick.py`."""
    services_of: Callable[[App], BotServices] = services_of
    app: App | None = None
    bot: ElenchusBot | None = None

    # ── the bot ──────────────────────────────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def running(self, **options: float) -> AsyncIterator[ElenchusBot]:
        """The bot, connected, in this process; stopped at the end as by SIGTERM."""
        async with open_app(
            Settings(home=self.home, discord=self.settings, database=self.database), scripts=self.scripts
        ) as app:
            if await app.store.get("guilds", str(self.guild.id)) is None:
                await keep(
                    app.store,
                    self.guild.id,
                    GuildSettings(debater=DEMO, judges=(DEMO,), start="everyone", vote_minutes=VOTE),
                )
            self.app, self.bot = app, ElenchusBot(self.services_of(app), **QUICK | options)
            working = asyncio.create_task(self.bot.start(TOKEN))
            try:
                await asyncio.wait_for(self.bot.wait_until_ready(), PATIENCE)
                yield self.bot
            finally:
                await self.bot.close()
                await asyncio.gather(working, return_exceptions=True)
                if heard := [task for task in asyncio.all_tasks() if task.get_name().startswith("discord.py: ")]:
                    await asyncio.wait(heard, timeout=1)  # what was heard last begins before the loop is closed
                self.app = self.bot = None

    # ── what people do ───────────────────────────────────────────────────────────────────────────────────────────

    async def offer(self, who: Person | None = None, **options: Any) -> Answer:
        """Use `/debate start`: a small debate unless other options are given."""
        small: dict[str, Any] = {"motion": "Cities should ban cars", "topics": 1, "rounds": 1}
        return await (who or self.alice).slash(self.channel, "debate start", **small | options)

    async def debate(self, who: Person | None = None, **options: Any) -> Channel:
        """Start a debate and confirm it; its thread."""
        answer = await self.offer(who, **options)
        pressed = await (who or self.alice).press(offer_in(answer), "Start")
        await until(lambda: "The debate is in" in pressed.text)
        thread = self.thread()
        await until(lambda: any("el:panel:" in str(post.components) for post in posts(thread)))
        return thread

    def thread(self) -> Channel:
        """The newest thread."""
        return max((c for c in self.guild.channels.values() if c.is_thread), key=lambda c: c.id)

    # ── what is to be seen ───────────────────────────────────────────────────────────────────────────────────────

    def session(self, thread: Channel) -> str:
        """The session of a thread."""
        assert self.bot is not None
        return self.bot.bindings.in_thread(thread.id).session

    async def events(self, thread: Channel) -> list[Recorded]:
        """The log of a thread's session."""
        assert self.app is not None
        return await self.app.log.read(self.session(thread))

    def panel(self, thread: Channel) -> Message:
        """The panel in a thread."""
        found = [post for post in posts(thread) if "el:panel:" in str(post.components)]
        assert len(found) == 1, f"{len(found)} panels"
        return found[0]


def offer_in(answer: Answer) -> Message:
    """The message with the buttons."""
    return answer.with_buttons


def posts(thread: Channel) -> list[Message]:
    """What stands in a thread, in order."""
    return sorted((post for post in thread.messages.values() if not post.deleted), key=lambda post: post.id)


def texts(thread: Channel) -> list[str]:
    """The words of what stands there."""
    return [text_of(post) for post in posts(thread)]


async def finished(thread: Channel) -> None:
    """Wait until the debate is over and its report stands in the thread."""
    await until(lambda: any("report.md" in text for text in texts(thread)))


async def until(true: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Wait until something holds; what it gives. Raises TimeoutError."""
    return await waiting.until(true, patience)


@asynccontextmanager
async def stage_at(home: Path, **faking: Any) -> AsyncIterator[Stage]:
    """A stage whose bot lives in `home`; the fake's rate limits are a hundredth of Discord's unless said otherwise.

    People wait longer than Discord's 3 s for an acknowledgement, as the machine may be busy with other things: that
    nothing is done before it shows `test_acknowledging.py`, and the demo keeps to the 3 s.
    """
    usual: dict[str, Any] = {"rate_scale": 0.01, "times": Times(acknowledge=12.0)}
    discord = Discord(**usual | faking)
    async with serving(discord):
        guild = discord.world.guild()
        channel = discord.world.text_channel(guild, "debates")
        alice = discord.world.person("Alice", guild=guild)
        with using(discord.endpoints):
            yield Stage(discord, home, guild, channel, alice)


@asynccontextmanager
async def sharded(home: Path, shards: int) -> AsyncIterator[list[Stage]]:
    """A server of each shard, with an Alice, on one Discord that keeps to its five seconds, two shards at once."""
    async with stage_at(home, identify_every=5.0) as stage:
        stage.discord.gateway.max_concurrency = 2
        made, world = list[Stage](), stage.discord.world
        for number in range(shards):
            guild = world.guild(f"server {number}", shard=(number, shards))
            channel, alice = world.text_channel(guild, "debates"), world.person("Alice", guild=guild)
            made.append(replace(stage, guild=guild, channel=channel, alice=alice))
        yield made
