"""A bot with one of everything that a moderator may meet: commands, autocomplete, modal, buttons, selects, a menu."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
from discord import app_commands

from tests.fakes.discord_tests.support import Bot


class Guidance(discord.ui.Modal, title="Guidance"):
    words: discord.ui.TextInput[Guidance] = discord.ui.TextInput(label="Words", min_length=3, max_length=200)
    tone: discord.ui.Label[Guidance] = discord.ui.Label(
        text="Tone",
        component=discord.ui.Select(
            custom_id="tone",
            required=False,
            options=[discord.SelectOption(label="Warm"), discord.SelectOption(label="Cool")],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"heard: {self.words.value}", ephemeral=True)


class Panel(discord.ui.View):
    """A persistent view: its buttons work after a restart of the bot."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Guide", custom_id="panel:guide")
    async def guide(self, interaction: discord.Interaction, _: discord.ui.Button[Panel]) -> None:
        await interaction.response.send_modal(Guidance())

    @discord.ui.button(label="Hotter", custom_id="panel:hotter")
    async def hotter(self, interaction: discord.Interaction, _: discord.ui.Button[Panel]) -> None:
        await interaction.response.edit_message(content="heat 0.9")

    @discord.ui.button(label="Quiet", custom_id="panel:quiet")
    async def quiet(self, interaction: discord.Interaction, _: discord.ui.Button[Panel]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="quietly changed")

    @discord.ui.button(label="Not now", custom_id="panel:never", disabled=True)
    async def never(self, interaction: discord.Interaction, _: discord.ui.Button[Panel]) -> None:
        raise AssertionError("a disabled button was pressed")

    @discord.ui.select(
        custom_id="panel:model", placeholder="Model", options=[discord.SelectOption(label=x) for x in "ABC"]
    )
    async def model(self, interaction: discord.Interaction, select: discord.ui.Select[Panel]) -> None:
        await interaction.response.send_message(f"model {select.values[0]}", ephemeral=True)

    @discord.ui.select(cls=discord.ui.UserSelect, custom_id="panel:who", placeholder="Who")
    async def who(self, interaction: discord.Interaction, select: discord.ui.UserSelect[Panel]) -> None:
        await interaction.response.send_message(f"seat for {select.values[0].display_name}", ephemeral=True)


class Everything(Bot):
    """`done` collects what the handlers saw, `failed` what Discord refused."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.done: list[str] = []
        self.failed: list[discord.HTTPException] = []
        add_commands(self, self.tree)

    async def setup_hook(self) -> None:
        self.add_view(Panel())
        await super().setup_hook()

    async def tried(self, what: Any) -> None:
        """Await something that Discord may refuse."""
        try:
            await what
        except discord.HTTPException as error:
            self.failed.append(error)


def add_commands(bot: Everything, tree: app_commands.CommandTree[Bot]) -> None:
    debate = app_commands.Group(name="debate", description="Debates")

    @debate.command(description="Start one")
    @app_commands.describe(motion="What is debated", pro="Who is for it")
    async def start(
        interaction: discord.Interaction,
        motion: app_commands.Range[str, 5, 200],
        pro: discord.Member | None = None,
        model: str = "",
        heat: app_commands.Range[float, 0.0, 1.0] = 0.9,
    ) -> None:
        await interaction.response.defer(thinking=True)
        await interaction.followup.send(f"{motion} {pro.display_name if pro else '-'} {model} {heat}", view=Panel())

    @start.autocomplete("model")
    async def models(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=name, value=name) for name in ("alpha", "beta") if name.startswith(typed)]

    tree.add_command(debate)

    @tree.command(description="Only for managers")
    @app_commands.default_permissions(manage_guild=True)
    async def manage(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("managed")

    @tree.command(description="Too late")
    async def late(interaction: discord.Interaction) -> None:
        await asyncio.sleep(0.4)
        await bot.tried(interaction.response.send_message("late"))

    @tree.command(description="Answers twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once", ephemeral=True)
        other = discord.InteractionResponse[Everything](interaction)  # type: ignore[arg-type]  # a second, unaware one
        await bot.tried(other.send_message("twice"))

    @tree.command(description="Long work")
    async def work(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("working", ephemeral=True)
        bot.done.append(interaction.token)

    @tree.context_menu(name="Score this argument")
    async def score(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"scored: {message.content}", ephemeral=True)
