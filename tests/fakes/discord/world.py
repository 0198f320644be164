"""The fake's whole state, and how a test builds it: servers, channels, roles, people."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.fakes.discord import payloads, waiting
from tests.fakes.discord.clock import Clock
from tests.fakes.discord.errors import Refused
from tests.fakes.discord.events import PRIVILEGED, Events, Intent
from tests.fakes.discord.permissions import EVERYONE, NONE, Permission, in_channel
from tests.fakes.discord.state import (
    DM,
    Attachment,
    Channel,
    Command,
    Emoji,
    Guild,
    Interaction,
    Member,
    Message,
    Role,
    User,
    Webhook,
)

if TYPE_CHECKING:
    from tests.fakes.discord.people import Person

BOT_PERMISSIONS = (
    EVERYONE
    | Permission.MANAGE_WEBHOOKS
    | Permission.MANAGE_THREADS
    | Permission.MANAGE_MESSAGES
    | Permission.PIN_MESSAGES
)
"""What the bot's own role may do unless a test says otherwise."""


@dataclass
class Application:
    """`privileged`: the privileged intents that are switched on in the developer portal."""

    id: int
    name: str
    owner: User
    privileged: Intent = PRIVILEGED

    @property
    def flags(self) -> int:
        bits = {Intent.GUILD_PRESENCES: 1 << 13, Intent.GUILD_MEMBERS: 1 << 15, Intent.MESSAGE_CONTENT: 1 << 19}
        return sum(bit for intent, bit in bits.items() if intent & self.privileged)


@dataclass(frozen=True)
class Times:
    """Discord's deadlines, in seconds of the fake's clock."""

    acknowledge: float = 3.0
    token: float = 900.0
    old_message: float = 3600.0
    old_edits: int = 20
    """Edits of messages older than an hour, in one channel, in an hour. Discord does not publish its figure."""
    nonce: float = 300.0


