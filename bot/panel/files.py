"""The files of a debate (report, data, pictures), sent to whoever asks."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator, Mapping

import discord

from elenchus.bot.interactions import Interaction
from elenchus.bot.people.consent import invitees
from elenchus.bot.people.members import seats_of
from elenchus.bot.rendering.report import MOST_FILES, ROOM, handed_out
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.participation import is_open


async def send_files(interaction: Interaction, services: BotServices, session: str) -> None:
    """Answer a deferred interaction with the files; whoever sits in the debate gets them when it has ended.

    Raises UsageError, UnknownSession, StorageError, discord.HTTPException.
    """
    events = await services.log.read(session)
    check_may_read(SessionView.of(session, events), interaction.user.id)
    unknown = await invitees(services.store, session, events)
    contents = await asyncio.to_thread(handed_out, session, events, unknown)
    batches, too_large = batched(contents)
    text = (
        msg("panel-exporting")
        if not too_large
        else f"{msg('panel-exporting')}\n{msg('panel-left-out', names=', '.join(too_large))}"
    )
    for n, batch in enumerate(batches):
        files = [discord.File(io.BytesIO(content), f"{session}-{name}") for name, content in batch.items()]
        await interaction.followup.send(text if n == 0 else "…", files=files, ephemeral=True)


def check_may_read(view: SessionView, member: int) -> None:
    """Raises UsageError for who sits in a debate that is not over, as scores and others' guidance would sway them, and
    while the audience votes: the judges' rulings stand in the files.
    """
    if seats_of(view.started, member) and not view.ended:
        raise UsageError(msg("panel-sits"))
    if is_open(view, "after"):
        raise UsageError(msg("panel-voting"))


def batched(contents: Mapping[str, bytes]) -> tuple[list[dict[str, bytes]], list[str]]:
    """The files in as few messages as hold them, and the names of those that are too large for any."""
    too_large = [name for name, content in contents.items() if len(content) > ROOM]
    return list(_batches({n: c for n, c in contents.items() if n not in too_large})), too_large


def _batches(contents: Mapping[str, bytes]) -> Iterator[dict[str, bytes]]:
    batch: dict[str, bytes] = {}
    for name, content in contents.items():
        if batch and (len(batch) == MOST_FILES or sum(map(len, batch.values())) + len(content) > ROOM):
            yield batch
            batch = {}
        batch[name] = content
    if batch:
        yield batch
