"""No page elsewhere signs a browser in or out of anything: a form of ours comes with the cookie that its page set.

Our pages send no referrer, so a browser tells the origin of their forms as `null`, as that of a page elsewhere can be
made to be; and cookies of ours that are `Lax` or `Strict` do not come with a form of another site.
"""

from __future__ import annotations

import pytest

from elenchus.service.web.sign_in import COOKIE
from tests.service.web.conftest import Served
from tests.service.web.visitors import moderators_link, visiting

BY_BROWSER = {"Origin": "null", "Accept": "text/html"}


async def audience_code(served: Served) -> str:
    """A code that anybody in a room has."""
    session = await served.debate()
    made = await served.moderator.post(f"/sessions/{session}/invites", {"role": "audience"})
    return str(made["code"])


@pytest.mark.parametrize(("path", "field"), [("/join", "code"), ("/sign-in", "link")])
async def test_a_form_of_another_page_signs_nobody_in(served: Served, path: str, field: str) -> None:
    code = await audience_code(served)
    async with served.client.post(path, data={field: code}, headers=BY_BROWSER, allow_redirects=False) as answer:
        assert answer.status == 403
        assert COOKIE not in answer.cookies


@pytest.mark.parametrize(("path", "field"), [("/join", "code"), ("/sign-in", "link")])
async def test_our_own_form_signs_in_who_has_nothing_yet(served: Served, path: str, field: str) -> None:
    code = await audience_code(served)
    async with visiting(served) as visitor:
        shown = await visitor.get(f"{path}?{field}={code}")
        set_cookie = shown.headers.getall("Set-Cookie")  # type: ignore[attr-defined]
        assert set_cookie == ["elenchus-form=1; HttpOnly; Path=/; SameSite=Strict"]
        async with visitor.session.post(
            visitor.base.join(visitor.base.with_path(path)), data={field: code, "csrf": shown.hidden("csrf")},
            headers=BY_BROWSER, allow_redirects=False,
        ) as answer:  # fmt: skip
            assert answer.status == 303
            assert COOKIE in answer.cookies


async def test_a_teacher_stays_who_they_are_when_another_page_sends_a_code(served: Served) -> None:
    code = await audience_code(served)
    async with visiting(served, await moderators_link(served)) as teacher:
        cross_site = await served.client.post(
            "/join", data={"code": code}, headers=BY_BROWSER, allow_redirects=False
        )  # the browser keeps both cookies back
        assert (cross_site.status, list(cross_site.cookies)) == (403, ["elenchus-form"])
        assert (await teacher.get("/new/class")).status == 200
