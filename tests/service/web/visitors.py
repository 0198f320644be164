"""Somebody with a browser, without the browser: a cookie jar of one's own, forms with their proof."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import unescape

from aiohttp import ClientSession, CookieJar
from yarl import URL

from tests.service.web.conftest import Served


@dataclass
class Shown:
    """A page as it came."""

    status: int
    path: str
    html: str
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """Its words."""
        main = re.sub(r"<script.*?</script>", " ", self.html, flags=re.DOTALL)
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())

    def hidden(self, name: str) -> str:
        """What a form sends along."""
        found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', self.html)
        assert found, f"no hidden field {name}"
        return unescape(found[1])


@dataclass
class Visitor:
    """One browser's place at the service."""

    session: ClientSession
    base: URL

    async def get(self, path: str, **headers: str) -> Shown:
        """A page."""
        async with self.session.get(self.base.join(URL(path)), headers={"Accept": "text/html"} | headers) as response:
            return Shown(response.status, response.url.path, await response.text(), response.headers)

    async def post(self, path: str, **fields: str) -> Shown:
        """What comes of a form."""
        async with self.session.post(
            self.base.join(URL(path)), data=fields, headers={"Accept": "text/html"}
        ) as response:
            return Shown(response.status, response.url.path, await response.text(), response.headers)


@asynccontextmanager
async def visiting(served: Served, secret: str = "") -> AsyncIterator[Visitor]:
    """A browser that has come in by a link or code; "" for one that has not."""
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        visitor = Visitor(session, served.client.make_url("/"))
        if secret:
            came = await visitor.post("/sign-in", link=secret, csrf="")
            assert came.status == 200, came.text
        yield visitor


async def moderators_link(served: Served) -> str:
    """A link that lets one browser in."""
    return (await served.service.access.give("moderator", once=True)).secret


async def seat_code(served: Served, session: str, seat: str) -> str:
    """A code for a seat."""
    made = await served.moderator.post(f"/sessions/{session}/invites", {"role": "seat", "seat": seat})
    return str(made["code"])
