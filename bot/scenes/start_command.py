"""From `/scene start` to an offer, and from its confirmation to a control room with its subjects' scenes."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import discord
from discord.app_commands import Range

from elenchus.bot.attachments import text_in
from elenchus.bot.debate.seats import Defaults, members_of, named_in, seat_spec
from elenchus.bot.debate.spending import RemainingBudget
from elenchus.bot.interactions import Interaction, channel_of, names_of, requester_of
from elenchus.bot.offers import Offers, models_of
from elenchus.bot.rendering import costs, safe, scenes as wording
from elenchus.bot.rendering.post import Embed, EmbedField
from elenchus.bot.rules import Rules, check_may_start_now
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.place_opener import first_event_of, seat_for
from elenchus.bot.scenes.play_opener import PlayOpener
from elenchus.bot.scenes.plays import Play
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.bot.scenes.scene_thread import PERSONAS_SHOWN, POSTS_A_MINUTE
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, mind_in, model_in
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.casting import asked, config_for, is_supervised, speaking
from elenchus.debate_engine.reports.seats import model_in_words
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.scene import SYSTEM, Condition, Kind, Scene
from elenchus.service.lab.consent_file import LARGEST, promises, terms_in
from elenchus.service.lab.mind_seats import with_mind

MOST_SUBJECTS = 40


@dataclass(frozen=True, slots=True)
class SceneOptions:
    """The options of one `/scene start`, those who sit as specs of seats. `minutes` is a person's time for a turn."""

    scene: str
    subject: Sequence[str] = ()
    confederate: Sequence[str] = ()
    moderator: Sequence[str] = ()
    judge: Sequence[str] = ()
    subjects: int = 0
    conditions: str = ""
    model: str = ""
    minutes: int = 0
    budget_usd: float | None = None
    promised: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SceneStartCommand:
    """Offers scenes and starts them. All raise UsageError, ProviderError, StorageError, discord.HTTPException."""

    services: BotServices
    scenes: SceneSessions
    library: Library
    opener: PlayOpener
    offers: Offers

    async def offer(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        self,
        interaction: Interaction,
        scene: Range[str, 1, 80],
        subject: str = "",
        confederate: str = "",
        moderator: str = "",
        judge: str = "",
        subjects: Range[int, 1, MOST_SUBJECTS] | None = None,
        conditions: str = "",
        model: str = "",
        minutes: Range[int, 1, 10_080] | None = None,
        budget: Range[float, 0.01, None] | None = None,
        mode: Literal["demonstration", "study"] = "demonstration",
        consent: discord.Attachment | None = None,
        ethics_approval: Range[str, 1, 300] = "",
    ) -> None:
        """`/scene start`."""
        terms = terms_in(await text_in(consent, LARGEST), safe.plain(consent.filename)) if consent else None
        meant = await self.library.name_meant(requester_of(interaction).guild.id, scene)
        typed = {"subject": subject, "confederate": confederate, "moderator": moderator, "judge": judge}
        seated = {seat: await self._specs(interaction, text) for seat, text in typed.items()}
        options = SceneOptions(
            scene=meant, subjects=subjects or 0, conditions=conditions, model=model.strip(), minutes=minutes or 0,
            budget_usd=budget, promised=promises(mode, terms, ethics_approval), **seated,
        )  # fmt: skip
        await self._offer(interaction, options)

    async def _specs(self, interaction: Interaction, text: str) -> list[str]:
        """Those who are named one after the other; minds by their names are those of the server."""
        place = str(requester_of(interaction).guild.id)
        return [await with_mind(spec, self.services.minds, place) for spec in specs_in(text)]

    async def _offer(self, interaction: Interaction, options: SceneOptions) -> None:
        """Answer with what would be played and what it costs."""
        member, channel = requester_of(interaction), channel_of(interaction)
        rules = await check_may_start_now(self.services, member, channel.id)
        scene = await self.library.find(member.guild.id, options.scene)
        subjects = tuple(options.subject)
        draft = await self._play(member, channel, scene, options, rules)
        await self._check_people(member, channel, options, subjects)
        models = (*map(model_in, subjects), *models_of(draft.seats))
        if options.model:
            rules.check_models([options.model])  # also where it sits nowhere
        unpriced = rules.check_models(models)
        estimate = await self._cost(draft, scene, subjects)
        cost, left = await self.offers.price(member.guild.id, rules, estimate, unpriced)
        play = draft.model_copy(update=limits(draft.places, options.budget_usd, left) | {"unpriced_usd": unpriced})

        async def on_confirmed(click: Interaction) -> str:
            begun = await self.opener.open_play(click.client, play, click.id, subjects)
            if begun.free:
                return msg("scenes-started-open", control=begun.control)
            return msg("scenes-started", control=begun.control)

        shown = offered(play, scene, len(subjects), cost)
        await self.offers.show(interaction, shown, cost, models, members_of(subjects), on_confirmed)

    async def _play(
        self, member: discord.Member, channel: discord.TextChannel, scene: Scene, options: SceneOptions, rules: Rules
    ) -> Play:
        subjects = options.subject
        places = options.subjects or len(subjects) or 1
        if places > MOST_SUBJECTS or len(subjects) > places:
            raise UsageError(msg("scenes-subjects-text", most=MOST_SUBJECTS))
        if places > 1 and any(map(mind_in, (*subjects, *players_in(options), *options.judge))):
            raise UsageError(msg("scenes-mind-once"))
        others = members_of([*players_in(options), *options.judge])
        names = {one: await self.scenes.names.name_of(one) for one in others}
        deadline = options.minutes * 60.0 if options.minutes else rules.guild.turn_seconds
        versions = await self._versions(member.guild.id, scene, options.conditions)
        return Play(
            id=new_id(), guild=member.guild.id, channel=channel.id, control=0, moderator=member.id,
            scene=options.scene, title=scene.title, subject_seat=subject_of(scene),
            seats=others_of(versions, options, rules.defaults, names, deadline), conditions=tuple(versions),
            seed=secrets.randbelow(2**31), places=places, deadline=deadline,
            minutes=scene.plan.minutes, **options.promised,
        )  # fmt: skip

    async def _versions(self, guild: int, scene: Scene, wanted: str) -> dict[Condition, Scene]:
        """What is drawn from: all versions of the scene, unless some are asked for. Raises UsageError."""
        known = await self.library.versions(guild, scene)
        asked = [name for part in wanted.split(",") if (name := part.strip())]
        if unknown := [name for name in asked if name not in known]:
            there = ", ".join(filter(None, known)) or "–"
            raise UsageError(msg("scenes-no-version", name=safe.inline(unknown[0][:40]), known=there))
        return {name: version for name, version in known.items() if not asked or name in asked}

    async def _check_people(
        self, member: discord.Member, channel: discord.TextChannel, options: SceneOptions, subjects: Sequence[str]
    ) -> None:
        """Raises UsageError for nobody of this server, a bot, and a subject or judge who could look behind it."""
        players, judges = members_of([*subjects, *players_in(options)]), members_of(options.judge)
        await names_of(member.guild, [*players, *judges])
        if set(players) & set(judges):
            raise UsageError(msg("scenes-judge-plays"))
        for one in members_of(subjects):
            check_blind(await member.guild.fetch_member(one), channel, member.id)
        for one in judges:
            check_blind(await member.guild.fetch_member(one), channel, member.id, msg("scenes-judge-runs-it"), "judge")

    async def _subject_seat(self, play: Play, subjects: Sequence[str]) -> Seat:
        """The seat of the first subject; of nobody yet where members are to join."""
        names = {one: await self.scenes.names.name_of(one) for one in members_of(subjects[:1])}
        return seat_for(play.subject_seat, subjects[0] if subjects else "human", names, play.deadline)

    async def _cost(self, play: Play, scene: Scene, subjects: Sequence[str]) -> dict[str, Any]:
        """The estimate for all places, all models being to be had. Raises UsageError, ProviderError."""
        seats = (await self._subject_seat(play, subjects), *play.seats)
        known = await self.library.versions(play.guild, scene)
        for version in (known[name] for name in play.conditions):
            config_for(version, seats)
            if subject_of(version) != play.subject_seat:
                raise UsageError(msg("scenes-twin-differs"))
        started = first_event_of(play, {"": known[play.conditions[0]]}, seats, None)
        cost = await estimated(self.services.settings, self.services.registry, started, times=play.places)
        return cost | {"minutes": max(cost["minutes"], minutes_of_posting(cost["said"], play.places))}


