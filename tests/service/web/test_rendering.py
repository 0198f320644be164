"""Blocks as HTML: words of others do nothing, and what a subject is shown stays as it was written."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import nh3
import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.events import ShownPicture
from elenchus.debate_engine.reports.blocks import Block, Fact, Heading, Note, Paragraph, Rows, Speech
from elenchus.service.web.drawings import Point, interval, plot, tally
from elenchus.service.web.rendering import ELEMENTS, RenderContext, _markdown, blocks_as_html, environment, markdown
from elenchus.service.web.static_files import static_files, static_url, version
from elenchus.service.web.strings import Words

HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[click](javascript:alert(1))",
    "![x](http://evil.example/a.png)",
    "<http://evil.example>",
    "</article></main><form action='http://evil.example'>",
    "{{ 7 * 7 }} {% raw %}",
    "<svg onload=alert(1)>",
    "&lt;script&gt;",
    "`</code><script>`",
    "# <b>head</b>\n\n| a |\n| - |\n| <i>c</i> |",
    "\x00\x1b[31m\u202e",
]
ALLOWED = re.compile(rf"</?(?:{'|'.join(sorted(ELEMENTS))})(?: /)?>")


@pytest.mark.parametrize("text", HOSTILE)
def test_words_of_others_become_no_element_with_an_attribute(text: str) -> None:
    html = str(markdown(text))
    assert [tag for tag in re.findall(r"<[^>]*>", html) if not ALLOWED.fullmatch(tag)] == []


@given(st.text(max_size=300))
def test_whatever_is_said_only_harmless_elements_come_out(text: str) -> None:
    assert [tag for tag in re.findall(r"<[^>]*>", str(markdown(text))) if not ALLOWED.fullmatch(tag)] == []


def test_each_of_the_two_locks_holds_where_the_other_is_open() -> None:
    written = "[a](https://a.example) ![b](https://a.example/b.png) <https://a.example> <b onclick=x>c</b>\n\n<i>d</i>"
    assert re.findall(r"<(\w+)", _markdown().render(written)) == ["p", "p"]
    written = "".join(f'<{name} href="https://a.example" onclick="x">x</{name}>' for name in ("a", "img", "form", "p"))
    cleaned = nh3.clean(written, tags=set(ELEMENTS), attributes={}, strip_comments=True)
    assert set(re.findall(r"<(\w+[^>]*)>", cleaned)) == {"p"}
    assert {"a", "img", "script", "style", "iframe", "object", "svg", "form", "input", "base"}.isdisjoint(ELEMENTS)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("exactly", [False, True])
def test_no_block_lets_words_of_others_act(text: str, *, exactly: bool) -> None:
    blocks: list[Block] = [
        Speech(text, text, text, 0.5, text),
        Heading(text),
        Fact(text, text),
        Paragraph(text),
        Rows(text, [text], [[text]]),
        Note(text),
    ]
    html = blocks_as_html(blocks, RenderContext({text: text}, exactly))
    tags = " ".join(re.findall(r"<[^>]*>", html))
    assert not re.search(r"<(?:script|img|form|a|iframe)\b|\bon\w+=|href|javascript", tags)
    assert "49" not in html.replace("1.49", "")


def test_a_speech_has_its_speakers_name_part_heat_and_model() -> None:
    speech = Speech("pro", "round 2", "First.\nSecond.", 0.75, "scripted:demo")
    html = blocks_as_html([speech], RenderContext({"pro": "The engineer"}))
    assert '<article class="speech pro">' in html
    assert '<h3 dir="auto">The engineer</h3>' in html
    assert ">Round 2<" in html
    assert ">0.75<" in html
    assert ">scripted:demo<" in html
    assert "First.<br" in html
    assert "Runde 2" in blocks_as_html([speech], language="de")


def test_what_a_subject_is_shown_is_no_markdown() -> None:
    shown = "Line A  |----|\n* not a list\n1. nor this __one__"
    html = blocks_as_html([Speech("system", "to everybody", shown)], RenderContext(exactly=True))
    assert shown in html


def test_a_picture_is_shown_with_its_words_for_who_sees_none() -> None:
    picture = ShownPicture(sha256="a" * 64, media_type="image/png", lines=1)
    speech = Speech("system", "to everybody", "[picture: three lines]\nWhich is longest?", picture=picture)
    html = blocks_as_html([speech], RenderContext(exactly=True, pictures="/sessions/x/pictures/"))
    assert f'<img src="/sessions/x/pictures/{"a" * 64}" alt="three lines">' in html
    assert ">Which is longest?<" in html
    assert "[picture: three lines]" in blocks_as_html([speech], RenderContext(exactly=True))


def test_labels_of_the_engine_are_translated_as_far_as_there_are_words() -> None:
    assert "an alle" in blocks_as_html([Speech("a", "to everybody", "x")], language="de")
    assert "an Ben, Cem" in blocks_as_html([Speech("a", "to Ben, Cem", "x")], language="de")
    assert "something else" in blocks_as_html([Speech("a", "something else", "x")], language="de")


def test_nothing_is_rendered_of_nothing() -> None:
    assert blocks_as_html([]) == ""


# ── drawings ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_plot_has_a_gap_where_a_quality_could_not_be_read() -> None:
    points = [Point("opening", 0.9), Point("round 1", 0.75, 5), Point("round 2", 0.6), Point("closing", 0.5, 10)]
    drawn = plot(points)
    assert drawn.lines == []
    assert [mark.quality_y for mark in drawn.marks] == [None, pytest.approx(75.3, abs=0.1), None, drawn.top]
    assert drawn.marks[0].heat_y is not None
    assert drawn.marks[0].heat_y < drawn.marks[1].heat_y  # type: ignore[operator]


@given(st.lists(st.tuples(st.floats(0, 1) | st.none(), st.floats(1, 10) | st.none()), max_size=60))
def test_everything_in_a_plot_stays_in_it(values: list[tuple[float | None, float | None]]) -> None:
    drawn = plot([Point(str(n), heat, quality) for n, (heat, quality) in enumerate(values)])
    for mark in drawn.marks:
        assert 0 <= mark.x <= drawn.width
        assert all(drawn.top <= y <= drawn.floor for y in (mark.heat_y, mark.quality_y) if y is not None)


def test_votes_fill_their_bar() -> None:
    shares = tally({"pro": 3, "con": 1, "undecided": 0})
    assert [(one.name, one.start, one.width) for one in shares] == [("pro", 0, 75), ("con", 75, 25)]
    assert tally({"pro": 0}) == []


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_address_of_a_file_changes_with_what_is_in_any_of_them() -> None:
    assert static_url("style.css") == f"/static/{version()}/style.css"
    with pytest.raises(KeyError):
        static_url("nothing.js")


def test_scripts_and_styles_load_nothing_from_elsewhere() -> None:
    for name, file in static_files().items():
        assert not re.search(rb"(?:https?:)?//(?!www\.w3\.org/2000/svg)[a-z0-9.-]+\.[a-z]{2}", file.content), name


def test_scripts_use_nothing_that_plain_http_on_a_network_address_lacks() -> None:
    missing = rb"crypto\.subtle|randomUUID|navigator\.clipboard|wakeLock|serviceWorker|mediaDevices"
    for name, file in static_files().items():
        assert not re.search(missing, file.content), name


@pytest.mark.parametrize(("low", "high", "told"), [(None, None, False), (-2.0, 3.0, True)])
def test_the_line_of_an_interval_is_explained_where_one_is_drawn(
    low: float | None, high: float | None, told: bool
) -> None:
    effect = SimpleNamespace(low=low, high=high, difference=low, sentences=["No more than chance."])
    found = SimpleNamespace(
        of="people", why="", analysed=30, groups=[], effects=[effect], literature=[], models=[], robots=[], unit=""
    )
    parts: Any = environment().get_template("class-parts.html").module
    shown = parts.came_out(found, None, interval, Words("en"), "en")
    assert ("The line is the 95 % interval" in shown) is told
    assert ('<svg class="interval"' in shown) is told
    assert "No number rests on fewer than five people." in shown
