"""State as the JSON that Discord sends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fakes.discord.clock import iso, seconds_of
from tests.fakes.discord.state import (
    Attachment,
    Channel,
    Command,
    Emoji,
    Guild,
    Json,
    Member,
    Message,
    Role,
    User,
    Webhook,
)

if TYPE_CHECKING:
    from tests.fakes.discord.world import World


NOT_SET = (
    "icon", "description", "home_header", "splash", "discovery_splash", "banner", "application_id", "afk_channel_id",
    "system_channel_id", "widget_channel_id", "vanity_url_code", "rules_channel_id", "safety_alerts_channel_id",
    "public_updates_channel_id", "incidents_data",
)  # fmt: skip
"""What an ordinary server has not."""


def user(who: User) -> Json:
    shown = {"id": str(who.id), "username": who.name, "avatar": who.avatar, "discriminator": "0", "public_flags": 0}
    shown |= {"flags": 0, "global_name": None if who.bot else who.name, "primary_guild": None}
    return shown | ({"bot": True} if who.bot else {})


def webhook_author(who: User) -> Json:
    """A webhook's author has no flags of a person, the discriminator 0000, and counts as a bot."""
    return user(who) | {"discriminator": "0000", "bot": True, "global_name": None}


def member(who: Member, *, with_user: bool = True) -> Json:
    shown: Json = {"avatar": None, "banner": None, "communication_disabled_until": None, "flags": 0}
    shown |= {"joined_at": iso(who.joined_at), "nick": who.nick, "pending": False, "premium_since": None}
    shown |= {"roles": [str(role) for role in sorted(who.roles)], "mute": False, "deaf": False}
    return shown | ({"user": user(who.user)} if with_user else {})


def role(one: Role) -> Json:
    colours = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    shown = {"id": str(one.id), "name": one.name, "permissions": str(int(one.permissions)), "position": one.position}
    shown |= {"color": 0, "colors": colours, "hoist": False, "managed": one.managed, "mentionable": one.mentionable}
    shown |= {"icon": None, "unicode_emoji": None, "flags": 0}
    return shown | ({"tags": {"bot_id": str(one.bot_id)}} if one.bot_id else {})


def overwrites(place: Channel) -> list[Json]:
    return [
        {"id": str(o.id), "type": o.kind, "allow": str(int(o.allow)), "deny": str(int(o.deny))}
        for o in place.overwrites.values()
    ]


def channel(place: Channel, me: int | None = None) -> Json:
    """A channel; `me` is whose membership of a thread is told with it."""
    last = place.last
    shown: Json = {
        "id": str(place.id),
        "type": place.type,
        "flags": 0,
        "last_message_id": str(last.id) if last else None,
    }
    if place.guild is None:
        return shown | {"recipients": [user(who) for who in place.recipients]}
    shown |= {"guild_id": str(place.guild.id), "name": place.name, "rate_limit_per_user": place.slowmode}
    shown["parent_id"] = str(place.parent.id) if place.parent else None
    if place.is_thread:
        return shown | _thread(place, me)
    shown |= {"position": place.position, "topic": place.topic, "nsfw": place.nsfw}
    return shown | {"permission_overwrites": overwrites(place)}


def _thread(place: Channel, me: int | None) -> Json:
    data: Json = {"archived": place.archived, "archive_timestamp": iso(place.archive_changed), "locked": place.locked}
    data |= {"auto_archive_duration": place.auto_archive, "create_timestamp": iso(place.created_at)}
    if place.is_private_thread:
        data["invitable"] = place.invitable
    shown: Json = {"owner_id": str(place.owner_id), "thread_metadata": data, "message_count": place.message_count}
    shown |= {"member_count": min(50, len(place.thread_members)), "total_message_sent": place.total_sent}
    if me is not None and me in place.thread_members:
        shown["member"] = thread_member(place, me)
    return shown


def thread_member(place: Channel, who: int) -> Json:
    return {"id": str(place.id), "user_id": str(who), "join_timestamp": iso(place.thread_members[who]), "flags": 0}


