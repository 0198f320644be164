"""What the tests of the fake share: plain requests, and small real bots."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
from discord import app_commands

from tests.fakes.discord import threads
from tests.fakes.discord.people import Person
from tests.fakes.discord.server import Discord
from tests.fakes.discord.state import PUBLIC_THREAD, Channel, Guild, Webhook
from tests.fakes.discord.world import World


@dataclass
class Place:
    world: World
    guild: Guild
    channel: Channel
    alice: Person


@dataclass(frozen=True)
class Response:
    status: int
    body: Any
    headers: dict[str, str]

    @property
    def code(self) -> int:
        return int(self.body["code"])

    @property
    def errors(self) -> str:
        return json.dumps(self.body.get("errors", {}))


@dataclass
class Rest:
    """Requests without any library's help, so that what the library would never send can be sent.

    A short 429 is waited out; `once` shows it.
    """

    fake: Discord
    session: aiohttp.ClientSession

    async def __call__(self, method: str, path: str, body: Any = None, **more: Any) -> Response:
        while True:
            got = await self.once(method, path, body, **more)
            if got.status != 429 or got.body["retry_after"] > 1:
                return got
            await asyncio.sleep(got.body["retry_after"])

    async def once(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        files: dict[str, bytes] | None = None,
        token: str | None = "",
        raw: bytes | None = None,
    ) -> Response:
        headers = {} if token is None else {"Authorization": f"Bot {token or self.fake.token}"}
        data: Any = raw
        if files is not None:
            data = aiohttp.FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body or {}), content_type="application/json")
            for index, (name, content) in enumerate(files.items()):
                data.add_field(
                    f"files[{index}]", io.BytesIO(content), filename=name, content_type="application/octet-stream"
                )
            body = None
        kwargs: dict[str, Any] = {"json": body} if body is not None else {"data": data}
        async with self.session.request(method, self.fake.api + path, headers=headers, **kwargs) as response:
            text = await response.text()
            shown = json.loads(text) if text.startswith(("{", "[")) else text or None
            return Response(response.status, shown, dict(response.headers))


class Bot(discord.Client):
    """A client with a command tree that registers what a test put into it."""

    def __init__(self, *, intents: discord.Intents | None = None, **options: Any) -> None:
        super().__init__(intents=intents or discord.Intents.default(), guild_ready_timeout=0.05, **options)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[discord.Message] = []
        self.happened: list[str] = []

    async def setup_hook(self) -> None:
        if self.tree.get_commands() or self.tree.get_commands(type=discord.AppCommandType.message):
            await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not wait the 5 s that discord.py waits before a second login."""

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(message)

    async def on_connect(self) -> None:
        self.happened.append("connect")

    async def on_resumed(self) -> None:
        self.happened.append("resumed")

    async def on_disconnect(self) -> None:
        self.happened.append("disconnect")


def channel_in(bot: discord.Client, place: Place) -> discord.TextChannel:
    """The place's channel as the real client knows it."""
    channel = bot.get_channel(place.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


def hook_of(place: Place, name: str = "Personas") -> Webhook:
    """A new webhook of the bot's own application."""
    return place.world.webhook(place.channel, name, place.world.bot, place.world.application.id)


def path(hook: Webhook) -> str:
    """Where it is posted by."""
    return f"/webhooks/{hook.id}/{hook.token}"


def thread_of(place: Place, kind: int = PUBLIC_THREAD) -> Channel:
    """A new thread that the bot began."""
    me = place.guild.members[place.world.bot.id]
    return threads.start(place.world, place.channel, me, {"name": "Debate", "type": kind})
