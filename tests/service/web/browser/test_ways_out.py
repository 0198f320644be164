"""Ways out of a seat, pressed in a browser: a turn is passed, a seat left, words withdrawn, also after a reload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.web.browser.acting import Answering, plays_scene
from tests.service.web.browser.conftest import PHONE, House
from tests.service.web.browser.test_class import a_class, joins
from tests.service.web.browser.test_class_debate import SECRET, comes, made
from tests.service.web.browser.test_resilience import answers, is_taken, seated

if TYPE_CHECKING:
    from tests.service.web.browser.conftest import Person

pytestmark = pytest.mark.slow
WORDS = "The zeppelin costs more than it brings."


def presses(person: Person, unfold: str, button: str) -> None:
    """Unfold a part of the page where it is not, and press what stands in it; what is asked is confirmed."""
    found = person.page.get_by_role("button", name=button, exact=True).first
    if not found.is_visible():
        person.page.locator("summary").get_by_text(unfold, exact=True).click()
    found.click()


def test_a_turn_is_passed_a_seat_is_left_and_its_words_are_withdrawn_after_a_reload(house: House) -> None:
    moderator, person = seated(house)
    presses(person, "", "Pass")
    is_taken(person)
    assert answers(house) == 1
    while not Answering(person, WORDS).once().startswith("opening"):
        pass  # the other side's list of topics may have to be looked at first
    expect(moderator.page.locator("#log").get_by_text(WORDS).first).to_be_visible()
    presses(person, "Leave the seat", "Leave the seat")
    expect(person.page.get_by_text("You have left this seat.").first).to_be_visible()
    expect(person.page.locator("form[data-turn]")).to_have_count(0)
    person.page.reload()
    expect(person.page.get_by_role("button", name="Leave the seat", exact=True)).to_have_count(0)
    presses(person, "Withdraw", "Withdraw")
    expect(moderator.page.locator("#log").get_by_text("zeppelin")).to_have_count(0)
    moderator.page.reload()
    expect(moderator.page.get_by_text("zeppelin")).to_have_count(0)
    expect(moderator.page.locator("[data-region=head]").get_by_text("finished")).to_be_visible()


def test_who_withdraws_from_a_scene_is_told_what_it_was_about_and_nothing_is_left(house: House) -> None:
    moderator = house.moderator()
    person = plays_scene(house, moderator)
    answering = Answering(person, WORDS)
    for _ in range(3):
        answering.once()
    presses(person, "Withdraw", "Withdraw")
    expect(person.page.get_by_role("heading", name="Afterwards: what this was about")).to_be_visible()
    person.page.reload()
    expect(person.page.get_by_text("zeppelin")).to_have_count(0)
    expect(moderator.page.get_by_text("zeppelin")).to_have_count(0)


def test_who_has_left_a_class_debate_withdraws_after_a_reload(house: House) -> None:
    leader = house.moderator()
    room, code = made(leader)
    person = comes(house, code)
    person.page.locator("#text").fill(SECRET)
    presses(person, "", "Send")
    page = leader.goes(room)
    expect(page.get_by_text(SECRET)).to_be_visible()
    person.page.locator("#leave summary").click()
    person.page.locator("#leave button").click()
    expect(person.page.locator("#text")).to_have_count(0)
    person.page.reload()
    person.page.locator("#withdraw summary").click()
    person.page.locator("#withdraw button").click()
    expect(page.get_by_text(SECRET)).to_have_count(0)


def test_who_finds_no_place_in_a_class_reads_whom_to_tell_and_comes_in_once_there_is_one(house: House) -> None:
    teacher, first, late = house.moderator(), house.person(PHONE), house.person(PHONE)
    code = a_class(house, teacher, 1)
    joins(first, code)
    page = late.goes(f"/join/{code}")
    expect(page.get_by_text("All places are taken.")).to_be_visible()
    page.wait_for_timeout(1_000)  # for what a script would complain of
    presses(first, "Leave the class", "Leave the class")
    expect(first.page.get_by_text("You take no part in this class.")).to_be_visible()
    page.get_by_role("link", name="Try again").click()
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/me")
