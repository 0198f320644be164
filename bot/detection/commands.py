"""`/detect`, the menu entry "Detect biases", and the button "Look for biases": what is examined, and its offer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from elenchus.bot.command_tree import command_of, menu_of
from elenchus.bot.completions import Completions
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.debate.seats import members_of, seat_for, seat_spec
from elenchus.bot.debate.spending import RemainingBudget
from elenchus.bot.detection.options import METHODS, MOST_RANKED, DetectionCompletions, named_in_catalogues
from elenchus.bot.detection.sources import DetectionSource, Sources
from elenchus.bot.guild import may_start, may_steer
from elenchus.bot.interactions import Interaction, channel_of, names_of, requester_of
from elenchus.bot.offers import Offers, models_of
from elenchus.bot.people.examination import check_wishes, others_in
from elenchus.bot.rendering import costs, safe
from elenchus.bot.rendering.post import Embed, EmbedField
from elenchus.bot.rules import Rules, check_may_start_now, rules_of
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.bot.thread_opener import ThreadOpener
from elenchus.config.catalogue import load_biases
from elenchus.config.persona_catalogue import parted
from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.reports.seats import EMBEDDED, OF_EMBEDDED
from elenchus.detectors.decision.weights import built_in
from elenchus.detectors.schemas import DetectConfig
from elenchus.service.lab import detection as lab
from elenchus.service.lab.options import RunOptions, options_of

LOOK = "biases"
"""The name of the click on "Look for biases"; the rest is the session."""

SHOWN = 300
"""Units of the examined text in an offer."""


@dataclass(frozen=True, slots=True)
class DetectionCommands:
    """The commands. All raise UsageError, ProviderError, StorageError, discord.HTTPException.

    `offers` are shared with debates: the same button confirms them.
    """

    services: BotServices
    manager: SessionManager
    offers: Offers
    opener: ThreadOpener

    @property
    def sources(self) -> Sources:
        """What may be examined."""
        return Sources(self.services, self.manager)

    def add_to(self, tree: app_commands.CommandTree[Any], completions: Completions) -> None:
        """Put `/detect` and the message's menu entry into the tree; `completions` completes who detects."""
        options = {**messages("detecting-options"), "file": messages("crit-options")["file"]}
        known = DetectionCompletions(self.sources)
        completed = {name: getattr(known, name) for name in ("session", "speaker", "labels", "bias")}
        completed |= {"detector": completions.seat_of_no_mind}
        detect = command_of("detect", msg("detecting-description"), self.detect, options, **completed)
        app_commands.choices(
            method=[Choice(name=messages("detecting-methods")[method], value=method) for method in METHODS],
            weights=[Choice(name=name, value=name) for name in built_in()],
        )(detect)
        tree.add_command(detect)
        tree.add_command(menu_of(msg("detecting-menu"), self.message))

    def register(self, components: ComponentHandlers) -> None:
        """Hear the offers to look for biases that stand at the end of a session."""
        components.on(LOOK, self.pressed)

    async def detect(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        self,
        interaction: Interaction,
        text: Range[str, 1, 6_000] | None = None,
        file: discord.Attachment | None = None,
        session: str = "",
        speaker: str = "",
        method: str = "full",
        labels: Range[str, 1, 1_000] | None = None,
        bias: Range[str, 1, 100] | None = None,
        weights: str = "",
        top: Range[int, 1, MOST_RANKED] = 1,
        detector: str = "",
        private: bool | None = None,
    ) -> None:
        """`/detect`."""
        await self._check_may(interaction)
        examined = await self._examined(interaction, text or "", file, session, speaker)
        named = {"labels": labels or "", "bias": bias or "", "weights": weights}
        how = {"method": method, "top": top, "detector": detector, **named}
        await self._offer(interaction, examined, how, private=private)

    async def message(self, interaction: Interaction, message: discord.Message) -> None:
        """The message that was right clicked."""
        await self._check_may(interaction)
        examined = await self.sources.of_message(interaction, message)
        await self._offer(interaction, examined, {}, private=None)

    async def pressed(self, interaction: Interaction, session: str) -> None:
        """The button under the end of a session."""
        await self.detect(interaction, session=session)

    async def _examined(
        self, interaction: Interaction, text: str, file: discord.Attachment | None, session: str, speaker: str
    ) -> DetectionSource:
        if not session.strip():
            if speaker.strip():
                raise UsageError(msg("detecting-speaker-alone"))
            return await self.sources.of_text(text, file, requester_of(interaction).id)
        if text.strip() or file:
            raise UsageError(msg("detecting-too-much"))
        return await self.sources.of_session(interaction, session, speaker)

    async def _check_may(self, interaction: Interaction) -> Rules:
        """The server's rules, if the member may start a detection. Raises UsageError, StorageError."""
        member = requester_of(interaction)
        rules = await rules_of(self.services, member.guild.id)
        if not may_start(rules.guild, member, channel_of(interaction).id):
            raise UsageError(msg("detecting-may-not"))
        return rules

    async def _offer(
        self, interaction: Interaction, examined: DetectionSource, how: Mapping[str, Any], *, private: bool | None
    ) -> None:
        """Offer it with what it would cost; the interaction is acknowledged. `how` are options of
        `lab.detection.DetectOptions`, as they were typed.

        Another person's words are a moderator's to have examined, in a private thread unless `private` says no.

        Raises UsageError, ProviderError, StorageError, discord.HTTPException.
        """
        await self._check_may(interaction)
        member, channel = requester_of(interaction), channel_of(interaction)
        rules = await check_may_start_now(self.services, member, channel.id)
        others = await others_in(self.services, examined.people, member.id)
        if others and not self._moderates(rules, member, examined.source, channel.id):
            raise UsageError(msg("detecting-only-moderators"))
        await check_wishes(self.services, examined.people, member.id)
        spec = model_of(rules)
        options = options_in(examined, how, spec)
        unpriced = rules.check_models([spec, options.detector])
        await self._check_detector(member.guild, examined, options.detector)
        cfg = lab.config_of(options)
        found = lab.detect_seats(options, cfg, lambda *_: spec)
        seats = tuple(seat_for(seat.name, seat.spec, rules.defaults.deadline) for seat in found)
        session = lab.detection(cfg, seats)
        started = session.first_event(self.services.registry, RunOptions(), unpriced_usd=unpriced)
        estimate = await estimated(self.services.settings, self.services.registry, started)
        cost, left = await self.offers.price(member.guild.id, rules, estimate, unpriced)
        started = started.model_copy(update={"budget_usd": left.usd, "budget_tokens": left.tokens})
        hidden = examined.private or (bool(others) if private is None else private)
        people = members_of([options.detector])

        async def on_confirmed(click: Interaction) -> str:
            await check_wishes(self.services, examined.people, member.id)  # somebody may have said no meanwhile
            opened = await self.opener.start_in_discord_thread(
                click, started, channel.id, private=hidden, people=people
            )
            return msg("debate-started-other", thread=opened.thread)

        shown = offered(cfg, seats, cost, hidden, left)
        await self.offers.show(interaction, shown, cost, models_of(seats), people, on_confirmed)

    def _moderates(self, rules: Rules, member: discord.Member, session: str, channel: int) -> bool:
        """Whether the member moderates this channel, or the session in which it was said."""
        options = next((b for b in self.manager.bindings.paid if session and b.session == session), None)
        own = options is not None and options.moderator == member.id
        return own or may_steer(rules.guild, member, options.channel if options else channel)

    async def _check_detector(self, guild: discord.Guild, examined: DetectionSource, spec: str) -> None:
        """Raises UsageError for a member who is none of this server, or wrote what is examined."""
        people = members_of([spec])
        await names_of(guild, people)
        for one in people:
            if len(await others_in(self.services, examined.people, one)) < len(examined.people):
                raise UsageError(msg("detecting-not-ones-own"))


