"""A persona in a browser: made, fed, asked and surveyed by its page, which shows what comes of it; rated on a phone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.debate_engine.protocols.cognition.minds import FACTS, FERRY, OPINIONS, distilled, known, rated, refining
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON
from tests.service.web.browser.acting import audience_link
from tests.service.web.browser.conftest import DESKTOP, PHONE, House, Theme
from tests.service.web.browser.test_for_everybody import faults

QUIET = {"Future Outlook": ["a quiet garden", "sailing on batteries"], "Dislikes": ["waste"]}
LEARNED = distilled(*FACTS, known("She", "sleeps", "badly", 4))


def script(folder: Path) -> str:
    """A model that is moved by the first text, and notes one sentence that is refused."""
    opinion = [{"json": rated(rating)} for rating in (2, 3, 4, 4, 2, 4)]
    rules = [
        {"prompt": "cognition/*refine", "answers": [{"json": refining(QUIET)}, {"json": refining()}]},
        {"prompt": "cognition/distil", "json": LEARNED},
        {"prompt": "cognition/interpret", "answers": opinion},
        {"prompt": "cognition/talk", "text": "I like **quiet** mornings."},
    ]
    path = folder / "greta.yaml"
    path.write_text(json.dumps({"rules": rules}), encoding="utf-8")
    return f"scripted:{path}"


def makes(page: Page, model: str) -> None:
    """Fill in the form of a new persona, and send it."""
    page.locator("#name").fill("greta")
    page.get_by_label("Somebody invented").check()
    page.locator("summary", has_text="profile").click()
    page.locator("#profile").fill(json.dumps(GRETA_AS_JSON))
    page.locator("#opinions").fill("\n".join(OPINIONS))
    page.locator("#model").select_option("other")
    page.locator("#model-other").fill(model)
    page.locator('button[value="start"]').click()
    page.wait_for_url("**/minds/*")


def is_no_wider_than_the_screen(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize(
    ("theme", "size"),
    [pytest.param("light", DESKTOP, id="desktop", marks=pytest.mark.slow), pytest.param("dark", PHONE, id="phone")],
)
def test_a_persona_is_made_fed_asked_and_surveyed_by_its_page_and_rated_by_people(
    house: House, theme: Theme, size: tuple[int, int], tmp_path: Path
) -> None:
    moderator = house.moderator(theme=theme, size=size)
    page = moderator.goes("/new/mind")
    found = faults(page)
    moderator.shot(f"new-mind-{theme}")
    assert is_no_wider_than_the_screen(page)
    makes(page, script(tmp_path))
    page.get_by_role("button", name="Ask it").click()
    expect(page.locator("[data-region=ratings] figure")).to_have_count(len(OPINIONS))
    for n in range(2):
        page.locator("#text").fill(FERRY)
        page.locator("#title").fill(f"Ferries, part {n + 1}")
        page.get_by_role("button", name="Let it read").click()
        expect(page.locator("[data-region=read]")).to_contain_text(f"Ferries, part {n + 1}")
        page.get_by_role("button", name="Ask it").click()
        expect(page.locator("[data-region=ratings] circle")).to_have_count(len(OPINIONS) * (n + 2))
    expect(page.locator("[data-region=who] ins")).to_have_text("new: sailing on batteries")
    expect(page.locator("[data-region=who] del")).to_have_text("no longer: loud engines")
    page.locator("#words").fill("Do you like ferries?")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator("[data-region=talks] strong")).to_have_text("quiet")
    expect(page.locator("nav.narrow-only a")).to_have_count(3)
    expect(page.locator("nav.narrow-only a").first).to_be_visible(visible=size == PHONE)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert is_no_wider_than_the_screen(page)
    found += faults(page)

    listener = house.person(size, theme, "de")
    listener.comes_in(audience_link(moderator))
    found += faults(listener.page)
    listener.shot(f"mind-rating-{theme}")
    assert is_no_wider_than_the_screen(listener.page)
    for rating in listener.page.locator("fieldset.rating").all():
        rating.locator("input").nth(1).check()
    listener.page.locator("main button.main").click()
    expect(listener.page.locator("figure.attitude")).to_have_count(len(OPINIONS))
    found += faults(listener.page)
    listener.shot(f"mind-rated-{theme}")
    page.reload()
    expect(page.locator("[data-region=ratings] rect.people")).to_have_count(len(OPINIONS))
    moderator.shot(f"mind-{theme}")
    for path in ("/minds", page.url + "?at=0"):
        found += faults(moderator.goes(path))
    moderator.shot(f"mind-at-0-{theme}")
    assert found == []
