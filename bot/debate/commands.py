"""The commands under `/debate`: each reads its options and hands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import discord
from discord import app_commands
from discord.app_commands import Range

from elenchus.bot.debate.choices import Choices
from elenchus.bot.debate.options import LONGEST_TYPED, MOST_ROUNDS, topics_of
from elenchus.bot.debate.rules import check_steer
from elenchus.bot.debate.start import Starter, member_of
from elenchus.bot.errors import tell
from elenchus.bot.panel.actions import Actions
from elenchus.bot.panel.files import send_files
from elenchus.bot.people.members import person
from elenchus.bot.posting.requests import embed_of
from elenchus.bot.rendering import panel
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.protocols.socrasynth.schemas import FEWEST_WORDS, MAX_TOPICS, MOST_WORDS, StopRule
from elenchus.service.lab.options import LONGEST_MOTION, DebateOptions

Asked = discord.Interaction[Any]
Text = Range[str, 1, 2_000]
Side = Literal["pro", "con"]
Sides = Literal["pro", "con", "both"]
DEFAULT = DebateOptions(motion="?")
"""What is not said."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the commands hand on to."""

    services: BotServices
    manager: SessionManager
    starter: Starter
    actions: Actions
    choices: Choices


def add_to(tree: app_commands.CommandTree[Any], parts: Parts) -> None:
    """Put `/debate` into the tree."""
    contexts = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
    group = app_commands.Group(name="debate", description=msg("debate-group"), allowed_contexts=contexts)
    _add_start(group, parts)
    _add_simple(group, parts)
    _add_with_words(group, parts)
    _add_looks(group, parts)
    tree.add_command(group)


def _add_start(group: app_commands.Group, parts: Parts) -> None:
    @group.command(name="start", description=msg("debate-start"))
    @app_commands.describe(**messages("debate-options"))
    @app_commands.autocomplete(
        pro=parts.choices.seat, con=parts.choices.seat, crit=parts.choices.seat, judges=parts.choices.judges
    )
    async def start(  # noqa: PLR0913, PLR0917 - the library reads the options from the signature
        interaction: Asked,
        motion: Range[str, 1, LONGEST_MOTION],
        open_question: bool = DEFAULT.open_question,
        brief: Range[str, 1, LONGEST_TYPED] | None = None,
        pro: str = DEFAULT.pro,
        con: str = DEFAULT.con,
        judges: str = "",
        topics: Range[int, 1, MAX_TOPICS] = DEFAULT.topics,
        rounds: Range[int, 1, MOST_ROUNDS] = DEFAULT.max_rounds,
        heat: Range[float, 0, 1] = DEFAULT.heat,
        language: Range[str, 1, 60] | None = None,
        private: bool = False,
        budget: Range[float, 0, None] | None = DEFAULT.budget_usd,
        words: Range[int, FEWEST_WORDS, MOST_WORDS] = DEFAULT.words,
        agenda: Range[str, 1, LONGEST_TYPED] | None = None,
        agenda_file: discord.Attachment | None = None,
        brief_file: discord.Attachment | None = None,
        crit: str = DEFAULT.crit,
        coach: bool = DEFAULT.coach,
        simultaneous: bool = DEFAULT.simultaneous,
        compare_qa: bool = DEFAULT.compare_qa,
        approve_agenda: bool = DEFAULT.approve_agenda,
        decay: Range[float, 1, 100] = DEFAULT.decay,
        floor: Range[float, 0, 1] = DEFAULT.floor,
        stop: StopRule = DEFAULT.stop,
        temperature: Range[float, 0, 2] | None = DEFAULT.temperature,
    ) -> None:
        typed = {name: value for name, value in locals().items() if name in DebateOptions.model_fields}
        typed |= {"brief": brief or "", "language": language or "", "agenda": topics_of(agenda or "")}
        typed |= {"max_rounds": rounds, "budget_usd": budget}
        files = {"brief": brief_file, "agenda": agenda_file}
        await parts.starter.offer(interaction, typed, files, private=private)


