"""`PendingWork`: what is opened wholly or not at all, whatever dies in between.

It is in the store before its first request and leaves it after its last. Where one of them fails it is undone; a bot
that finds it at its start finishes it.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import ClassVar, Generic, TypeVar

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import Binding
from elenchus.bot.notifier import notify_moderator
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import ElenchusError, StorageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.service.lab.stored_documents import readable

P = TypeVar("P", bound=FrozenModel)


class PendingWork(ABC, Generic[P]):
    """Work of one kind. `namespace` is where the store keeps it, `model` what it keeps."""

    namespace: ClassVar[str]
    model: type[P]

    def __init__(self, services: BotServices) -> None:
        self.services = services
        self.caught_up = asyncio.Event()
        self._left: list[P] = []

    @abstractmethod
    def _key(self, pending: P) -> str:
        """Its key in the store."""

    @abstractmethod
    async def _guild(self, pending: P) -> int:
        """The server that it is for."""

    @abstractmethod
    async def _complete(self, client: discord.Client, pending: P) -> None:
        """Do what is not done yet. Raises ElenchusError, discord.HTTPException."""

    @abstractmethod
    async def _addressee(self, pending: P) -> tuple[str, Binding] | None:
        """What it is called, and a binding that tells whom to tell that it came to nothing; None for nobody."""

    async def _undo(self, client: discord.Client, pending: P) -> None:
        """Take back what there is of it. Raises StorageError."""

    def _lock(self, _pending: P) -> AbstractAsyncContextManager[object]:
        """Held while it is done, or finished, or undone."""
        return nullcontext()

    @asynccontextmanager
    async def all_or_nothing(self, client: discord.Client, pending: P) -> AsyncIterator[None]:
        """Around the work: nothing is left of it where it fails. Raises StorageError."""
        document = pending.model_dump(mode="json")
        await self.services.store.put(self.namespace, self._key(pending), document)
        async with self._lock(pending):
            try:
                yield
                await self._remove(pending)
            except Exception:
                await self._undo(client, pending)
                await self._remove(pending)
                raise

    async def load(self) -> None:
        """Read what was left unfinished here, before anybody can ask for more. Raises StorageError."""
        left = readable(self.model, await self.services.store.all(self.namespace))
        self._left = [one for one in left if self.services.shard.has(await self._guild(one))]

    async def finish(self, client: discord.Client) -> None:
        """Finish what was left, once; sessions run when the manager opens. What cannot be finished is undone and told.

        Raises nothing of Discord's; where Discord or the storage cannot be reached, the next start tries again.
        """
        left, self._left = self._left, []
        for pending in left:
            async with self._lock(pending):
                await self._finished_or_told(client, pending)
        self.caught_up.set()

    async def _finished_or_told(self, client: discord.Client, pending: P) -> None:
        what = f"{self.namespace} {self._key(pending)}"
        try:
            await self._complete(client, pending)
            await self._remove(pending)
        except (StorageError, discord.DiscordServerError, *errors.DISCONNECTED) as error:
            errors.logged(error, f"{what} is not opened yet")
        except (ElenchusError, discord.HTTPException) as error:
            name = errors.logged(error, f"{what} could not be opened")
            await self._undo(client, pending)
            await self._remove(pending)
            if (told := await self._addressee(pending)) is not None:
                text = msg("sessions-not-opened", title=told[0], why=errors.sentence(error))
                await notify_moderator(client, told[1], msg("errors-with-reference", sentence=text, name=name))

    async def _remove(self, pending: P) -> None:
        await self.services.store.remove(self.namespace, self._key(pending))
