"""Which event goes to which gateway session: intents, what the bot may see, and whose content it may read."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntFlag
from typing import TYPE_CHECKING

from tests.fakes.discord import payloads
from tests.fakes.discord.state import Channel, Guild, Json, Message, Webhook

if TYPE_CHECKING:
    from tests.fakes.discord.connections import Session
    from tests.fakes.discord.world import World


class Intent(IntFlag):
    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_WEBHOOKS = 1 << 5
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
KNOWN = (1 << 26) - 1
"""Every bit that Discord knows as an intent; another one is close code 4013."""

SCHEMAS: dict[str, tuple[tuple[str, str], ...]] = {
    "READY": (("user", "UserPIIResponse"),),
    "GUILD_CREATE": (
        ("", "GuildResponse"),
        ("members", "GuildMemberResponse"),
        ("channels", "GuildChannelResponse"),
        ("threads", "ThreadResponse"),
    ),
    "INTERACTION_CREATE": (("message", "MessageResponse"), ("member", "GuildMemberResponse"), ("user", "UserResponse")),
    "MESSAGE_CREATE": (("", "MessageResponse"),),
    "MESSAGE_UPDATE": (("", "MessageResponse"),),
    "CHANNEL_CREATE": (("", "GuildChannelResponse"),),
    "CHANNEL_UPDATE": (("", "GuildChannelResponse"),),
    "CHANNEL_DELETE": (("", "GuildChannelResponse"),),
    "THREAD_CREATE": (("", "ThreadResponse"),),
    "THREAD_UPDATE": (("", "ThreadResponse"),),
    "THREAD_LIST_SYNC": (("threads", "ThreadResponse"), ("members", "ThreadMemberResponse")),
    "THREAD_MEMBERS_UPDATE": (("added_members", "ThreadMemberResponse"),),
    "GUILD_MEMBER_ADD": (("", "GuildMemberResponse"),),
    "GUILD_MEMBER_UPDATE": (("", "GuildMemberResponse"),),
    "GUILD_MEMBERS_CHUNK": (("members", "GuildMemberResponse"),),
    "GUILD_ROLE_CREATE": (("role", "GuildRoleResponse"),),
    "GUILD_ROLE_UPDATE": (("role", "GuildRoleResponse"),),
}
"""Which parts of an event are objects of the REST API (or lists of them), and which."""

Adapt = Callable[["Session"], Json]


class Events:
    """Says what happened to whoever is connected. Nothing is sent for what the bot cannot see."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sessions: dict[str, Session] = {}
        self.on_event: Callable[[str, str, Json], None] = lambda name, schema, data: None
        """Called with what is sent and the schema that it must fit."""

    def send(self, name: str, data: Json | Adapt, intent: Intent | None = None, guild: int = 0) -> None:
        """Say it to the shard of the server; of what is in none to the first one."""
        for session in list(self.sessions.values()):
            if session.has(guild) and (intent is None or session.intents & intent):
                self.say(session, name, data(session) if callable(data) else data)

    def say(self, session: Session, name: str, data: Json) -> None:
        """Say it to one session, checked against Discord's description."""
        for part, schema in SCHEMAS.get(name, ()):
            found = data.get(part, []) if part else data
            for one in found if isinstance(found, list) else [found]:
                self.on_event(name, schema, one)
        session.say(name, data)

    def in_channel(self, name: str, place: Channel, data: Json | Adapt, intent: Intent = Intent.GUILDS) -> None:
        """Say it if the bot sees the channel (a direct message's channel it always sees)."""
        if self.world.bot_sees(place):
            self.send(name, data, intent, place.guild.id if place.guild else 0)

    # messages

    def posted(self, post: Message) -> None:
        self._message("MESSAGE_CREATE", post)

    def edited(self, post: Message) -> None:
        self._message("MESSAGE_UPDATE", post)

    def _message(self, name: str, post: Message) -> None:
        if post.ephemeral:
            return
        shown = payloads.message(post) | self._where(post.channel)
        guild = post.channel.guild
        if guild and not post.webhook_id and post.author.id in guild.members:
            shown["member"] = payloads.member(guild.members[post.author.id], with_user=False)

        def adapt(session: Session) -> Json:
            allowed = bool(session.intents & Intent.MESSAGE_CONTENT)
            return shown if self.world.readable(post, allowed=allowed) else payloads.without_content(shown)

        intent = Intent.GUILD_MESSAGES if guild else Intent.DIRECT_MESSAGES
        self.in_channel(name, post.channel, adapt, intent)

    def removed(self, post: Message) -> None:
        shown = {"id": str(post.id), "channel_id": str(post.channel.id)} | self._where(post.channel)
        intent = Intent.GUILD_MESSAGES if post.channel.guild else Intent.DIRECT_MESSAGES
        if not post.ephemeral:
            self.in_channel("MESSAGE_DELETE", post.channel, shown, intent)

    def reacted(self, post: Message, emoji: str, who: int, *, added: bool) -> None:
        shown: Json = {"user_id": str(who), "channel_id": str(post.channel.id), "message_id": str(post.id)}
        shown |= {"emoji": payloads.emoji_of(emoji), "burst": False, "type": 0} | self._where(post.channel)
        guild = post.channel.guild
        if added:
            shown["message_author_id"] = str(post.author.id)
            if guild and who in guild.members:
                shown["member"] = payloads.member(guild.members[who])
        intent = Intent.GUILD_MESSAGE_REACTIONS if guild else Intent.DIRECT_MESSAGE_REACTIONS
        self.in_channel("MESSAGE_REACTION_ADD" if added else "MESSAGE_REACTION_REMOVE", post.channel, shown, intent)

    def typing(self, place: Channel, who: int) -> None:
        shown: Json = {"channel_id": str(place.id), "user_id": str(who), "timestamp": int(self.world.clock.now())}
        guild = place.guild
        if guild and who in guild.members:
            shown["member"] = payloads.member(guild.members[who])
        intent = Intent.GUILD_MESSAGE_TYPING if guild else Intent.DIRECT_MESSAGE_TYPING
        self.in_channel("TYPING_START", place, shown | self._where(place), intent)

    def pins_changed(self, place: Channel) -> None:
        shown: Json = {"channel_id": str(place.id), "last_pin_timestamp": None} | self._where(place)
        self.in_channel("CHANNEL_PINS_UPDATE", place, shown)

    # channels, threads, webhooks

    def channel(self, name: str, place: Channel) -> None:
        """Say CHANNEL_CREATE, CHANNEL_UPDATE or CHANNEL_DELETE, for a thread THREAD_… of the same.

        Hidden channels are told of too (their overwrites say that they are hidden); hidden threads are not.
        """
        me = self.world.bot.id
        if not place.is_thread:
            if place.guild and me in place.guild.members:
                self.send(f"CHANNEL_{name}", payloads.channel(place), Intent.GUILDS, place.guild.id)
            return
        shown = payloads.channel(place, me)
        if name == "DELETE":
            shown = {key: shown[key] for key in ("id", "guild_id", "parent_id", "type")}
        if name == "CREATE":
            shown["newly_created"] = True
        self.in_channel(f"THREAD_{name}", place, shown)

    def threads_seen(self, place: Channel) -> None:
        """Say THREAD_LIST_SYNC: the bot now sees a channel, and so its threads."""
        assert place.guild is not None
        me = self.world.bot.id
        found = [one for one in place.guild.channels.values() if one.parent is place and not one.archived]
        found = [one for one in found if self.world.bot_sees(one)]
        shown: Json = {"guild_id": str(place.guild.id), "channel_ids": [str(place.id)]}
        shown["threads"] = [payloads.channel(one, me) for one in found]
        shown["members"] = [payloads.thread_member(one, me) for one in found if me in one.thread_members]
        self.send("THREAD_LIST_SYNC", shown, Intent.GUILDS, place.guild.id)

    def thread_members(self, place: Channel, added: list[int], removed: list[int]) -> None:
        """With the members intent for everybody; without it only where the bot itself comes or goes."""
        assert place.guild is not None
        guild = place.guild
        shown: Json = {"id": str(place.id), "guild_id": str(guild.id), "removed_member_ids": list(map(str, removed))}
        shown["member_count"] = min(50, len(place.thread_members))
        known = [who for who in added if who in guild.members]
        shown["added_members"] = [
            payloads.thread_member(place, who) | {"member": payloads.member(guild.members[who]), "presence": None}
            for who in known
        ]
        mine = self.world.bot.id in (*added, *removed)
        if mine or self.world.bot_sees(place):
            intent = Intent.GUILDS if mine else Intent.GUILD_MEMBERS
            self.send("THREAD_MEMBERS_UPDATE", shown, intent, guild.id)

    def webhooks_changed(self, hook: Webhook) -> None:
        shown = {"channel_id": str(hook.channel.id)} | self._where(hook.channel)
        self.in_channel("WEBHOOKS_UPDATE", hook.channel, shown, Intent.GUILD_WEBHOOKS)

    # members, roles, servers

    def member(self, name: str, guild: Guild, data: Json, who: int) -> None:
        """GUILD_MEMBER_ADD, _UPDATE, _REMOVE: a privileged intent, but for the bot's own."""
        if self.world.bot.id in guild.members:
            own = who == self.world.bot.id
            shown = data | {"guild_id": str(guild.id)}
            self.send(f"GUILD_MEMBER_{name}", shown, Intent.GUILDS if own else Intent.GUILD_MEMBERS, guild.id)

    def role(self, name: str, guild: Guild, data: Json) -> None:
        if self.world.bot.id in guild.members:
            self.send(f"GUILD_ROLE_{name}", data | {"guild_id": str(guild.id)}, Intent.GUILDS, guild.id)

    def _where(self, place: Channel) -> Json:
        return {"guild_id": str(place.guild.id)} if place.guild else {}
