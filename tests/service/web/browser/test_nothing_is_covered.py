"""On a server for this computer alone, whose pages say so, nothing covers or cuts what stands beside that sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.service.web.browser.acting import Answering, begin, seat_link, sit
from tests.service.web.browser.conftest import PHONE, PROJECTOR, House, Program

GAUGE = """() => {
  const own = document.querySelector(".gauge").getBoundingClientRect();
  const around = document.querySelector(".room-side > :first-child").getBoundingClientRect();
  return own.height > 16 && own.top >= around.top - 1 && own.bottom <= around.bottom + 1;
}"""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    home = tmp_path / "home"
    home.mkdir()
    made = Program(home, "127.0.0.1")
    made.start()
    yield made
    made.stop()


@pytest.mark.slow
def test_the_button_that_removes_an_entry_covers_no_field_and_the_heat_stands_whole_in_the_room(
    program: Program, chromium: Browser
) -> None:
    house = House(program, chromium)
    moderator = house.moderator()
    session = begin(moderator, "Homework should be abolished", human="con")
    phone = house.person(PHONE)
    sit(phone, seat_link(moderator, "con"), "Quiet Otter")
    entry = phone.page.locator(".entry").first
    button, field = entry.locator(".remove").bounding_box(), entry.locator("input").first.bounding_box()
    assert button
    assert field
    assert button["y"] + button["height"] <= field["y"]

    answering = Answering(phone)
    for _ in ("the agenda", "the agenda again", "the opening"):
        answering.once()
    room = moderator.tab(f"/sessions/{session}/room")
    room.set_viewport_size({"width": PROJECTOR[0], "height": PROJECTOR[1]})
    expect(room.locator(".gauge")).to_be_visible()
    expect(room.get_by_text("No phone can open")).to_be_visible()
    assert room.evaluate(GAUGE)
    room.screenshot(path=program.home.parent / "room.png")
    for person in house.people:
        person.context.close()
