"""What stays on a page when the class goes on: what was unfolded, answered and typed; what is new shows at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.service.web.browser.acting import Answering, begin, plays_scene
from tests.service.web.browser.conftest import PHONE, House, Person
from tests.service.web.browser.test_class import a_class, agrees, answers, joins, presses
from tests.service.web.browser.test_class_debate import comes, made

WORDS = "Half a thought, and the"


def outlasts_a_reload(person: Person, field: str, unfold: str, button: str) -> None:
    """What is typed there is there after a reload, in sight; and once it is sent, no more."""
    page = person.page
    if unfold:
        page.locator("summary").get_by_text(unfold, exact=True).click()
    page.locator(field).fill(WORDS)
    page.reload()
    expect(page.locator(field)).to_be_visible()
    expect(page.locator(field)).to_have_value(WORDS)
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.locator(field)).to_have_value("")
    page.reload()
    expect(page.locator(field)).to_have_value("")


@pytest.mark.slow
def test_codes_stay_and_a_withdrawal_is_confirmed_while_the_class_goes_on(house: House) -> None:
    teacher = house.moderator()
    code = a_class(house, teacher, 2)
    phone, other = house.person(PHONE), house.person(PHONE)
    joins(phone, code)
    joins(other, code)
    presses(teacher, "Start for everybody")
    phone.page.wait_for_url("**/seats/*")
    other.page.wait_for_url("**/seats/*")
    first = other.page.locator("time.clock").first
    expect(first).to_have_text(re.compile(r"[23]:\d\d"))
    teacher.page.get_by_role("button", name="Five minutes more for everybody").click()
    expect(first).to_have_text(re.compile(r"[78]:\d\d"))  # without a touch
    other.page.get_by_role("button", name="Two more minutes").click()
    expect(first).to_have_text(re.compile(r"(9|10):\d\d"))
    expect(other.page.locator(".longer-told")).to_have_text("There is more time.")
    agrees(phone)
    answers(phone, "40")
    phone.page.wait_for_url("**/me")
    phone.page.get_by_role("button", name="Tell me now what it was about").click()
    phone.page.wait_for_url("**/seats/*")
    answers(phone, "")
    phone.page.wait_for_url("**/me")
    codes = phone.page.locator("#codes")
    codes.locator("summary").click()
    codes.get_by_role("button", name="Show my codes").click()
    expect(codes.locator("dd.code").first).to_be_visible()
    agrees(other)  # so that the class changes
    phone.page.wait_for_timeout(2_500)
    expect(codes.locator("dd.code").first).to_be_visible()
    phone.shot("15b-codes")
    phone.page.locator("#withdraw summary").click()
    phone.page.locator("#withdraw").get_by_role("button").click()
    told = phone.page.get_by_text("It is taken back, and removed.").first
    expect(told).to_be_visible()
    phone.page.wait_for_timeout(2_500)
    expect(told).to_be_visible()
    phone.page.reload()
    expect(phone.page.get_by_text("It is taken back, and removed.").first).to_be_visible()
    expect(phone.page.get_by_text("You said that it may be kept.")).to_have_count(0)
    phone.shot("15b-withdrawn")
    teacher.shot("15b-teacher")
    presses(teacher, "Close")
    presses(teacher, "Debrief")
    teacher.page.get_by_role("button", name="End the class").click()
    expect(teacher.page.get_by_role("heading", name="Places", exact=True)).to_have_count(0)
    teacher.shot("15b-over")
    teacher.page.locator("#remove").locator("..").get_by_role("button").click()
    expect(phone.page.get_by_text("This class has been removed.")).to_be_visible()
    phone.shot("15b-removed")
    teacher.page.wait_for_url(f"{house.program.url}/")
    phone.page.reload()
    expect(phone.page.get_by_text("has been removed, or this browser was signed out")).to_be_visible()
    for one in house.people:
        one.said.clear()


@pytest.mark.slow
def test_guidance_that_a_moderator_types_outlasts_a_reload(house: House) -> None:
    moderator = house.moderator()
    begin(moderator, "Cars should leave the centre", human="con")
    outlasts_a_reload(moderator, "#words", "Say something to the sides", "Guide them")


@pytest.mark.slow
def test_a_question_beside_the_turns_of_a_scene_outlasts_a_reload(house: House) -> None:
    moderator = house.moderator()
    person = plays_scene(house, moderator)
    answering = Answering(person, "About four hundred.")
    answering.once()
    answering.once()
    outlasts_a_reload(person, "#question", "Ask a question", "Ask")


@pytest.mark.slow
def test_an_argument_of_a_class_debate_outlasts_a_reload(house: House) -> None:
    _, code = made(house.moderator())
    outlasts_a_reload(comes(house, code), "#text", "", "Send")
