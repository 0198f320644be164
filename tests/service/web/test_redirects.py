"""Nobody is led elsewhere: whatever is asked for or sent, a page of ours goes on at a page of ours."""

from __future__ import annotations

import re
from typing import Any

import pytest
from yarl import URL

from elenchus.service.web.pages.frame import is_local
from elenchus.service.web.pages.table import PAGES
from tests.service.web.conftest import Served
from tests.service.web.page_paths import path_of
from tests.service.web.visitors import seat_code

ELSEWHERE = ("//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example", "/%2f/evil.example/..")
NAMES = ("back", "next", "to", "url", "return", "redirect", "path", "link", "code", "session", "seat", "lang", "at")
"""Names of parameters that might be taken for where to go on."""


def leads_home(location: str) -> bool:
    """Whether a browser that is given this stays here; what a page was asked with may go along."""
    return is_local(location) and "evil" not in location.partition("?")[0]


@pytest.mark.slow
@pytest.mark.parametrize("there", ELSEWHERE)
async def test_no_page_and_no_form_leads_elsewhere_whatever_it_is_sent(served: Served, there: str) -> None:
    session = await served.debate(con="human")
    service = served.service
    for route in PAGES:
        path = path_of(route, session=session, code=await seat_code(served, session, "con"))
        if route.path.endswith("/stream"):
            continue
        cookie = await service.sign_ins.new((await service.access.give("owner")).grant)
        known = await service.sign_ins.of(cookie)
        assert known
        sent: dict[str, str] = dict.fromkeys(NAMES, there)
        more: dict[str, Any] = {"data": sent | {"csrf": known.csrf}} if route.method == "POST" else {}
        for headers in ({"Cookie": f"elenchus={cookie}"}, {}):
            said = headers | {"Accept": "text/html", "Referer": f"https:{there}", "X-Forwarded-Host": "evil.example"}
            async with served.client.request(
                route.method, path, params=sent, headers=said, allow_redirects=False, **more
            ) as answer:
                for name in ("Location", "Refresh", "Content-Location"):
                    assert name not in answer.headers or leads_home(answer.headers[name]), (route.path, answer.headers)
                assert not re.search(r"""(href|src|action)=["']?(https?:)?//evil""", await answer.text()), route.path


@pytest.mark.parametrize("way", ["link", "code"])
async def test_whoever_comes_in_is_led_to_what_they_were_given_and_not_where_the_form_says(
    served: Served, way: str
) -> None:
    session = await served.debate(con="human")
    given = await served.service.access.give("seat", session=session, seat="con", short=8 if way == "code" else 0)
    path = {"link": "/sign-in", "code": "/join"}[way]
    sent = dict.fromkeys(NAMES, "//evil.example") | {way: given.secret, "csrf": ""}
    async with served.client.post(path, data=sent, allow_redirects=False) as answer:
        assert (answer.status, answer.headers["Location"]) == (303, f"/sessions/{session}/seats/con")


PATHS = ("//evil.example/%2e%2e", "/%2f%2fevil.example", "/sessions//evil.example", "//evil.example/")


@pytest.mark.parametrize("path", PATHS)
async def test_no_address_that_looks_like_another_servers_is_answered_by_a_redirect(served: Served, path: str) -> None:
    url = URL(f"{served.client.make_url('/')}".rstrip("/") + path, encoded=True)
    async with served.client.session.get(url, allow_redirects=False) as answer:
        assert answer.status in (401, 404)
        assert "Location" not in answer.headers
