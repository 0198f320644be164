"""Draw the pages that the documents show, from a real run: a program, browsers in front of it, the embedded model.

    PYTHONPATH=. python docs/draw_pages.py [FOLDER [debate|scene|mind|small …]]

Needs Chromium and some minutes; writes docs/images/page-*.png, or the same into another folder, all or those named.
What stands in the pictures is what the small model said in this run, and what the people of this file type; nothing is
put there otherwise.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from docs.draw_class_pages import draw_class, draw_class_debate
from elenchus.detectors.evaluation.cogbench.topics import SMALL_SET, own_set
from tests.service.web.browser.acting import Answering, audience_link, plays_scene, seat_link, sit
from tests.service.web.browser.conftest import DESKTOP, FLAGS, PHONE, PROJECTOR, House, Person, Program

IMAGES = Path(__file__).with_name("images")
MOTION = "Schools should start after nine in the morning"
SPOKEN = {
    "agenda": "rested pupils | clubs and jobs in the afternoon | when the first lesson begins",
    "opening": "An hour later in the morning is an hour later in the afternoon: clubs, training and the last bus are "
    "lost, and who works early cannot bring a child at nine. Who needs more sleep can put the phone away at ten.",
    "round/1": "You say that pupils would sleep longer. In the districts that moved the bell, part of the gain was "
    "gone after a year, because bedtimes moved as well. What stays is the conflict with every parent's working day.",
    "round/2": "I grant that fifteen-year-olds fall asleep late. That is a reason to begin the day with sports or a "
    "quiet lesson, and no reason to close the school until nine for the six-year-olds, who are awake at six.",
    "closing": "Pupils need sleep; nobody here doubts it. A later bell takes it from the afternoon and from their "
    "parents. Begin softly at eight, and let each school choose for its upper classes.",
    "": "Each school may let its upper classes begin at nine, if buses and care in the morning are settled first.",
}
"""What the person on the phone says, by how a step's name begins."""
BEFORE = ("Con", "Con", "Pro", "Undecided", "Con", "Pro")
AFTER = ("Pro", "Con", "Pro", "Con", "Undecided", "Pro")
"""How the audience votes."""
ON_SCREEN = (
    "moderator", "api", "audience", "scene-told", "seat", "scene-seat", "mind", "mind-rating", "new-class", "class-own",
    "class-debater",
)  # fmt: skip
"""Pages that are long: of these what fits the screen is shown."""
RATED, ARTICLES = 3, 5
"""Opinions that a persona rates, and what it reads."""
NAME, PORT = "elenchus.example", 8321
"""Where the program seems to be, as phones are told no address that is this machine's alone."""
PATIENCE = 900_000
"""Milliseconds that a debate on the embedded model may take on a busy machine."""


def draw(folder: Path, named: Sequence[str] = ()) -> None:
    """Play what is to be seen, and write the pictures."""
    plays: Mapping[str, Callable[[House, Path], None]] = {
        "debate": _debate, "scene": _scene, "mind": _mind, "class": partial(draw_class, picture=_picture),
        "class-debate": partial(draw_class_debate, picture=_picture), "small": _small_pages,
    }  # fmt: skip
    with house() as rooms:
        for name, play in plays.items():
            if not named or name in named:
                play(rooms, folder)


