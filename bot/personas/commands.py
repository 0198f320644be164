"""`/persona create|show|feed|ask|survey|history`: the personas with a mind of a server, each a mind of `lab.minds`."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterable
from datetime import date
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from elenchus.bot.attachments import LONGEST_TYPED, content_of, text_in
from elenchus.bot.command_tree import Callback, command_of, group_of
from elenchus.bot.completions import MOST, Completions, in_time, matches
from elenchus.bot.debate.seats import seat_spec
from elenchus.bot.interactions import Interaction, channel_of, requester_of, tell
from elenchus.bot.people.members import person
from elenchus.bot.personas.inputs import PersonaInputs
from elenchus.bot.posting.discord_objects import embed_of
from elenchus.bot.rendering import personas as shown, safe
from elenchus.bot.rendering.post import Embed
from elenchus.bot.rules import check_may_start_now
from elenchus.bot.services import BotServices
from elenchus.bot.strings import messages, msg
from elenchus.config.documents import UnreadableDocument
from elenchus.config.json_and_yaml import yaml_in
from elenchus.config.persona_catalogue import parted
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Fed, Surveyed, Talked
from elenchus.debate_engine.protocols.cognition.schemas import Flow
from elenchus.debate_engine.reports.export import contents_of
from elenchus.detectors.evaluation.cogbench.flows.reading import LARGEST, flow_at, flow_in
from elenchus.service.lab.mind_options import LONGEST_NAME, MindOptions, mind_id, typed
from elenchus.service.lab.options import options_of

LONGEST_PROFILE = 100_000
"""Characters of a profile in a file."""

Name = Range[str, 1, LONGEST_NAME]
Long = Range[str, 1, LONGEST_TYPED]


class PersonaCommands:
    """The commands; what they tell, whoever asks sees alone. All raise UsageError, ProviderError, StorageError,
    discord.HTTPException.
    """

    def __init__(self, services: BotServices, inputs: PersonaInputs) -> None:
        self.services, self.inputs = services, inputs

    def add_to(self, tree: app_commands.CommandTree[Any], completions: Completions) -> None:
        """Put `/persona` into the tree; `completions` completes who it is."""
        told, options = messages("persona-commands"), messages("persona-options")
        create = command_of("create", told["create"], self.create, options, model=completions.seat_of_no_mind)
        persons = [Choice(name=words, value=person) for person, words in messages("persona-persons").items()]
        app_commands.choices(person=persons)(create)
        by_name: dict[str, Callback] = {"show": self.show, "feed": self.feed, "ask": self.ask, "survey": self.survey}
        rest = [
            command_of(name, told[name], callback, options, name=self.names)
            for name, callback in (by_name | {"history": self.history}).items()
        ]
        tree.add_command(group_of("persona", msg("persona-group"), create, *rest))

    async def names(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The names of the server's personas that hold what was typed."""
        found = await in_time(self.services.minds.all(place_of(interaction)), [])
        return [Choice(name=safe.plain(i.title), value=i.title) for i in found if matches(current, i.title)][:MOST]

    # ── making, looking ──────────────────────────────────────────────────────────────────────────────────────────

    async def create(
        self,
        interaction: Interaction,
        name: Name,
        person: str,
        character: Range[str, 1, 2_000] | None = None,
        profile: discord.Attachment | None = None,
        opinions: Long | None = None,
        model: str = "",
        language: Range[str, 1, 60] | None = None,
    ) -> None:
        """`/persona create`: of a line, or of a whole profile in a file."""
        rules = await check_may_start_now(self.services, requester_of(interaction), channel_of(interaction).id)
        given: dict[str, Any] = {
            "name": name,
            "person": person,
            "language": language or "",
            "opinions": opinions_in(opinions),
        }
        given |= {"character": character} if character else {}
        given |= {"profile": profile_in(await text_in(profile, LONGEST_PROFILE))} if profile else {}
        spec = parted(seat_spec(model, rules.defaults.debater))[1]
        await self.inputs.offer_new(
            interaction, rules, options_of(MindOptions, {**given, "model": spec}, "`{}`".format)
        )

    async def show(self, interaction: Interaction, name: Name, at: Range[str, 1, 10] | None = None) -> None:
        """`/persona show`: now, as of a day, or after so many texts."""
        day, iteration = moment_in(at or "")
        mind = await self.services.minds.look(name, place_of(interaction), day=day, iteration=iteration)
        await answer(interaction, shown.mind(name, mind))

    async def history(self, interaction: Interaction, name: Name) -> None:
        """`/persona history`: the newest of it, with the report and the chart."""
        place = place_of(interaction)
        mind = await self.services.minds.look(name, place)
        recorded = await self.services.minds.events(name, place)
        contents = await asyncio.to_thread(contents_of, mind_id(name, place), recorded)
        files = [
            discord.File(io.BytesIO(content), file)
            for file, content in contents.items()
            if file == "report.md" or file.endswith(".png")
        ]
        *before, last = shown.history(name, mind)
        await answer(interaction, before)
        await tell(interaction, msg("persona-report"), embeds=[embed_of(one) for one in last], files=files)

    # ── giving it something ──────────────────────────────────────────────────────────────────────────────────────

    async def feed(
        self,
        interaction: Interaction,
        name: Name,
        text: Long | None = None,
        file: discord.Attachment | None = None,
        link: Range[str, 1, 2_000] | None = None,
        title: Range[str, 1, 200] | None = None,
    ) -> None:
        """`/persona feed` with one text, file or link."""
        await self._check_may(interaction, name)
        flow = await self._flow(text or "", file, link or "")
        by = person(interaction.user.id)
        given = Fed(by=by, texts=flow.texts, title=" ".join((title or flow.title).split()), source=flow.source)
        await self.inputs.offer(interaction, name, given, shown.offered_flow(name, given))

    async def survey(self, interaction: Interaction, name: Name, opinions: Long | None = None) -> None:
        """`/persona survey`: these opinions, or those that it was made with."""
        await self._check_may(interaction, name)
        asked = await self.services.minds.questions(name, opinions_in(opinions), place_of(interaction))
        given = Surveyed(by=person(interaction.user.id), questions=asked)
        await self.inputs.offer(interaction, name, given, shown.offered_survey(name, asked))

    async def ask(self, interaction: Interaction, name: Name, text: Long) -> None:
        """`/persona ask`: answered at once, within what is left of the day."""
        await self._check_may(interaction, name)
        await self.inputs.at_once(interaction, name, Talked(by=person(interaction.user.id), text=text.strip()))

    async def _check_may(self, interaction: Interaction, name: str) -> None:
        """Before anything is read or fetched: whether the member may, and whether there is such a persona."""
        await check_may_start_now(self.services, requester_of(interaction), channel_of(interaction).id)
        await self.services.minds.look(name, place_of(interaction))

    async def _flow(self, text: str, file: discord.Attachment | None, link: str) -> Flow:
        if sum(map(bool, (text.strip(), file, link.strip()))) != 1:
            raise UsageError(msg("persona-one-thing"))
        if file:
            return await flow_in(await content_of(file, LARGEST), file.filename, source=file.filename)
        return await flow_at(link.strip(), self.services.fetching) if link.strip() else typed(text)


