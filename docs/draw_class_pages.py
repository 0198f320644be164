"""The pages of a class and of a class debate as they are drawn, of people who are programs: see `draw_pages`."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.service.web.browser.acting import Answering
from tests.service.web.browser.conftest import DESKTOP, PHONE, PROJECTOR, House, Person
from tests.service.web.browser.http_bots import Bot, Bots

Picture = Callable[[Page, Path, str], None]
"""Writes what is on a page into a folder, under a name."""
MOTION = "Schools should start after nine in the morning"
PATIENCE = 120_000
"""Milliseconds that a phone may wait for what it is asked next."""
PUPILS = 19
"""Programs that play along in the class that is drawn; the twentieth sits at a phone."""


def draw_class(rooms: House, folder: Path, picture: Picture) -> None:
    """A class of pupils who answer by lot, and one at a phone, from its form to what came out."""
    page, room = _opened_class(rooms.moderator(size=DESKTOP), folder, picture)
    code = page.locator(".join-here .code.large").inner_text()
    phone = rooms.person(PHONE)
    _joins(phone, code, folder, picture)
    drawn = random.Random(7)
    guesses = [drawn.randrange(150, 1_500) for _ in range(PUPILS)]
    local = f"http://127.0.0.1:{rooms.program.port}"
    with Bots([Guessing(local, guess, code) for guess in guesses]) as pupils:
        expect(room.locator(".heads b")).to_have_text(str(PUPILS + 1))
        picture(room, folder, "class-lobby")
        picture(phone.page, folder, "class-place")
        _pressed(page, "Start for everybody")
        _plays(phone)
        picture(page, folder, "class-teacher")
        pupils.until(waits_for="debriefing")
        _pressed(page, "Close")
        _pressed(page, "Debrief")
        phone.page.wait_for_url("**/seats/*")
        Answering(phone).once()
        pupils.until(stage="played")
        _pressed(page, "Reveal")
        expect(room.get_by_text("people answered")).to_be_visible()
        expect(phone.page.locator(".mine")).to_be_visible()
        picture(room, folder, "class-revealed")
        phone.page.evaluate("document.querySelector('#came-out').scrollIntoView()")
        picture(phone.page, folder, "class-own")
    _slips(page, folder, picture)


def _slips(page: Page, folder: Path, picture: Picture) -> None:
    """A class of which each person has a code of their own on paper."""
    page.goto(page.url.split("/classes/")[0] + "/new/class")
    page.locator('input[name=scene][value="anchoring"]').check()
    page.locator("#people").fill("6")
    page.locator("[name=slips]").check()
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("link", name="Slips to print").click()
    page.wait_for_url("**/slips")
    picture(page, folder, "class-slips")


def _opened_class(teacher: Person, folder: Path, picture: Picture) -> tuple[Page, Page]:
    """The teacher's page of a class that is made by its form, and the projector's."""
    page = teacher.goes("/new/class")
    page.locator('input[name=scene][value="anchoring"]').check()
    for version in ("low/quiet", "high/quiet"):
        page.locator(f'input[name=conditions][value="anchoring {version}"]').check()
    page.locator("#people").fill(str(PUPILS + 1))
    expect(page.locator("[data-region=estimate]")).to_contain_text("Calls of models")
    page.evaluate("scrollTo(0, 0)")
    picture(page, folder, "new-class")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/classes/*")
    room = teacher.tab(page.url.replace(teacher.program.url, "") + "/room")
    room.set_viewport_size({"width": PROJECTOR[0], "height": PROJECTOR[1]})
    return page, room


def _joins(phone: Person, code: str, folder: Path, picture: Picture) -> None:
    button = phone.goes(f"/join/{code}").locator("main button.main").first
    button.wait_for()
    phone.page.wait_for_timeout(1000)  # the check has then asked the browser what it can do
    picture(phone.page, folder, "class-join")
    button.click()
    phone.page.wait_for_url("**/me")


class Guessing(Bot):
    """A pupil who guesses hundreds, not ones; answers are by lot, and simulated."""

    def _typed(self, asked: dict[str, Any]) -> str:
        return str(self.number) if asked["kind"] == "number" else super()._typed(asked)


def _plays(phone: Person) -> None:
    """Answer all that is asked, until one waits for the others."""
    asked, done = phone.page.locator("form[data-turn]"), phone.page.get_by_text("You are done.")
    phone.page.wait_for_url("**/seats/*")
    while True:
        expect(asked.or_(done).first).to_be_visible(timeout=PATIENCE)
        if done.is_visible():
            return
        Answering(phone, "I took the number on the ticket and went a little up.").once(number="410")


def _pressed(page: Page, name: str) -> None:
    button = page.get_by_role("button", name=name, exact=True)
    button.click()
    expect(button).to_have_count(0)


def draw_class_debate(rooms: House, folder: Path, picture: Picture) -> None:
    """Two halves of a class: what one of them sees, and whoever leads it."""
    leader = rooms.moderator(size=DESKTOP)
    page = leader.goes("/new/class-debate")
    page.locator("#motion").fill(MOTION)
    page.locator("#people").fill("4")
    for seat in ("pro", "con", "judge-1", "crit"):
        page.locator(f"#{seat}").select_option("other")
        page.locator(f"#{seat}-other").fill("scripted:demo")
    expect(page.locator("[data-region=estimate]")).to_contain_text("Calls of models")
    picture(page, folder, "new-class-debate")
    page.get_by_role("button", name="Open the lobby").click()
    page.wait_for_url("**/class-debates/*")
    code = page.locator(".join-here .code.large").inner_text()
    phones = [rooms.person(PHONE) for _ in GIVEN]
    for phone, argument in zip(phones, GIVEN, strict=True):
        phone.goes(f"/join/{code}").locator("main form button.main").click()
        phone.page.wait_for_url("**/me")
        phone.page.locator("#text").fill(argument[_side_of(phone)])
        phone.page.get_by_role("button", name="Send").click()
        expect(phone.page.get_by_text("yours", exact=True).first).to_be_visible()
    for phone in phones:
        if (good := phone.page.get_by_role("button", name="Good: argument")).count():
            good.first.click()
            expect(phone.page.get_by_text("one vote").first).to_be_visible()
    expect(page.get_by_text("one vote").first).to_be_visible()
    picture(page, folder, "class-debate")
    picture(phones[0].page, folder, "class-debater")
    room = leader.tab(page.locator("a[href$='/room']").get_attribute("href") or "")
    room.set_viewport_size({"width": PROJECTOR[0], "height": PROJECTOR[1]})
    picture(room, folder, "class-debate-room")


GIVEN = (
    {"pro": "Who sleeps until seven hears the first lesson.", "con": "The last bus goes at four."},
    {"pro": "At fifteen nobody can sleep at ten.", "con": "Who brings the little ones, if parents begin at eight?"},
    {"pro": "Fewer accidents on the way in the dark.", "con": "Clubs lose the hour in which halls are free."},
    {"pro": "Tired pupils learn nothing before nine.", "con": "Whoever may sleep longer goes to bed later."},
)
"""What the class gives its speakers, by half."""


def _side_of(phone: Person) -> str:
    return "pro" if "For the motion" in phone.page.locator('[data-region="place"]').inner_text() else "con"
