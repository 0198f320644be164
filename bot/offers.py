"""Offers: what was worked out is shown with its price, waits to be confirmed, and is carried out if it still may be.

Who makes an offer (`debate.start_command`, say) gives with it what its confirmation does: `Offers.pressed` calls it.

An offer lives in memory, for minutes; a bot that was restarted meanwhile says that it has expired. One that was
confirmed is in the store until it says what came of it, whatever dies in between.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import discord

from elenchus.bot.bindings import Bindings
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.debate.spending import RemainingBudget, left_today, priced
from elenchus.bot.errors import DISCONNECTED
from elenchus.bot.interactions import Interaction, channel_of, names_of, requester_of, tell
from elenchus.bot.posting.discord_objects import embed_of, view_of
from elenchus.bot.quotas import one_start
from elenchus.bot.rendering.amounts import dollars
from elenchus.bot.rendering.post import Button, Embed
from elenchus.bot.rules import Rules, check_may_start_now
from elenchus.bot.services import BotServices
from elenchus.bot.shards import ONLY, Shard
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, Seat, model_in
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.service.lab.stored_documents import readable

NAMESPACE = "starting"

OFFER = "offer"
"""The name of the clicks on an offer; the rest is KEY:go or KEY:no."""

LIFETIME = 14 * 60.0
"""Seconds: an interaction's token lives 15 minutes."""

MOST = 1_000

OnConfirmed = Callable[[Interaction], Awaitable[str]]
"""Carries the offer out, answering the click that confirmed it; what is to be told then. Of a debate or a detection
it is `ThreadOpener.start_in_discord_thread` (`thread_opener`) with what was offered.
"""


@dataclass(frozen=True, slots=True)
class Offer:
    """What would be started, by whom and where, with these models and members, and what it needs at the most."""

    member: int
    channel: int
    models: Sequence[str]
    people: Sequence[int]
    needed_usd: float | None
    needed_tokens: int
    on_confirmed: OnConfirmed


@dataclass(slots=True)
class Offers:
    """Offers by key; each can be confirmed once."""

    services: BotServices
    bindings: Bindings
    _open: dict[str, tuple[float, Offer]] = field(default_factory=dict)

    async def price(
        self, guild: int, rules: Rules, estimate: Mapping[str, Any], unpriced: float | None
    ) -> tuple[dict[str, Any], RemainingBudget]:
        """An estimate in which what has no known price is counted by the ceiling for it, and what is left of the day.

        Raises UsageError where that does not suffice.
        """
        cost = priced(estimate, unpriced)
        left = await left_today(self.services.log, self.bindings.paid, guild, rules.guild)
        check_left(cost["usd"], tokens_of(cost), left)
        return cost, left

    async def show(
        self,
        interaction: Interaction,
        shown: Embed,
        cost: Mapping[str, Any],
        models: Sequence[str],
        people: Sequence[int],
        on_confirmed: OnConfirmed,
    ) -> None:
        """Answer with what is `shown` and the buttons that confirm or cancel it (see `Offer`, `pressed`)."""
        member, channel = requester_of(interaction), channel_of(interaction)
        self._open = {k: v for k, v in list(self._open.items())[-MOST:] if v[0] > monotonic()}
        key = secrets.token_hex(8)
        offer = Offer(member.id, channel.id, models, people, cost["usd"], tokens_of(cost), on_confirmed)
        self._open[key] = (monotonic() + LIFETIME, offer)
        go = Button(f"el:{OFFER}:{key}:go", msg("debate-go"), "success")
        no = Button(f"el:{OFFER}:{key}:no", msg("debate-cancel"))
        await tell(interaction, "", embed=embed_of(shown), view=view_of((go, no)))

    def register(self, components: ComponentHandlers) -> None:
        """Hear the buttons of offers."""
        components.on(OFFER, self.pressed, answers=True)

    async def pressed(self, interaction: Interaction, rest: str) -> None:
        """Start or cancel was pressed under an offer. Raises UsageError, ProviderError, StorageError, HTTPException."""
        key, _, what = rest.partition(":")
        until, offer = self._open.get(key, (0.0, None))
        if offer is None or until <= monotonic():
            await interaction.response.edit_message(content=msg("debate-expired"), embed=None, view=None)
            return
        if interaction.user.id != offer.member:
            await tell(interaction, msg("debate-not-yours"))
            return
        del self._open[key]
        if what == "no":
            await interaction.response.edit_message(content=msg("debate-cancelled"), embed=None, view=None)
            return
        async with outcome_reported(self.services.store, interaction):
            text = await self._carry_out(interaction, offer)
        await interaction.edit_original_response(content=text)

    async def _carry_out(self, interaction: Interaction, offer: Offer) -> str:
        """Do what was offered if that is still allowed and paid for."""
        member = requester_of(interaction)
        rules = await check_may_start_now(self.services, member, offer.channel)
        rules.check_models(offer.models)
        await names_of(member.guild, offer.people)  # somebody may have left meanwhile
        async with one_start(self.services, member.guild.id, member.id, rules.guild):
            left = await left_today(self.services.log, self.bindings.paid, member.guild.id, rules.guild)
            check_left(offer.needed_usd, offer.needed_tokens, left)
            return await offer.on_confirmed(interaction)