async def answer(interaction: Interaction, groups: Iterable[tuple[Embed, ...]]) -> None:
    """Tell whoever asks, in as many messages as it takes."""
    for group in groups:
        await tell(interaction, "", embeds=[embed_of(one) for one in group])


def place_of(interaction: Interaction) -> str:
    """Where names are one: the server. Raises UsageError elsewhere."""
    return str(requester_of(interaction).guild.id)


def opinions_in(text: str | None) -> tuple[str, ...]:
    """Opinions as they are typed into an option of one line, with semicolons between."""
    return tuple(one.strip() for one in (text or "").replace("\n", ";").split(";") if one.strip())


def profile_in(text: str) -> dict[str, Any]:
    """A profile as JSON or YAML. Raises UsageError."""
    try:
        found = yaml_in(text, msg("persona-profile"))
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    if not isinstance(found, dict):
        raise UsageError(msg("persona-no-profile"))
    return {str(name): value for name, value in found.items()}


def moment_in(text: str) -> tuple[date | None, int | None]:
    """A day (UTC) or a number of texts. Raises UsageError."""
    if not text.strip():
        return None, None
    if text.strip().isascii() and text.strip().isdigit() and len(text.strip()) < len("20260101"):
        return None, int(text)
    try:
        return date.fromisoformat(text.strip()), None
    except ValueError:
        raise UsageError(msg("persona-no-moment")) from None
