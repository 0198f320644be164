"""Puts the search for biases into the bot: the commands, and the click under the end of a session."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from elenchus.bot.components import ComponentHandlers
from elenchus.bot.debate import choices as debate_choices
from elenchus.bot.debate.offers import Offers
from elenchus.bot.desk import Desk
from elenchus.bot.detecting import commands
from elenchus.bot.detecting.choices import Choices
from elenchus.bot.detecting.commands import Detecting
from elenchus.bot.detecting.material import Material
from elenchus.bot.detecting.offering import Offerer
from elenchus.bot.session_manager import SessionManager


def furnish(
    tree: app_commands.CommandTree[Any],
    components: ComponentHandlers,
    desk: Desk,
    house: SessionManager,
    offers: Offers,
    models: debate_choices.Choices,
) -> None:
    """Add `/detect` and "Detect biases" to the tree and "Look for biases" to the clicks.

    What is offered here is confirmed as debates are: whoever hears the click `start` looks into the same `offers`.
    """
    material = Material(desk, house)
    detecting = Detecting(material, Offerer(desk, house, offers))
    commands.add_to(tree, detecting, Choices(material), models)
    components.on(commands.LOOK, detecting.pressed)
