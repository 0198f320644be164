"""No page elsewhere signs a browser in or out of anything: forms of ours tell whence they come.

Any page can have its origin told as `null`; and cookies of ours that are `Lax` do not come with a form of another site.
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
    for origin in ("null", "http://elsewhere.example"):
        told = BY_BROWSER | {"Origin": origin}
        async with served.client.post(path, data={field: code}, headers=told, allow_redirects=False) as answer:
            assert answer.status == 403
            assert COOKIE not in answer.cookies


@pytest.mark.parametrize(("path", "field"), [("/join", "code"), ("/sign-in", "link")])
async def test_our_own_form_signs_in_who_has_nothing_yet_and_keeps_addresses_to_itself(
    served: Served, path: str, field: str
) -> None:
    code = await audience_code(served)
    async with visiting(served) as visitor:
        shown = await visitor.get(f"{path}?{field}={code}")
        assert shown.headers["Referrer-Policy"] == "strict-origin"
        async with visitor.session.post(
            visitor.base.join(visitor.base.with_path(path)), data={field: code, "csrf": shown.hidden("csrf")},
            headers=BY_BROWSER | {"Origin": str(visitor.base.origin())}, allow_redirects=False,
        ) as answer:  # fmt: skip
            assert answer.status == 303
            assert COOKIE in answer.cookies


async def test_who_is_signed_in_sends_nothing_from_a_hidden_page_even_with_the_proof(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as teacher:
        page = await teacher.get("/new/debate?lang=de")
        address, proof = teacher.base.join(teacher.base.with_path("/new/debate")), {"csrf": page.hidden("csrf")}
        async with teacher.session.post(address, data=proof, headers=BY_BROWSER) as answer:
            assert answer.status == 403
            assert "Dieser Browser verbirgt, von welcher Seite das kommt." in await answer.text()
        assert (await teacher.get("/new/class")).status == 200


async def test_a_program_that_hides_its_origin_is_refused_too(served: Served) -> None:
    status, document = await served.moderator.ask("POST", "/estimates", json={}, headers={"Origin": "null"})
    assert (status, document["type"]) == (403, "urn:elenchus:problem:forbidden")
    assert document["detail"].startswith("This browser hides which page sends this, ")
