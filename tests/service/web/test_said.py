"""What is refused is said in the words of the page, and by the names that its fields have there."""

from __future__ import annotations

import pytest

from elenchus.service.web.said import said
from elenchus.service.web.strings import Words
from tests.service.web.conftest import Served
from tests.service.web.test_class_pages import proof_in
from tests.service.web.visitors import seat_code, visiting


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
    assert said(detail, Words("de")) == german


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
