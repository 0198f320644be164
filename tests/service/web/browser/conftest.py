"""The program itself, on an address of this machine in its network, and Chromium in front of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.service.cli.program import environment, hears_signals

ROOT = Path(__file__).parents[4]
SHOTS = ROOT / "build" / "browser"
"""Where tests leave pictures to look at."""
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
)  # fmt: skip
PATIENCE = 20_000
"""Milliseconds that a page may take on a busy machine."""
AXE = Path(__file__).with_name("vendored") / "axe-4.14.1.min.js"

expect.set_options(timeout=PATIENCE)

Theme = Literal["light", "dark"]
DESKTOP, PHONE, PROJECTOR = (1280, 900), (390, 844), (1600, 900)


@dataclass
class Program:
    """`elenchus serve` in a process of its own, which may be killed and started again where it was."""

    home: Path
    host: str
    port: int = 0
    url: str = ""
    moderator: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        command = [sys.executable, "-m", "elenchus.service.cli", "serve", "--host", self.host, "--json"]
        with (self.home.parent / "serve.log").open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                env=environment(
                    self.home, {"PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "default", **self.settings}
                ),
                text=True,
                preexec_fn=hears_signals,  # noqa: PLW1509 - it touches nothing that a thread may hold
            )  # fmt: skip
        assert self.process.stdout
        ready = json.loads(self.process.stdout.readline())
        self.url, self.moderator = ready["url"], ready["moderator"]
        self.port = int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        """End it at once, with nothing said to anybody."""
        assert self.process
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._closed()

    def stop(self) -> None:
        """End it politely."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
            self._closed()

    def _closed(self) -> None:
        assert self.process
        assert self.process.stdout
        self.process.stdout.close()


@dataclass
class Person:
    """Somebody with a browser of their own. `said` is what its console and its pages have complained of, `asked` the
    step of the turn that is open for them.
    """

    program: Program
    context: BrowserContext
    page: Page
    said: list[str] = field(default_factory=list)
    asked: str = ""

    def watch(self, page: Page) -> Page:
        """Note what a page complains of."""
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        page.on("console", lambda told: self.said.append(told.text) if told.type == "error" else None)
        page.on("dialog", lambda dialog: dialog.accept())
        return page

    def goes(self, path: str) -> Page:
        """Open a page of the service."""
        self.page.goto(path if path.startswith("http") else self.program.url + path)
        return self.page

    def tab(self, path: str) -> Page:
        """Open a page in another tab."""
        page = self.watch(self.context.new_page())
        page.goto(self.program.url + path)
        return page

    def comes_in(self, link: str) -> Page:
        """Open a link, and press its button."""
        page = self.goes(link)
        page.locator("main button.main").first.click()
        page.wait_for_url(lambda url: "/join" not in url and "/sign-in" not in url)
        return page

    def shot(self, name: str) -> None:
        """Leave a picture to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


@dataclass
class House:
    """The program, and whoever comes to it."""

    program: Program
    browser: Browser
    people: list[Person] = field(default_factory=list)

    def person(
        self, size: tuple[int, int] = DESKTOP, theme: Theme = "light", language: str = "en-GB", **more: Any
    ) -> Person:
        """Somebody with a fresh browser."""
        phone = size == PHONE
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, locale=language, has_touch=phone,
            is_mobile=phone, **more,
        )  # fmt: skip
        person = Person(self.program, context, context.new_page())
        person.watch(person.page)
        self.people.append(person)
        return person

    def moderator(self, **more: Any) -> Person:
        """Whoever started the program. The link is good once: the first to ask has it, others get one of theirs."""
        person = self.person(**more)
        if self.program.moderator:
            person.comes_in(self.program.moderator)
            self.program.moderator = ""
        else:
            person.context.add_cookies(self.people[0].context.cookies())  # type: ignore[arg-type] # its own, as it gave
        return person


@pytest.fixture(scope="session")
def lan_address() -> str:
    """An address of this machine that is not loopback: there browsers lack what they have on loopback."""
    code = "from elenchus.service.web.listening import lan_address; print(lan_address())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 0, f"this machine has no address in a network: {found.stderr}"
    return found.stdout.strip()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """For a file of tests: as long as it is there no test of another file may have an event loop."""
    path = shutil.which("chromium")
    assert path, "Chromium is missing: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def program(tmp_path: Path, lan_address: str) -> Iterator[Program]:
    home = tmp_path / "home"
    home.mkdir()
    made = Program(home, lan_address)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def house(program: Program, chromium: Browser) -> Iterator[House]:
    """Whoever's page complained of something has found a fault; lost connections are said by who loses them."""
    made = House(program, chromium)
    yield made
    said = [line for person in made.people for line in person.said]
    for person in made.people:
        person.context.close()
    assert said == []
