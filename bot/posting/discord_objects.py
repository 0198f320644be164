"""A `Post` as discord.py sends it. Pure: values in, the library's values out."""

from __future__ import annotations

import io
from typing import Any

import discord

from elenchus.bot.rendering.post import Button, Embed, Post
from elenchus.bot.rendering.safe import units
from elenchus.bot.rendering.split import LIMIT
from elenchus.bot.strings import msg

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def fields_of(post: Post) -> dict[str, Any]:
    """The arguments of `send` that a bot's message and a webhook's have in common."""
    fields: dict[str, Any] = {"content": post.text, "allowed_mentions": mentions_of(post)}
    if post.embeds:
        fields["embeds"] = [embed_of(embed) for embed in post.embeds]
    if post.files:
        fields["files"] = [discord.File(io.BytesIO(f.content), f.name, description=f.alt or None) for f in post.files]
    if post.buttons:
        fields["view"] = view_of(post.buttons)
    return fields


def without_webhook(post: Post) -> dict[str, Any]:
    """A persona's post as the bot posts it itself: its name above the speech, which an embed takes if too long."""
    fields, name = fields_of(post), msg("posting-spoken-by", name=discord.utils.escape_markdown(post.name))
    both = f"{name}\n{post.text}"
    if units(both) <= LIMIT:
        return fields | {"content": both}
    body, _, small_print = post.text.rpartition("\n")
    speech = discord.Embed(description=body or post.text)
    return fields | {"content": f"{name}\n{small_print}", "embeds": [speech, *fields.get("embeds", ())]}


def mentions_of(post: Post) -> discord.AllowedMentions:
    """Nobody, or the one member whose turn it is."""
    if post.mention is None:
        return discord.AllowedMentions.none()
    users = [discord.Object(post.mention)]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def embed_of(embed: Embed) -> discord.Embed:
    """An embed as the library's."""
    made = discord.Embed(title=embed.title or None, description=embed.description or None, colour=embed.colour)
    for field in embed.fields:
        made.add_field(name=field.name, value=field.value, inline=field.inline)
    if embed.footer:
        made.set_footer(text=embed.footer)
    if embed.image:
        made.set_image(url=f"attachment://{embed.image}")
    return made


def view_of(buttons: tuple[Button, ...]) -> discord.ui.View:
    """Buttons in rows of five. Who presses them is heard by `components`, so the library need not remember the view."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(discord.ui.Button(label=button.label, custom_id=button.custom_id, style=_STYLES[button.style]))
    view.stop()
    return view
