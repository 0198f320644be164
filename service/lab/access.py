"""Who may do what: a grant gives a role to whoever has its secret, until it ends or is revoked.

Each grant is a document by its id; hashes of secrets lead to ids, and a session's and a class's ids are listed by
themselves, so that nothing but a list of all of them ever reads all of them. A grant's document is written once and
removed once: whatever happens at the same time, what was revoked never comes back.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal, Self, get_args

from pydantic import AfterValidator, AwareDatetime, StringConstraints, ValidationError, model_validator

from elenchus.config.validation import fault_told
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, now
from elenchus.debate_engine.log.rules import LONGEST_ID
from elenchus.service.lab.access_secrets import SHORT_CODES, can_be_guessed, hash_of, new_code, new_secret
from elenchus.service.lab.stored_documents import readable, stored

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import KeyValueStore

Role = Literal["owner", "moderator", "seat", "rater", "audience", "participant"]
"""Owner: the whole house with its tokens. Moderator: the house, a session or a class. Seat: one seat of a session.
Rater: judges' seats of a session. Audience: reads a session or a class, and votes. Participant: one person of a class.
"""
ROLES: tuple[Role, ...] = get_args(Role)
GRANTS, BY_SECRET, USED = "grants", "grant-secrets", "grants-used"
"""Namespaces: grants by id; ids by hash; ids of one-time grants whose secret was used."""
LONGEST_GRANT = timedelta(days=3660)
LONGEST_LABEL = 200
AT_ONCE = 100
"""Grants of a long list that are read before others have their turn on the event loop."""
BY_ENVIRONMENT = "environment"
"""The id of the grant that the token of the settings gives. It is in no store and cannot be revoked there."""


def _plain(text: str) -> str:
    """A name or label that can be stored, shown on a line and written to a log."""
    if not text.isprintable():
        raise ValueError("has characters that cannot be shown")
    return text


Text = Annotated[str, StringConstraints(max_length=LONGEST_LABEL), AfterValidator(_plain)]
Id = Annotated[str, StringConstraints(pattern=rf"^(?:[A-Za-z0-9_][A-Za-z0-9_-]{{0,{LONGEST_ID - 1}}})?\z")]


class Grant(FrozenModel):
    """What somebody may do, and where. `once`: its secret is good once, and until `use_by`; the grant is not.
    `one_vote`: all who come by it have one vote together, as it is one head's; else each browser has its own.

    `session`, `seat`, `classroom` and `person` are empty where the role has none. `expires` None: never.
    """

    id: str
    role: Role
    session: Id = ""
    seat: Text = ""
    classroom: Id = ""
    person: Text = ""
    label: Text = ""
    created: AwareDatetime
    expires: AwareDatetime | None = None
    once: bool = False
    one_vote: bool = False
    use_by: AwareDatetime | None = None

    def is_valid(self, at: datetime) -> bool:
        """Whether it has not ended by then."""
        return self.expires is None or at < self.expires

    @model_validator(mode="after")
    def _has_its_place(self) -> Self:
        """Raises ValueError for a role that lacks what it is for, or is given what it cannot have."""
        if self.session and self.classroom:
            raise ValueError("A grant is for a session or for a class: name one of them.")
        if self.role == "owner" and (self.session or self.classroom):
            raise ValueError("An owner has the whole house: take the role moderator for one session or class.")
        if self.role in ("seat", "rater") and not self.session:
            raise ValueError(f"The role {self.role} is for one session: name it.")
        if self.role == "seat" and not self.seat:
            raise ValueError("The role seat is for one seat of the session: name it.")
        if self.role == "audience" and not (self.session or self.classroom):
            raise ValueError("An audience has one session or class: name it.")
        if self.role == "participant" and not (self.classroom and self.person):
            raise ValueError("A participant is one person of one class: name both.")
        if self.seat and self.role not in ("seat", "rater"):
            raise ValueError(f"The role {self.role} has no seat.")
        if self.one_vote and self.role != "audience":
            raise ValueError(f"The role {self.role} has no vote: one vote is for an audience.")
        if self.person and self.role not in ("seat", "rater", "participant"):
            raise ValueError(f"The role {self.role} is nobody's own.")
        return self


@dataclass(frozen=True, slots=True)
class NewGrant:
    """A new grant with its secret, which is nowhere else: show it now or never."""

    grant: Grant
    secret: str


class Access:
    """Grants in a store. `token` is a moderator's secret that the settings name. All methods raise StorageError."""

    def __init__(self, store: KeyValueStore, clock: Callable[[], datetime] = now, *, token: str = "") -> None:
        self._store, self._clock, self._token = store, clock, token
        self._by_environment = Grant(id=BY_ENVIRONMENT, role="moderator", label=BY_ENVIRONMENT, created=clock())
        self.removed = 0
        """How many grants were removed here: whoever has looked at one before looks anew when it has grown."""

    async def give(  # noqa: PLR0913 - what a grant can have, each by its name
        self, role: Role, *, session: str = "", seat: str = "", classroom: str = "", person: str = "",
        label: str = "", lasts: timedelta | None = None, once: bool = False, short: int = 0,
        use_within: timedelta | None = None, one_vote: bool = False,
    ) -> NewGrant:  # fmt: skip
        """A new grant. `lasts` None: it never ends. `short`: its secret is a code of so many letters.

        `once`: the secret can be taken once, within `use_within`; what was taken then lasts as said.
        Raises UsageError for what no grant can be.
        """
        for time in (lasts, use_within):
            _check_length(time)
        if short and short not in SHORT_CODES:
            raise UsageError(f"A code has {SHORT_CODES.start} to {SHORT_CODES.stop - 1} letters; {short} were asked.")
        if use_within and not once:
            raise UsageError("Only a secret that is good once is to be used within a time.")
        at = self._clock()
        try:
            grant = Grant(
                id=secrets.token_hex(8), role=role, session=session, seat=seat, classroom=classroom, person=person,
                label=label, created=at, expires=at + lasts if lasts else None, once=once, one_vote=one_vote,
                use_by=at + use_within if use_within else None,
            )  # fmt: skip
        except ValidationError as error:
            raise UsageError(_sentence(error)) from error
        return NewGrant(grant, await self._kept(grant, short))

    def is_guess(self, secret: str) -> bool:
        """Whether somebody may be trying codes: of these, wrong ones are to be counted."""
        return can_be_guessed(secret) and not self._is_token(secret)

    def _is_token(self, secret: str) -> bool:
        given = secret.encode(errors="replace")
        return bool(self._token) and hmac.compare_digest(given, self._token.encode())

    async def find(self, secret: str) -> Grant | None:
        """What a secret gives now; None where it gives nothing (unknown, ended, revoked, used up)."""
        if self._is_token(secret):
            return self._by_environment
        if (hashed := await hash_of(secret)) is None or (known := await self._store.get(BY_SECRET, hashed)) is None:
            return None
        if (grant := await self.by_id(known["grant"])) is None or not grant.once:
            return grant
        if grant.use_by and self._clock() >= grant.use_by:
            return None
        return None if await self._store.get(USED, grant.id) else grant

    async def take(self, secret: str) -> Grant | None:
        """As `find`, and a one-time secret is good no more: of several who take it at once, one has the grant."""
        if (grant := await self.find(secret)) is None or not grant.once:
            return grant
        taken = await self._store.add(USED, grant.id, {"at": self._clock().isoformat()})
        return grant if taken else None

    async def by_id(self, grant_id: str) -> Grant | None:
        """A grant that is valid now, None where it has ended or was revoked."""
        known = await self._document(grant_id)
        grant = stored(Grant, grant_id, known) if known else None
        return grant if grant and grant.is_valid(self._clock()) else None

    async def grants(self, session: str = "", *, classroom: str = "") -> list[Grant]:
        """The grants that are valid now, oldest first: all of them, or those of a session or class."""
        found = [grant async for grant in self._of(session, classroom) if grant.is_valid(self._clock())]
        return sorted(found, key=lambda grant: (grant.created, grant.id))

    async def revoke(self, grant_id: str) -> bool:
        """Nobody can do anything by it from now on; whether there was one."""
        if (known := await self._document(grant_id)) is None:
            return False
        await self._remove(stored(Grant, grant_id, known))
        return True

    async def revoke_session(self, session: str, *, classroom: str = "") -> int:
        """Revoke all that is for a session, or for a class; how many there were."""
        if not (session or classroom):
            return 0
        found = [grant async for grant in self._of(session, classroom)]
        for grant in found:
            await self._remove(grant)
        return len(found)

    async def remove_ended(self) -> int:
        """Remove what can be used no more, with one-time grants that nobody took in time; how many those were."""
        at, used = self._clock(), await self._store.all(USED)
        ended = [
            grant
            async for grant in self._of("", "")
            if not grant.is_valid(at) or (grant.use_by and grant.use_by <= at and grant.id not in used)
        ]
        for grant in ended:
            await self._remove(grant)
        return len(ended)

    async def _kept(self, grant: Grant, short: int) -> str:
        """Keep it under a new secret: last of all the document, without which the rest leads nowhere."""
        secret = hashed = ""
        while not (hashed and await self._store.add(BY_SECRET, hashed, {"grant": grant.id})):  # or: drawn before
            secret = new_code(short) if short else new_secret()
            hashed = await hash_of(secret) or ""
        if scope := _listing(grant.session, grant.classroom):
            await self._store.put(scope, grant.id, {})
        await self._store.put(GRANTS, grant.id, grant.model_dump(mode="json", exclude_defaults=True) | {"hash": hashed})
        return secret

    async def _document(self, grant_id: str) -> dict[str, object] | None:
        known = await self._store.get(GRANTS, grant_id) if len(grant_id) <= LONGEST_LABEL else None
        return _without_hash(known) if known else None

    async def _of(self, session: str, classroom: str) -> AsyncIterator[Grant]:
        if not (session or classroom):
            documents = {key: _without_hash(known) for key, known in (await self._store.all(GRANTS)).items()}
            for n, grant in enumerate(readable(Grant, documents), 1):
                yield grant
                if n % AT_ONCE == 0:
                    await asyncio.sleep(0)
            return
        for grant_id in await self._store.all(_listing(session, classroom)):
            if found := await self._document(grant_id):
                yield stored(Grant, grant_id, found)

    async def _remove(self, grant: Grant) -> None:
        """First what makes it valid, then what leads to it."""
        known = await self._store.get(GRANTS, grant.id)
        await self._store.remove(GRANTS, grant.id)
        self.removed += 1
        if known:
            await self._store.remove(BY_SECRET, known["hash"])
        await self._store.remove(USED, grant.id)
        if scope := _listing(grant.session, grant.classroom):
            await self._store.remove(scope, grant.id)


def _listing(session: str, classroom: str) -> str:
    """The namespace that lists the ids of a session's or a class's grants, empty for neither."""
    return f"{GRANTS}/session/{session}" if session else f"{GRANTS}/class/{classroom}" if classroom else ""


def _without_hash(known: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in known.items() if key != "hash"}


def _check_length(time: timedelta | None) -> None:
    if time is not None and not timedelta(0) < time <= LONGEST_GRANT:
        raise UsageError(f"A grant lasts up to {LONGEST_GRANT.days} days, and not less than no time at all.")


def _sentence(error: ValidationError) -> str:
    """Our own sentence, else which part is wrong, and how."""
    first = error.errors(include_url=False, include_input=False)[0]
    words = fault_told(first)
    return words if not first["loc"] else f"The {first['loc'][0]} of a grant cannot be that: {words}."
