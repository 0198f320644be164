"""Reloads, lost networks, killed servers, hidden tabs, held-back streams: nobody loses a word, nothing is doubled."""

from __future__ import annotations

import re
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.service.web.browser.acting import Answering, begin, seat_link, sit
from tests.service.web.browser.conftest import PHONE, House

if TYPE_CHECKING:
    from tests.service.web.browser.conftest import Person

pytestmark = pytest.mark.slow

WORDS = "Trams are cheaper | Shops need deliveries | Who pays for the change"
STREAM = re.compile(r"/sessions/\w+/stream\?")
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def seated(house: House) -> tuple[Person, Person]:
    """A moderator, and a person on a phone who is asked for an agenda."""
    moderator = house.moderator()
    begin(moderator, "Cars should leave the centre", human="con")
    person = house.person(PHONE)
    sit(person, seat_link(moderator, "con"))
    expect(person.page.locator("form[data-turn]")).to_be_visible()
    person.asked = person.page.locator("form[data-turn]").get_attribute("data-turn") or ""
    return moderator, person


def types(page: Page) -> None:
    """Type an entry of the agenda."""
    for field, part in zip(page.locator("fieldset.entry input").all(), WORDS.split(" | "), strict=True):
        field.fill(part)


def typed(page: Page) -> list[str]:
    """What stands in the entry."""
    return [field.input_value() for field in page.locator("fieldset.entry input").all()]


def is_taken(person: Person) -> None:
    """The first turn is answered: it is gone, and perhaps there is another."""
    expect(person.page.locator(f'form[data-turn="{person.asked}"]')).to_have_count(0)


def answers(house: House) -> int:
    """How many answers of people are in the log."""
    with sqlite3.connect(house.program.home / "elenchus.db") as database:
        return int(database.execute("select count(*) from events where body like '%\"turn_answered\"%'").fetchone()[0])


def loses_connection(person: Person) -> None:
    """What its console says of that is no fault."""
    person.said.clear()


def test_what_is_typed_is_there_again_after_a_reload_and_after_coming_back(house: House) -> None:
    _, person = seated(house)
    types(person.page)
    expect(person.page.get_by_text("Kept on this device, not sent yet.")).to_be_visible()
    person.page.reload()
    expect(person.page.get_by_text("What you had typed is back.")).to_be_visible()
    assert typed(person.page) == WORDS.split(" | ")
    seat = person.page.url
    person.page.goto(f"{house.program.url}/check")
    person.page.goto(seat)
    assert typed(person.page) == WORDS.split(" | ")


def test_what_is_typed_comes_along_to_another_device_and_back(house: House) -> None:
    moderator, person = seated(house)
    types(person.page)
    with person.page.expect_response(re.compile("/typed$")) as kept:
        pass
    assert kept.value.status == 204
    other = house.person()
    other.comes_in(seat_link(moderator, "con"))
    expect(other.page.get_by_text("What you had typed is back.")).to_be_visible()
    assert typed(other.page) == WORDS.split(" | ")
    assert "Trams" not in moderator.page.content()
    person.page.evaluate(HIDE, True)
    with other.page.expect_response(re.compile("/typed$")):
        other.page.locator("fieldset.entry input").first.fill("Trams are dearer")
    person.page.evaluate(HIDE, False)
    expect(person.page.locator("fieldset.entry input").first).to_have_value("Trams are dearer")
    other.page.get_by_role("button", name="Send").click()
    is_taken(person)
    assert answers(house) == 1


def test_what_one_types_when_the_page_goes_is_on_the_other_device(house: House) -> None:
    moderator, person = seated(house)
    with person.page.expect_response(re.compile("/typed$")):
        types(person.page)
        person.page.evaluate(HIDE, True)
    other = house.person()
    other.comes_in(seat_link(moderator, "con"))
    expect(other.page.locator("fieldset.entry input").first).to_have_value("Trams are cheaper")


def test_a_pause_leaves_a_form_alone_in_which_somebody_types(house: House) -> None:
    moderator, person = seated(house)
    field = person.page.locator("fieldset.entry input").first
    field.fill("Trams are cheaper")
    field.evaluate("field => { field.setSelectionRange(5, 5); window.same = field.form; }")
    for button, state in (("Pause", "paused"), ("Go on", "under way")):
        moderator.page.get_by_role("button", name=button).click()
        expect(person.page.locator("[data-region=head]").get_by_text(state)).to_be_visible()
        person.page.wait_for_timeout(500)
        assert person.page.evaluate("document.querySelector('form[data-turn]') === window.same")
        assert field.evaluate("field => [document.activeElement === field, field.selectionStart]") == [True, 5]
    expect(field).to_have_value("Trams are cheaper")


def test_an_answer_without_a_network_is_sent_once_when_there_is_one_again(house: House) -> None:
    _, person = seated(house)
    types(person.page)
    person.context.set_offline(True)
    person.page.get_by_role("button", name="Send").click()
    expect(person.page.get_by_text("Not received yet.")).to_be_visible()
    expect(person.page.locator("#offline")).to_be_visible()
    assert answers(house) == 0
    person.context.set_offline(False)
    is_taken(person)
    expect(person.page.locator("#offline")).to_be_hidden()
    assert answers(house) == 1
    loses_connection(person)


