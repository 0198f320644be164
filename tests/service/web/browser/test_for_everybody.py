"""Pages for everybody: a keyboard alone, a screen reader, both themes, a phone, no script."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tests.service.web.browser.acting import Answering, begin, seat_link, sit
from tests.service.web.browser.conftest import AXE, DESKTOP, PHONE, House, Theme

if TYPE_CHECKING:
    from tests.service.web.browser.conftest import Person

AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
"""axe-core 4.14.1 (Deque Systems, MPL-2.0), `axe.min.js` of its npm package."""
SEVERE = ("serious", "critical")


def test_axe_is_the_one_that_was_looked_up() -> None:
    assert hashlib.sha256(AXE.read_bytes()).hexdigest() == AXE_SHA256


def faults(page: Page) -> list[str]:
    """What axe finds that keeps somebody out. Its code is handed over past the page's policy, as a person's tool is."""
    page.wait_for_load_state("load")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    told = [
        (one["id"], node["html"][:200])
        for one in found["violations"]
        if one["impact"] in SEVERE
        for node in one["nodes"]
    ]
    return [f"{page.url}: {name}: {html}" for name, html in told]


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_page_keeps_anybody_out(house: House, theme: Theme, size: tuple[int, int]) -> None:
    moderator = house.moderator(theme=theme, size=size)
    session = begin(moderator, "Homework should be abolished", human="con")
    found = faults(moderator.page)
    link = seat_link(moderator, "con")
    found += faults(moderator.page)

    person = house.person(size, theme, "de")
    found += faults(person.goes(link))
    found += faults(person.comes_in(link))
    person.page.get_by_role("textbox").first.fill("Otter")
    person.page.get_by_role("checkbox").check()
    person.page.get_by_role("button", name="Platz nehmen").click()
    expect(person.page.locator("form[data-turn]")).to_be_visible()
    found += faults(person.page)
    _answers_in_german(person)
    found += faults(person.page)
    for path in (
        "/",
        "/new/debate",
        f"/sessions/{session}",
        f"/sessions/{session}/room",
        "/join",
        "/check",
        "/api",
        "/sign-out",
    ):
        found += faults(moderator.goes(path))
        moderator.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        found += faults(moderator.page)
    stranger = house.person(size, theme)
    found += faults(stranger.goes("/"))
    found += faults(moderator.goes("/nothing-here"))
    for one in (moderator, stranger):  # a page that refuses has its status
        one.said[:] = [line for line in one.said if "status of 40" not in line]
    assert found == []


def _answers_in_german(person: Person) -> None:
    form = person.page.locator("form[data-turn]")
    step = form.get_attribute("data-turn")
    for field in form.locator("fieldset.entry input:visible").all():
        field.fill("Zeit für anderes")
    form.get_by_role("button", name="Absenden").click()
    expect(person.page.locator(f'form[data-turn="{step}"]')).to_have_count(0)


def presses_until(page: Page, key: str, selector: str, most: int = 80) -> None:
    """Press a key until this has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} is not reached by {key}")


@pytest.mark.slow
def test_a_debate_is_begun_steered_and_answered_by_keyboard_alone(house: House) -> None:
    moderator = house.moderator()
    page = moderator.goes("/")
    presses_until(page, "Tab", 'a.card[href="/new/debate"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/new/debate")
    presses_until(page, "Tab", "#motion")
    page.keyboard.type("Homework should be abolished")
    presses_until(page, "Tab", "#pro")
    page.keyboard.type("A person")
    presses_until(page, "Tab", 'button[value="start"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/sessions/*")
    presses_until(page, "Tab", 'button[value="pause"]')
    page.keyboard.press("Enter")
    expect(page.get_by_text("It pauses before the next step.")).to_be_visible()
    presses_until(page, "Tab", "#heat")
    page.keyboard.press("Home")
    presses_until(page, "Tab", "form:has(#heat) button")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The heat is set.")).to_be_visible()
    presses_until(page, "Tab", 'form[data-seat="pro"] button')
    page.keyboard.press("Enter")
    field = page.get_by_label("Link", exact=True)
    expect(field).to_be_visible()

    person = house.person()
    seat = person.goes(field.input_value())
    presses_until(seat, "Tab", "main button.main")
    seat.keyboard.press("Enter")
    seat.wait_for_url("**/seats/pro")
    presses_until(seat, "Tab", "[name=agreed]")
    seat.keyboard.press("Space")
    presses_until(seat, "Tab", "main form button.main")
    seat.keyboard.press("Enter")
    expect(seat.locator("form[data-turn]")).to_be_visible()
    step = seat.locator("form[data-turn]").get_attribute("data-turn")
    for n in range(3):
        presses_until(seat, "Tab", f".entry label:nth-of-type({n + 1}) input")
        seat.keyboard.type("Time to play")
    presses_until(seat, "Tab", "form[data-turn] button.main")
    seat.keyboard.press("Enter")
    expect(seat.locator(f'form[data-turn="{step}"]')).to_have_count(0)


@pytest.mark.slow
def test_what_was_said_can_be_read_without_a_script(house: House) -> None:
    moderator = house.moderator()
    session = begin(moderator, "Homework should be abolished")
    expect(moderator.page.locator("#log .fact.out")).to_be_visible()
    reader = house.person(java_script_enabled=False)
    reader.context.add_cookies(moderator.context.cookies())  # type: ignore[arg-type] # its own, as it gave
    page = reader.goes(f"/sessions/{session}")
    expect(page.locator("#log .speech").first).to_be_visible()
    expect(page.get_by_role("img", name="Heat and quality")).to_be_visible()


@pytest.mark.slow
def test_new_words_are_told_to_a_screen_reader_and_a_turn_is_announced(house: House) -> None:
    moderator = house.moderator()
    begin(moderator, "Homework should be abolished", human="con")
    log = moderator.page.get_by_role("log", name="What is said")
    expect(log).to_have_attribute("aria-live", "polite")
    person = house.person(PHONE)
    sit(person, seat_link(moderator, "con"))
    expect(person.page.get_by_role("heading", name="Your turn")).to_be_visible()
    Answering(person).once()
    expect(person.page.locator("#aloud")).to_have_text("Received: the server has your answer.")


@pytest.mark.slow
def test_on_a_phone_one_reads_what_is_said_before_the_controls_and_fills_in_before_one_starts(house: House) -> None:
    moderator = house.moderator(size=PHONE)
    page = moderator.goes("/new/debate")
    assert top(page, "#motion") < top(page, 'button[value="start"]')
    begin(moderator, "Homework should be abolished", human="con")
    assert top(page, "[data-region=standing]") < top(page, "#log") < top(page, "#steer")
    desktop = house.moderator(size=DESKTOP).goes(page.url)
    assert abs(top(desktop, "[data-region=standing]") - top(desktop, "#said-here")) < 100


def top(page: Page, selector: str) -> float:
    """How far down the page something stands."""
    top: float = page.locator(selector).evaluate("one => one.getBoundingClientRect().top + scrollY")
    return top