class World:
    """Everything there is. The bot is one application with one bot user; the servers are a test's."""

    def __init__(self, times: Times | None = None, *, own_webhooks_readable: bool = False) -> None:
        self.clock, self.times = Clock(), times or Times()
        self.own_webhooks_readable = own_webhooks_readable
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.webhooks: dict[int, Webhook] = {}
        self.commands: dict[int, Command] = {}
        self.commands_made: list[float] = []
        self.emojis: dict[int, Emoji] = {}
        self.interactions: dict[str, Interaction] = {}
        self.files: dict[str, Attachment] = {}
        self.posts: list[Message] = []
        """Every message ever made, ephemeral and deleted ones as well, in order."""
        self.cdn = ""
        self.endless_files, self.sent_of_endless = False, 0
        self.api = ""
        self.bot = self.user("Elenchus", bot=True)
        self.application = Application(self.bot.id, "Elenchus", self.user("owner"))
        self.events = Events(self)

    def new_id(self) -> int:
        return self.clock.snowflake()

    def user(self, name: str, *, bot: bool = False) -> User:
        made = User(self.new_id(), name, bot)
        self.users[made.id] = made
        return made

    async def until(self, true: Callable[[], Any], within: float = 10.0) -> Any:
        """Wait until something holds; what it gives. Raises TimeoutError."""
        return await waiting.until(true, within)

    # what the bot sees

    def sees(self, member: Member, place: Channel) -> bool:
        return Permission.VIEW_CHANNEL in in_channel(member, place)

    def bot_sees(self, place: Channel) -> bool:
        if place.guild is None:
            return self.bot in place.recipients
        me = place.guild.members.get(self.bot.id)
        return me is not None and self.sees(me, place)

    def me(self, guild: Guild) -> Member:
        """The bot's membership. Raises Refused 50001 where it is no member (any more)."""
        found = guild.members.get(self.bot.id)
        if found is None:
            raise Refused(50001)
        return found

    def readable(self, post: Message, *, allowed: bool) -> bool:
        """Whether the application gets the content: with the intent, its own messages, direct ones, mentions of it."""
        own = post.author is self.bot or post.channel.guild is None or self.bot in post.mentions
        hook = self.webhooks.get(post.webhook_id or 0)
        by_own_hook = self.own_webhooks_readable and hook is not None and hook.application_id == self.application.id
        return allowed or own or by_own_hook

    def shown(self, post: Message) -> dict[str, object]:
        """A message as the REST API gives it to the bot."""
        allowed = bool(self.application.privileged & Intent.MESSAGE_CONTENT)
        shown = payloads.message(post)
        return shown if self.readable(post, allowed=allowed) else payloads.without_content(shown)

    # building

    def guild(
        self,
        name: str = "Agora",
        *,
        bot_permissions: Permission = BOT_PERMISSIONS,
        with_bot: bool = True,
        shard: tuple[int, int] = (0, 1),
    ) -> Guild:
        """A new server with an @everyone role, an owner, and the bot with a role of its own; its id is the shard's."""
        owner, number = self.user(f"owner of {name}"), self.new_id()
        number += ((shard[0] - (number >> 22)) % shard[1]) << 22
        made = Guild(number, name, owner.id, self.clock.now())
        made.roles[made.id] = Role(made.id, "@everyone", int(EVERYONE), position=0)
        self.guilds[made.id] = made
        self.join(made, owner)
        if with_bot:
            self.invite_bot(made, bot_permissions)
        return made

    def person(self, name: str, *, guild: Guild | None = None, roles: Iterable[Role] = ()) -> Person:
        """A scripted person, a member of the server (of the only one, unless another is named)."""
        from tests.fakes.discord.people import Person

        home = guild or next(iter(self.guilds.values()))
        who = self.user(name)
        self.join(home, who, *roles)
        return Person(self, who, home)

    def join(self, guild: Guild, who: User, *roles: Role) -> Member:
        made = Member(who, guild, self.clock.now(), {role.id for role in roles})
        guild.members[who.id] = made
        self.events.member("ADD", guild, payloads.member(made), who.id)
        return made

    def invite_bot(self, guild: Guild, permissions: Permission = BOT_PERMISSIONS) -> Member:
        """Add the bot with its managed role; a connected bot is told with GUILD_CREATE."""
        role = Role(self.new_id(), self.bot.name, int(permissions), managed=True, bot_id=self.bot.id)
        guild.roles[role.id] = role
        made = Member(self.bot, guild, self.clock.now(), {role.id})
        guild.members[self.bot.id] = made
        for session in [one for one in self.events.sessions.values() if one.has(guild.id)]:
            every = bool(session.intents & Intent.GUILD_MEMBERS)
            shown = payloads.guild_create(self, guild, all_members=every)
            del shown["unavailable"]  # by which a client tells a server that it is new to from one that is back
            self.events.say(session, "GUILD_CREATE", shown)
        return made

    def role(self, guild: Guild, name: str, permissions: Permission = NONE, *, mentionable: bool = False) -> Role:
        made = Role(self.new_id(), name, int(permissions), len(guild.roles), mentionable)
        guild.roles[made.id] = made
        self.events.role("CREATE", guild, {"role": payloads.role(made)})
        return made

    def text_channel(self, guild: Guild, name: str = "general") -> Channel:
        made = Channel(self.new_id(), 0, name, guild, position=len(guild.channels), created_at=self.clock.now())
        self.add_channel(made)
        return made

    def add_channel(self, made: Channel) -> None:
        assert made.guild is not None
        made.guild.channels[made.id] = made
        self.channels[made.id] = made
        self.events.channel("CREATE", made)

    def dm(self, who: User) -> Channel:
        """The direct-message channel of the bot and a person; made at the first call."""
        for place in self.channels.values():
            if place.type == DM and who in place.recipients:
                return place
        made = Channel(self.new_id(), DM, recipients=[who, self.bot], created_at=self.clock.now())
        self.channels[made.id] = made
        return made

    def webhook(self, place: Channel, name: str, creator: User, application: int | None = None) -> Webhook:
        made = Webhook(self.new_id(), secrets.token_urlsafe(51), place, name, creator, application_id=application)
        self.webhooks[made.id] = made
        self.events.webhooks_changed(made)
        return made
