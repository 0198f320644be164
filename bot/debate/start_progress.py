"""An offer that is being started says so, and says in the end what came of it, whatever dies in between."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

import discord

from elenchus.bot.errors import DISCONNECTED
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.key_value_store import KeyValueStore

NAMESPACE = "starting"


class Starting(FrozenModel):
    """An offer whose start was confirmed by the interaction `click`; its `token` lives 15 minutes."""

    click: int
    application: int
    token: str
    message: int
    member: int


@asynccontextmanager
async def starting(store: KeyValueStore, interaction: discord.Interaction[Any]) -> AsyncIterator[None]:
    """An offer says that it is being started; that nothing was where that fails. Raises StorageError."""
    await interaction.response.edit_message(content=msg("debate-starting"), embed=None, view=None)
    begun, key = _of(interaction), str(interaction.id)
    if begun is not None:
        await store.put(NAMESPACE, key, begun.model_dump(mode="json"))
    try:
        yield
    except Exception:  # a bot that is being stopped may have begun it: it tells when it is back
        with suppress(discord.HTTPException, *DISCONNECTED):
            await interaction.edit_original_response(content=msg("debate-cancelled"))
        await store.remove(NAMESPACE, key)
        raise
    await store.remove(NAMESPACE, key)


def _of(interaction: discord.Interaction[Any]) -> Starting | None:
    if interaction.message is None:
        return None
    return Starting(
        click=interaction.id, application=interaction.application_id, token=interaction.token,
        message=interaction.message.id, member=interaction.user.id,
    )  # fmt: skip


async def unfinished(store: KeyValueStore) -> list[Starting]:
    """What a bot before this one was starting: to be read before anybody can start more. Raises StorageError."""
    return [Starting.model_validate(document) for document in (await store.all(NAMESPACE)).values()]


async def tell_what_came(
    client: discord.Client, store: KeyValueStore, left: Iterable[Starting], threads: Collection[tuple[int, int]]
) -> None:
    """Have these offers say what came of them, as far as Discord still takes that; `threads` are those of all sessions
    and control rooms, each with its moderator. Raises StorageError.
    """
    for one in left:
        made = [thread for thread, moderator in threads if thread > one.click and moderator == one.member]
        text = msg("debate-started-other", thread=min(made)) if made else msg("debate-cancelled")
        webhook = discord.Webhook.partial(one.application, one.token, client=client)
        with suppress(discord.HTTPException, *DISCONNECTED):
            await webhook.edit_message(one.message, content=text)
        await store.remove(NAMESPACE, str(one.click))
