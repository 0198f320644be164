"""What people do on pages: begin a debate, sit down, answer whatever they are asked."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, expect

from tests.service.web.browser.conftest import PHONE

if TYPE_CHECKING:
    from tests.service.web.browser.conftest import House, Person

SEATS = ("pro", "con", "judge-1", "crit")
SCRIPT = "scripted:demo"


def begin(moderator: Person, motion: str, *, human: str = "", script: str = SCRIPT, rounds: int = 1) -> str:
    """Begin a debate by the form; the session's id."""
    page = moderator.goes("/new/debate")
    page.get_by_role("textbox", name="Motion").fill(motion)
    page.locator("#max_rounds").fill(str(rounds))
    page.locator("#topics").fill("1")
    for seat in SEATS:
        if seat == human:
            page.locator(f"#{seat}").select_option("human")
        else:
            page.locator(f"#{seat}").select_option("other")
            page.locator(f"#{seat}-other").fill(script)
    return _started(page)


def plays_scene(house: House, moderator: Person) -> Person:
    """Begin a scene by the form; a person on a phone who comes in by the link for its seat."""
    page = moderator.goes("/new/scene")
    page.get_by_role("radio", name="The jar at the fair").check()
    _started(page)
    person = house.person(PHONE)
    person.comes_in(_link(moderator, 'form[data-invite="seat"]'))
    return person


def _started(page: Page) -> str:
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/sessions/*")
    return page.url.rpartition("/")[2]


def seat_link(moderator: Person, seat: str) -> str:
    """Have the page make a link for a seat."""
    return _link(moderator, f'form[data-invite="seat"][data-seat="{seat}"]')


def audience_link(moderator: Person) -> str:
    """Have the page make a link for the audience."""
    return _link(moderator, 'form[data-invite="audience"]')


def _link(moderator: Person, form: str) -> str:
    found = moderator.page.locator(form)
    found.get_by_role("button").first.click()  # a second one copies the link that is there
    field = found.get_by_label("Link", exact=True)
    expect(field).to_be_visible()
    return field.input_value()


def sit(person: Person, link: str, name: str = "") -> Page:
    """Open a seat's link, agree and sit down."""
    page = person.comes_in(link)
    if name:
        page.get_by_label("The name under which you sit").fill(name)
    page.get_by_label("I have read this and agree.").check()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector('[data-region="turn"]')
    return page


@dataclass
class Answering:
    """Answers the turns of a seat, whatever they ask, until nothing is asked any more."""

    person: Person
    words: str = "Because it costs more than it brings."

    def once(self, number: str = "40") -> str:
        """Answer the turn that is open; its step."""
        page = self.person.page
        form = page.locator("form[data-turn]")
        expect(form).to_be_visible()
        step = form.get_attribute("data-turn") or ""
        fill(form, self.words, number)
        form.get_by_role("button", name="Send").click()
        expect(page.locator(f'form[data-turn="{step}"]')).to_have_count(0)
        return step

    def all(self) -> list[str]:
        """Answer until it is over; the steps."""
        page = self.person.page
        steps: list[str] = []
        asked, over = page.locator("form[data-turn]"), page.get_by_text("It is over. Thank you for taking part.")
        while True:
            expect(asked.or_(over)).to_be_visible()
            if over.is_visible():
                return steps
            steps.append(self.once())


def fill(form: Any, words: str, number: str = "40") -> None:
    """Fill in a form of any kind. Of an entry of several fields each has the next of `words`, between “ | ”."""
    for group in form.locator("fieldset:has(input[type=radio])").all():
        group.locator("input[type=radio]").first.check()
    for field in form.locator("input[type=text][data-field]").all():
        field.fill(number)
    for entry in form.locator("fieldset.entry").all():
        for choice in entry.locator("select:visible").all():
            choice.select_option(index=1)
        for field, text in zip(entry.locator("input:visible").all(), cycle(words.split(" | ")), strict=False):
            field.fill(text)
    for field in form.locator("textarea[data-field]:visible").all():
        field.fill(words)
