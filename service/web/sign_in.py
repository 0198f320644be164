"""Who is asking: by a cookie of this browser, or by a bearer token; and what they may look at and do."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from elenchus.service.lab.access import BY_ENVIRONMENT
from elenchus.service.lab.viewers import AUDIENCE, MODERATOR, Viewer, seat_viewer
from elenchus.service.web.problems import Forbidden, NotSignedIn, NotThere
from elenchus.service.web.security import is_secure
from elenchus.service.web.voters import voter_of

if TYPE_CHECKING:
    from aiohttp import web

    from elenchus.service.lab.access import Grant
    from elenchus.service.web.server import WebService

COOKIE = "elenchus"
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
NOT_OURS = "This page is too old, or not ours: load it again, and do it once more."
HOUSE = ("owner", "moderator")
"""Roles that may be given for the whole house."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Whoever sent a request. `grants` are what they were given and is valid now. Of a browser, and "" for a program:
    `csrf`, `cookie` and `browser`, which is its id, and no secret.
    """

    grants: Sequence[Grant] = ()
    csrf: str = ""
    cookie: str = ""
    browser: str = ""

    @property
    def known(self) -> bool:
        """Whether they may do anything at all."""
        return bool(self.grants)

    @property
    def owns(self) -> bool:
        """Whether the whole house is theirs."""
        return any(grant.role == "owner" for grant in self.grants)

    def moderates(self, session: str = "") -> bool:
        """Whether they moderate this session, or the house."""
        return any(self._moderates(grant, session) for grant in self.grants)

    @staticmethod
    def _moderates(grant: Grant, session: str) -> bool:
        house = not grant.session and not grant.classroom
        return grant.role in HOUSE and (house or bool(session and grant.session == session))

    def moderates_class(self, classroom: str) -> bool:
        """Whether they teach this class, or moderate the house."""
        own = (grant.role in HOUSE and grant.classroom == classroom for grant in self.grants)
        return self.moderates() or (bool(classroom) and any(own))

    def may_look_at_class(self, classroom: str) -> bool:
        """Whether there is anything of the class for them."""
        return self.moderates_class(classroom) or any(grant.classroom == classroom for grant in self.grants)

    def person_of(self, classroom: str) -> str:
        """Which person of the class they are, "" for nobody of it."""
        own = (grant for grant in self.grants if grant.role == "participant" and grant.classroom == classroom)
        return next((grant.person for grant in own), "")

    def seats(self, session: str) -> list[str]:
        """The seats of the session on which they sit."""
        return list(dict.fromkeys(self._seats(session)))

    def _seats(self, session: str) -> Iterator[str]:
        return (grant.seat for grant in self.grants if grant.session == session and grant.seat)

    def on_seat(self, session: str, seat: str) -> Grant | None:
        """The grant by which they sit there."""
        return next((one for one in self.grants if one.session == session and one.seat == seat), None)

    def viewer(self, session: str, seat: str = "") -> Viewer:
        """As whom they look at a session; `seat`: as whoever sits there.

        A moderator who also sits in it sees all, unless it is the seat that is asked for. Raises NotSignedIn,
        NotThere for a session of others, Forbidden for a seat of others.
        """
        if seat:
            if self.on_seat(session, seat) is None:
                raise Forbidden("This seat is somebody else's.") if self.may_look(session) else self._stranger()
            return seat_viewer(seat)
        if self.moderates(session):
            return MODERATOR
        if seats := self.seats(session):
            return seat_viewer(seats[0])
        if any(grant.role in ("audience", "rater") and grant.session == session for grant in self.grants):
            return AUDIENCE
        raise self._stranger()

    def may_look(self, session: str) -> bool:
        """Whether there is anything of the session for them."""
        return self.moderates(session) or any(grant.session == session for grant in self.grants)

    def _stranger(self) -> NotSignedIn | NotThere:
        return NotThere("There is no such session, or it is none of yours.") if self.known else NotSignedIn()

    def rates(self, session: str) -> bool:
        """Whether they judge in this session."""
        return any(grant.role == "rater" and grant.session == session for grant in self.grants)

    def voter(self, session: str) -> str:
        """Whose vote it is, see `voters`; "" for nobody's."""
        grant = self._first_for(session)
        return voter_of(grant, self.browser) if grant else ""

    def _first_for(self, session: str) -> Grant | None:
        own = [one for one in self.grants if one.session == session] or list(self.grants)
        return own[0] if own else None

    def person(self, session: str, seat: str = "") -> str:
        """How they are called in the log of a session: by the name of their seat's grant, else as a role."""
        grant = (self.on_seat(session, seat) if seat else None) or self._first_for(session)
        return (grant.person or grant.label or f"{grant.role} {grant.id}") if grant else ""


