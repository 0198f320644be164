"""A class debate in browsers: joined on phones, argued, upvoted, voted on; and nobody is kept out of its pages."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.service.web.browser.conftest import PHONE, House, Person
from tests.service.web.browser.test_for_everybody import faults

pytestmark = pytest.mark.slow

SECRET = "Sleep lost to homework costs more marks than it earns."
SCRIPTS = dict.fromkeys(("pro", "con", "crit"), "scripted:demo") | {"judges": ["scripted:demo"]}
MAKE = """async (options) => {
  const { csrf } = JSON.parse(document.getElementById("page").textContent);
  const answer = await fetch("/api/v1/class-debates", { method: "POST", body: JSON.stringify({ options }),
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf } });
  return await answer.json();
}"""


def made(leader: Person, **options: Any) -> tuple[str, str]:
    """A class debate of scripts; its page and its code."""
    long = {"argument_seconds": 600, "vote_seconds": 600, "topics": 1, "max_rounds": 1}
    page = leader.goes("/")
    found = page.evaluate(MAKE, {"motion": "Homework should end", **SCRIPTS, **long, **options})
    return f"/class-debates/{found['id']}", str(found["code"])


def comes(house: House, code: str, theme: Any = "light") -> Person:
    """Somebody with a phone, in the class."""
    person = house.person(PHONE, theme)
    page = person.goes(f"/join/{code}")
    page.locator("main form button.main").click()
    page.wait_for_url("**/me")
    return person


def side_of(person: Person) -> str:
    return "pro" if "For the motion" in person.page.locator('[data-region="place"]').inner_text() else "con"


def test_two_halves_on_phones_argue_upvote_and_vote(house: House) -> None:
    leader = house.moderator()
    room, code = made(leader)
    found = faults(leader.goes("/new/class-debate")) + faults(leader.goes("/"))
    phones = [comes(house, code, theme) for theme in ("light", "dark", "light", "dark")]
    pro = [one for one in phones if side_of(one) == "pro"]
    con = [one for one in phones if side_of(one) == "con"]
    assert (len(pro), len(con)) == (2, 2)
    pro[1].page.locator("#text").fill("Half a thought")
    pro[0].page.locator("#text").fill(SECRET)
    pro[0].page.get_by_role("button", name="Send").click()
    expect(pro[1].page.get_by_text(SECRET)).to_be_visible()
    expect(pro[1].page.locator("#text")).to_have_value("Half a thought")
    good = pro[1].page.get_by_role("button", name=re.compile("^Good: argument"))
    good.click()
    expect(pro[0].page.get_by_text("one vote")).to_be_visible()
    good.click()
    expect(pro[0].page.get_by_text("0 votes")).to_be_visible()
    good.click()
    expect(con[0].page.get_by_text(SECRET)).to_have_count(0)
    page = leader.goes(room)
    expect(page.get_by_text(SECRET)).to_be_visible()
    found += faults(page)
    leader.shot("class-debate-lobby")
    page.get_by_role("button", name="Begin the debate").click()
    for one in phones:
        one.page.get_by_role("button", name="Pro" if one is pro[0] else "Undecided", exact=True).click()
        expect(one.page.locator('[data-region="vote"] [aria-pressed="true"]')).to_be_visible()
    expect(page.locator("[data-region=next] b")).to_contain_text("4")
    pro[0].shot("class-debater-vote")
    found += faults(pro[0].page) + faults(con[1].page)
    page.get_by_role("button", name="Close the vote").click()
    expect(pro[0].page.get_by_text("Your speaker waits")).to_be_visible()
    leader.shot("class-debate-running")
    pro[0].shot("class-debater")
    found += faults(page) + faults(pro[1].page)
    while page.get_by_role("button", name="Close the vote").count() == 0:
        page.locator('form[data-send="/end-time"] button').evaluate_all("all => all.forEach((one) => one.click())")
        page.wait_for_timeout(300)
    expect(pro[0].page.get_by_text("given to the speaker").or_(pro[0].page.get_by_text("taken up"))).to_be_visible()
    for one in phones:
        one.page.get_by_role("button", name="Pro", exact=True).click()
        expect(one.page.locator('[data-region="vote"] [aria-pressed="true"]')).to_be_visible()
    page.get_by_role("button", name="Close the vote").click()
    expect(pro[0].page.get_by_text("Of 4 who voted twice, 3 moved towards the motion")).to_be_visible()
    leader.shot("class-debate-over")
    pro[0].shot("class-debater-over")
    found += faults(page) + faults(pro[0].page)
    assert json.dumps(found) == "[]"
