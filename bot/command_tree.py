"""The commands of the bot: how each is acknowledged, put into the tree, and what becomes of its failure."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from elenchus.bot.errors import DISCONNECTED, answer_error, first_of, logged
from elenchus.bot.interactions import Interaction

Callback = Callable[..., Coroutine[Any, Any, None]]
Autocomplete = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[str]]]]


class CommandTree(app_commands.CommandTree[discord.Client]):
    """The commands: each is acknowledged before it runs, and its failure comes here."""

    async def interaction_check(self, interaction: discord.Interaction[discord.Client], /) -> bool:
        """Acknowledge a command, for the person who asks alone: Discord waits 3 s. False where that fails."""
        if interaction.type is discord.InteractionType.application_command:
            try:
                await interaction.response.defer(ephemeral=True, thinking=True)
            except (discord.HTTPException, *DISCONNECTED) as error:
                await answer_error(interaction, error)
                return False
        return True

    async def on_error(
        self, interaction: discord.Interaction[discord.Client], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer, unless it was autocompletion: an empty list says it there."""
        if interaction.type is discord.InteractionType.autocomplete:
            logged(first_of(error), "autocompletion")
            return
        await answer_error(interaction, error)


def command_of(
    name: str,
    description: str,
    callback: Callback,
    options: Mapping[str, str] | None = None,
    /,
    **completions: Autocomplete,
) -> app_commands.Command[Any, ..., Any]:
    """A command of a server. Its options are the callback's arguments; `options` describes them and perhaps others,
    `completions` completes some.
    """
    command = app_commands.Command[Any, ..., Any](name=name, description=description, callback=callback)
    told = {one.name: options[one.name] for one in command.parameters} if options else {}
    app_commands.describe(**told)(command)
    app_commands.autocomplete(**completions)(command)
    return app_commands.guild_only(command)


def menu_of(name: str, callback: Callback) -> app_commands.ContextMenu:
    """An entry of the menu of a server's messages."""
    return app_commands.guild_only(app_commands.ContextMenu(name=name, callback=callback))


def group_of(name: str, description: str, *commands: app_commands.Command[Any, ..., Any]) -> app_commands.Group:
    """A group of commands of a server."""
    contexts = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
    group = app_commands.Group(name=name, description=description, allowed_contexts=contexts)
    for command in commands:
        group.add_command(command)
    return group
