"""A debate in browsers: begun by the form, steered, joined from a phone, watched by an audience, shown in the room."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.service.web.browser.acting import Answering, audience_link, begin, seat_link, sit
from tests.service.web.browser.conftest import PHONE, PROJECTOR, House

MOTION = "Homework should be abolished"
PROJECTORS = (PROJECTOR, (1280, 720), (1920, 1080), (1024, 768))
CUT = """() => {
  const inside = (selector) => {
    const own = document.querySelector(selector).getBoundingClientRect();
    for (let at = document.querySelector(selector).parentElement; at; at = at.parentElement) {
      const clip = at.getBoundingClientRect();
      if (getComputedStyle(at).overflow !== "visible" && own.bottom > clip.bottom + 1) return false;
    }
    return own.height > 16 && own.bottom <= innerHeight && own.right <= innerWidth;
  };
  const [qr, code] = [".join-here img", ".join-here .large"].map((one) => document.querySelector(one));
  const lines = code.getClientRects().length;
  const below = code.getBoundingClientRect().top >= qr.getBoundingClientRect().bottom;
  return { lines, below, cut: [".plot", ".join-here img", ".join-here .large"].filter((one) => !inside(one)) };
}"""


def stand_whole(room: Page, *, revealed: bool) -> None:
    """The plot, the QR code and the code to type are whole on any projector, the code in one line; below the QR code
    as long as the votes are not shown.
    """
    for width, height in PROJECTORS:
        room.set_viewport_size({"width": width, "height": height})
        found = room.evaluate(CUT)
        assert (found["lines"], found["cut"]) == (1, []), (width, height, found)
        assert found["below"] or revealed, (width, height)
    room.set_viewport_size({"width": PROJECTOR[0], "height": PROJECTOR[1]})


@pytest.mark.slow
def test_a_debate_from_the_form_to_the_verdict_with_a_person_on_a_phone_and_an_audience(house: House) -> None:
    moderator = house.moderator()
    session = begin(moderator, MOTION, human="con")
    page = moderator.page
    expect(page.get_by_role("heading", name=MOTION)).to_be_visible()

    phone = house.person(PHONE)
    sit(phone, seat_link(moderator, "con"), "Quiet Otter")
    expect(page.get_by_text("taken by Quiet Otter")).to_be_visible()
    phone.shot("seat-turn")

    listener = house.person(PHONE, theme="dark", language="de")
    voting = listener.comes_in(audience_link(moderator))
    voting.get_by_role("button", name="Contra").click()
    expect(voting.get_by_text("Ihre Stimme ist da")).to_be_visible()
    expect(page.locator("#presence")).to_have_text("Watching: 1 · Connected: Quiet Otter")
    expect(voting.locator("#presence")).to_have_count(0)
    page.locator("#presence").scroll_into_view_if_needed()
    moderator.shot("debate-presence")

    room = moderator.tab(f"/sessions/{session}/room")
    room.set_viewport_size({"width": PROJECTOR[0], "height": PROJECTOR[1]})
    expect(room.get_by_alt_text("QR code by which the room joins")).to_be_visible()

    page.get_by_label("Heat of the next turn").fill("0.4")
    page.get_by_role("button", name="Set the heat").click()
    expect(page.get_by_text("The heat is set.")).to_be_visible()
    expect(page.get_by_text("Next: Opening at heat 0.40.")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("It pauses before the next step.")).to_be_visible()
    answering = Answering(phone)
    answering.once()
    expect(page.locator("[data-region=head]").get_by_text("paused")).to_be_visible()
    expect(phone.page.get_by_text("A pause.")).to_be_visible()
    page.get_by_role("button", name="Go on").click()

    steps = answering.all()
    assert any("opening" in step for step in steps)
    expect(page.locator("[data-region=head]").get_by_text("finished")).to_be_visible()
    expect(page.locator("#log .fact.out")).to_contain_text("Verdict")
    expect(page.get_by_role("img", name="Heat and quality of the arguments by stage.")).to_be_visible()
    expect(
        page.locator("#log").get_by_text("heat 0.40").or_(page.locator(".heat-of", has_text="0.40").first)
    ).to_be_visible()
    expect(room.locator("[data-region=verdict]")).to_contain_text("Verdict")
    voting.get_by_role("button", name="Pro").click()
    expect(voting.get_by_role("button", name="Pro")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", name="The room's votes")).to_be_visible()
    expect(room.get_by_text("1 vote so far")).to_be_visible()
    stand_whole(room, revealed=False)
    room.get_by_role("button", name="Show the votes").click()
    expect(room.get_by_text("Swing: 100 points to Pro")).to_be_visible()
    stand_whole(room, revealed=True)
    moderator.shot("debate-ended")
    room.screenshot(path=str(moderator.program.home.parent / "room.png"))
    expect(phone.page.locator("#log")).to_contain_text("costs more than it brings")
