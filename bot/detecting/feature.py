"""Puts the search for biases into the bot: the commands, and the click under the end of a session."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.clicks import Clicks
from bot.debate import choices as debate_choices
from bot.debate.offers import Offers
from bot.desk import Desk
from bot.detecting import commands
from bot.detecting.choices import Choices
from bot.detecting.commands import Detecting
from bot.detecting.material import Material
from bot.detecting.offering import Offerer
from bot.running import House
from bot.scenes.rooms import Rooms


def furnish(
    tree: app_commands.CommandTree[Any],
    clicks: Clicks,
    desk: Desk,
    house: House,
    rooms: Rooms,
    offers: Offers,
    models: debate_choices.Choices,
) -> None:
    """Add `/detect` and "Detect biases" to the tree and "Look for biases" to the clicks.

    What is offered here is confirmed as debates are: whoever hears the click `start` looks into the same `offers`.
    """
    material = Material(desk, house, rooms)
    detecting = Detecting(material, Offerer(desk, house, offers))
    commands.add_to(tree, detecting, Choices(material), models)
    clicks.on(commands.LOOK, detecting.pressed)