# ── who sits ─────────────────────────────────────────────────────────────────────────────────────────────────────


def specs_in(text: str) -> list[str]:
    """Models, members and minds named one after the other. Raises UsageError."""
    return [seat_spec(part, "") for part in named_in(text)]


def subject_of(scene: Scene) -> str:
    """The role that subjects play. Raises UsageError where there are several, or none that speaks."""
    found = [role.name for role in scene.roles if role.kind == "subject" and role.name in speaking(scene)]
    if len(found) != 1:
        raise UsageError(msg("scenes-one-subject", found=len(found)))
    return found[0]


def others_of(
    versions: Mapping[Condition, Scene],
    options: SceneOptions,
    defaults: Defaults,
    names: Mapping[int, str],
    deadline: float | None,
) -> tuple[Seat, ...]:
    """Everybody's seats but the subject's: roles that are asked for words, the system agent beside models, the judges.

    A scene with an outcome of its own is judged where judges are named. Confederates and moderators are taken in the
    order of the scene; a model takes over from a person who is gone. `names` are how members are called in the log.
    Raises UsageError.
    """
    model = options.model or defaults.debater
    given = {"confederate": list(options.confederate), "moderator": list(options.moderator)}
    scene = next(iter(versions.values()))
    subject, seats = subject_of(scene), list[Seat]()
    kinds: dict[str, Kind] = {role.name: role.kind for role in scene.roles}
    ever_asked = dict.fromkeys(name for version in versions.values() for name in asked(version))
    for name in ever_asked:
        if name != subject and name in kinds:
            left = given.get(kinds[name], [])
            seats.append(seat_for(name, left.pop(0) if left else model, names, deadline, stand_in=model))
    if too_many := [kind for kind, left in given.items() if left]:
        raise UsageError(msg("scenes-too-many", kind=too_many[0]))
    judges = [
        seat_for(f"judge-{n}", spec, names, deadline, stand_in=defaults.judges[0])
        for n, spec in enumerate(options.judge or (() if scene.outcome else defaults.judges), 1)
    ]
    by_models = any(not is_human(spec) for spec in options.subject)
    models = [*(seat.name for seat in seats), *([subject] if by_models else [])]
    supervised = any(is_supervised(version, models) for version in versions.values())
    return (*seats, *([Seat(name=SYSTEM, spec=model)] if supervised else []), *judges)


