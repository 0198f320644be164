"""`/privacy export|forget`: what is held on the member who asks, and its removal, confirmed."""

from __future__ import annotations

import io
from typing import Any

import discord
from discord import app_commands

from elenchus.bot.bindings import all_bindings
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.interactions import tell
from elenchus.bot.people import examination
from elenchus.bot.people.forgetting_messages import Forgetter
from elenchus.bot.people.members import person
from elenchus.bot.people.personal_data import document_on, personal_data_on
from elenchus.bot.people.removal import Removal, Removed
from elenchus.bot.posting.discord_objects import view_of
from elenchus.bot.rendering.post import Button
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.printable import json_text

FORGET = "forget"
"""The name of the click that confirms; the rest is a session's id, or `all`."""

Asked = discord.Interaction[Any]


class Privacy(app_commands.Group, name="privacy", description=msg("privacy-group")):
    """The commands; they work in direct messages too, for whoever has left the server.

    All raise UnknownSession, StorageError, discord.HTTPException.
    """

    def __init__(self, services: BotServices, removal: Removal, forgetter: Forgetter) -> None:
        super().__init__()
        self.services = services
        self.removal = removal
        self.forgetter = forgetter

    def register(self, components: ComponentHandlers) -> None:
        """Hear who agrees to be forgotten."""
        components.on(FORGET, self.confirmed)

    @app_commands.command(name="export", description=msg("privacy-export"))
    async def export(self, interaction: Asked) -> None:
        """Everything on the member who asks, as a file for them alone."""
        document = await self._document(interaction.user.id)
        if not any(value for name, value in document.items() if name != "member"):
            await tell(interaction, msg("privacy-nothing"))
            return
        content = json_text(document, indent=2).encode()
        await tell(interaction, msg("privacy-exported"), file=discord.File(io.BytesIO(content), "held-on-you.json"))

    async def _document(self, member: int) -> dict[str, Any]:
        bound = [one for one in await all_bindings(self.services.store) if one.key.is_public]
        document = await document_on(self.services, bound, member)
        for organised in self.forgetter.organised:
            document |= await organised.document(member)
        return document

    @app_commands.command(name="forget", description=msg("privacy-forget"))
    @app_commands.describe(session=msg("privacy-where"))
    async def forget(self, interaction: Asked, session: str = "") -> None:
        """Say what there is, and ask once more."""
        member, session = interaction.user.id, session.strip()
        found = await personal_data_on(self.services, member, session)
        records = await self.services.people.records_on(person(member), session)
        bound = await all_bindings(self.services.store)
        runs = any(one.moderator == member and session in ("", one.session) for one in bound if one.key.is_public)
        if not (found or any(records.values()) or runs or await self._organises(member)):
            await tell(interaction, msg("privacy-nothing"))
            return
        held = [one.held for one in found]
        texts, votes = sum(h.texts for h in held), sum(h.votes for h in held)
        shown = {one.session for one in bound if one.key.is_public}
        posts = sum(len(one.marks) for one in found if one.held.session in shown)
        sure = Button(f"el:{FORGET}:{session or 'all'}", msg("privacy-sure"), "danger")
        await tell(interaction, _held(len(held), texts, votes, posts), view=view_of((sure,)))

    async def confirmed(self, interaction: Asked, which: str) -> None:
        """Remove it."""
        removed = await self.removal.everywhere(interaction.user.id, "" if which == "all" else which)
        await tell(interaction, _removed(removed))

    @app_commands.command(name="detection", description=msg("privacy-detection"))
    @app_commands.describe(allowed=msg("privacy-allowed"))
    async def detection(self, interaction: Asked, allowed: bool) -> None:
        """Keep whether others may have the member's words examined."""
        await examination.wish(self.services.store, interaction.user.id, allowed=allowed)
        await tell(interaction, msg("privacy-examined") if allowed else msg("privacy-not-examined"))

    async def _organises(self, member: int) -> bool:
        """Whether the member runs anything beside debates."""
        held = [await organised.document(member) for organised in self.forgetter.organised]
        return any(any(document.values()) for document in held)


def _held(sessions: int, texts: int, votes: int, posts: int) -> str:
    """What is told before the removal."""
    return msg(
        "privacy-asked",
        texts=msg("privacy-texts", n=texts),
        votes=msg("privacy-votes", n=votes),
        sessions=msg("privacy-sessions", n=sessions),
        posts=msg("privacy-posts", n=posts),
    )


def _removed(removed: Removed) -> str:
    """What is told after it."""
    done, running, scenes = removed.done, removed.running, removed.scenes
    replaced = msg(
        "privacy-done",
        texts=msg("privacy-texts", n=done.texts),
        sessions=msg("privacy-sessions", n=removed.sessions),
        posts=msg("privacy-posts", n=done.deleted),
    )
    lines = [
        f"{replaced} {msg('privacy-stands')}",
        msg("privacy-elsewhere") if removed.elsewhere else "",
        msg("privacy-moderates", debates=msg("privacy-debates", n=running)) if running else "",
        msg("privacy-runs", scenes=msg("privacy-scenes", n=scenes)) if scenes else "",
        msg("privacy-not-deleted", posts=msg("privacy-posts", n=done.kept)) if done.kept else "",
    ]
    return "\n".join(filter(None, lines))