def tokens_of(cost: Mapping[str, Any]) -> int:
    """All tokens of an estimate."""
    return int(cost["input_tokens"] + cost["output_tokens"])


def check_left(usd: float | None, tokens: int, left: RemainingBudget) -> None:
    """Raises UsageError where the day's budget does not suffice for what is needed at the most."""
    if left.usd is not None and usd is not None and usd > left.usd:
        raise UsageError(msg("debate-day-spent", left=dollars(left.usd), needed=dollars(usd)))
    if left.tokens is not None and tokens > left.tokens:
        raise UsageError(msg("debate-day-tokens-spent", left=left.tokens, needed=tokens))


def models_of(seats: Iterable[Seat]) -> tuple[str, ...]:
    """Whatever may answer on these seats: the model of a mind, and who stands in for a person."""
    return tuple(model_in(spec) for seat in seats for spec in (seat.spec, seat.stand_in) if spec)


# ── an offer that was confirmed ────────────────────────────────────────────────────────────────────────────────────


class ConfirmedOffer(FrozenModel):
    """An offer that was confirmed in `guild` by the interaction `click`, whose `token` lives 15 minutes."""

    click: int
    guild: int = 0
    application: int
    token: str
    message: int
    member: int


@asynccontextmanager
async def outcome_reported(store: KeyValueStore, interaction: Interaction) -> AsyncIterator[None]:
    """The offer says that it is being carried out; that nothing came of it where that fails. Raises StorageError."""
    await interaction.response.edit_message(content=msg("debate-starting"), embed=None, view=None)
    key = str(interaction.id)
    if interaction.message is not None:
        confirmed = ConfirmedOffer(
            click=interaction.id, guild=interaction.guild_id or 0, application=interaction.application_id,
            token=interaction.token, message=interaction.message.id, member=interaction.user.id,
        )  # fmt: skip
        await store.put(NAMESPACE, key, confirmed.model_dump(mode="json"))
    try:
        yield
    except Exception:  # a bot that is being stopped may have begun it: it tells when it is back
        with suppress(discord.HTTPException, *DISCONNECTED):
            await interaction.edit_original_response(content=msg("debate-cancelled"))
        await store.remove(NAMESPACE, key)
        raise
    await store.remove(NAMESPACE, key)


async def unfinished_offers(store: KeyValueStore, shard: Shard = ONLY) -> list[ConfirmedOffer]:
    """What a bot before this one was carrying out: to be read before anybody can start more. Raises StorageError."""
    known = readable(ConfirmedOffer, await store.all(NAMESPACE))
    return [one for one in known if shard.has(one.guild)]


async def report_unfinished(
    client: discord.Client, store: KeyValueStore, left: Iterable[ConfirmedOffer], threads: Collection[tuple[int, int]]
) -> None:
    """Have these offers say what came of them, as far as Discord still takes that; `threads` are those of all sessions
    and control rooms, each with its moderator. Raises StorageError.
    """
    for one in left:
        made = [thread for thread, moderator in threads if thread > one.click and moderator == one.member]
        text = msg("debate-started-other", thread=min(made)) if made else msg("debate-cancelled")
        webhook = discord.Webhook.partial(one.application, one.token, client=client)
        with suppress(discord.HTTPException, *DISCONNECTED):
            await webhook.edit_message(one.message, content=text)
        await store.remove(NAMESPACE, str(one.click))