# ── what is allowed, and shown ───────────────────────────────────────────────────────────────────────────────────


def limits(places: int, wanted: float | None, left: RemainingBudget) -> dict[str, Any]:
    """What each subject's scene may spend: as asked, within its share of what the server has left today."""
    shares = [] if left.usd is None else [left.usd / places]
    tokens = None if left.tokens is None else left.tokens // places
    return {"budget_usd": min([*shares, *([wanted] if wanted else [])], default=None), "budget_tokens": tokens}


def minutes_of_posting(said: int, places: int) -> float:
    """How long Discord takes to let the faces of all places' scenes say it: in their threads and the control room."""
    in_control_room = said * min(places, PERSONAS_SHOWN) / places
    return round((said + in_control_room) / POSTS_A_MINUTE, 2)


def players_in(options: SceneOptions) -> list[str]:
    """Who is named to play beside the subject."""
    return [*options.confederate, *options.moderator]


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


def offered(play: Play, scene: Scene, named: int, cost: Mapping[str, Any]) -> Embed:
    """The offer as it is shown; so many subjects are `named`."""
    lines = [msg("scenes-seat", name=safe.inline(seat.name), player=_player(seat)) for seat in play.seats]
    lines += [] if lines else [msg("scenes-all-fixed")]
    price = costs.cost(cost)
    age = max(scene.plan.least_age(play.ethics_approval) or 0, (play.terms.age if play.terms else None) or 0)
    for_whom = (EmbedField(msg("scenes-age"), msg("scenes-age-text", age=age), inline=True),) if age else ()
    return Embed(
        title=msg("scenes-offer"),
        description=f"**{safe.shortened(safe.inline(scene.title), 1_000)}**",
        fields=(
            EmbedField(msg("debate-cost"), price),
            EmbedField(msg("scenes-subjects"), wording.places(play.places, named, safe.inline(play.subject_seat))),
            EmbedField(msg("scenes-conditions"), wording.versions(play.conditions), inline=True),
            *for_whom,
            EmbedField(msg("debate-seats"), safe.shortened("\n".join(lines), 1_024)),
        ),
        footer=msg("scenes-offer-footer"),
    )


def _player(seat: Seat) -> str:
    return msg("scenes-a-member") if is_human(seat.spec) else safe.inline(model_in_words(seat.spec))
