from __future__ import annotations

import sys
from subprocess import run
from xml.etree import ElementTree

import pytest

from elenchus.debate_engine.protocols.sweep.measures import measure
from elenchus.debate_engine.protocols.sweep.plot import plot_sweep
from elenchus.debate_engine.reports.canvas import Picture
from tests.debate_engine.protocols.sweep.made_sweeps import MOTION, spoken, swept, unread
from tests.debate_engine.test_printable import harmful_in


@pytest.fixture(scope="module")
def picture() -> Picture:
    return plot_sweep(swept())


def test_the_picture_comes_in_both_formats_with_its_numbers_in_words(picture: Picture) -> None:
    assert picture.png.startswith(b"\x89PNG")
    assert ElementTree.fromstring(picture.svg).tag.endswith("svg")  # noqa: S314 - our own output
    assert MOTION in picture.alt
    assert "pro 10.00 at 0, 8.00 at 0.3, 5.00 at 0.5, 3.00 at 0.7, 1.00 at 0.9" in picture.alt


def test_the_same_sweep_gives_the_same_picture(picture: Picture) -> None:
    assert plot_sweep(swept()) == picture


def test_a_picture_of_scripts_says_so(picture: Picture) -> None:
    assert b"simulated" not in picture.svg
    assert b"simulated" in plot_sweep(swept(), simulated=True).svg


def test_what_was_not_measured_is_said_in_the_picture() -> None:
    german = measure("Das ist nicht hinnehmbar, und die Stadt darf es nicht tun.")
    drawn = plot_sweep(swept([spoken(0.9, "pro", measures=german), unread(0.7, "con", measures=None)]))
    assert "Hedges per 100 words: not measured." in drawn.alt


def test_what_does_not_print_in_a_motion_spoils_no_picture() -> None:
    drawn = plot_sweep(swept(motion="Trams\x1b]0;title\x07 are\x9b2J good\u202e\uffff"))
    assert ElementTree.fromstring(drawn.svg).tag.endswith("svg")  # noqa: S314 - our own output
    described = drawn.svg.decode().partition("<dc:description>")[2].partition("</dc:description>")[0]
    assert described.startswith("Four charts of how speeches for and against “Trams]0;title are2J good” change")
    assert not harmful_in(drawn.svg.decode())
    assert b"\x1b]0;title" not in drawn.png


@pytest.mark.parametrize("motion", ["路上で車を禁止すべきか", "Costs $5 or $6? Ĝardenoj — за и против " + "x" * 1900])
def test_any_motion_can_be_drawn(motion: str) -> None:
    assert motion in plot_sweep(swept(motion=motion)).alt


def test_the_protocol_and_its_report_load_no_drawing_library() -> None:
    code = (
        "import sys, elenchus.debate_engine.protocols.sweep.protocol, elenchus.debate_engine.protocols.sweep.plot, "
        "elenchus.debate_engine.protocols.sweep.report; print({'matplotlib', 'numpy', 'scipy'} & set(sys.modules))"
    )
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "set()"
