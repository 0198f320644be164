"""`/settings show|set|reset`: what a server allows and prefers. Members with Manage Server change it."""

from __future__ import annotations

import re
from typing import Any, Literal

import discord
from discord import app_commands
from discord.app_commands import Range

from elenchus.bot.debate.seats import MOST_JUDGES
from elenchus.bot.guild import GuildSettings, keep, permissions_of, settings_of
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.model_rules import check_models
from elenchus.bot.rendering.safe import inline
from elenchus.bot.services import BotServices
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.registry import parse_spec

Name = Literal[
    "moderator_role", "start", "debater", "judges", "day_usd", "day_tokens", "turn_hours", "stand_in", "plain_messages",
    "vote_minutes", "models", "channels", "member_starts", "member_minutes", "unpriced_usd", "all",
]  # fmt: skip


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.default_permissions(manage_guild=True)
class SettingsCommands(app_commands.Group, name="settings", description=msg("settings-group")):
    """The commands. All raise UsageError, ProviderError, StorageError."""

    def __init__(self, services: BotServices) -> None:
        super().__init__()
        self.services = services

    @app_commands.command(name="show", description=msg("settings-show"))
    async def show(self, interaction: Interaction) -> None:
        """The settings, to whoever asks."""
        settings = await settings_of(self.services.store, requester_of(interaction).guild.id)
        await interaction.followup.send(embed=shown(settings), ephemeral=True)

    @app_commands.command(name="set", description=msg("settings-set"))
    @app_commands.describe(**messages("settings-options"))
    async def change(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        self,
        interaction: Interaction,
        moderator_role: discord.Role | None = None,
        start: Literal["everyone", "moderators"] | None = None,
        debater: Range[str, 3, 100] | None = None,
        judges: Range[str, 3, 500] | None = None,
        day_usd: Range[float, 0.01, None] | None = None,
        day_tokens: Range[int, 1, None] | None = None,
        turn_hours: Range[float, 0.01, 720.0] | None = None,
        stand_in: bool | None = None,
        plain_messages: bool | None = None,
        vote_minutes: Range[float, 0.01, 1440.0] | None = None,
        models: Range[str, 1, 500] | None = None,
        channels: Range[str, 1, 500] | None = None,
        member_starts: Range[int, 1, None] | None = None,
        member_minutes: Range[float, 0.01, 1440.0] | None = None,
        unpriced_usd: Range[float, 0.000001, None] | None = None,
    ) -> None:
        """Keep what was given."""
        given = {name: value for name, value in locals().items() if name in messages("settings-options")}
        member = check_manager(interaction)
        changes = {name: value for name, value in given.items() if value is not None}
        if not changes:
            raise UsageError(msg("settings-nothing"))
        former = await settings_of(self.services.store, member.guild.id)
        settings = GuildSettings.model_validate({**former.model_dump(), **self._checked(former, changes)})
        await keep(self.services.store, member.guild.id, settings)
        unread = changes.get("plain_messages") and not self.services.settings.discord.message_content
        text = f"{msg('settings-changed')}\n{msg('settings-cannot-read')}" if unread else msg("settings-changed")
        await tell(interaction, text, embed=shown(settings))

    @app_commands.command(name="reset", description=msg("settings-reset"))
    @app_commands.describe(setting=msg("settings-which"))
    async def reset(self, interaction: Interaction, setting: Name) -> None:
        """Put one back, or all."""
        member = check_manager(interaction)
        former = await settings_of(self.services.store, member.guild.id)
        field: str = "turn_seconds" if setting == "turn_hours" else setting
        kept = {} if setting == "all" else former.model_dump(exclude={field})
        settings = GuildSettings.model_validate(kept)
        await keep(self.services.store, member.guild.id, settings)
        await tell(interaction, msg("settings-changed"), embed=shown(settings))

    def _checked(self, former: GuildSettings, changes: dict[str, Any]) -> dict[str, Any]:
        """The changes as fields of the settings; models are allowed, and to be had."""
        made = dict(changes)
        if hours := made.pop("turn_hours", None):
            made["turn_seconds"] = hours * 3600.0
        if role := made.pop("moderator_role", None):
            made["moderator_role"] = role.id
        if judges := made.pop("judges", None):
            made["judges"] = tuple(spec for spec in re.split(r"[,\s]+", judges) if spec)
            if len(made["judges"]) > MOST_JUDGES:
                raise UsageError(msg("settings-too-many-judges"))
        if "debater" in made:
            made["debater"] = made["debater"].strip()
        if models := made.pop("models", None):
            made["models"] = _patterns(models)
        if channels := made.pop("channels", None):
            made["channels"] = _channels(channels)
        after = former.model_copy(update={name: made[name] for name in ("models",) if name in made})
        named = [*made.get("judges", ()), *([made["debater"]] if "debater" in made else [])]
        check_models(self.services, after, named)
        return made


def _patterns(text: str) -> tuple[str, ...]:
    """Models, in which * stands for anything. Raises UsageError for what names no provider."""
    patterns = tuple(part for part in re.split(r"[,\s]+", text) if part)
    for pattern in patterns:
        if pattern != "*":
            parse_spec(pattern)
    return patterns


def _channels(text: str) -> tuple[int, ...]:
    """The channels that are mentioned. Raises UsageError where there is none."""
    if not (found := tuple(int(number) for number in re.findall(r"<#(\d{5,20})>", text))):
        raise UsageError(msg("settings-no-channels"))
    return found


def check_manager(interaction: Interaction) -> discord.Member:
    """The member who may change the settings. Raises UsageError."""
    member = requester_of(interaction)
    may = permissions_of(member)
    if not (may.manage_guild or may.administrator):
        raise UsageError(msg("settings-only-managers"))
    return member


def shown(s: GuildSettings) -> discord.Embed:
    """The settings as they are read."""
    none, default = msg("settings-no-limit"), msg("settings-default")
    yes_or_no = {True: msg("settings-yes"), False: msg("settings-no")}
    values = {
        "moderator_role": msg("settings-role", role_id=s.moderator_role) if s.moderator_role else msg("settings-none"),
        "start": messages("settings-starters")[s.start],
        "debater": inline(s.debater) or default,
        "judges": inline(", ".join(s.judges)) or default,
        "day_usd": msg("settings-dollars", value=s.day_usd) if s.day_usd else none,
        "day_tokens": msg("settings-tokens", value=s.day_tokens) if s.day_tokens else none,
        "turn_seconds": msg("settings-hours", hours=s.turn_seconds / 3600) if s.turn_seconds else none,
        "stand_in": yes_or_no[s.stand_in],
        "plain_messages": yes_or_no[s.plain_messages],
        "vote_minutes": msg("settings-minutes", value=s.vote_minutes),
        "models": inline(", ".join(s.models)) or msg("settings-all-models"),
        "channels": ", ".join(f"<#{channel}>" for channel in s.channels) or msg("settings-all-channels"),
        "member_starts": msg("settings-tokens", value=s.member_starts) if s.member_starts else none,
        "member_minutes": msg("settings-minutes", value=s.member_minutes) if s.member_minutes else none,
        "unpriced_usd": msg("settings-none-without"),
    }
    if s.unpriced_usd:
        values["unpriced_usd"] = msg("settings-per-million", value=s.unpriced_usd)
    embed = discord.Embed(title=msg("settings-title"))
    for name, value in values.items():
        embed.add_field(name=messages("settings-names")[name], value=value[:1_024])
    return embed
