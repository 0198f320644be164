"""What all pages have: who visits, in which language, links at the top, proof for forms; refusals shown as a page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from aiohttp import web

from elenchus.debate_engine.events import now
from elenchus.service.web import rendering, security
from elenchus.service.web.form_bodies import form_of
from elenchus.service.web.listening import is_loopback
from elenchus.service.web.problems import Problem, problem_of
from elenchus.service.web.server import WebService, service_of
from elenchus.service.web.sign_in import NOBODY, Asking, check_proof
from elenchus.service.web.strings import LANGUAGES, Language, Words, preferred

if TYPE_CHECKING:
    from multidict import MultiDict

    from elenchus.service.web.routes import Who

STARTS = ("debate", "scene", "class", "mind")
"""What a moderator can begin by a form."""

LANGUAGE = "language"
"""The cookie that keeps a language that was chosen."""
YEAR = 365 * 86_400


@dataclass(frozen=True, slots=True)
class Visit:
    """A request for a page: who sends it, and in which language it is answered."""

    request: web.Request
    service: WebService
    asking: Asking
    language: Language

    @property
    def t(self) -> Words:
        """Our words in the visitor's language."""
        return Words(self.language)

    def path(self, name: str) -> str:
        """A part of the address."""
        return self.request.match_info[name]

    @property
    def is_part(self) -> bool:
        """Whether a page that is open asks for what has changed in it."""
        return self.request.query.get("part") == "live"

    async def form(self) -> MultiDict[str]:
        """What a form of ours has sent. Raises Problem for what is none, Forbidden for one of another browser."""
        given = await form_of(self.request)
        check_proof(self.request, self.asking, given.get("csrf", ""))
        return given

    @property
    def origin(self) -> str:
        """How links to this service begin."""
        if self.service.options.public_url:
            return self.service.options.public_url.rstrip("/")
        scheme = "https" if security.is_secure(self.request, self.service.options.proxies) else "http"
        return f"{scheme}://{self.request.host}"

    @property
    def reaches_phones(self) -> bool:
        """Whether the address that is shown leads to this machine from others, too."""
        return not is_loopback(urlsplit(self.origin).hostname or "")

    @property
    def host(self) -> str:
        """The name of this service as people type it."""
        return self.origin.partition("://")[2]

    def _in_languages(self) -> dict[str, str]:
        """This very page in each language: what its address holds, such as a link to sign in, stays in it."""
        kept = [(name, value) for name, value in self.request.query.items() if name not in ("lang", "part")]
        return {one: f"?{urlencode([*kept, ('lang', one)])}" for one in LANGUAGES}

    def show(
        self, template: str, *, status: int = 200, data: Mapping[str, Any] | None = None, **context: Any
    ) -> web.Response:
        """The page; `data` is for its scripts."""
        told = {
            "csrf": self.asking.csrf, "words": dict(self.t.group("js")), "language": self.language,
            "now": now().isoformat(), **(data or {}),
        }  # fmt: skip
        proof = self.asking.csrf
        html = rendering.page(
            template, self.language, csrf=proof, data=told, links=_links(self), here_in=self._in_languages(),
            host=self.host, reaches_phones=self.reaches_phones, **context,
        )  # fmt: skip
        response = web.Response(text=html, status=status, content_type="text/html", charset="utf-8")
        response.headers["Cache-Control"] = "no-store"
        response.headers["Vary"] = "Cookie, Accept-Language"
        response.enable_compression()
        if self.request.query.get("lang") in LANGUAGES:
            response.set_cookie(LANGUAGE, self.language, max_age=YEAR, samesite="Lax", httponly=True)
        return response


Handler = Callable[[Visit], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page. `known`: only for somebody who is signed in; `who` may open it, as a route of the API says it."""

    method: str
    path: str
    handler: Handler
    known: bool = True
    who: Who = "anybody"


def answered(route: PageRoute) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """The handler of a page as aiohttp takes it: what is refused is shown as a page."""

    async def shown(request: web.Request) -> web.StreamResponse:
        from elenchus.service.web.api.table import check_may

        service, visit = service_of(request), Visit(request, service_of(request), NOBODY, language_of(request))
        try:
            visit = Visit(request, service, await service.asking(request), visit.language)
            await service.limits.take(service.asker(request, visit.asking))
            if route.known and not visit.asking.known:
                return visit.show("sign-in.html", status=401, link="", problem="", back=request.path)
            await check_may(route.who, visit.asking, request)
            return await route.handler(visit)
        except (asyncio.CancelledError, web.HTTPException):
            raise
        except Exception as error:  # noqa: BLE001 - whatever happens, who asked is shown a page
            return refused(visit, problem_of(error))

    return shown


def refused(visit: Visit, problem: Problem) -> web.Response:
    """A refusal as a page."""
    if problem.status == 401:
        return visit.show("sign-in.html", status=401, link="", problem=problem.detail, back=visit.request.path)
    response = visit.show("problem.html", status=problem.status, problem=problem)
    response.headers.update(problem.headers)
    return response


def problem_page(request: web.Request, problem: Problem) -> web.Response:
    """A refusal as a page for whoever it may be."""
    return refused(Visit(request, service_of(request), NOBODY, language_of(request)), problem)


def language_of(request: web.Request) -> Language:
    """What was chosen just now, or before, else what the browser asks for."""
    for chosen in (request.query.get("lang", ""), request.cookies.get(LANGUAGE, "")):
        if chosen in LANGUAGES:
            return LANGUAGES[LANGUAGES.index(chosen)]
    return preferred(request.headers.get("Accept-Language", ""))


def to(path: str) -> web.Response:
    """Go on at a page of ours."""
    assert is_local(path), "a page of ours, and of nobody else"
    return web.Response(status=303, headers={"Location": quote(path, safe="/?=&#%")})


def is_local(path: str) -> bool:
    """Whether an address that was given is one of this service, and not another's in disguise."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path


def _links(visit: Visit) -> list[dict[str, Any]]:
    """What the top of the page leads to."""
    links = [("/", visit.t("base-home"))]
    if visit.asking.moderates():
        links += [(f"/new/{kind}", visit.t.of("base-new", kind)) for kind in STARTS]
    links.append(("/join", visit.t("base-join")))
    if visit.asking.known:
        links.append(("/sign-out", visit.t("base-sign-out")))
    return [{"href": href, "text": text, "here": visit.request.path == href} for href, text in links]
