from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given, strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.printable import one_line
from elenchus.debate_engine.protocols.socrasynth.plot import pictures
from elenchus.debate_engine.reports import escape
from elenchus.debate_engine.reports.document import markdown_of, table
from elenchus.debate_engine.reports.html import html_of
from elenchus.debate_engine.reports.report import report_of
from elenchus.debate_engine.reports.view import SessionView
from tests.debate_engine.reports.debates import PAYLOADS

OURS = {"heat-and-quality.png", "judges.png"}
MARKS = "<>[]()!`~*_#-=|\\&$:/\"' ab1.\n\r\t{}+"
nasty = st.one_of(st.sampled_from(PAYLOADS), st.text(alphabet=MARKS, max_size=60), st.text())


class Page(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def everything(markdown: str) -> list[Token]:
    """The tokens of a renderer that takes all there is: HTML, links, images, tables."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)
    return [t for token in tokens for t in (token, *(token.children or ()))]


def test_nothing_acts_in_the_page_whatever_people_and_models_say(hostile_debate: list[Recorded]) -> None:
    view = SessionView.of("demo", hostile_debate)
    assert view.state == "finished"
    page = Page(html_of(report_of(view), {p.name: p for p in pictures(view)}))
    assert page.tags.isdisjoint({"script", "iframe", "object", "embed", "form", "input", "svg", "base", "b"})
    assert not [a for a in page.attributes if a[1].startswith("on")]
    for tag, name, value in page.attributes:
        if name == "href":
            assert value.startswith("#")
        if name == "src":
            assert (tag, value[:26]) == ("img", "data:image/svg+xml;base64,")
    assert [a[2] for a in page.attributes if a[0] == "img" and a[1] == "alt"]
    assert "{{ 7 * 7 }}" in html_of(report_of(view), {})


def test_nothing_acts_in_the_markdown_even_where_a_reader_takes_html_and_links(hostile_debate: list[Recorded]) -> None:
    tokens = everything(markdown_of(report_of(SessionView.of("demo", hostile_debate))))
    assert not [t for t in tokens if t.type in ("html_block", "html_inline", "link_open", "fence", "code_block", "hr")]
    assert {str(t.attrs["src"]) for t in tokens if t.type == "image"} == OURS
    headings = [tokens[i + 1].content for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag == "h2"]
    assert len(headings) == len(set(headings))


@given(nasty)
def test_a_speech_keeps_its_words_and_gets_no_power(text: str) -> None:
    tokens = everything(f"> before\n\n{escape.quoted(escape.speech(text))}\n\nafter\n")
    kinds = {t.type for t in tokens}
    allowed = {
        "inline", "text", "softbreak", "hardbreak", "text_special",
        *(f"{kind}_{end}" for end in ("open", "close")
          for kind in ("paragraph", "blockquote", "strong", "em", "bullet_list", "ordered_list", "list_item")),
    }  # fmt: skip
    assert kinds <= allowed
    assert tokens[-2].content == "after" or tokens[-3].content == "after"


@given(nasty)
def test_words_in_a_line_or_a_cell_are_shown_as_they_are(text: str) -> None:
    tokens = everything(table(["who", "what"], [["x", f"a{escape.inline(text)}b"]]))
    cells = [tokens[i + 1] for i, t in enumerate(tokens) if t.type == "td_open"]
    shown = "".join(t.content for t in cells[1].children or ())
    assert shown == f"a{one_line(text)}b".replace("a ", "a", 0)
    assert len(cells) == 2
