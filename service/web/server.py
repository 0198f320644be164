"""The web application: what it is made of, and what happens to every request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from aiohttp import web

from elenchus.debate_engine.events import now
from elenchus.debate_engine.tasks import cancelled
from elenchus.detectors.evaluation.cogbench.flows.fetching import PUBLIC, Policy
from elenchus.service.lab.access import Access
from elenchus.service.lab.class_debates.debates import ClassDebates
from elenchus.service.lab.classes.classes import Classes
from elenchus.service.lab.sign_ins import SignIns
from elenchus.service.web import security
from elenchus.service.web.documents import SessionDocument, as_interrupted, is_interrupted, session_document
from elenchus.service.web.grid_tasks import GridTasks
from elenchus.service.web.limits import Limits, asker_of
from elenchus.service.web.live_sessions import LiveSessions
from elenchus.service.web.mind_tasks import MindTasks
from elenchus.service.web.problems import MEDIA_TYPE, NotSignedIn, Problem, problem_of
from elenchus.service.web.session_runs import SessionRuns
from elenchus.service.web.sign_in import NOBODY, Asking, asking

if TYPE_CHECKING:
    from elenchus.service.app import App
    from elenchus.service.lab.access import Grant
    from elenchus.service.lab.viewers import Viewer
    from elenchus.service.web.live import LiveSession

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


EXPORTS = 2
"""Exports that are made at the same time."""


@dataclass(frozen=True, slots=True)
class WebOptions:
    """How the service is reached. `names` are those by which it may be called beside this machine's own; `proxies` the
    addresses of proxies whose word on the asker is taken; `public_url` is how links begin, "" for as it was asked.
    """

    names: frozenset[str] = frozenset()
    proxies: frozenset[str] = frozenset()
    public_url: str = ""


@dataclass
class WebService:
    """What handlers work with. `fetching` says from where pages may be fetched that personas read. `guessing` is held,
    by address, by whoever tries a code, and `exporting` by whoever makes files of a session: few at once, as each
    takes a core and a thread for a while.
    """

    app: App
    options: WebOptions
    access: Access
    sign_ins: SignIns
    live: LiveSessions
    own: SessionRuns
    grids: GridTasks
    minds: MindTasks
    classes: Classes
    debates: ClassDebates
    limits: Limits
    guessing: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    fetching: Policy = PUBLIC
    exporting: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(EXPORTS))

    async def asking(self, request: web.Request) -> Asking:
        """Who sent a request. Raises NotSignedIn; Problem for an address that has tried too many codes."""
        try:
            return await asking(request, self)
        except NotSignedIn:
            await self.limits.take(self.asker(request, NOBODY))
            raise

    async def granted(self, request: web.Request, secret: str, *, take: bool = False) -> Grant | None:
        """What a secret gives, and with `take` a one-time secret gives once. Raises Problem for an address that has
        tried too many codes that give nothing: browsers that are signed in and long secrets are never held up by it.
        """
        find = self.access.take if take else self.access.find
        if not self.access.is_guess(secret):
            return await find(secret)
        async with self.guess(request) as wrong:
            if (grant := await find(secret)) is None:
                await wrong()
        return grant

    @asynccontextmanager
    async def guess(self, request: web.Request) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """Inside, a code is tried; what is given is called where it was wrong. Of one address one is tried at a time.

        Raises Problem for an address that has tried too many.
        """
        address, attempts = security.address_of(request, self.options.proxies), self.limits.attempts
        async with self.guessing.setdefault(address, asyncio.Lock()):
            if (left := await attempts.left(address)) < 1:
                attempts.refuse(left)
            yield lambda: attempts.count(address)

    async def document_of(self, live: LiveSession, viewer: Viewer) -> SessionDocument:
        """How a session stands for a viewer, also where nobody runs it. Raises UnknownSession, StorageError."""
        document = session_document(live.status, viewer)
        runs = document.state == "running"
        return as_interrupted(document) if runs and is_interrupted(await self.app.log.info(live.id)) else document

    def asker(self, request: web.Request, asking: Asking) -> str:
        """Whose limits count for a request."""
        return asker_of(asking, security.address_of(request, self.options.proxies))


SERVICE = web.AppKey("service", WebService)


def service_of(request: web.Request) -> WebService:
    """The service that answers this request."""
    return request.app[SERVICE]


def make_web(app: App, options: WebOptions = WebOptions(), *, token: str = "") -> web.Application:
    """The web application over an open `App`. `token` is a moderator's that the settings name.

    Sessions that it ran before go on when it starts, and pause when it stops.
    """
    from elenchus.service.web.api import table
    from elenchus.service.web.pages.table import add_pages

    access = Access(app.store, token=token)
    live = LiveSessions(app.log, app.shared)
    own = SessionRuns(app.runner, app.store, live.drafted, live.run_ended)
    limits = Limits.of(app.settings.web, app.shared)
    classes = Classes(app.class_parts, access, own.run)
    debates = ClassDebates(app.class_parts, access, own.resume)
    minds = MindTasks(app, own, live.drafted, live.run_ended)
    service = WebService(
        app, options, access, SignIns(app.store, access), live, own, GridTasks(app), minds, classes, debates, limits
    )
    made = web.Application(middlewares=[_answered], client_max_size=limits.body_bytes)
    made[SERVICE] = service
    made.cleanup_ctx.append(_running)
    made.on_shutdown.append(_stopped)
    made.on_response_prepare.append(_with_headers)
    for route in table.all_routes():
        for method in route.methods:
            made.router.add_route(method, route.path, table.handler_of(route))
    add_pages(made)
    return made


async def _running(made: web.Application) -> AsyncIterator[None]:
    from elenchus.service.web.api.idempotency import forget_old_keys

    service = made[SERVICE]
    async with service.app.retention.kept():
        await forget_old_keys(service.app.store, now())
        await service.own.resume_all()
        await service.grids.resume_all()
        await service.minds.resume_all()
        await service.classes.open_all()
        await service.debates.open_all()
        adopting = [asyncio.create_task(each.adopt(), name="left by others") for each in (service.own, service.grids)]
        yield
        await cancelled(*adopting)
        await service.debates.aclose()
        await service.classes.aclose()
        await service.grids.aclose()
        await service.minds.aclose()
        await service.own.aclose()
        await service.live.aclose()


async def _stopped(made: web.Application) -> None:
    """Before connections are closed: nothing new is begun, what runs says that it pauses, and streams end."""
    service = made[SERVICE]
    await service.own.aclose()
    await service.grids.aclose()
    await service.minds.aclose()
    await service.classes.aclose()
    await service.debates.aclose()
    service.limits.streams.end_all()


@web.middleware
async def _answered(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Check what holds for all requests; whatever goes wrong becomes a problem."""
    security.nonce_of(request)
    try:
        security.check_host(request, service_of(request).options.names)
        security.check_origin(request)
        return await handler(request)
    except asyncio.CancelledError:
        raise
    except web.HTTPException as refused:
        return refused if refused.status < 400 else _problem_shown(request, _of_aiohttp(refused, request))
    except Exception as error:  # noqa: BLE001 - whatever happens, who asked is answered
        return _problem_shown(request, problem_of(error))