def options_in(examined: DetectionSource, how: Mapping[str, Any], spec: str) -> lab.DetectOptions:
    """The options, checked; `spec` is the model on every seat that nobody names. Raises UsageError."""
    named = named_in_catalogues(how.get("labels", ""), how.get("bias", ""), how.get("weights", ""))
    detector = parted(seat_spec(how["detector"], spec))[1] if how.get("detector") else ""
    what = {name: getattr(examined, name) for name in ("title", "turns", "source", "speaker")}
    return options_of(lab.DetectOptions, {**how, **named, **what, "detector": detector, "model": spec}, "`{}`".format)


def model_of(rules: Rules) -> str:
    """The model on every seat: the server's debater, without the manner of a persona. Raises UsageError."""
    spec = parted(rules.defaults.debater)[1]
    if is_human(spec):
        raise UsageError(msg("detecting-needs-a-model"))
    return spec


# ── what is shown ────────────────────────────────────────────────────────────────────────────────────────────────


def offered(
    cfg: DetectConfig, seats: Sequence[Seat], cost: Mapping[str, Any], private: bool, left: RemainingBudget
) -> Embed:
    """The offer as it is shown."""
    price = costs.cost(cost)
    models = dict.fromkeys(msg("detecting-a-member") if is_human(seat.spec) else seat.spec for seat in seats)
    return Embed(
        title=msg("detecting-offer-title"),
        description="\n".join(_described(cfg, models)),
        fields=(
            EmbedField(msg("debate-cost"), price),
            EmbedField(msg("detecting-how"), safe.shortened("\n".join(_how(cfg)), 1_024)),
            EmbedField(msg("detecting-model"), safe.shortened(", ".join(map(safe.inline, models)), 1_024), inline=True),
            EmbedField(msg("debate-thread"), costs.where(private), inline=True),
            EmbedField(msg("debate-budget"), costs.budget_of_day(left.usd, left.tokens), inline=True),
        ),
    )


def _described(cfg: DetectConfig, models: Iterable[str]) -> Iterator[str]:
    """What is examined, and what a reader of the result should know beforehand."""
    if len(cfg.turns) > 1:
        count = sum(cfg.speaker in ("", turn.speaker) for turn in cfg.turns)
        yield f"**{safe.shortened(safe.inline(cfg.title), 500)}**"
        speaker = safe.shortened(safe.inline(cfg.speaker), 80)
        yield msg("detecting-turns-of", n=count, speaker=speaker) if speaker else msg("detecting-turns", n=count)
        if not (cfg.speaker or cfg.labels or cfg.bias):
            yield msg("detecting-more")
    else:
        text = cfg.turns[0].text
        yield f"**{safe.inline(safe.shortened(text, SHOWN))}**"
        yield msg("detecting-characters", n=len(text))
    if any(spec.startswith(EMBEDDED) for spec in models):
        yield f"-# {OF_EMBEDDED}."
    if not (cfg.labels or cfg.bias) and cfg.method in ("full", "tree"):
        yield msg("detecting-warn-long")


def _how(cfg: DetectConfig) -> Iterator[str]:
    names = {bias.id: bias.name for bias in load_biases()}
    if cfg.bias:
        yield msg("detecting-of-bias", name=names[cfg.bias])
        return
    yield messages("detecting-methods")[cfg.method]
    if cfg.labels:
        yield msg("detecting-among", names=", ".join(names[label] for label in cfg.labels))
    if cfg.method == "full":
        yield msg("detecting-weighted", name=cfg.weights.name)
    if cfg.top > 1:
        yield msg("detecting-best", top=cfg.top)