def test_an_answer_that_was_on_its_way_when_the_page_was_reloaded_is_sent_once(house: House) -> None:
    _, person = seated(house)
    types(person.page)
    person.context.route("**/answer", lambda route: route.abort())
    person.page.get_by_role("button", name="Send").click()
    expect(person.page.get_by_text("Not received yet.")).to_be_visible()
    person.context.unroute("**/answer")
    person.page.reload()
    is_taken(person)
    assert answers(house) == 1
    loses_connection(person)


def test_an_answer_whose_receipt_was_lost_is_there_once(house: House) -> None:
    _, person = seated(house)
    types(person.page)
    lost: list[str] = []

    def arrives_and_no_receipt(route: object) -> None:
        if lost:
            route.continue_()  # type: ignore[attr-defined]
            return
        lost.append("")
        route.fetch()  # type: ignore[attr-defined]
        route.abort()  # type: ignore[attr-defined]

    person.context.route("**/answer", arrives_and_no_receipt)
    person.page.get_by_role("button", name="Send").click()
    is_taken(person)
    assert lost == [""]
    assert answers(house) == 1
    loses_connection(person)


def test_a_server_that_is_killed_and_started_again_goes_on_with_everybody_where_they_were(house: House) -> None:
    moderator, person = seated(house)
    types(person.page)
    house.program.kill()
    for one in (moderator, person):
        expect(one.page.get_by_text("No connection.")).to_be_visible()
    person.page.get_by_role("button", name="Send").click()
    expect(person.page.get_by_text("Not received yet.")).to_be_visible()
    house.program.start()
    is_taken(person)
    for one in (moderator, person):
        expect(one.page.locator("#offline")).to_be_hidden()
        loses_connection(one)
    assert answers(house) == 1
    Answering(person).all()
    expect(moderator.page.locator("[data-region=head]").get_by_text("finished")).to_be_visible()
    assert moderator.page.locator("#log .fact.out").count() == 1
    spoken = moderator.page.locator("#log .speech.con .said").all_inner_texts()
    assert len(spoken) > 1
    moderator.page.reload()
    assert moderator.page.locator("#log .speech.con .said").all_inner_texts() == spoken


def test_half_a_word_is_there_when_the_page_is_loaded_again_after_the_server_was_killed(house: House) -> None:
    moderator, person = seated(house)
    field, seat = person.page.locator("fieldset.entry input").first, person.page.url
    field.press_sequentially("Tra")
    house.program.kill()
    field.press_sequentially("ms")
    house.program.start()
    person.page.goto(seat)
    expect(person.page.get_by_text("What you had typed is back.")).to_be_visible()
    expect(field).to_have_value("Trams")
    for one in (moderator, person):
        loses_connection(one)


def test_half_a_word_comes_along_to_another_device_although_the_server_was_killed_since(house: House) -> None:
    moderator, person = seated(house)
    with person.page.expect_response(re.compile("/typed$")):
        types(person.page)
    house.program.kill()
    expect(person.page.get_by_text("No connection.")).to_be_visible()
    with person.page.expect_response(re.compile("/typed$"), timeout=60_000) as told:
        house.program.start()
    assert told.value.status == 204
    moderator.page.reload()
    other = house.person()
    other.comes_in(seat_link(moderator, "con"))
    expect(other.page.locator("fieldset.entry input").first).to_have_value("Trams are cheaper")
    for one in (moderator, person):
        loses_connection(one)


def test_a_tab_that_nobody_looks_at_has_no_stream_and_finds_what_came_meanwhile(house: House) -> None:
    moderator, person = seated(house)
    path = f"/sessions/{moderator.page.url.rpartition('/')[2]}"
    for _ in range(8):  # a browser has six connections to a host
        moderator.page.evaluate(HIDE, True)
        moderator.page = moderator.tab(path)
        expect(moderator.page.get_by_role("heading", name="Steer")).to_be_visible()
    hidden = moderator.context.pages[0]
    Answering(person).all()
    expect(moderator.page.locator("#log .fact.out")).to_be_visible()
    assert hidden.locator("#log .speech").count() == 0
    moderator.page.evaluate(HIDE, True)
    hidden.evaluate(HIDE, False)
    expect(hidden.locator("#log .fact.out")).to_be_visible()


def test_where_streams_are_held_back_the_page_asks_for_what_is_new(house: House) -> None:
    moderator, person = seated(house)
    moderator.context.route(STREAM, lambda route: route.abort())
    moderator.page.reload()
    Answering(person).all()
    expect(moderator.page.locator("#log .fact.out")).to_be_visible()
    loses_connection(moderator)


def test_one_stream_is_open_for_a_page_and_none_is_left_when_it_goes(house: House) -> None:
    moderator, _ = seated(house)
    asked: list[str] = []
    moderator.page.on("request", lambda request: asked.append(request.url) if STREAM.search(request.url) else None)
    moderator.page.reload()
    expect(moderator.page.get_by_role("heading", name="Steer")).to_be_visible()
    time.sleep(1)
    assert len(asked) == 1
