"""Tables on a phone: words stay whole, and what is wider than the screen is scrolled to in its own place."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from elenchus.service.lab.classes.publication import ModelRow
from elenchus.service.web.rendering import environment
from elenchus.service.web.strings import Language, Words
from tests.service.web.browser.conftest import PHONE, ROOT

pytestmark = pytest.mark.slow

STYLE = ROOT / "service/web/static/style.css"
BROKEN = """() => [...document.querySelectorAll("th, td")].flatMap(cell => {
  const found = [], walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) for (const word of walker.currentNode.data.matchAll(/[\\p{L}\\d]+/gu)) {
    const range = document.createRange();
    range.setStart(walker.currentNode, word.index);
    range.setEnd(walker.currentNode, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(part => Math.round(part.top))).size > 1) found.push(word[0]);
  }
  return found;
})"""


@pytest.mark.parametrize(("language", "version"), [("en", "high/quiet"), ("de", "niedrig/ruhig")])
def test_no_word_is_broken_in_the_table_of_robots_beside_what_came_out(
    chromium: Browser, language: Language, version: str
) -> None:
    row = ModelRow(
        subject="robots", kind="answering robots", version=version, runs=4, told="657,501 beads (191,326 to 1,123,677)"
    )
    t = Words(language)
    table = environment().get_template("class-parts.html").module.runs_of([row], t("class-robots"), t)  # type: ignore[attr-defined]
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
    page.set_content(f"<style>{STYLE.read_text()}</style><main>{table}</main>")
    assert page.evaluate(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
