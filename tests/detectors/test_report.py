"""The report: result, text with marks, every debate with its scores; Markdown and HTML."""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise

from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.reports.view import SessionView
from elenchus.detectors.presentation import COLUMNS, PRESENTATION
from elenchus.detectors.report import marked, merged, of_detection
from elenchus.detectors.schemas import Turn
from tests.detectors.scripted_detection import GARBLED, LOSS, PLAN, QUOTE, SUNK, DetectionSession, Written, marks


async def exported(detection: DetectionSession) -> dict[str, str]:
    await detection.run()
    files = contents_of("s", await detection.recorded())
    return {name: content.decode() for name, content in files.items()}


async def test_the_report_holds_result_ranking_every_debate_and_every_score() -> None:
    files = await exported(DetectionSession(settings={"top": 2}))
    text = files["report.md"]
    assert "**Result:** **Sunk cost fallacy**" in text
    assert "1. Sunk cost fallacy\n2. Loss aversion" in text
    assert text.count("### ") == 4  # three matches for the first place, one for the second
    assert text.count("**Sunk cost fallacy, summary**") == 2
    assert "| support | 8.00 | 6.00 |" in text
    assert "| analytical | Sunk cost fallacy | first | 8 | 8 | 8 | 8 | 8 | 8 | As told. |" in text
    assert "Weights “mean”" in text
    assert "<h2>The debates</h2>" in files["report.html"]


async def test_a_candidate_stands_with_its_place_in_every_list_and_without_lists_where_it_was_given() -> None:
    settings = {"method": "candidates", "near": 2}
    screened = (await exported(DetectionSession({"detectors/reason": {"thinking": "So.", "bias": "none"}}, settings)))[
        "report.md"
    ]
    assert "| candidate | bold | careful | by meaning | detector | why |" in screened
    row = next(line for line in screened.splitlines() if line.startswith("| Sunk cost fallacy | 1 | 1 | "))
    assert row.endswith("| not asked |  |"), "this method has no detectors"
    given = (await exported(DetectionSession(settings={"labels": [SUNK]})))["report.md"]
    assert "| candidate | detector | why |" in given


async def test_a_detector_that_could_not_be_read_is_told_apart_from_one_that_nobody_asked() -> None:
    found = await DetectionSession({"detectors/check": GARBLED}, {"labels": [SUNK]}).found()
    assert "| Sunk cost fallacy | not read | " in of_detection(found)


async def test_the_words_that_were_quoted_are_marked_in_the_text() -> None:
    files = await exported(DetectionSession(settings={"labels": [SUNK]}))
    assert f"if we stopped now, **{QUOTE}**, so we build on." in files["report.md"]
    assert f"<strong>{QUOTE}</strong>" in files["report.html"]


async def test_a_session_is_reported_with_speaker_and_turn() -> None:
    turns = (Turn(number=1, speaker="con", about="opening", text="Stop."), Turn(number=2, speaker="pro", text=QUOTE))
    files = await exported(DetectionSession(settings={"labels": [SUNK], "turns": turns}))
    assert f"| {QUOTE} | pro, turn 2 |" in files["report.md"]
    assert f"The words that show it: “{QUOTE}” (pro, turn 2)" in files["report.md"]


async def test_scores_are_a_tidy_table_and_an_unread_one_says_why() -> None:
    def mostly(call: Call) -> Written:
        return GARBLED if call.step.endswith(f"intuitive/{LOSS}/shown-first") else marks(7)

    files = await exported(DetectionSession({"detectors/marks": mostly}, {"labels": [SUNK, LOSS]}))
    rows = list(csv.DictReader(io.StringIO(files["scores.csv"])))
    assert len(rows) == 8 * 6
    assert list(rows[0]) == [column.name for column in COLUMNS]
    unread = [row for row in rows if row["value"] == ""]
    assert len(unread) == 6
    assert all("not valid JSON" in row["missing"] for row in unread)
    assert all(column.name in files["scores-codebook.md"] for column in COLUMNS)


async def test_no_bias_and_an_unreadable_answer_are_told_in_words() -> None:
    none = {"detectors/check": {"quotes": [], "reason": "Sound.", "present": "no"}}
    assert "no bias was found" in of_detection(await DetectionSession({**none}).found())
    assert "it could not be told" in of_detection(await DetectionSession({"detectors/screen": GARBLED}).found())
    yes = {"detectors/label": {"reason": f"So. “{QUOTE}”", "present": "yes"}}
    told = of_detection(await DetectionSession({**yes}, {"bias": PLAN, "repeats": 2}).found())
    assert "**Planning fallacy**: yes, it is there, 100% of 2 answers agree" in told


async def test_a_quote_that_is_not_in_the_text_is_named() -> None:
    lying = {"detectors/check": {"quotes": ["we never count"], "reason": "So.", "present": "yes"}}
    shown = of_detection(await DetectionSession({**lying}).found())
    assert "Quoted, but not in the text: “we never count”" in shown
    assert "The words that show it" not in shown


async def test_hostile_words_have_no_effect_in_the_report() -> None:
    evil = "<script>alert(1)</script> ![x](http://x) | a | ** # not `code` all that money is gone"
    lying = {"detectors/check": {"quotes": ["all that money"], "reason": evil, "present": "yes"}}
    files = await exported(DetectionSession({**lying, "detectors/summary": evil}, text=evil))
    html = files["report.html"]
    assert "<script>alert" not in html
    assert 'src="http' not in html
    assert "<strong>all that money</strong>" in html


async def test_an_unfinished_detection_adds_nothing_and_can_be_exported_at_any_moment() -> None:
    detection = DetectionSession()
    await detection.run()
    events = await detection.recorded()
    for n in range(1, len(events), 9):
        assert "report.md" in contents_of("s", events[:n])
    view = SessionView.of("s", events[:-1])
    assert PRESENTATION.sections(view) == []


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(sorted).map(lambda p: (p[0], p[1]))))
def test_overlapping_places_are_marked_as_one(spans: list[tuple[int, int]]) -> None:
    out = merged(spans)
    assert all(a[1] < b[0] for a, b in pairwise(out))
    assert {i for a, b in out for i in range(a, b)} == {i for a, b in spans for i in range(a, b)}


@given(st.text(alphabet="ab <*_\n`[!|#~", min_size=1, max_size=60), st.data())
def test_marking_changes_no_word_of_the_text(text: str, data: st.DataObject) -> None:
    places = [m.span() for m in re.finditer(r"[ab]+", text)]
    chosen = data.draw(st.lists(st.sampled_from(places), unique=True)) if places else []
    html = MarkdownIt("js-default", {"html": False}).renderInline(marked(text, sorted(chosen)))
    shown = re.sub(r"<[^>]+>", "", html).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert "".join(shown.split()) == "".join(text.split())
    assert html.count("<strong>") == len(chosen)
