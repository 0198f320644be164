"""From `/scene start` to an offer, and from the word to start to a control room with its subjects' scenes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import discord

from elenchus.bot.debate.offers import Offer, Offers
from elenchus.bot.debate.options import members_of
from elenchus.bot.debate.rules import Rules, check_begin
from elenchus.bot.debate.spending import Left, left_today, priced
from elenchus.bot.debate.start import channel_of, check_left, member_of, models_of, names_of, tokens_of
from elenchus.bot.debate.start_progress import starting
from elenchus.bot.errors import tell
from elenchus.bot.posting.requests import embed_of, view_of
from elenchus.bot.quotas import one_start
from elenchus.bot.rendering import offers, safe, scenes as wording
from elenchus.bot.rendering.post import Button, Embed, EmbedField
from elenchus.bot.scenes.casting import WantedScene, others_of, seat_for, specs_in, subject_of
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.play_opener import PlayOpener
from elenchus.bot.scenes.plays import Play
from elenchus.bot.scenes.session_opener import started_of
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.scenes.thread_view import FACES, POSTS_A_MINUTE
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.casting import config_of
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.scene import CONDITIONS, Condition, Scene

START = "sstart"
"""The name of the clicks on an offer; the rest is KEY:go or KEY:no."""

MOST_SUBJECTS = 40
Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class PlayOffer(Offer):
    """What would be started: the play without its control room, and who its first subjects are (specs)."""

    play: Play
    scene: Scene
    subjects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SceneStarter:
    """Offers scenes and starts them. All raise UsageError, ProviderError, StorageError, discord.HTTPException."""

    services: BotServices
    scenes: SceneSessions
    library: Library
    beginner: PlayOpener
    offers: Offers = field(default_factory=Offers)

    # ── the offer ────────────────────────────────────────────────────────────────────────────────────────────────

    async def offer(self, interaction: Interaction, wanted: WantedScene) -> None:
        """Answer with what would be played and what it costs."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member, channel = member_of(interaction), channel_of(interaction)
        rules = await check_begin(self.services, member, channel.id)
        scene = await self.library.find(member.guild.id, wanted.scene)
        subjects = specs_in(wanted.subject)
        play = await self._play(member, channel, scene, wanted, rules)
        await self._check_people(member, channel, wanted, subjects)
        unpriced = rules.check_models([*subjects, *models_of(play.seats)])
        cost = priced(await self._cost(play, scene, subjects), unpriced)
        left = await left_today(self.services.log, self.scenes.bindings.paid, member.guild.id, rules.guild)
        check_left(cost["usd"], tokens_of(cost), left)
        play = play.model_copy(update=limits(play.places, wanted.budget_usd, left) | {"unpriced_usd": unpriced})
        started = started_of(play, scene, (await self._subject_seat(play, subjects), *play.seats), None)
        offer = PlayOffer(
            started,
            member.id,
            member.guild.id,
            channel.id,
            True,
            cost["usd"],
            tokens_of(cost),
            play,
            scene,
            tuple(subjects),
        )
        key = self.offers.make(offer)
        buttons = (
            Button(f"el:{START}:{key}:go", msg("debate-go"), "success"),
            Button(f"el:{START}:{key}:no", msg("debate-cancel")),
        )
        await tell(interaction, "", embed=embed_of(offered(offer, cost)), view=view_of(buttons))

    async def _play(
        self, member: discord.Member, channel: discord.TextChannel, scene: Scene, wanted: WantedScene, rules: Rules
    ) -> Play:
        subjects = specs_in(wanted.subject)
        places = wanted.subjects or len(subjects) or 1
        if places > MOST_SUBJECTS or len(subjects) > places:
            raise UsageError(msg("scenes-subjects-text", most=MOST_SUBJECTS))
        others = members_of([*players_in(wanted), *specs_in(wanted.judge)])
        names = {one: await self.scenes.people.name_of(one) for one in others}
        deadline = wanted.minutes * 60.0 if wanted.minutes else rules.guild.turn_seconds
        return Play(
            id=new_id(), guild=member.guild.id, channel=channel.id, control=0, moderator=member.id,
            scene=wanted.scene.casefold(), title=scene.title, subject_seat=subject_of(scene),
            seats=others_of(scene, wanted, rules.defaults, names, deadline),
            conditions=await self._conditions(member.guild.id, scene, wanted.conditions),
            seed=secrets.randbelow(2**31), places=places, deadline=deadline,
        )  # fmt: skip

    async def _conditions(self, guild: int, scene: Scene, wanted: str) -> tuple[Condition, ...]:
        """What is drawn from: both versions where the scene has a twin, unless one is asked for."""
        twin = await self.library.twin(guild, scene)
        known = tuple(name for name in CONDITIONS if name in {scene.condition, twin.condition if twin else None})
        if wanted in CONDITIONS and wanted not in known:
            raise UsageError(msg("scenes-no-twin"))
        return tuple(name for name in known if wanted in (name, "both", ""))

    async def _check_people(
        self, member: discord.Member, channel: discord.TextChannel, wanted: WantedScene, subjects: list[str]
    ) -> None:
        """Raises UsageError for nobody of this server, a bot, and a subject or judge who could look behind it."""
        players, judges = members_of([*subjects, *players_in(wanted)]), members_of(specs_in(wanted.judge))
        await names_of(member.guild, [*players, *judges])
        if set(players) & set(judges):
            raise UsageError(msg("scenes-judge-plays"))
        for one in members_of(subjects):
            check_blind(await member.guild.fetch_member(one), channel, member.id)
        for one in judges:
            check_blind(await member.guild.fetch_member(one), channel, member.id, msg("scenes-judge-runs-it"), "judge")

    async def _subject_seat(self, play: Play, subjects: list[str]) -> Seat:
        """The seat of the first subject; of nobody yet where members are to join."""
        names = {one: await self.scenes.people.name_of(one) for one in members_of(subjects[:1])}
        return seat_for(play.subject_seat, subjects[0] if subjects else "human", names, play.deadline)

    async def _cost(self, play: Play, scene: Scene, subjects: list[str]) -> dict[str, Any]:
        """The estimate for all places, all models being to be had. Raises UsageError, ProviderError."""
        seats = (await self._subject_seat(play, subjects), *play.seats)
        started = started_of(play, scene, seats, None)
        twin = await self.library.twin(play.guild, scene)
        if twin is not None and twin.condition in play.conditions:
            config_of(twin, seats)
            if subject_of(twin) != play.subject_seat:
                raise UsageError(msg("scenes-twin-differs"))
        cost = await estimated(self.services.settings, self.services.registry, started, times=play.places)
        return cost | {"minutes": max(cost["minutes"], minutes_of_posting(cost["said"], play.places))}

    # ── the word to start ────────────────────────────────────────────────────────────────────────────────────────

    async def pressed(self, interaction: Interaction, rest: str) -> None:
        """Start or cancel was pressed under an offer."""
        key, _, what = rest.partition(":")
        offer = self.offers.look(key)
        if offer is None:
            await interaction.response.edit_message(content=msg("scenes-expired"), embed=None, view=None)
        elif interaction.user.id != offer.member:
            await tell(interaction, msg("debate-not-yours"))
        elif what == "no":
            self.offers.take(key)
            await interaction.response.edit_message(content=msg("debate-cancelled"), embed=None, view=None)
        elif isinstance(taken := self.offers.take(key), PlayOffer):
            async with starting(self.services.store, interaction):
                play = await self._start(interaction, taken)
            text = msg("scenes-started", control=play.control)
            if play.free:
                text = msg("scenes-started-open", control=play.control)
            await interaction.edit_original_response(content=text)

    async def _start(self, interaction: Interaction, offer: PlayOffer) -> Play:
        """Start it if that is still allowed and paid for."""
        member = member_of(interaction)
        rules = await check_begin(self.services, member, offer.channel)
        rules.check_models([*offer.subjects, *models_of(offer.play.seats)])
        await names_of(member.guild, members_of(offer.subjects))  # somebody may have left meanwhile
        async with one_start(self.services, offer.guild, member.id, rules.guild):
            left = await left_today(self.services.log, self.scenes.bindings.paid, offer.guild, rules.guild)
            check_left(offer.needed_usd, offer.needed_tokens, left)
            return await self.beginner.begin(interaction.client, offer.play, interaction.id, offer.subjects)