@contextmanager
def house() -> Iterator[House]:
    """The program in a fresh home, and Chromium in front of it."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        home = Path(place) / "home"
        home.mkdir()
        program = Program(home, "127.0.0.1", PORT, settings={"ELENCHUS_WEB_PUBLIC_URL": f"http://{NAME}:{PORT}"})
        program.start()
        there = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*FLAGS, there])
        try:
            yield House(program, browser)
        finally:
            browser.close()
            program.stop()


def _debate(rooms: House, folder: Path) -> None:
    moderator = rooms.moderator(size=DESKTOP)
    page = moderator.goes("/new/debate")
    page.get_by_role("textbox", name="Motion").fill(MOTION)
    expect(page.locator("[data-region=estimate]")).to_contain_text("Calls of models")
    _picture(page, folder, "new-debate")
    page.locator("#max_rounds").fill("2")
    page.locator("#topics").fill("1")
    for seat, who in {"pro": "organiser", "con": "human", "judge-1": "referee"}.items():
        page.locator(f"#{seat}").select_option(who)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/sessions/*")
    session = page.url.rpartition("/")[2]
    phone = rooms.person(PHONE)
    sit(phone, seat_link(moderator, "con"), "Quiet Otter")
    listeners = [rooms.person(PHONE) for _ in BEFORE]
    listeners[-1] = rooms.person(PHONE, theme="dark")
    link = audience_link(moderator)
    for listener, vote in zip(listeners, BEFORE, strict=True):
        listener.comes_in(link).get_by_role("button", name=vote, exact=True).click()
    room = moderator.tab(f"/sessions/{session}/room")
    room.set_viewport_size({"width": PROJECTOR[0], "height": PROJECTOR[1]})
    for step in _turns(phone, SPOKEN):
        if step.startswith("opening"):
            phone.page.locator("form[data-turn] textarea:visible").first.fill(SPOKEN["opening"])
            phone.page.evaluate("document.querySelector('form[data-turn]').scrollIntoView(false)")
            _picture(phone.page, folder, "seat")
        if step.startswith("round/2"):
            page.evaluate("scrollTo(0, 0); document.querySelectorAll('aside').forEach(one => one.scrollTop = 0)")
            _picture(page, folder, "moderator")
            _picture(room, folder, "room")
    expect(page.locator("[data-region=head]").get_by_text("finished")).to_be_visible(timeout=PATIENCE)
    expect(room.locator("[data-region=verdict]")).to_contain_text("Verdict")
    for listener, vote in zip(listeners, AFTER, strict=True):
        listener.page.get_by_role("button", name=vote, exact=True).click()
        expect(listener.page.get_by_role("button", name=vote, exact=True)).to_have_attribute("aria-pressed", "true")
    _picture(listeners[-1].page, folder, "audience")
    room.get_by_role("button", name="Show the votes").click()
    expect(room.get_by_text("Swing:")).to_be_visible()
    _picture(room, folder, "room-verdict")


def _turns(phone: Person, spoken: Mapping[str, str]) -> Iterator[str]:
    """The turns of a seat: the name of each step, which is then answered with what is to be said there."""
    asked, over = (
        phone.page.locator("form[data-turn]"),
        phone.page.get_by_text("It is over. Thank you for taking part."),
    )
    while True:
        expect(asked.or_(over)).to_be_visible(timeout=PATIENCE)
        if over.is_visible():
            return
        step = asked.get_attribute("data-turn") or ""
        yield step
        Answering(phone, next(words for name, words in spoken.items() if step.startswith(name))).once()


def _scene(rooms: House, folder: Path) -> None:
    moderator = rooms.moderator(size=DESKTOP)
    _picture(moderator.goes("/new/scene"), folder, "new-scene")
    phone = plays_scene(rooms, moderator)
    drawn = False
    for step in _turns(phone, {"": "About four hundred."}):
        if step.startswith("rule/") and not drawn:
            _picture(phone.page, folder, "scene-seat")
            _picture(_code_for_another_device(phone.page), folder, "rejoin")
            phone.page.get_by_role("link", name="Back to my seat").click()
            drawn = True
    _picture(phone.page, folder, "scene-told")


def _code_for_another_device(page: Page) -> Page:
    page.get_by_text("Go on at another device").click()
    page.locator("form[action$='/rejoin'] button").click()
    page.wait_for_url("**/rejoin")
    return page


def _mind(rooms: House, folder: Path) -> None:
    """A persona of our small set, on the embedded model: what it makes of five articles, and how people rate."""
    material = own_set()
    opinions, profile = material.topics["Pets"].questions[:RATED], material.profiles[0]
    moderator = rooms.moderator(size=DESKTOP)
    page = moderator.goes("/new/mind")
    page.locator("#name").fill("marta")
    page.get_by_label("Somebody invented").check()
    page.locator("#opinions").fill("\n".join(opinions))
    _picture(page, folder, "new-mind")
    page.locator("summary", has_text="whole profile").click()
    page.locator("#profile").fill(profile.model_dump_json())
    page.locator('button[value="start"]').click()
    page.wait_for_url("**/minds/*")
    page.get_by_role("button", name="Ask it").click()
    for n in range(1, ARTICLES + 1):
        _rated(page, n)
        page.locator("#file").set_input_files(SMALL_SET / "pets" / f"{n}.md")
        page.get_by_role("button", name="Let it read").click()
        expect(page.locator("[data-region=read] article")).to_have_count(n, timeout=PATIENCE)
        page.get_by_role("button", name="Ask it").click()
    _rated(page, ARTICLES + 1)
    link = audience_link(moderator)
    for n in range(2):
        listener = rooms.person(PHONE)
        listener.comes_in(link)
        for rating in listener.page.locator("fieldset.rating").all():
            rating.locator("input").nth(3 - n).check()
        _picture(listener.page, folder, "mind-rating")
        listener.page.locator("main button.main").click()
        expect(listener.page.locator("figure.attitude")).to_have_count(RATED)
    page.reload()
    _picture(page, folder, "mind")


def _rated(page: Page, times: int) -> None:
    """Wait until every opinion was rated so often; a rating that could not be read counts, and is no dot."""
    chart = page.locator("[data-region=ratings] figure").first.locator("svg")
    expect(chart).to_have_attribute("aria-label", re.compile(f"after {times - 1},"), timeout=PATIENCE)


def _small_pages(rooms: House, folder: Path) -> None:
    moderator = rooms.moderator(size=DESKTOP)
    for name, path in {
        "home": "/", "api": "/api", "new-crit": "/new/crit", "new-detect": "/new/detect", "new-sweep": "/new/sweep",
        "nothing": "/nothing-here", "sign-out": "/sign-out", "minds": "/minds",
    }.items():  # fmt: skip
        _picture(moderator.goes(path), folder, name)
    stranger = rooms.person(PHONE)
    for name, path in {"stranger": "/", "sign-in": "/sign-in?link=shown", "join": "/join", "check": "/check"}.items():
        page = stranger.goes(path)
        page.wait_for_timeout(1000)  # the check has then asked the browser what it can do
        _picture(page, folder, name)


def _picture(page: Page, folder: Path, name: str) -> None:
    """What is on the screen, or the whole of a page that is not long; in few colours, which keeps the file small."""
    page.evaluate("document.fonts.ready")
    taken = page.screenshot(full_page=name not in ON_SCREEN)
    image = Image.open(io.BytesIO(taken)).convert("RGB")
    image.quantize(255, dither=Image.Dither.NONE).save(folder / f"page-{name}.png", optimize=True)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    target.mkdir(parents=True, exist_ok=True)
    draw(target, sys.argv[2:])
