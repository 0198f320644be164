"""A Discord of our own, strict, on loopback: start it with `serving`, build its world, point the real client at it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web
from aiohttp.http_exceptions import HttpProcessingError

from elenchus.bot.endpoints import Endpoints
from tests.fakes.discord import rest
from tests.fakes.discord.errors import NOT_FOUND, UNAUTHORISED, Refused, tree
from tests.fakes.discord.faults import Fault, Faults
from tests.fakes.discord.gateway import Gateway
from tests.fakes.discord.openapi import Problem, description
from tests.fakes.discord.posting import File
from tests.fakes.discord.ratelimits import Limited, RateLimits
from tests.fakes.discord.routing import ROUTES, Call, Handler, Reply
from tests.fakes.discord.world import Times, World

TOKEN = "MTIzNDU2Nzg5.fake.token-of-the-tests"
WITHOUT_BOT = ("/webhooks/{webhook_id}/{webhook_token}", "/interactions/", "/gateway")
PREFIX = "/api/v10"
VIA = {"Via": "1.1 google"}
assert rest.LOADED


@dataclass(frozen=True)
class Made:
    """One request that was made, and how it was answered; `answered` is 0 where the reply was lost."""

    method: str
    template: str
    values: dict[str, str]
    query: dict[str, str]
    body: Any
    answered: int
    code: int = 0


@dataclass(frozen=True)
class Violation:
    """A departure from Discord's description: of a "request", an "answer" or an "event"."""

    what: str
    where: str
    problem: Problem

    def __str__(self) -> str:
        path = ".".join(map(str, self.problem.path))
        return f"{self.what} {self.where} at {path or 'its root'}: {self.problem.code}: {self.problem.message}"