def _problem_shown(request: web.Request, problem: Problem) -> web.StreamResponse:
    """A page for whoever looks with a browser, a document for programs."""
    from elenchus.service.web.pages.frame import problem_page

    if request.path.startswith("/api/") or "text/html" not in request.headers.get("Accept", ""):
        return problem_response(_in_words_of_the_page(request, problem))
    return problem_page(request, problem)


def _in_words_of_the_page(request: web.Request, problem: Problem) -> Problem:
    """For a page of ours, whose script shows what is refused: in its language. Programs have no cookie."""
    from elenchus.service.web.pages.frame import language_of
    from elenchus.service.web.refusals import refusal_in_words
    from elenchus.service.web.sign_in import COOKIE
    from elenchus.service.web.strings import Words

    if COOKIE not in request.cookies:
        return problem
    detail = refusal_in_words(problem.detail, Words(language_of(request)))
    return Problem(problem.status, problem.slug, detail, problem.headers)


async def _with_headers(request: web.Request, response: web.StreamResponse) -> None:
    """What goes with every answer, streams too."""
    secure = security.is_secure(request, service_of(request).options.proxies)
    for name, value in security.headers(security.nonce_of(request), secure=secure).items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")


def problem_response(problem: Problem) -> web.Response:
    """A problem as it is sent."""
    body = problem.document.model_dump_json()
    return web.Response(text=body, status=problem.status, content_type=MEDIA_TYPE, headers=dict(problem.headers))


_OWN: dict[int, tuple[str, str]] = {
    404: ("not-there", "There is nothing at this address."),
    405: ("no-such-method", "This address takes other methods: see /api/v1/openapi.json."),
    413: ("too-large", "The request is larger than {most:,} bytes."),
}


def _of_aiohttp(refused: web.HTTPException, request: web.Request) -> Problem:
    slug, detail = _OWN.get(refused.status, ("refused", refused.reason or "The request was refused."))
    allowed = {"Allow": refused.headers["Allow"]} if "Allow" in refused.headers else {}
    most = service_of(request).limits.body_bytes
    return Problem(refused.status, slug, detail.format(most=most) if refused.status == 413 else detail, allowed)