def limits(places: int, wanted: float | None, left: Left) -> dict[str, Any]:
    """What each subject's scene may spend: as asked, within its share of what the server has left today."""
    shares = [] if left.usd is None else [left.usd / places]
    tokens = None if left.tokens is None else left.tokens // places
    return {"budget_usd": min([*shares, *([wanted] if wanted else [])], default=None), "budget_tokens": tokens}


def minutes_of_posting(said: int, places: int) -> float:
    """How long Discord takes to let the faces of all places' scenes say it: in their threads and the control room."""
    in_control_room = said * min(places, FACES) / places
    return round((said + in_control_room) / POSTS_A_MINUTE, 2)


def players_in(wanted: WantedScene) -> list[str]:
    """Who is named to play beside the subject. Raises UsageError."""
    return [*specs_in(wanted.confederate), *specs_in(wanted.moderator)]


def check_blind(
    member: discord.Member,
    channel: discord.TextChannel,
    moderator: int,
    runs_it: str = msg("scenes-runs-it"),
    seat: str = "subject",
) -> None:
    """Raises UsageError for a subject, or judge, who runs the scene or could look into its control room."""
    if member.id == moderator:
        raise UsageError(runs_it)
    permissions = channel.permissions_for(member)
    if permissions.manage_threads or permissions.administrator:
        raise UsageError(msg("scenes-sees-all", name=safe.inline(member.display_name), seat=seat))


def offered(offer: PlayOffer, cost: Mapping[str, Any]) -> Embed:
    """The offer as it is shown."""
    play = offer.play
    lines = [msg("scenes-seat", name=safe.inline(seat.name), player=_player(seat)) for seat in play.seats]
    price = offers.cost(cost)
    return Embed(
        title=msg("scenes-offer"),
        description=f"**{safe.shortened(safe.inline(offer.scene.title), 1_000)}**",
        fields=(
            EmbedField(msg("debate-cost"), price),
            EmbedField(
                msg("scenes-subjects"), wording.places(play.places, len(offer.subjects), safe.inline(play.subject_seat))
            ),
            EmbedField(msg("scenes-conditions"), wording.versions(play.conditions), inline=True),
            EmbedField(msg("debate-seats"), safe.shortened("\n".join(lines), 1_024)),
        ),
        footer=msg("scenes-offer-footer"),
    )


def _player(seat: Seat) -> str:
    return msg("scenes-a-member") if is_human(seat.spec) else safe.inline(seat.spec)
