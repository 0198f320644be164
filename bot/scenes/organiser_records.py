"""What is held on a member who ran scenes or added some: shown by `/privacy export`, removed by `/privacy forget`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from elenchus.bot.people.forgetting import NOBODY
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.plays import Play, Plays
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.debate_engine.errors import UnknownSession


@dataclass(frozen=True, slots=True)
class SceneOrganiserRecords:
    """Plays with their threads, and scripts. All raise StorageError."""

    scenes: SceneSessions
    plays: Plays
    library: Library

    async def document(self, member: int) -> dict[str, Any]:
        """All of it, as JSON."""
        status = (binding.key for binding in self.scenes.bindings if binding.moderator == member)
        views = [str(key) for key in status if not key.is_public]
        return {
            "scenes run": [play.id for play in await self._runs(member, "")],
            "views of scenes run": views,
            "scripts added": await self.library.added_by(member),
        }

    async def forget(self, member: int, session: str) -> int:
        """Forget who ran what is over (or the one scene) and who added what; how many scenes the member still runs.

        A play in which somebody still plays keeps its organiser: whoever takes part must be helped, and let go, by
        somebody. Free places of a play that nobody runs are offered no more.
        """
        if not session:
            await self.library.forget(member)
        running = 0
        for play in await self._runs(member, session):
            if await self._goes_on(play):
                running += 1
                continue
            await self.plays.change(
                play.id, lambda known: known.model_copy(update={"moderator": NOBODY, "closed": True})
            )
            for binding in [b for one in play.sessions for b in self.scenes.bindings.views_of(one)]:
                await self.scenes.bindings.change(binding.key, moderator=NOBODY)
        return running

    async def _runs(self, member: int, session: str) -> list[Play]:
        return [play for play in await self.plays.run_by(member) if session in ("", *play.sessions)]

    async def _goes_on(self, play: Play) -> bool:
        for session in play.sessions:
            try:
                if not (await self.scenes.manager.status(session)).over:
                    return True
            except UnknownSession:
                continue
        return False
