"""A request on its way: what a handler gets, what it gives back, and the table of routes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes.discord import permissions
from tests.fakes.discord.errors import Refused, invalid
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.posting import Files
from tests.fakes.discord.state import Channel, Guild, Json, Member, Message
from tests.fakes.discord.world import World

if TYPE_CHECKING:
    from tests.fakes.discord.server import Discord


@dataclass(frozen=True)
class Reply:
    """An answer; a `body` of None is none at all."""

    status: int
    body: Any = None


def ok(body: Any) -> Reply:
    return Reply(200, body)


def nothing() -> Reply:
    return Reply(204)


@dataclass
class Call:
    """One request: route, values of the path, query and body, the last two checked against the description."""

    discord: Discord
    method: str
    template: str
    values: dict[str, str]
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None
    files: Files = field(default_factory=dict)
    authorised: bool = False

    @property
    def world(self) -> World:
        return self.discord.world

    def id(self, name: str) -> int:
        """A number of the path. Raises Refused 50035 where it is none."""
        return self.number(name, self.values[name])

    def number(self, name: str, text: Any) -> int:
        if not str(text).isdigit():
            raise invalid(name, code="NUMBER_TYPE_COERCE", message=f'Value "{text}" is not snowflake.')
        return int(text)

    def asked(self, name: str) -> bool:
        """A yes or no of the query."""
        return self.query.get(name, "").lower() in {"1", "true"}

    def json(self) -> Json:
        return self.body if isinstance(self.body, dict) else {}

    def guild(self) -> Guild:
        """The server of the path. Raises Refused 10004, or 50001 where the bot is no member."""
        found = self.world.guilds.get(self.id("guild_id"))
        if found is None:
            raise Refused(10004)
        self.world.me(found)
        return found

    def me(self, place: Channel) -> Member:
        assert place.guild is not None
        return self.world.me(place.guild)

    def channel(self, *needed: Permission) -> Channel:
        """The channel of the path, if the bot sees it and may do all that is needed there."""
        place = self.world.channels.get(self.id("channel_id"))
        if place is None:
            raise Refused(10003)
        self.demand(place, *needed)
        return place

    def demand(self, place: Channel, *needed: Permission) -> None:
        if place.guild is None:
            if self.world.bot not in place.recipients:
                raise Refused(50001)
            return
        permissions.demand(self.me(place), place, *needed)

    def may(self, place: Channel, bit: Permission) -> bool:
        return place.guild is None or bit in permissions.in_channel(self.me(place), place)

    def message(self, place: Channel) -> Message:
        post = place.messages.get(self.id("message_id"))
        if post is None:
            raise Refused(10008)
        return post


Handler = Callable[[Call], Reply]
ROUTES: dict[tuple[str, str], Handler] = {}


def route(method: str, template: str) -> Callable[[Handler], Handler]:
    """Register a handler under Discord's own path template."""

    def register(handler: Handler) -> Handler:
        ROUTES[method, template] = handler
        return handler

    return register
