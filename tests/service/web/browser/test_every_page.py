"""Every page of the table is looked at by axe, in both themes: none keeps anybody out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from elenchus.service.web.pages.table import CLASS, DEBATE, FOREIGN, MIND, NEW, PAGES, SEAT
from tests.foreign.packages import known
from tests.service.web.browser.acting import begin, seat_link, sit
from tests.service.web.browser.conftest import PHONE, ROOT, House, Person, Program
from tests.service.web.browser.test_class import a_class, joins
from tests.service.web.browser.test_class_debate import comes, made
from tests.service.web.browser.test_for_everybody import faults
from tests.service.web.browser.test_mind import makes, script

pytestmark = pytest.mark.slow

NO_PAGES = {
    "/qr", "/check/stream", *(f"/sessions/{{session}}/{part}" for part in ("stream", "events", "pictures/{picture}")),
}  # fmt: skip
"""What is no page: pictures, and what the scripts of pages ask for."""
KINDS = re.search(r"{kind:(.*)}", NEW)


@pytest.fixture
def program(tmp_path: Path, lan_address: str) -> Iterator[Program]:
    """With a package of somebody else's, whose protocol has a form."""
    (home := tmp_path / "home").mkdir()
    (packages := tmp_path / "packages").mkdir()
    path = known(packages, "turn-taking", "tests.foreign.turn_taking:SPEC")["PYTHONPATH"]
    made = Program(home, lan_address, settings={"PYTHONPATH": f"{path}:{ROOT / 'src'}"})
    made.start()
    yield made
    made.stop()


def addresses(house: House, moderator: Person, folder: Path) -> dict[str, tuple[Person, list[str]]]:
    """Who opens each page, and where; a debate, a class, a class debate and a persona are made for it."""
    session = begin(moderator, "Homework should be abolished", human="con")
    seated, phone = house.person(PHONE), house.person(PHONE)
    sit(seated, seat_link(moderator, "con"))
    code = a_class(house, moderator, 4)
    classroom = moderator.page.url.rpartition("/")[2]
    moderator.goes("/new/class").locator('input[name=scene][value="parcel"]').check()
    moderator.page.locator("[name=slips]").check()
    moderator.page.get_by_role("button", name="Start", exact=True).click()
    moderator.page.wait_for_url("**/classes/*")
    with_slips = moderator.page.url.rpartition("/")[2]
    joins(phone, code)
    room, debate_code = made(moderator)
    debater = comes(house, debate_code)
    moderator.goes("/new/mind")
    makes(moderator.page, script(folder))
    mind = moderator.page.url.rpartition("/")[2]
    stranger = house.person(PHONE)
    assert KINDS
    own = {CLASS: classroom, DEBATE: room.rpartition("/")[2], MIND: mind}
    found: dict[str, tuple[Person, list[str]]] = {}
    for path in {page.path for page in PAGES if page.method == "GET"} - NO_PAGES:
        kind = next((own[start] for start in own if path.startswith(start)), session)
        found[path] = moderator, [re.sub(r"{(session|classroom)}", kind, path).replace("{code}", code)]
    found |= {
        "/sign-in": (stranger, ["/sign-in", "/sign-in?link=el_none"]),
        "/join/{code}": (stranger, [f"/join/{code}", f"/join/{debate_code}", "/join/aaaa-bbbb"]),
        NEW: (moderator, [f"/new/{kind}" for kind in KINDS[1].split("|")]),
        FOREIGN: (moderator, ["/new/protocol/turn-taking"]),
        SEAT: (seated, [f"/sessions/{session}/seats/con"]),
        f"{CLASS}/me": (phone, [f"/classes/{classroom}/me"]),
        f"{CLASS}/slips": (moderator, [f"/classes/{with_slips}/slips"]),
        f"{DEBATE}/me": (debater, [f"{room}/me"]),
    }
    return found


def test_axe_finds_nothing_serious_on_any_page_of_the_table_in_both_themes(house: House, tmp_path: Path) -> None:
    found: list[str] = []
    for path, (person, places) in sorted(addresses(house, house.moderator(), tmp_path).items()):
        for place in places:
            page = person.goes(place)
            assert "{" not in place
            if "aaaa" not in place:
                assert not re.search(r"There is nothing here|Sign in ·", page.title()) or path == "/sign-in", place
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                found += [f"{theme}: {fault}" for fault in faults(page)]
        person.said[:] = [line for line in person.said if "status of 40" not in line]
    assert found == []
