"""A class of six browsers and twenty-four programs: reloads, leavers, one who withdraws, a server that is killed."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from elenchus.service.web.pages.kind_forms import KINDS
from tests.service.lab.classes.room import scene_in
from tests.service.web.browser.acting import fill
from tests.service.web.browser.conftest import DESKTOP, PHONE, PROJECTOR, House, Person, Program, Theme
from tests.service.web.browser.http_bots import Bot, Bots
from tests.service.web.browser.test_for_everybody import faults

BROWSERS, BOTS = 6, 24
DEBRIEFING = "number that means nothing"


@pytest.fixture
def program(tmp_path: Path, lan_address: str) -> Iterator[Program]:
    """On all addresses: browsers come by that of the network, bots, which live in this process, by loopback."""
    home = tmp_path / "home"
    home.mkdir()
    made = Program(home, "0.0.0.0")
    made.start()
    made.moderator = made.moderator.replace("127.0.0.1", lan_address)
    yield made
    made.stop()


def bots_of(house: House, code: str, n: int) -> Bots:
    """So many programs that play along."""
    return Bots([Bot(f"http://127.0.0.1:{house.program.port}", number, code) for number in range(n)])


def a_class(house: House, teacher: Person, people: int, scene: str = "parcel") -> str:
    """Make a class by the form, in two clicks from the first page; its code."""
    scene_in(house.program.home, deception="omission")
    page = teacher.goes("/")
    page.locator('a.card[href="/new/class"]').click()
    page.locator(f'input[name=scene][value="{scene}"]').check()
    page.locator("#people").fill(str(people))
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/classes/*")
    return page.locator(".join-here .code.large").inner_text()


def joins(person: Person, code: str) -> str:
    """Come in by the code, under the name that is offered first; the name."""
    page = person.goes(f"/join/{code}")
    expect(page.get_by_text(re.compile("This device will do|Dieses Gerät taugt"))).to_be_visible()
    name = page.locator("input[name=name]").first.get_attribute("value") or ""
    page.locator("main button.main").first.click()
    page.wait_for_url("**/me")
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    return name


def answers(person: Person, words: str, send: str = "Send") -> None:
    """Answer what is asked on the seat's page."""
    asked = person.page.locator("form[data-turn]")
    expect(asked).to_be_visible()
    step = asked.get_attribute("data-turn")
    types(person.page, words)
    asked.get_by_role("button", name=send).click()
    expect(person.page.locator(f'form[data-turn="{step}"]')).to_have_count(0)


def agrees(person: Person, send: str = "Send") -> None:
    """Be old enough, and agree, until the scene asks for its number."""
    consent, number = (
        person.page.locator('form[data-turn^="consent/"]'),
        person.page.locator("input[data-field]:not([type=radio])"),
    )
    expect(consent.or_(number).first).to_be_visible()
    while consent.count():
        answers(person, "", send)
        expect(consent.or_(number).first).to_be_visible()
    expect(number).to_be_visible()


def types(page: Page, words: str) -> None:
    """Fill in the open turn."""
    form = page.locator("form[data-turn]")
    fill(form, words)
    for field in form.locator("input[type=text][data-field]").all():
        field.fill(words)


def presses(teacher: Person, name: str) -> None:
    """Press one of the teacher's buttons, and agree to what it asks."""
    teacher.page.get_by_role("button", name=name, exact=True).click()
    expect(teacher.page.get_by_role("button", name=name, exact=True)).to_have_count(0)


def events(house: House, kind: str) -> list[tuple[str, dict[str, Any]]]:
    """All events of a kind in all logs, with their session."""
    with sqlite3.connect(house.program.home / "elenchus.db") as database:
        found = database.execute("select session, body from events where kind = ?", (kind,)).fetchall()
    return [(session, json.loads(body)) for session, body in found]


@pytest.mark.slow
def test_thirty_play_a_class_and_nobody_loses_a_word_or_is_counted_twice(house: House) -> None:
    teacher = house.moderator()
    code = a_class(house, teacher, BROWSERS + BOTS)
    room = teacher.tab(f"/classes/{teacher.page.url.rpartition('/')[2]}/room")
    phones = [house.person(PHONE) for _ in range(BROWSERS)]
    names = [joins(phone, code) for phone in phones]
    phones[0].page.reload()  # the first of five
    with bots_of(house, code, BOTS) as bots:
        for page in (teacher.page, room):
            expect(page.locator(".heads b")).to_have_text(str(BROWSERS + BOTS))
        assert len({*names, *(bot.name for bot in bots.each)}) == BROWSERS + BOTS
        leaves(phones[5], "You take no part in this class.")  # before it begins
        presses(teacher, "Start for everybody")
        play_while_the_server_is_killed(house, teacher, phones[:5])
        bots.until(waits_for="debriefing")
        goes_with_the_debriefing(phones[3])
        presses(teacher, "Close")
        presses(teacher, "Debrief")
        for phone in phones[:3]:
            is_told_and_agrees(phone)
        bots.until(stage="played")
        withdraws(phones[2])
        assert DEBRIEFING not in room.content()
        presses(teacher, "Reveal")
        # of six browsers one left the lobby and one its scene, and one has withdrawn
        for page in (teacher.page, room, phones[0].page):
            expect(page.get_by_text(f"{BOTS + 3} people answered, and said that it may be kept.")).to_be_visible()
        sees_their_own_place(phones[0], "41 kilos")
        phones[0].page.reload()  # the fifth
        sees_their_own_place(phones[0], "41 kilos")
        for page in (phones[2].page, room):
            expect(page.get_by_text("Your own place, for you alone.")).to_have_count(0)
    everything_is_there_once(house, bots)


