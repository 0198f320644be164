"""The scenes of a server: those that come with the program, and those that its members added, kept in the store."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from elenchus.bot.rendering.safe import inline
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.pictures import PictureStore
from elenchus.debate_engine.scenes.canonical import read, write
from elenchus.debate_engine.scenes.library import BUILT_IN, find_scene, load_scenes, scene_meant, twin_of
from elenchus.debate_engine.scenes.picture_files import keep as keep_files
from elenchus.debate_engine.scenes.scene import CONDITIONS, Condition, Scene
from elenchus.debate_engine.scenes.versions import versions

NAMESPACE = "scenes"
LONGEST_NAME = 40


class StoredScene(FrozenModel):
    """A scene that a member added to a server, in its canonical form. The key in the store is GUILD:NAME.

    `by` is 0 where the member is forgotten.
    """

    name: str
    guild: int
    by: int
    text: str


@dataclass(frozen=True, slots=True)
class Library:
    """Finds and keeps scenes. A server's own scene comes before one of the same name that comes with the program."""

    store: KeyValueStore

    async def own(self, guild: int) -> dict[str, Scene]:
        """The server's own scenes by name. Raises StorageError."""
        kept = [StoredScene.model_validate(document) for document in (await self.store.all(NAMESPACE)).values()]
        mine = [one for one in kept if one.guild == guild]
        return await asyncio.to_thread(lambda: {one.name: read(one.text) for one in mine})

    async def all(self, guild: int) -> dict[str, Scene]:
        """What can be started by name; of a pair of twins the treatment, as the other is its control condition."""
        known = await asyncio.to_thread(built_in) | await self.own(guild)
        twins = {one.twin.removesuffix(".md") for one in known.values() if one.condition == "treatment"}
        return {name: one for name, one in known.items() if not (one.condition == "control" and name in twins)}

    async def name_meant(self, guild: int, text: str) -> str:
        """The name of the scene that a member means who types this: one of the server's, else as `scene_meant` has it.

        Raises UsageError, StorageError.
        """
        if await self._kept(guild, text.casefold()) is not None:
            return text.casefold()
        return (await asyncio.to_thread(scene_meant, text)).casefold()

    async def find(self, guild: int, name: str) -> Scene:
        """The scene of this name. Raises UsageError, StorageError."""
        if (own := await self._kept(guild, name.casefold())) is not None:
            return read(own.text)
        try:
            return await asyncio.to_thread(find_scene, name)
        except UsageError as error:
            raise UsageError(msg("scenes-unknown", name=inline(name[:80]))) from error

    async def twin(self, guild: int, scene: Scene) -> Scene | None:
        """The scene's neutral twin, None where it has none here. Raises StorageError."""
        if not scene.twin:
            return None
        if (own := await self._kept(guild, scene.twin.removesuffix(".md").casefold())) is not None:
            return read(own.text)
        try:
            return await asyncio.to_thread(twin_of, scene)
        except UsageError:
            return None

    async def versions(self, guild: int, scene: Scene) -> dict[Condition, Scene]:
        """The scene's versions by name: at each level of what it varies, else it and its twin. Raises StorageError."""
        if scene.factors:
            return versions(scene)
        twin = await self.twin(guild, scene)
        found = {one.condition or "": one for one in (scene, twin) if one is not None}
        return {name: found[name] for name in (*CONDITIONS, "") if name in found}

    async def keep(self, guild: int, name: str, scene: Scene, by: int) -> None:
        """Keep a scene under this name, in place of the server's former one. Raises StorageError."""
        kept = StoredScene(name=name, guild=guild, by=by, text=write(scene))
        await self.store.put(NAMESPACE, key(guild, name), kept.model_dump(mode="json"))

    async def keep_pictures(self, scenes: Iterable[Scene], store: PictureStore) -> None:
        """Put the pictures of scenes that come with the program where sessions find them; others have none.

        Raises UsageError, StorageError.
        """
        for scene in scenes:
            await asyncio.to_thread(keep_files, scene, BUILT_IN, store)

    async def is_anothers(self, guild: int, name: str, member: int) -> bool:
        """Whether this name is taken by another member's scene, or by one that comes with the program."""
        if (own := await self._kept(guild, name)) is not None:
            return own.by != member
        return name in await asyncio.to_thread(built_in)

    async def _kept(self, guild: int, name: str) -> StoredScene | None:
        document = await self.store.get(NAMESPACE, key(guild, name))
        return StoredScene.model_validate(document) if document is not None else None

    async def added_by(self, member: int) -> list[str]:
        """The places in the store of the scenes that a member added, in whatever server. Raises StorageError."""
        kept = await self.store.all(NAMESPACE)
        return [place for place, document in kept.items() if StoredScene.model_validate(document).by == member]

    async def forget(self, member: int) -> None:
        """Forget who added these; the scenes stay the server's. Raises StorageError."""
        for place in await self.added_by(member):
            if (document := await self.store.get(NAMESPACE, place)) is not None:
                await self.store.put(NAMESPACE, place, document | {"by": 0})


@cache
def built_in() -> dict[str, Scene]:
    """The scenes that come with the program, read once: somebody who types a name asks for them at each letter."""
    return load_scenes()


def key(guild: int, name: str) -> str:
    """A scene's place in the store."""
    return f"{guild}:{name}"


def name_of(filename: str) -> str:
    """What a scene from this file is called: small letters, digits and dashes. Raises UsageError where none is left."""
    plain = unicodedata.normalize("NFKD", filename.rpartition("/")[2]).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\.(md|txt)$", "", plain, flags=re.IGNORECASE).casefold()).strip("-")
    if not name:
        raise UsageError(msg("scenes-no-name"))
    return name[:LONGEST_NAME].strip("-")
