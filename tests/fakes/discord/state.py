"""What the fake knows: users, servers, channels, messages, webhooks, commands, interactions. Values only."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

TEXT, DM, CATEGORY = 0, 1, 4
PUBLIC_THREAD, PRIVATE_THREAD = 11, 12
EPHEMERAL, LOADING, HAS_THREAD, SUPPRESS_EMBEDS, COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 5, 1 << 2, 1 << 15


@dataclass(eq=False)
class User:
    id: int
    name: str
    bot: bool = False
    avatar: str | None = None
    accepts_dm: bool = True
    locale: str = "en-US"


@dataclass(eq=False)
class Role:
    id: int
    name: str
    permissions: int
    position: int = 1
    mentionable: bool = False
    managed: bool = False
    bot_id: int | None = None


@dataclass
class Overwrite:
    """`kind`: 0 is a role, 1 a member."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(eq=False)
class Member:
    user: User
    guild: Guild
    joined_at: float
    roles: set[int] = field(default_factory=set)
    nick: str | None = None

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def shown_name(self) -> str:
        return self.nick or self.user.name


@dataclass(eq=False)
class Channel:
    """A text channel, a thread or a direct-message channel."""

    id: int
    type: int
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    topic: str | None = None
    position: int = 0
    nsfw: bool = False
    slowmode: int = 0
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    recipients: list[User] = field(default_factory=list)
    owner_id: int = 0
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    auto_archive: int = 4320
    archive_changed: float = 0.0
    created_at: float = 0.0
    thread_members: dict[int, float] = field(default_factory=dict)
    message_count: int = 0
    total_sent: int = 0
    renames: list[float] = field(default_factory=list)
    typing: list[int] = field(default_factory=list)
    old_edits: list[float] = field(default_factory=list)

    @property
    def is_thread(self) -> bool:
        return self.type in (PUBLIC_THREAD, PRIVATE_THREAD)

    @property
    def is_private_thread(self) -> bool:
        return self.type == PRIVATE_THREAD

    @property
    def members(self) -> dict[int, Member]:
        assert self.guild is not None
        return self.guild.members

    @property
    def last(self) -> Message | None:
        return max(self.messages.values(), key=lambda m: m.id, default=None)


@dataclass(eq=False)
class Attachment:
    id: int
    filename: str
    data: bytes
    content_type: str
    description: str | None = None
    url: str = ""
    ephemeral: bool = False


@dataclass(eq=False)
class Message:
    """`pinged` holds who was really notified: user ids, role ids, and "everyone" or "here"."""

    id: int
    channel: Channel
    author: User
    content: str = ""
    type: int = 0
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    tts: bool = False
    nonce: str | int | None = None
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    pinged: set[int | str] = field(default_factory=set)
    webhook_id: int | None = None
    application_id: int | None = None
    reference: Message | None = None
    thread: Channel | None = None
    announces: Channel | None = None
    """The thread that this message says was started."""
    interaction_metadata: Json | None = None
    edited_at: float | None = None
    pinned_at: float | None = None
    reactions: dict[str, set[int]] = field(default_factory=dict)
    own_reactions: set[str] = field(default_factory=set)
    """Those of the bot among them."""
    poll: Json | None = None
    only_for: int | None = None
    """The one person who sees an ephemeral message."""
    deleted: bool = False

    @property
    def ephemeral(self) -> bool:
        return self.only_for is not None


@dataclass(eq=False)
class Webhook:
    id: int
    token: str
    channel: Channel
    name: str
    creator: User
    avatar: str | None = None
    application_id: int | None = None


@dataclass(eq=False)
class Emoji:
    id: int
    name: str
    image: bytes
    animated: bool
    creator: User


@dataclass(eq=False)
class Command:
    """`body` is the command as registered; `guild_id` None is a global one."""

    id: int
    guild_id: int | None
    body: Json
    version: int

    @property
    def name(self) -> str:
        return str(self.body["name"])

    @property
    def type(self) -> int:
        return int(self.body.get("type") or 1)


@dataclass(eq=False)
class Guild:
    id: int
    name: str
    owner_id: int
    created_at: float
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    command_permissions: dict[int, list[Json]] = field(default_factory=dict)
    """What the server's administrators set for a command, by its id: {id, type 1 role 2 user 3 channel, permission}."""


@dataclass(eq=False)
class Interaction:
    """Something a person did with the application, and what came back. `kind` is Discord's interaction type."""

    id: int
    kind: int
    token: str
    user: User
    channel: Channel
    created: float
    data: Json
    message: Message | None = None
    acknowledged: int | None = None
    acknowledged_at: float | None = None
    original: Message | None = None
    original_waits: bool = False
    """A "thinking…" that has not been replaced yet."""
    followups: list[Message] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def stir(self) -> None:
        """Wake whoever waits for the application's next word."""
        self.changed.set()
        self.changed = asyncio.Event()
