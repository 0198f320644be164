"""What a server allows and prefers, as far as `/debate` needs it; read from the server's settings each time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import discord

from elenchus.bot import model_rules, quotas
from elenchus.bot.bindings import Binding
from elenchus.bot.debate.seats import Defaults
from elenchus.bot.guild import GuildSettings, may_start, may_steer, settings_of
from elenchus.bot.rendering import safe
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.config import defaults
from elenchus.debate_engine.errors import UsageError


@dataclass(frozen=True, slots=True)
class Rules:
    """A server's settings beside the bot's own defaults."""

    services: BotServices
    guild: GuildSettings

    @property
    def defaults(self) -> Defaults:
        """Who sits where when nobody says so. Raises UsageError where a server did not tell which models it has."""
        settings = self.services.settings
        try:
            debater = self.guild.debater or defaults.debater(settings)
            judges = self.guild.judges or tuple(defaults.judges(settings))
        except defaults.Unasked as error:
            raise UsageError(str(error)) from error
        return Defaults(debater, judges, self.guild.turn_seconds, debater if self.guild.stand_in else "")

    def check_models(self, specs: Iterable[str]) -> float | None:
        """What a million tokens of those that have no known price count for; None where all have one.

        Raises UsageError, ProviderError for a model that members may not have, or that is not to be had.
        """
        return model_rules.unpriced(
            self.services, self.guild, model_rules.check_models(self.services, self.guild, specs)
        )


async def rules_of(services: BotServices, guild: int) -> Rules:
    """The rules of a server at this moment. Raises StorageError."""
    return Rules(services, await settings_of(services.store, guild))


async def seen_by(services: BotServices, member: discord.Member, bindings: Iterable[Binding]) -> list[Binding]:
    """Those of the member's server of which they may know: a private one is its moderator's and the server's."""
    settings = await settings_of(services.store, member.guild.id)
    here = [binding for binding in bindings if binding.guild == member.guild.id]
    return [b for b in here if not b.private or b.moderator == member.id or may_steer(settings, member, b.channel)]


async def check_may_start(services: BotServices, member: discord.Member, channel: int = 0) -> Rules:
    """The rules, if the member may start a debate in this channel. Raises UsageError."""
    rules = await rules_of(services, member.guild.id)
    if not may_start(rules.guild, member, channel):
        raise UsageError(msg("debate-may-not-start"))
    return rules


async def check_may_start_now(services: BotServices, member: discord.Member, channel: int) -> Rules:
    """The rules, if the member may start something now, in this channel. Raises UsageError, StorageError."""
    rules = await check_may_start(services, member, channel)
    if rules.guild.channels and channel not in rules.guild.channels:
        known = [member.guild.get_channel(one) for one in rules.guild.channels]
        where = ", ".join(f"#{safe.inline(one.name)}" for one in known if one) or msg("allowed-another")
        raise UsageError(msg("allowed-other-channel", where=where))
    await quotas.check_quota(services.store, member.guild.id, member.id, rules.guild)
    return rules


async def check_steer(services: BotServices, binding: Binding, member: discord.Member) -> Rules:
    """The rules, if the member may steer this debate: its moderator, or one of the server's. Raises UsageError."""
    rules = await rules_of(services, member.guild.id)
    steers = member.id == binding.moderator or may_steer(rules.guild, member, binding.channel)
    if member.guild.id != binding.guild or not steers:
        raise UsageError(msg("debate-may-not-steer"))
    return rules