NOBODY = Asking()


async def asking(request: web.Request, service: WebService) -> Asking:
    """Who sent it. Raises NotSignedIn for a token that gives nothing (any more), Problem as `granted` does."""
    if given := _bearer(request):
        if (grant := await service.granted(request, given)) is None or grant.once:
            raise NotSignedIn("This token is not valid, or not any more.")
        return Asking(await _with_seats(service, (grant,)))
    cookie = request.cookies.get(COOKIE, "")
    if not cookie or (known := await service.sign_ins.of(cookie)) is None:
        return NOBODY
    return Asking(await _with_seats(service, known.grants), known.csrf, cookie, known.id)


async def still_holds(service: WebService, who: Asking) -> bool:
    """Whether all that they were given is theirs now, too. Raises StorageError."""
    if who.cookie and await service.sign_ins.of(who.cookie) is None:
        return False
    ids = dict.fromkeys(grant.id for grant in who.grants if grant.id != BY_ENVIRONMENT)
    found = [grant for one in ids if (grant := await service.access.by_id(one))]
    now_theirs = await _with_seats(service, found)
    return all(grant in now_theirs for grant in who.grants if grant.id != BY_ENVIRONMENT)


async def _with_seats(service: WebService, grants: Sequence[Grant]) -> Sequence[Grant]:
    """With the seats of those who play in a class, and the debate of those whose class debates."""
    seats = [seat for grant in grants if (seat := await service.classes.seat_of(grant))]
    return (*grants, *seats, *[one for grant in grants for one in await service.debates.grants_of(grant)])


def check_proof(request: web.Request, who: Asking, given: str = "") -> None:
    """Raises Forbidden for a change that a browser sends without what its pages hold, so that no other page may.

    `given` is what a form sent; a script sends it as a header. Programs have no cookie and need none.
    """
    if who.cookie and request.method in UNSAFE:
        sent = given or request.headers.get("X-CSRF-Token", "")
        if not hmac.compare_digest(sent.encode(errors="replace"), who.csrf.encode()):
            raise Forbidden(NOT_OURS)


def _bearer(request: web.Request) -> str:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    return given.strip() if scheme.casefold() == "bearer" else ""


# ── coming in by a link ──────────────────────────────────────────────────────────────────────────────────────────

COOKIE_DAYS = 60


async def enter(request: web.Request, secret: str) -> tuple[Grant, str]:
    """Give this browser what a link or code gives; the grant, and the cookie to set. A one-time link is used up.

    Raises NotSignedIn for one that gives nothing, Problem for an address that has tried too many.
    """
    from elenchus.service.web.server import service_of

    service = service_of(request)
    if (grant := await service.granted(request, secret, take=True)) is None:
        raise NotSignedIn("This link or code is not valid, or not any more: ask for a new one.")
    return grant, await held(request, grant)


async def held(request: web.Request, grant: Grant) -> str:
    """Let this browser hold a grant; the cookie to set. Raises UsageError where it holds as many as it can."""
    from elenchus.service.web.server import service_of

    sign_ins, cookie = service_of(request).sign_ins, request.cookies.get(COOKIE, "")
    if not (cookie and await sign_ins.add(cookie, grant)):
        cookie = await sign_ins.new(grant)
    return cookie


def set_cookie(request: web.Request, response: web.StreamResponse, cookie: str) -> None:
    """Have the browser keep the cookie: no script reads it, and no other page sends it with a change."""
    from elenchus.service.web.server import service_of

    secure = is_secure(request, service_of(request).options.proxies)
    age = COOKIE_DAYS * 86_400
    response.set_cookie(COOKIE, cookie, max_age=age, httponly=True, samesite="Lax", secure=secure, path="/")
