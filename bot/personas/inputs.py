"""What a server's persona is given: offered with its price, paid from the day's budget, told when it is carried out.

A persona at rest, and one that could not go on, holds nothing of the budget back. For what it is given it may use twice
what that takes at the most, as an answer may have to be asked for again, if so much is left of the day.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from elenchus.bot.debate.spending import RemainingBudget, Spent, left_today, used_by
from elenchus.bot.errors import answer_error
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.offers import Offers, check_left, models_of, tokens_of
from elenchus.bot.people.members import person
from elenchus.bot.posting.discord_objects import embed_of
from elenchus.bot.quotas import one_start
from elenchus.bot.rendering import personas as shown
from elenchus.bot.rendering.post import Embed
from elenchus.bot.rules import Rules, rules_of
from elenchus.bot.services import BotServices
from elenchus.bot.session_tasks import SessionTasks
from elenchus.bot.strings import msg
from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.events import BudgetRaised, GivenToMind, SessionStarted
from elenchus.debate_engine.protocols.cognition.projection import Exchange, Reading, Survey
from elenchus.service.lab.mind_options import MindOptions, mind_id

REPEATED = 2
"""Times that something may take its estimate, which counts no repeated attempts."""


@dataclass(slots=True)
class PersonaInputs:
    """Makes personas and gives them things; all of it is done in tasks, and whoever asked is told what came of it.

    All raise UsageError, ProviderError, StorageError, discord.HTTPException.
    """

    services: BotServices
    offers: Offers
    _working: SessionTasks[int] = field(default_factory=lambda: SessionTasks[int]("persona"))

    async def aclose(self) -> None:
        """Leave what is at work: it lies in the persona's log, and is carried out with the next thing."""
        await self._working.aclose()

    async def offer_new(self, interaction: Interaction, rules: Rules, options: MindOptions) -> None:
        """Offer to make a persona."""
        member = requester_of(interaction)
        place, by = str(member.guild.id), person(member.id)
        unpriced = rules.check_models([options.model])
        made = await self.services.minds.prepared(options, by=by, place=place, unpriced_usd=unpriced)
        plan = await estimated(self.services.settings, self.services.registry, made.started)
        cost, left = await self.offers.price(member.guild.id, rules, plan, unpriced)

        async def on_confirmed(click: Interaction) -> str:
            now = await self._left(click)
            started = made.started.model_copy(update={"budget_usd": now.usd, "budget_tokens": now.tokens})
            await self.services.minds.begin(options.name, started, place)
            self._told_later(click, partial(self._born, click, options.name, place))
            return msg("persona-being-made", name=shown.called(options.name))

        embed = shown.offer(shown.offered_new(options), cost, left)
        await self.offers.show(interaction, embed, cost, models_of(made.session.seats), (), on_confirmed)

    async def _born(self, click: Interaction, name: str, place: str) -> None:
        mind = await self.services.minds.born(name, place)
        await tell(click, msg("persona-made", name=shown.called(name)))
        for group in shown.mind(name, mind):
            await tell(click, "", embeds=[embed_of(one) for one in group])

    async def offer(self, interaction: Interaction, name: str, given: GivenToMind, what: Embed) -> None:
        """Offer to have it read or rate something; `what` tells of that."""
        spec, cost, left = await self._price(interaction, name, given)

        async def on_confirmed(click: Interaction) -> str:
            seq = await self._put(click, name, given, cost)
            self._told_later(click, partial(self._carried_out, click, name, seq))
            return msg("persona-at-work", name=shown.called(name))

        await self.offers.show(interaction, shown.offer(what, cost, left), cost, (spec,), (), on_confirmed)

    async def at_once(self, interaction: Interaction, name: str, given: GivenToMind) -> None:
        """Have it done without a further question, where what is left of the day suffices."""
        _, cost, _ = await self._price(interaction, name, given)
        member = requester_of(interaction)
        rules = await rules_of(self.services, member.guild.id)
        async with one_start(self.services, member.guild.id, member.id, rules.guild):
            check_left(cost["usd"], tokens_of(cost), await self._left(interaction))
            seq = await self._put(interaction, name, given, cost)
        await self._carried_out(interaction, name, seq)

    async def _price(
        self, interaction: Interaction, name: str, given: GivenToMind
    ) -> tuple[str, Mapping[str, Any], RemainingBudget]:
        """Its model, what this costs at the most, and what is left of the day."""
        guild = requester_of(interaction).guild.id
        rules = await rules_of(self.services, guild)
        first = (await self.services.minds.events(name, str(guild)))[0].event
        assert isinstance(first, SessionStarted)
        spec = first.seats[0].spec
        plan = await self.services.minds.estimate(name, given, place=str(guild))
        cost, left = await self.offers.price(guild, rules, plan, rules.check_models([spec]))
        return spec, cost, left

    async def _left(self, interaction: Interaction) -> RemainingBudget:
        guild = requester_of(interaction).guild.id
        rules = await rules_of(self.services, guild)
        return await left_today(self.services.log, self.offers.bindings.paid, guild, rules.guild)

    async def _put(self, interaction: Interaction, name: str, given: GivenToMind, cost: Mapping[str, Any]) -> int:
        """Put it into the persona's log, with a budget for it that is left of the day; its number there."""
        place, left = str(requester_of(interaction).guild.id), await self._left(interaction)
        if left.usd is not None or left.tokens is not None:
            used, most = used_by(await self.services.minds.events(name, place)), needed(cost)
            tokens = None if left.tokens is None else used.tokens + min(left.tokens, most.tokens)
            usd = None if left.usd is None else used.usd + min(left.usd, most.usd)
            await self.services.log.send(mind_id(name, place), BudgetRaised(by=given.by, tokens=tokens, usd=usd))
        return await self.services.minds.give(name, given, place)

    async def _carried_out(self, interaction: Interaction, name: str, seq: int) -> None:
        place = str(requester_of(interaction).guild.id)
        came = await self.services.minds.carried_out(name, seq, place)
        mind = await self.services.minds.look(name, place)
        for group in came_of(name, came, mind.versions[-1].profile.name):
            await tell(interaction, "", embeds=[embed_of(one) for one in group])

    def _told_later(self, click: Interaction, work: Callable[[], Awaitable[None]]) -> None:
        async def told() -> None:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - whoever asked is told
                await answer_error(click, error)

        self._working.begin(click.id, told())


def needed(cost: Mapping[str, Any]) -> Spent:
    """What something may use that takes so much at the most by its estimate; no limit of money where it costs none, or
    nobody knows what.
    """
    usd = [cost["usd"], cost["reasoning_usd"]]
    return Spent(
        tokens=REPEATED * (tokens_of(cost) + cost["reasoning_tokens"]),
        usd=math.inf if None in usd or not sum(usd) else REPEATED * sum(usd),
    )


def came_of(name: str, came: Reading | Survey | Exchange, persona: str) -> list[tuple[Embed, ...]]:
    """What came of it, as it is told."""
    match came:
        case Reading():
            return shown.reading(name, came)
        case Survey():
            return shown.survey(name, came)
    return shown.talk(persona, came)