def attachment(file: Attachment) -> Json:
    shown: Json = {"id": str(file.id), "filename": file.filename, "size": len(file.data), "url": file.url}
    shown |= {"proxy_url": file.url, "content_type": file.content_type}
    if file.description is not None:
        shown["description"] = file.description
    if file.ephemeral:
        shown["ephemeral"] = True
    return shown


def message(post: Message, *, deep: bool = True) -> Json:
    """A message as those see it who may read its content."""
    author = webhook_author(post.author) if post.webhook_id and not post.interaction_metadata else user(post.author)
    shown: Json = {"id": str(post.id), "type": post.type, "channel_id": str(post.channel.id), "author": author}
    shown |= {"content": post.content, "embeds": post.embeds, "components": post.components, "tts": post.tts}
    shown |= {"attachments": [attachment(file) for file in post.attachments], "flags": post.flags}
    shown |= {
        "timestamp": iso(seconds_of(post.id)),
        "edited_timestamp": iso(post.edited_at) if post.edited_at else None,
    }
    shown |= {"mentions": [user(who) for who in post.mentions], "mention_everyone": post.mention_everyone}
    shown |= {"mention_roles": [str(one) for one in post.mention_roles], "pinned": post.pinned_at is not None}
    shown |= _extras(post)
    if deep and post.reference is not None:
        shown["referenced_message"] = None if post.reference.deleted else message(post.reference, deep=False)
    return shown


def _extras(post: Message) -> Json:
    shown: Json = {}
    if post.nonce is not None:
        shown["nonce"] = post.nonce
    if post.webhook_id:
        shown["webhook_id"] = str(post.webhook_id)
    if post.application_id:
        shown["application_id"] = str(post.application_id)
    if post.thread:
        shown["thread"] = channel(post.thread)
    if post.interaction_metadata:
        shown["interaction_metadata"] = post.interaction_metadata
    if post.poll:
        shown["poll"] = post.poll
    place = post.announces or (post.reference.channel if post.reference else None)
    if place:
        shown["message_reference"] = _reference(post, place)
    if post.reactions:
        shown["reactions"] = [reaction(post, emoji) for emoji, who in post.reactions.items() if who]
    return shown


def _reference(post: Message, place: Channel) -> Json:
    """Where a reply, a thread's starter or the news of a thread points to."""
    shown: Json = {"type": 0, "channel_id": str(place.id)}
    shown |= {"message_id": str(post.reference.id)} if post.reference else {}
    return shown | ({"guild_id": str(place.guild.id)} if place.guild else {})


def emoji_of(key: str) -> Json:
    """An emoji of a reaction, by its key: the character, or name:id."""
    name, _, number = key.partition(":")
    return {"id": number or None, "name": name}


def reaction(post: Message, key: str) -> Json:
    count = len(post.reactions[key])
    details = {"burst": 0, "normal": count}
    shown: Json = {"emoji": emoji_of(key), "count": count, "count_details": details, "burst_colors": []}
    return shown | {"me_burst": False, "me": key in post.own_reactions}


def without_content(shown: Json) -> Json:
    """What an application sees of it that has no right to the content of messages."""
    hidden = shown | {"content": "", "embeds": [], "attachments": [], "components": []}
    hidden.pop("poll", None)
    if hidden.get("referenced_message"):
        hidden["referenced_message"] = without_content(hidden["referenced_message"])
    return hidden


def webhook(hook: Webhook, api: str, *, with_token: bool = True, with_user: bool = True) -> Json:
    guild = hook.channel.guild
    shown: Json = {"id": str(hook.id), "type": 1, "name": hook.name, "avatar": hook.avatar}
    shown |= {"channel_id": str(hook.channel.id), "guild_id": str(guild.id) if guild else None}
    shown["application_id"] = str(hook.application_id) if hook.application_id else None
    if with_user:
        shown["user"] = user(hook.creator)
    if with_token:
        shown |= {"token": hook.token, "url": f"{api}/webhooks/{hook.id}/{hook.token}"}
    return shown


