"""A class in Germany at eight: no English on the wall, the teacher's screen and a phone, up to what came out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.web.conftest import Served, served_from
from tests.service.web.test_class_pages import joins, shows
from tests.service.web.test_classes import Pupil, a_class, press, pupil
from tests.service.web.visitors import Shown, Visitor, moderators_link, visiting

ENGLISH = re.compile(
    r"\b(?:the|and|with|of|you|your|yes|who|met|that|this|not|expected|people|told|within|average|against|have|has|is"
    r"|are|been|scene|answer|answers|question|number|one|words|or|to|for)\b"
)
"""Words that no German sentence of ours has."""
OF_PAGES = re.compile(r"English|PROVIDER:MODEL|Stimmen|elenchus serve --lan")
ANSWERS = ({"agreed": "yes"}, {"agreed": "yes"}, {"first": "höher"}, {"estimate": 0},
           {"ticket": 120, "known": False, "aim": "Um Perlen."})  # fmt: skip
CLASS = {"scene": "anchoring-de", "conditions": ["niedrig/ruhig", "hoch/ruhig"], "ethics_approval": "Schulleitung"}


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with served_from(tmp_path) as made:
        yield made


def english_in(page: Shown) -> list[str]:
    """Words of English on a page; what says of itself that it is in English does not count."""
    html = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", " ", page.html, flags=re.DOTALL)
    html = re.sub(r'<(\w+)[^>]*\blang="en"[^>]*>.*?</\1>', " ", html, flags=re.DOTALL)
    spoken = re.findall(r'(?:aria-label|alt|placeholder|title|data-sure|data-done)="([^"]*)"', html)
    text = OF_PAGES.sub(" ", " ".join([*spoken, re.sub(r"<[^>]*>", " ", html)]))
    return ENGLISH.findall(text)


async def german(visitor: Visitor, path: str) -> Shown:
    """The page, with no word of English on it."""
    page = await visitor.get(path)
    assert page.status == 200
    assert english_in(page) == [], path
    assert '<html lang="de"' in page.html
    return page


async def plays(one: Pupil, guess: int) -> None:
    """Answer whatever is asked, up to the debriefing."""
    for value in ANSWERS:
        place = await one.until(waits_for="you")
        given: dict[str, Any] = value | ({"estimate": guess} if "estimate" in value else {})
        step = place["step"].replace("/", "%2F")
        await one.asker.post(f"/sessions/{place['session']}/turns/{step}/answer", {"value": given})
        await one.answered(place["step"])


async def keeps(one: Pupil) -> None:
    place = await one.until(stage="debrief", waits_for="you")
    step = place["step"].replace("/", "%2F")
    await one.asker.post(f"/sessions/{place['session']}/turns/{step}/answer", {"value": {"agreed": "yes"}})
    await one.until(stage="played")


async def test_a_class_plays_a_german_scene_and_no_word_of_english_is_shown(served: Served) -> None:
    made = await a_class(served, 11, answer_minutes=5, **CLASS)
    room, seats = f"/classes/{made['id']}", "/sessions/{session}/seats/Noor"
    async with visiting(served, await moderators_link(served)) as teacher, visiting(served) as phone:
        for visitor in (teacher, phone):
            await visitor.get("/check?lang=de")
        others = await asyncio.gather(*(pupil(served, made["code"]) for _ in range(10)))
        await joins(phone, made["code"])
        own = await _in_hand(served, phone, room)
        for page in (room, f"{room}/room"):
            await german(teacher, page)
        await german(phone, f"{room}/me")
        await press(served, made["id"], "playing")
        place = await own.until(waits_for="you")
        assert "Sind Sie mindestens 14 Jahre alt?" in (await german(phone, seats.format(**place))).text
        await asyncio.gather(*(plays(one, 1000 + 100 * n) for n, one in enumerate((own, *others))))
        heard = await german(phone, seats.format(**place))
        assert "Willkommen am Stand." in heard.text
        await german(teacher, room)
        await press(served, made["id"], "closed", "debrief")
        await own.until(stage="debrief", waits_for="you")
        assert "Das ist der Ankereffekt" in (await german(phone, seats.format(**place))).text
        await asyncio.gather(*map(keeps, (own, *others)))
        await press(served, made["id"], "revealed")
        await shows(teacher, room, "Median")
        for visitor, page in ((teacher, room), (teacher, f"{room}/room"), (phone, f"{room}/me")):
            told = (await german(visitor, page)).text
            assert re.search(r"Median [\d.]+ Perlen bei hoch \(\d\), [\d.]+ Perlen bei niedrig \(\d\)\.", told)
            assert "hoch gegen niedrig: " in told
            assert "Perlen im Mittel (" in told
            assert "Tversky und Kahneman (1974) : Mediane 45 nach der 65 und 25 nach der 10" in told
            assert "Wer erinnert sich an die Zahl auf dem Los?" in told


async def _in_hand(served: Served, phone: Visitor, room: str) -> Pupil:
    """The same person, as a program has them."""
    page = await phone.get(f"{room}/me")
    code = re.search(r'<b class="code large">([\w-]+)</b>', page.html)
    assert code
    return await pupil(served, code[1])


async def test_the_forms_offer_scenes_of_ones_own_language_first(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as teacher:
        for form in ("/new/class", "/new/scene"):
            page = (await teacher.get(form, **{"Accept-Language": "de"})).html
            names = re.findall(r'name="scene" value="([\w-]+)"', page)
            assert names[:2] == ["anchoring-de", "framing-de"]
            assert '<b lang="en">The jar at the fair</b> <span class="tag">English</span>' in page
            assert "Ankereffekt" in page
            assert re.findall(r'name="scene" value="([\w-]+)"', (await teacher.get(form)).html)[-2:] == names[:2]


def test_english_on_a_page_is_found_but_where_it_says_that_it_is() -> None:
    page = Shown(200, "/", '<p title="the end">Das ist so.</p><p lang="en">This is so.</p><p>And you?</p>', {})
    assert english_in(page) == ["the", "you"]
