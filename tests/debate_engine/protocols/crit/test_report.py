from __future__ import annotations

import re
from html import unescape

from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from elenchus.debate_engine.printable import one_line
from elenchus.debate_engine.protocols.crit import report
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.schemas import Analysis, DocumentQuality, ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import quality_of
from tests.debate_engine.protocols.crit.scripted_crit import MOTION, TOPICS

ANALYSIS = Analysis(how="By the air.", holds="In towns.", fails="In villages.")
GOOD = ScoredReason(
    side="pro", about="round 1", topic=1, reason="Cars | foul the *air*.", source="WHO", gamma=8, theta=9,
    justification="It says “so” twice.", missing_quotes=("the air is clean",),
)  # fmt: skip
UNREAD = ScoredReason(side="con", about="round 1", topic=2, reason="Shops.", unread="unreadable after one repair: x")


def text(blocks: list[str]) -> str:
    return "\n\n".join(blocks)


def test_a_debate_is_shown_with_scores_topics_reasons_and_analysis() -> None:
    shown = text(report.of_quality(MOTION, TOPICS, quality_of([GOOD, UNREAD], 2, ["con, opening"]), ANALYSIS))
    assert "Quality of the arguments (Γ):** 8.00 of 10" in shown
    assert "Standing of the claim:** could not be told" in shown
    assert "| 1 | Clean air vs. Access for the disabled | 8 | 8.7 |" in shown
    assert "| 2 | Safe streets vs. Trade of small shops | – | – |" in shown
    assert r"| 1 | for | round 1, topic 1 | Cars \| foul the \*air\*. | 8 | 9 | WHO |" in shown
    assert "| 2 | against | round 1, topic 2 | Shops. | – | – | – |" in shown
    assert "2. No score: unreadable after one repair: x" in shown
    assert "1. It says “so” twice. **Not in the text:** “the air is clean”" in shown
    assert "- for: WHO" in shown
    assert "1 without a readable score" in shown
    assert "- con, opening" in shown
    assert "## Where it would fail\n\nIn villages." in shown


def test_reasons_of_no_topic_have_a_row_of_their_own() -> None:
    outside = GOOD.model_copy(update={"topic": 0, "gamma": 3})
    shown = text(report.of_quality(MOTION, TOPICS, quality_of([GOOD, outside], 2)))
    assert "Quality of the arguments (Γ):** 5.50 of 10" in shown
    assert "| – | of no single topic | 3 | " in shown
    assert "of no single topic" not in text(report.of_quality(MOTION, TOPICS, quality_of([GOOD], 2)))


def test_a_document_is_shown_with_those_consulted_and_chains_that_lead_back() -> None:
    inner = GOOD.model_copy(update={"about": "study.txt", "topic": 0, "reason": "Counted."})
    study = DocumentQuality(name="study.txt", claim="It is so.", quality=quality_of([inner]), theta=7)
    carried = inner.model_copy(update={"document": "study.txt", "gamma": 8.0, "theta": 7.0, "missing_quotes": ()})
    unsaid = UNREAD.model_copy(update={"unsaid": True, "gamma": 3.0, "theta": 5.0})
    result = DocumentResult(
        title="a_b.txt", claim="Trams.", gamma=6.5, standing=5.5, reasons=(carried,), rivals=(unsaid,), unreadable=0,
        unread=(), analysis=None, consulted=(study,), cycles=("a → b → a",),
    )  # fmt: skip
    shown = text(report.of_document(result))
    assert shown.startswith("### a\\_b.txt\n")
    assert "WHO · at hand: study.txt" in shown
    assert "Scored by CRIT on study.txt" in shown
    assert "| 2 | against | left unsaid |" in shown
    assert "## Consulted: study.txt (credibility 7)" in shown
    assert "- a → b → a" in shown


@given(st.text(max_size=80))
def test_words_of_others_stay_in_their_cell_and_have_no_effect(words: str) -> None:
    shown = text(report.of_quality(MOTION, TOPICS, quality_of([GOOD.model_copy(update={"reason": words})], 2)))
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(shown)
    found = re.findall(r"<td[^>]*>(.*?)</td>", html, re.DOTALL)
    assert len(found) == 2 * 4 + 7
    assert unescape(found[-4]) == one_line(words)


def test_amounts_of_money_are_no_formula_for_a_reader_that_knows_any() -> None:
    shown = text(report.of_quality("It costs $5 or $6.", TOPICS, quality_of([GOOD], 2)))
    assert r"**Claim:** It costs \$5 or \$6." in shown
