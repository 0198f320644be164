"""A German class in German browsers: what stands on its pages, and what scripts put there, is German to the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.service.web.browser.conftest import DESKTOP, PHONE, PROJECTOR, House, Person
from tests.service.web.browser.test_class import answers, bots_of, joins, presses, program
from tests.service.web.test_german_class import ENGLISH, OF_PAGES

__all__ = ["program"]  # the fixture: on all addresses
BOTS = 16
SCENES = [
    ("anchoring-de", ("niedrig/ruhig", "hoch/ruhig"), 5, "1200", "Das ist der Ankereffekt"),
    ("framing-de", ("gerettet/ruhig", "verloren/ruhig"), 4, "5", "Das ist der Framing-Effekt"),
]
"""Each with two versions, how often it asks something of whom, what they type, and what they are told."""


def english_on(page: Page) -> list[str]:
    """Words of English that are shown; what says of itself that it is in English does not count."""
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    shown = page.evaluate(
        """() => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const texts = [];
          while (walker.nextNode()) {
            const { parentElement: of, textContent: text } = walker.currentNode;
            if (of.checkVisibility() && !of.closest("[lang=en]")) texts.push(text);
          }
          return texts.join(" ");
        }"""
    )
    return [f"{page.url}: {word}" for word in ENGLISH.findall(OF_PAGES.sub(" ", shown))]


def a_german_class(teacher: Person, people: int, scene: str, versions: tuple[str, ...]) -> str:
    """Begin it by the form; its code."""
    page = teacher.goes("/new/class")
    page.locator(f'input[name=scene][value="{scene}"]').check()
    for version in versions:
        page.locator(f'input[value="{scene} {version}"]').check()
    page.locator("#people").fill(str(people))
    page.get_by_label("Wer es erlaubt hat").fill("Schulleitung am 12. März")
    page.get_by_role("button", name="Schätzen", exact=True).click()
    expect(page.get_by_text("Aufrufe von Modellen")).to_be_visible()
    assert english_on(page) == []
    teacher.shot(f"{scene}-1-form")
    page.get_by_role("button", name="Beginnen", exact=True).click()
    page.wait_for_url("**/classes/*")
    return page.locator(".join-here .code.large").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(("scene", "versions", "turns", "typed", "told"), SCENES, ids=[one for one, *_ in SCENES])
def test_a_class_plays_in_german_and_no_word_of_english_is_shown(
    house: House, scene: str, versions: tuple[str, ...], turns: int, typed: str, told: str
) -> None:
    teacher = house.moderator(size=DESKTOP, language="de-DE")
    code = a_german_class(teacher, BOTS + 1, scene, versions)
    room = house.person(PROJECTOR, language="de-DE")
    room.context.add_cookies(teacher.context.cookies())  # type: ignore[arg-type] # its own, as it gave them
    room.goes(f"/classes/{teacher.page.url.rpartition('/')[2]}/room")
    phone = house.person(PHONE, language="de-DE")
    found: list[str] = []

    def look(n: int, *people: Person) -> None:
        for one in people:
            found.extend(english_on(one.page))
            one.shot(f"{scene}-{n}-{'phone' if one is phone else 'teacher' if one is teacher else 'wall'}")

    joins(phone, code)
    with bots_of(house, code, BOTS) as bots:
        expect(room.page.locator(".heads b")).to_have_text(str(BOTS + 1))
        look(2, teacher, room, phone)
        presses(teacher, "Für alle beginnen")
        phone.page.wait_for_url("**/seats/*")
        asked = phone.page.locator("form[data-turn]")
        for n in range(turns):
            expect(asked).to_be_visible()
            look(3 + n, phone)
            answers(phone, typed, "Absenden")
        look(8, teacher, room)
        phone.page.wait_for_url("**/me")
        bots.until(waits_for="debriefing")
        look(9, phone, teacher, room)
        presses(teacher, "Schließen")
        look(10, teacher)
        presses(teacher, "Aufklären")
        phone.page.wait_for_url("**/seats/*")
        expect(phone.page.get_by_text(told)).to_be_visible()
        look(11, phone, teacher, room)
        answers(phone, "", "Absenden")
        phone.page.wait_for_url("**/me")
        bots.until(stage="played")
        presses(teacher, "Aufdecken")
        expect(phone.page.locator(".own")).to_be_visible()
        expect(room.page.get_by_text("Der Effekt")).to_be_visible()
        look(12, phone, teacher, room)
    assert found == []
