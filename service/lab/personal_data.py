"""What is held on a person, in the logs of sessions and beside them: found, given to them, and removed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import MODERATOR, Recorded, SessionStarted, TurnOpened, Voted
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.privacy.authorship import names_of, people_in, written_by
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab import person_records

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import Document, KeyValueStore
    from elenchus.debate_engine.log import EventLog
    from elenchus.debate_engine.privacy.pseudonyms import Pseudonyms
    from elenchus.debate_engine.runner import Runner
    from elenchus.service.lab.typed_options import PersonDocument, SessionDocument


@dataclass(frozen=True, slots=True)
class HeldInSession:
    """What one session holds on a person: the events that are theirs. `called` is their name there; `names` are it and
    the seats they sit on.
    """

    session: str
    called: str
    title: str
    names: frozenset[str]
    events: tuple[Recorded, ...]

    @property
    def texts(self) -> int:
        """Texts of theirs."""
        return sum(len(written_by(r.event, self.names) or ()) for r in self.events)

    @property
    def votes(self) -> int:
        """Votes of theirs that count: the last before and the last after."""
        return len({r.event.when for r in self.events if isinstance(r.event, Voted)})

    def document(self) -> SessionDocument:
        """All of it, as JSON."""
        seats = sorted(self.names - {self.called})
        events = [r.line() for r in self.events]
        return {"session": self.session, "title": self.title, "seats": seats, "events": events}


def held_in(session: str, events: Sequence[Recorded], who: str) -> HeldInSession | None:
    """What a session's log holds on the person whom it calls so, None for nothing. Pure."""
    names = names_of(events, who)
    mine = [r for r in events if getattr(r.event, "by", "") == who or written_by(r.event, names) is not None]
    if (not mine and len(names) == 1) or not is_person_in(events, who):
        return None
    return HeldInSession(session, who, SessionView.of(session, events).title, names, tuple(mine))


def is_person_in(recorded: Sequence[Recorded], who: str) -> bool:
    """Whether a person goes by this name in a session; a seat's name is a person's only where one of it sits there."""
    seats = {seat.name: seat.spec for r in recorded if isinstance(r.event, SessionStarted) for seat in r.event.seats}
    seats |= {r.event.seat: "" for r in recorded if isinstance(r.event, TurnOpened) and r.event.seat not in seats}
    own = f"{HUMAN}:{who}"
    named = own in seats.values() if who in seats else who != MODERATOR
    return named and who in people_in(recorded)


def check_person(recorded: Sequence[Recorded], who: str) -> None:
    """Raises UsageError for a seat without a person, and a name that did nothing in this session."""
    if who not in (people := people_in(recorded)):
        raise UsageError(
            f"No person sits on {who!r} or goes by that name; people's words can be forgotten for: "
            f"{', '.join(sorted(people))}."
        )


async def forgotten(people: PersonalData, person: str, session: str = "", by: str = "") -> int:
    """Forget a person, or in one session also whoever sits on a seat called so; the number of texts.

    Raises UnknownSession, and UsageError where nobody there is called so.
    """
    if not session:
        return await people.forget(person, by)
    check_person(await people.log.read(session), person)
    return await people.forget_in(session, person, by)


def nobody(who: str) -> UsageError:
    """The error for a name that is no person's in any session."""
    return UsageError(
        f"No person sits anywhere as {who!r} or goes by that name: give a person's name, as in `by`, or the session in "
        "which to look for a seat."
    )