async def _session(interaction: Asked, parts: Parts) -> tuple[str, str]:
    """The session of this thread and who asks, who may steer it. Acknowledges first. Raises UsageError."""
    binding = parts.manager.bindings.in_thread(interaction.channel_id)
    await check_steer(parts.services, binding, member_of(interaction))
    return binding.session, person(interaction.user.id)


def _add_simple(group: app_commands.Group, parts: Parts) -> None:
    """Commands that take no words."""
    actions = parts.actions

    @group.command(name="pause", description=messages("debate-commands")["pause"])
    @app_commands.describe(reason=messages("debate-arguments")["reason"])
    async def pause(interaction: Asked, reason: Text | None = None) -> None:
        await tell(interaction, await actions.pause(*await _session(interaction, parts), reason or ""))

    @group.command(name="resume", description=messages("debate-commands")["resume"])
    async def resume(interaction: Asked) -> None:
        await tell(interaction, await actions.resume(*await _session(interaction, parts)))

    @group.command(name="heat", description=messages("debate-commands")["heat"])
    @app_commands.describe(value=messages("debate-arguments")["value"])
    async def heat(interaction: Asked, value: Range[float, 0, 1]) -> None:
        await tell(interaction, await actions.heat(*await _session(interaction, parts), value))

    @group.command(name="round", description=messages("debate-commands")["round"])
    async def one_more_round(interaction: Asked) -> None:
        await tell(interaction, await actions.round(*await _session(interaction, parts)))

    @group.command(name="close", description=messages("debate-commands")["close"])
    async def close(interaction: Asked) -> None:
        await tell(interaction, await actions.close(*await _session(interaction, parts)))

    @group.command(name="deepen", description=messages("debate-commands")["deepen"])
    @app_commands.describe(side=messages("debate-arguments")["side"])
    async def deepen(interaction: Asked, side: Side) -> None:
        await tell(interaction, await actions.deepen(*await _session(interaction, parts), side))

    @group.command(name="budget", description=messages("debate-commands")["budget"])
    @app_commands.describe(tokens=messages("debate-arguments")["tokens"], usd=messages("debate-arguments")["usd"])
    async def budget(
        interaction: Asked, tokens: Range[int, 1, None] | None = None, usd: Range[float, 0, None] | None = None
    ) -> None:
        await tell(interaction, await actions.budget(*await _session(interaction, parts), tokens, usd))


def _add_with_words(group: app_commands.Group, parts: Parts) -> None:
    """Commands that take words."""
    actions = parts.actions

    @group.command(name="guide", description=messages("debate-commands")["guide"])
    @app_commands.describe(to=messages("debate-arguments")["sides"], text=messages("debate-arguments")["text"])
    async def guide(interaction: Asked, to: Sides, text: Text) -> None:
        await tell(interaction, await actions.guide(*await _session(interaction, parts), to, text))

    @group.command(name="ask", description=messages("debate-commands")["ask"])
    @app_commands.describe(side=messages("debate-arguments")["side"], text=messages("debate-arguments")["text"])
    async def ask(interaction: Asked, side: Side, text: Text) -> None:
        await tell(interaction, await actions.ask(*await _session(interaction, parts), side, text))

    @group.command(name="stop", description=messages("debate-commands")["stop"])
    @app_commands.describe(reason=messages("debate-arguments")["reason"])
    async def stop(interaction: Asked, reason: Text) -> None:
        await tell(interaction, await actions.stop(*await _session(interaction, parts), reason))


def _add_looks(group: app_commands.Group, parts: Parts) -> None:
    """Commands that change nothing: whoever sees the thread may use them."""

    @group.command(name="status", description=messages("debate-commands")["status"])
    async def status(interaction: Asked) -> None:
        session = parts.manager.bindings.in_thread(interaction.channel_id).session
        shown = panel.shown(await parts.manager.status(session))
        await interaction.followup.send(embed=embed_of(shown.embed), ephemeral=True)

    @group.command(name="export", description=messages("debate-commands")["export"])
    async def export(interaction: Asked) -> None:
        session = parts.manager.bindings.in_thread(interaction.channel_id).session
        await send_files(interaction, parts.services, session)
