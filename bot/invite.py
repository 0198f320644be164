"""What the bot is invited with: the scopes and the permissions of its invitation, and its address."""

from __future__ import annotations

from typing import Final

import discord

SCOPES: Final = ("bot", "applications.commands")

PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    create_public_threads=True,
    create_private_threads=True,
    send_messages_in_threads=True,
    manage_threads=True,
    manage_webhooks=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
    pin_messages=True,
)
"""The least with which everything works; docs/discord.md says what each is for."""


def address(application: int) -> str:
    """Where somebody who manages a server invites the bot of this application."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=SCOPES)
