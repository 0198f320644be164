"""Members of Discord and how they are called in the logs of scenes: by made-up names, whose key is kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from elenchus.bot.people.members import member_of, person
from elenchus.bot.scenes.scene_view import names_in
from elenchus.bot.services import BotServices
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.privacy.pseudonyms import is_pseudonym


@dataclass(frozen=True, slots=True)
class MemberNames:
    """Gives members their names in logs, and finds the members behind names. All raise StorageError."""

    services: BotServices

    async def name_of(self, member: int, session: str = "") -> str:
        """How this member is called in the logs of scenes; the name is made on first use, for the `session` that is to
        have the member, which was promised before.
        """
        account = person(member)
        return await self.services.pseudonyms.of(account, session) if self.services.pseudonyms else account

    async def known_name_of(self, member: int) -> str | None:
        """The same, None where the member has none: no name is made."""
        account = person(member)
        return await self.services.pseudonyms.find(account) if self.services.pseudonyms else account

    async def forget(self, member: int) -> None:
        """Take the member out of the key: nobody can tell any more who had that name."""
        if self.services.pseudonyms is not None:
            await self.services.pseudonyms.forget(person(member))

    async def members_in(self, events: Sequence[Recorded]) -> Mapping[str, int]:
        """The members on the seats of a session and behind its commands, by their names in its log.

        Whoever is forgotten is missing.
        """
        by = {str(getattr(r.event, "by", "")) for r in events}
        return await self._members([*names_in(events), *sorted(by)])

    async def members_of(self, specs: Sequence[str]) -> Mapping[str, int]:
        """The members behind the specs of seats."""
        found = await self._members([spec.removeprefix(f"{HUMAN}:") for spec in specs])
        return {spec: member for spec in specs if (member := found.get(spec.removeprefix(f"{HUMAN}:"))) is not None}

    async def _members(self, names: Iterable[str]) -> Mapping[str, int]:
        found = {name: member_of(await self._account(name)) for name in dict.fromkeys(names) if name}
        return {name: member for name, member in found.items() if member is not None}

    async def _account(self, name: str) -> str:
        if self.services.pseudonyms is None or not is_pseudonym(name):
            return name
        return await self.services.pseudonyms.account_of(name) or ""