@dataclass(frozen=True, slots=True)
class PersonalData:
    """Finds and removes it. A person is called as in `by`, such as `anna` or `discord:7`. All raise StorageError.

    What a front end shows of a session, and keeps in ways of its own, it removes itself.
    """

    log: EventLog
    runner: Runner
    store: KeyValueStore
    pseudonyms: Pseudonyms | None = None

    async def names_of(self, person: str) -> list[str]:
        """How a person may be called in logs: by the name, and in scenes by a made-up one."""
        made_up = await self.pseudonyms.find(person) if self.pseudonyms else None
        return [person, *([made_up] if made_up else [])]

    async def held_on(self, person: str, session: str = "") -> list[HeldInSession]:
        """All sessions (or the one) that hold something on a person. Raises UnknownSession."""
        called = await self.names_of(person)
        if session:
            return await self._held_as(session, called)
        found: list[HeldInSession] = []
        for info in await self.log.sessions():
            with suppress(UnknownSession):  # deleted since it was listed
                found += await self._held_as(info.id, called)
        return found

    async def _held_as(self, session: str, called: Collection[str]) -> list[HeldInSession]:
        events = await self.log.read(session)
        held = [await asyncio.to_thread(held_in, session, events, name) for name in called]
        return [one for one in held if one is not None]

    async def forget_key_of(self, account: str, besides: str = "") -> None:
        """Take an account out of the key where no session but `besides` knows it by its made-up name or expects it."""
        if self.pseudonyms is None or not (name := await self.pseudonyms.find(account)):
            return
        needed = {session for session, names in (await self.pseudonyms.expected()).items() if name in names}
        needed |= {held.session for held in await self.held_on(account)}
        if needed <= {besides}:
            await self.pseudonyms.forget(account)

    async def document(self, person: str) -> PersonDocument:
        """Everything, as JSON; values that are empty where it is nothing. Raises UsageError for a blank name."""
        if is_blank(person):
            raise nobody(person)
        records = await self.records_on(person)
        return {
            "called in scenes": (await self.names_of(person))[1:],
            "sessions": [held.document() for held in await self.held_on(person)],
            "consents": records[person_records.CONSENTS],
            "drafts": records[person_records.DRAFTS],
        }

    async def records_on(self, person: str, session: str = "") -> dict[str, list[Document]]:
        """The records on a person, by kind."""
        kinds = person_records.NAMESPACES
        found = [await person_records.kept(self.store, kind, person=person, session=session) for kind in kinds]
        return {kind: list(records.values()) for kind, records in zip(kinds, found, strict=True)}

    async def forget(self, person: str, by: str = "") -> int:
        """Remove everything, the key to the made-up name last; the number of texts that were replaced.

        Raises UsageError where there is nothing of a person of this name, as for a seat's.
        """
        if not any((await self.document(person)).values()):
            raise nobody(person)
        count = 0
        for held in await self.held_on(person):
            with suppress(UnknownSession):  # deleted meanwhile
                count += await self.forget_in(held.session, held.called, by)
        await self.forget_beside_logs(person)
        return count

    async def forget_in(self, session: str, who: str, by: str = "") -> int:
        """Replace the words, votes and name of a person, or of the person on a seat, in a session and wherever its
        words are examined, and remove the records for it; the number of texts. Raises UnknownSession.
        """
        for person in await self._people(session, who):
            await person_records.remove(self.store, person=person, session=session)
        return await self.runner.forget_wherever(session, who, by=by)  # last: no trace on the disk

    async def _people(self, session: str, who: str) -> set[str]:
        """Who is meant: the name itself, that of the person on a seat called so, and the accounts behind them."""
        started = [r.event for r in await self.log.read(session) if isinstance(r.event, SessionStarted)]
        specs = [seat.spec for first in started for seat in first.seats if seat.name == who]
        names = {who, *(spec.removeprefix(f"{HUMAN}:") for spec in specs if is_human(spec))}
        accounts = [await self.pseudonyms.account_of(name) for name in names] if self.pseudonyms else []
        return names | {account for account in accounts if account}

    async def forget_beside_logs(self, person: str, session: str = "") -> None:
        """Remove the records, those for deleted sessions too, and then the key to the made-up name; for one session
        its records alone.
        """
        await person_records.remove(self.store, person=person, session=session)
        if self.pseudonyms is not None and not session:
            await self.pseudonyms.forget(person)