def play_while_the_server_is_killed(house: House, teacher: Person, phones: list[Person]) -> None:
    """Consent; then the last of them leaves, and the server dies before the others have answered."""
    for phone in phones:
        phone.page.wait_for_url("**/seats/*")
        agrees(phone)
    phones[0].page.reload()  # the second
    phones[4].page.get_by_role("link", name="Your place in the class").click()
    phones[4].page.wait_for_url("**/me?stay")
    leaves(phones[4], "For you it is over.")
    for n, phone in enumerate(phones[:4]):
        types(phone.page, str(41 + n))
    phones[1].page.reload()  # the third, with a typed word
    expect(phones[1].page.locator("input[type=text][data-field]")).to_have_value("42")
    teacher.page.reload()  # the fourth
    house.program.kill()
    for phone in phones[2:4]:
        phone.page.get_by_role("button", name="Send").click()
        expect(phone.page.get_by_text("Not received yet.").first).to_be_visible()
    house.program.start()
    for phone in phones[:2]:
        expect(phone.page.locator("#offline")).to_be_hidden()
        phone.page.get_by_role("button", name="Send").click()
    for phone in phones[:4]:
        expect(phone.page.get_by_text("You are done.")).to_be_visible()
        assert phone.page.url.endswith("/me")
    for one in house.people:  # a browser tells of lost connections, too
        one.said.clear()


def goes_with_the_debriefing(phone: Person) -> None:
    """Somebody has to go before the others: is told now, and keeps what they said."""
    phone.page.get_by_role("button", name="Tell me now what it was about").click()
    is_told_and_agrees(phone)


def is_told_and_agrees(phone: Person) -> None:
    """Read what it was about, and let it be kept."""
    phone.page.wait_for_url("**/seats/*")
    expect(phone.page.get_by_text(DEBRIEFING)).to_be_visible()
    answers(phone, "")
    expect(phone.page.get_by_text("You said that it may be kept.")).to_be_visible()


def withdraws(phone: Person) -> None:
    """Take everything back."""
    phone.page.locator("#withdraw summary").click()
    phone.page.locator("#withdraw").get_by_role("button").click()
    expect(phone.page.locator("#withdraw")).to_have_count(0)


def leaves(phone: Person, told: str) -> None:
    """Leave for good, on the class's page."""
    phone.page.locator("#leave summary").click()
    phone.page.locator("#leave").get_by_role("button").click()
    expect(phone.page.get_by_text(told).or_(phone.page.locator("section.told")).first).to_be_visible()


def sees_their_own_place(phone: Person, answer: str) -> None:
    """What one said, and where that is, for oneself."""
    expect(phone.page.get_by_text("Your own place, for you alone.")).to_be_visible()
    expect(phone.page.locator(".own")).to_contain_text(answer)
    expect(phone.page.locator(".group .mine")).to_have_count(1)


def everything_is_there_once(house: House, bots: Bots) -> None:
    """Each answer is in one log, once; what was withdrawn is in none."""
    taken = events(house, "turn_answered")
    assert max(Counter((session, one["step"]) for session, one in taken).values()) == 1
    assert len({session for session, _ in taken}) == BROWSERS + BOTS - 1, "who left the lobby has no session"
    told = re.findall(r'"weight": (\d+)', json.dumps([one["answer"] for _, one in taken]))
    assert {"41", "42", "44"} <= set(told)
    assert "43" not in told
    for bot in bots.each:
        assert {one["step"] for session, one in taken if session == bot.place["session"]} == {*bot.answered}


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_of_a_class_keeps_anybody_out(house: House, theme: Theme) -> None:
    teacher = house.moderator(theme=theme)
    found = [fault for kind in ("scene", "class", *KINDS) for fault in faults(teacher.goes(f"/new/{kind}"))]
    code = a_class(house, teacher, 6)
    classroom = teacher.page.url.rpartition("/")[2]
    room = house.person(PROJECTOR, theme)
    room.context.add_cookies(teacher.context.cookies())  # type: ignore[arg-type] # its own, as it gave them
    room.goes(f"/classes/{classroom}/room")
    phone = house.person(PHONE, theme, "de")
    found += faults(phone.goes(f"/join/{code}"))
    joins(phone, code)

    def look(*people: Person) -> None:
        for one in people:
            one.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            found.extend(faults(one.page))

    with bots_of(house, code, 5) as bots:
        expect(room.page.locator(".heads b")).to_have_text("6")
        look(teacher, room, phone)
        presses(teacher, "Start for everybody")
        phone.page.wait_for_url("**/seats/*")
        expect(phone.page.locator("form[data-turn]")).to_be_visible()
        look(phone, room, teacher)
        agrees(phone, "Absenden")
        answers(phone, "40", "Absenden")
        bots.until(waits_for="debriefing")
        phone.page.wait_for_url("**/me")
        look(phone, teacher)
        presses(teacher, "Close")
        presses(teacher, "Debrief")
        phone.page.wait_for_url("**/seats/*")
        look(phone, room, teacher)
        answers(phone, "", "Absenden")
        phone.page.wait_for_url("**/me")
        bots.until(stage="played")
        presses(teacher, "Reveal")
        expect(room.page.get_by_text("people answered")).to_be_visible()
        expect(phone.page.locator(".group .mine")).to_be_visible()
        look(phone, room, teacher)
    assert found == []


@pytest.mark.slow
def test_the_projectors_page_has_its_buttons_and_its_code(house: House) -> None:
    teacher = house.moderator(size=DESKTOP)
    code = a_class(house, teacher, 3)
    page = teacher.goes(f"{teacher.page.url}/room".replace(house.program.url, ""))
    expect(page.get_by_text(code)).to_be_visible()
    assert page.evaluate("isSecureContext") is False
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    drawn = page.locator(".join-here img").bounding_box()
    assert drawn
    assert drawn["width"] > 250