def emoji(one: Emoji) -> Json:
    shown: Json = {"id": str(one.id), "name": one.name, "roles": [], "require_colons": True, "managed": False}
    return shown | {"animated": one.animated, "available": True, "user": user(one.creator)}


def command(one: Command, application: int) -> Json:
    defaults: Json = {"default_member_permissions": None, "description": "", "nsfw": False, "dm_permission": True}
    shown = defaults | {key: value for key, value in one.body.items() if value is not None}
    shown |= {"id": str(one.id), "application_id": str(application), "version": str(one.version), "type": one.type}
    if one.body.get("default_member_permissions") is not None:
        shown["default_member_permissions"] = str(one.body["default_member_permissions"])
    shown.setdefault("integration_types", [0])
    shown.setdefault("contexts", None)
    return shown | ({"guild_id": str(one.guild_id)} if one.guild_id else {})


def guild(one: Guild) -> Json:
    shown: Json = dict.fromkeys(NOT_SET)
    shown |= {"id": str(one.id), "name": one.name, "owner_id": str(one.owner_id), "region": "deprecated"}
    shown |= {"features": [], "afk_timeout": 300, "system_channel_flags": 0, "widget_enabled": False}
    shown |= {"verification_level": 0, "default_message_notifications": 0, "mfa_level": 0, "explicit_content_filter": 0}
    shown |= {"max_presences": None, "max_members": 500_000, "max_stage_video_channel_users": 50}
    shown |= {"max_video_channel_users": 25, "premium_tier": 0, "premium_subscription_count": 0}
    shown |= {"preferred_locale": "en-US", "premium_progress_bar_enabled": False, "nsfw": False, "nsfw_level": 0}
    shown |= {"roles": [role(each) for each in one.roles.values()], "emojis": [], "stickers": []}
    return shown


def guild_create(world: World, one: Guild, *, all_members: bool) -> Json:
    """The GUILD_CREATE of the bot: all channels, hidden ones too, the threads that it sees, members by the intent."""
    me = one.members[world.bot.id]
    known = list(one.members.values()) if all_members and len(one.members) <= 250 else [me]
    shown = guild(one) | {"joined_at": iso(me.joined_at), "large": len(one.members) > 250, "unavailable": False}
    shown |= {"member_count": len(one.members), "voice_states": [], "members": [member(who) for who in known]}
    shown["channels"] = [channel(place) for place in one.channels.values() if not place.is_thread]
    threads = [place for place in one.channels.values() if place.is_thread and not place.archived]
    shown["threads"] = [channel(place, me.id) for place in threads if world.sees(me, place)]
    return shown | {"presences": [], "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": []}


def application(world: World) -> Json:
    """The application as /applications/@me gives it."""
    app = world.application
    shown: Json = {"id": str(app.id), "name": app.name, "icon": None, "description": "", "type": None, "slug": app.name}
    shown |= {"verify_key": "0" * 64, "flags": app.flags, "flags_new": str(app.flags), "bot": user(world.bot)}
    shown |= {"bot_public": True, "bot_require_code_grant": False, "redirect_uris": [], "team": None}
    shown |= {"interactions_endpoint_url": None, "role_connections_verification_url": None, "owner": user(app.owner)}
    shown |= {"approximate_guild_count": len(world.guilds), "approximate_user_install_count": 0}
    shown |= {"approximate_user_authorization_count": 0, "explicit_content_filter": 0, "eligible_oauth2_scopes": []}
    return shown


def walk(components: list[Json]) -> list[Json]:
    """Every component of a message or a modal, however deep."""
    found: list[Json] = []
    for one in components:
        found.append(one)
        inner: list[Any] = [*one.get("components", ()), *([one["component"]] if "component" in one else [])]
        inner += [one["accessory"]] if "accessory" in one else []
        found += walk(inner)
    return found
