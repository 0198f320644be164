"""What is refused is said in the words of the page, and by the names that its fields have there."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.service.web.refusals import refusal_in_words
from elenchus.service.web.rendering import numbers
from elenchus.service.web.strings import Words
from tests.service.web.conftest import TOKEN, Served
from tests.service.web.test_class_pages import proof_in
from tests.service.web.test_classes import a_class
from tests.service.web.visitors import moderators_link, seat_code, visiting


@pytest.mark.parametrize(
    ("detail", "german"),
    [
        ("Topics needs at least 1 items.", "„Themen“: Füllen Sie mindestens einen Eintrag aus."),
        ("Topics, line 1: con concern must not be empty.",
         "„Themen, Eintrag 1: Was Contra wichtig ist“ ist noch leer."),
        ("The answer is empty.", "Noch steht nichts da: Schreiben Sie etwas, oder setzen Sie aus."),
        ("f3: this may have at most 30 words (it has 90).", "„Frage 3“: höchstens 30 Wörter; es sind 90."),
        ("f2: this must be from 0 to 10.", "„Frage 2“ muss zwischen 0 und 10 liegen."),
        ("This must be from 0 to 10; this may have at most 5 characters.",
         "„Ihre Antwort“ muss zwischen 0 und 10 liegen. „Ihre Antwort“: höchstens 5 Zeichen."),
        ("There is no session 'efn5c5n' (any more): a list of the sessions shows those that are.",
         "Eine Sitzung efn5c5n gibt es hier nicht oder nicht mehr."),
        ("Nobody has words for this; or for that.", "Nobody has words for this; or for that."),
    ],
)  # fmt: skip
def test_a_complaint_is_said_in_german_with_the_names_of_the_form(detail: str, german: str) -> None:
    assert refusal_in_words(detail, Words("de")) == german


async def test_what_is_typed_wrongly_into_a_form_is_answered_in_the_words_of_the_page(served: Served) -> None:
    session = await served.debate(pro="human", topics=2)
    async with visiting(served, await seat_code(served, session, "pro")) as person:
        page = await person.get(f"/sessions/{session}/seats/pro")
        await person.post(f"/sessions/{session}/seats/pro/take", csrf=page.hidden("csrf"), name="Rosa", agreed="yes")
        turns: list[dict[str, str]] = []
        while not turns:
            async with person.session.get(
                person.base.join(person.base.with_path(f"/api/v1/sessions/{session}/turns"))
            ) as got:
                turns = (await got.json())["turns"]
        proof, step = proof_in(page), turns[0]["step"]
        address = person.base.with_path(f"/api/v1/sessions/{session}/turns/{step}/answer")
        headers = {"X-CSRF-Token": proof, "Accept-Language": "de"}
        for typed, told in (("", "Füllen Sie mindestens"), (" | x | y", "ist noch leer")):
            async with person.session.post(address, json={"fields": {"topics": typed}}, headers=headers) as answer:
                detail = (await answer.json())["detail"]
            assert answer.status == 422
            assert told in detail
            assert step not in detail
            assert "{" not in detail


def test_numbers_in_a_sentence_of_the_engine_are_written_as_the_page_writes_them() -> None:
    told = "a median of 1,190 beads, of 2.5 (−20,648 to 227,080), p = 0.099; Somebody (2001), version 1.2.3"
    assert numbers(told, Words("en")) == told
    german = "a median of 1.190 beads, of 2,5 (−20.648 to 227.080), p = 0,099; Somebody (2001), version 1.2.3"
    assert numbers(told, Words("de")) == german


async def test_another_language_keeps_the_link_to_sign_in_and_the_typed_code(served: Served) -> None:
    async with visiting(served) as somebody:
        for path, kept in (("/sign-in?link=el_abc&lang=en", "?link=el_abc"), ("/join?code=ab-cd", "?code=ab-cd")):
            page = await somebody.get(path)
            assert f'href="{kept}&amp;lang=de"' in page.html, path


async def test_a_wall_that_no_phone_reaches_says_so(served: Served) -> None:
    made = await a_class(served, 2, scene="anchoring")
    async with visiting(served, await moderators_link(served)) as teacher:
        for page in (f"/classes/{made['id']}", f"/classes/{made['id']}/room"):
            assert "elenchus serve --lan" in (await teacher.get(page)).text
        assert "elenchus serve --lan" in (await teacher.get("/new/class")).text


async def test_readers_who_have_gone_before_a_stream_begins_are_no_fault_of_the_server(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    session = await served.debate()
    url = served.client.make_url("/")
    head = f"Host: {url.host}\r\nAuthorization: Bearer {TOKEN}"
    request = f"GET /api/v1/sessions/{session}/stream HTTP/1.1\r\n{head}\r\n\r\n"
    for _ in range(20):
        _, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(request.encode())
        await writer.drain()
        writer.transport.abort()
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)
    assert [line for line in caplog.messages if "a request failed" in line] == []
