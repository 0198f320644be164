"""A scene in browsers: begun by the form, played on a phone by a link, told about at its end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.service.web.browser.acting import Answering, plays_scene
from tests.service.web.browser.conftest import House


@pytest.mark.slow
def test_a_person_plays_a_scene_on_a_phone_and_is_told_what_it_was_about(house: House) -> None:
    moderator = house.moderator()
    person = plays_scene(house, moderator)
    page = person.page
    answering = Answering(person, "About four hundred.")
    expect(page.get_by_role("heading", name="One question first")).to_be_visible()
    answering.once()
    expect(page.get_by_role("heading", name="Before anything begins")).to_be_visible()
    assert "nchor" not in page.content()
    person.shot("scene-consent")
    steps = answering.all()
    assert any(step.startswith("rule/") for step in steps)
    expect(page.get_by_role("heading", name="Afterwards: what this was about")).to_be_visible()
    page.get_by_role("button", name="Show my codes").click()
    expect(page.get_by_text("To take it back")).to_be_visible()
    assert re.fullmatch(r"[a-z0-9-]{10,}", page.locator("dd.code").first.inner_text())
    person.shot("scene-told")
    expect(moderator.page.locator("[data-region=head]").get_by_text("finished")).to_be_visible()