class Discord:
    """The server. `calls` is every request; `violations` make `serving` fail at its end.

    Without `judge` nothing is held against Discord's description: for a demonstration where its file is missing.
    """

    def __init__(
        self,
        *,
        times: Times | None = None,
        heartbeat: float = 41.25,
        rate_scale: float = 1.0,
        own_webhooks_readable: bool = False,
        token: str = TOKEN,
        judge: bool = True,
        identify_every: float = 0.0,
    ) -> None:
        self.description = description() if judge else None
        self.token = token
        self.world = World(times, own_webhooks_readable=own_webhooks_readable)
        self.gateway = Gateway(self.world, token=token, heartbeat=heartbeat, identify_every=identify_every)
        self.limits, self.faults = RateLimits(rate_scale, self.world.clock), Faults()
        self.calls: list[Made] = []
        self.violations: list[Violation] = []
        self.world.events.on_event = self._check_event
        self.url = ""

    @property
    def api(self) -> str:
        """What Route.BASE is to be."""
        return self.url + PREFIX

    @property
    def gateway_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/gateway"

    @property
    def cdn(self) -> str:
        return self.url + "/cdn"

    @property
    def endpoints(self) -> Endpoints:
        """For `bot.endpoints.use`."""
        return Endpoints(self.api, self.gateway_url, self.cdn)

    def made(self, method: str, template: str) -> list[Made]:
        """The requests of one route so far."""
        return [call for call in self.calls if (call.method, call.template) == (method, template)]

    @contextmanager
    def expecting_violations(self) -> Iterator[list[Violation]]:
        """For a test that breaks the rules on purpose: what is found inside is handed over instead of failing."""
        before, found = self.violations, list[Violation]()
        self.violations = found
        try:
            yield found
        finally:
            self.violations = before

    def _check_event(self, name: str, schema: str, data: dict[str, Any]) -> None:
        found = self.description.schema(schema, data) if self.description else []
        self.violations += [Violation("event", name, each) for each in found]

    # one request

    async def answer(self, request: web.Request, method: str, template: str, handler: Handler) -> web.StreamResponse:
        """Everything that happens to a request, in the order in which Discord does it."""
        call = Call(self, method, template, dict(request.match_info), dict(request.query))
        fault = self.faults.next(method, template)
        await self.faults.wait(method, template, call.query)
        try:
            reply, headers = await self._work(request, call, handler, fault)
        except Refused as refused:
            reply, headers = Reply(refused.status, refused.body()), refused.headers
            if refused.status == 429:
                reply.body.setdefault("retry_after", 60.0)
                reply.body.setdefault("global", False)
        self.limits.count_invalid(reply.status)
        self._check_answer(call, reply, fault)
        if fault is not None and fault.after:
            reply = Reply(fault.status, {"message": f"{fault.status}: Bad Gateway", "code": 0})
        lost = fault is not None and fault.lost
        code = reply.body.get("code", 0) if isinstance(reply.body, dict) and reply.status >= 400 else 0
        status = 0 if lost else reply.status
        self.calls.append(Made(method, template, call.values, call.query, call.body, status, code))
        if fault is not None and fault.lost and request.transport is not None:
            (request.transport.close if fault.closing else request.transport.abort)()
        if isinstance(reply.body, str):
            return web.Response(text=reply.body, status=reply.status, headers=headers)
        if reply.body is None:
            return web.Response(status=reply.status, headers=headers | VIA)
        return as_json(reply.body, reply.status, headers | VIA)

    async def _work(
        self, request: web.Request, call: Call, handler: Handler, fault: Fault | None
    ) -> tuple[Reply, dict[str, str]]:
        if limited := self.limits.refuse_invalid():
            return self._limited(call, limited)
        if fault and fault.status == 429:
            scope = "global" if fault.everywhere else "user"
            return self._limited(call, Limited(fault.retry_after, fault.everywhere, scope, banned=fault.banned))
        if fault and fault.status and not fault.after:
            return Reply(fault.status, {"message": f"{fault.status}: Internal Server Error", "code": 0}), {}
        authorisation = request.headers.get("Authorization")
        call.authorised = authorisation == f"Bot {self.token}"
        if not call.authorised and (authorisation or not call.template.startswith(WITHOUT_BOT)):
            return Reply(401, UNAUTHORISED), {}
        limited = self.limits.refuse_everywhere(call.template) if call.authorised else None
        headers: dict[str, str] = {}
        if limited is None:
            headers, limited = self.limits.take(call.method, call.template, call.values)
        if limited:
            return self._limited(call, limited, headers)
        multipart = await self._read(request, call)
        self._check_request(call, multipart=multipart)
        try:
            return handler(call), headers
        except Refused as refused:
            refused.headers = headers | refused.headers
            raise

    def _limited(
        self, call: Call, limited: Limited, headers: dict[str, str] | None = None
    ) -> tuple[Reply, dict[str, str]]:
        self.limits.hits.append((call.method, call.template))
        if limited.banned:
            return Reply(429, "<html>You are being blocked from accessing our API</html>"), {}
        shown = (headers or {}) | limited.headers | {"Retry-After": str(max(1, round(limited.retry_after)))}
        return Reply(429, limited.body()), shown | {"X-RateLimit-Scope": limited.scope}

    async def _read(self, request: web.Request, call: Call) -> bool:
        """Read the body: JSON, or multipart with `payload_json` and files."""
        if request.content_type.startswith("multipart/"):
            await self._read_parts(request, call)
            return True
        raw = await request.read()
        try:
            call.body = json.loads(raw) if raw else None
        except ValueError:
            raise Refused(50109) from None
        return False

    async def _read_parts(self, request: web.Request, call: Call) -> None:
        files: dict[int, File] = {}
        try:
            async for part in await request.multipart():
                assert isinstance(part, BodyPartReader)
                name = part.name or ""
                data = bytes(await part.read())
                if name == "payload_json":
                    call.body = json.loads(data)
                elif name.startswith("files[") and part.filename:
                    kind = part.headers.get("Content-Type", "application/octet-stream")
                    files[int(name[6:-1])] = File(part.filename, data, kind)
        except (ValueError, HttpProcessingError):
            raise Refused(50109) from None
        call.files = files
        call.body = call.body if call.body is not None else {}

    def _check_request(self, call: Call, *, multipart: bool) -> None:
        """Refuse with 50035, and keep as a violation, what Discord's description does not allow."""
        if self.description is None:
            return
        where = (call.method, call.template)
        found = self.description.query(*where, call.query)
        found += self.description.request(*where, call.body, multipart=multipart)
        if found:
            self.violations += [Violation("request", " ".join(where), each) for each in found]
            raise Refused(50035, errors=tree([(each.path, each.code, each.message) for each in found]))

    def _check_answer(self, call: Call, reply: Reply, fault: Fault | None) -> None:
        if self.description is None or isinstance(reply.body, str) or (fault and fault.status >= 500):
            return
        found = self.description.answer(call.method, call.template, reply.status, reply.body)
        self.violations += [Violation("answer", f"{call.method} {call.template}", each) for each in found]

    # the other doors

    async def file(self, request: web.Request) -> web.StreamResponse:
        """The CDN: uploaded files, application emojis and webhook avatars; with `world.endless_files` without end."""
        path = "/" + request.match_info["path"]
        if self.world.endless_files:
            return await self._without_end(request)
        if found := self.world.files.get(path):
            return web.Response(body=found.data, content_type=found.content_type)
        number = path.rsplit("/", 1)[-1].split(".")[0]
        emoji = self.world.emojis.get(int(number)) if path.startswith("/emojis/") and number.isdigit() else None
        if emoji:
            return web.Response(body=emoji.image, content_type="image/png")
        return web.Response(status=404)

    async def _without_end(self, request: web.Request) -> web.StreamResponse:
        """Goes on until nobody reads any more, or a gigabyte was sent."""
        sent = web.StreamResponse()
        await sent.prepare(request)
        with suppress(ConnectionError):
            while self.world.sent_of_endless < 1_000_000_000:
                await sent.write(b"x" * 65_536)
                self.world.sent_of_endless += 65_536
        return sent

    async def unknown(self, request: web.Request) -> web.Response:
        """A path that the fake has not: Discord's 404, and a violation, for nobody should ask for it."""
        problem = Problem((), "UNKNOWN_ROUTE", "the fake has no such route")
        self.violations.append(Violation("request", f"{request.method} {request.path}", problem))
        return as_json(NOT_FOUND, 404, VIA)

    def application(self) -> web.Application:
        app = web.Application(client_max_size=1 << 27)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_get("/cdn/{path:.*}", self.file)
        for (method, template), handler in sorted(ROUTES.items(), key=lambda each: _literal_first(each[0][1])):
            app.router.add_route(method, PREFIX + template, self._bound(method, template, handler))
        app.router.add_route("*", "/{path:.*}", self.unknown)
        return app

    def _bound(self, method: str, template: str, handler: Handler) -> Any:
        async def answer(request: web.Request) -> web.StreamResponse:
            return await self.answer(request, method, template, handler)

        return answer


def as_json(body: Any, status: int, headers: dict[str, str]) -> web.Response:
    """JSON as Discord sends it, whose content type has no charset."""
    content = {"Content-Type": "application/json"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=headers | content)


def _literal_first(template: str) -> tuple[str, ...]:
    """Sorts `/users/@me` before `/users/{user_id}`."""
    return tuple("~" if part.startswith("{") else part for part in template.split("/"))


@asynccontextmanager
async def serving(discord: Discord) -> AsyncIterator[Discord]:
    """Serve on a free loopback port; at the end fail if a request, an answer or an event left Discord's description."""
    runner = web.AppRunner(discord.application(), access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    discord.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    discord.gateway.url = discord.gateway_url
    discord.world.cdn, discord.world.api = discord.cdn, discord.api
    try:
        yield discord
    finally:
        await discord.gateway.drop(1001)
        await runner.cleanup()
    if discord.violations:
        raise AssertionError("Discord's description was left:\n" + "\n".join(map(str, discord.violations)))
