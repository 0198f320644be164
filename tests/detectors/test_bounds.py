"""What bounds a detection: so many names and words, no quote that is not there, no more time than its longest chain."""

from __future__ import annotations

import pytest

from elenchus.config.catalogue import load_biases
from elenchus.debate_engine.dry_run.simulation import run_virtually
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script
from elenchus.detectors.schemas import MOST_SUSPECTED
from tests.detectors.scripted_detection import (
    LOSS,
    QUOTE,
    SUNK,
    Answer,
    DetectionSession,
    Written,
    bias_in,
    marks,
    yes_to,
)

SIXTEEN = load_biases()[: 2 * MOST_SUSPECTED]
SECOND = Script(latency=1.0)


async def test_a_detectors_reason_is_held_to_a_hundred_words_and_its_quotes_are_looked_for_in_the_text() -> None:
    said = {"quotes": [QUOTE, "we never count"], "reason": " ".join(["word"] * 150), "present": "no"}
    found = await DetectionSession({"detectors/check": said}, {"labels": [SUNK]}).found()
    (candidate,) = found.candidates
    assert len(candidate.reason.split()) == 100
    assert [(quote.words, quote.found) for quote in candidate.quotes] == [(QUOTE, True), ("we never count", False)]


async def test_a_screener_names_eight_biases_at_the_most_and_only_such_as_are_in_the_list() -> None:
    nine = [bias.name for bias in load_biases()[:9]]
    unknown = await DetectionSession({"detectors/screen": {"biases": ["Boat bias"]}}).found()
    assert (unknown.verdict, unknown.candidates) == ("unread", ())
    for listed in (nine[:8], nine, ["Boat bias", *nine]):
        found = await DetectionSession({"detectors/screen": {"biases": listed}, "detectors/check": yes_to()}).found()
        assert [candidate.name for candidate in found.candidates] == nine[:8]


async def test_a_made_up_quote_in_a_script_without_blanks_is_flagged_too() -> None:
    text = "我们花了三年时间和全部积蓄造这条船。如果现在停下来，那些钱就白花了，所以我们继续造。"
    said = "文中说“如果现在停下来，那些钱就白花了。”，又说“我们从来不计算成本”。"
    yes = {"quotes": ["那些钱就白花了"], "reason": "见引文。", "present": "yes"}
    found = await DetectionSession(
        {"detectors/argument": said, "detectors/check": yes}, {"labels": [SUNK, LOSS]}, text
    ).found()
    flagged = {(s.stage, s.missing_quotes) for s in found.matches[0].speeches if s.stage == "argument"}
    assert flagged == {("argument", ("我们从来不计算成本",))}


def all_suspected(call: Call) -> Written:
    """Two screeners with eight different suspicions each."""
    first = 0 if bias_in(call) == "aggressive" else MOST_SUSPECTED
    return {"biases": [bias.name for bias in SIXTEEN[first : first + MOST_SUSPECTED]]}


@pytest.mark.parametrize(("method", "last"), [("full", "marks"), ("tree", "rational")])
def test_sixteen_candidates_take_no_longer_than_their_longest_chain_of_calls(method: str, last: str) -> None:
    """A second a call in virtual time: screen, check, and four rounds of four stages and the referees."""
    answers: dict[str, Answer] = {
        "detectors/screen": all_suspected,
        "detectors/check": yes_to(*(bias.id for bias in SIXTEEN)),
        "detectors/marks": lambda call: marks(5, support=int(call.step.endswith("first"))),
        "detectors/rational": None,
    }
    detection = DetectionSession(answers, {"method": method}, script=SECOND)
    found, seconds = run_virtually(detection.found())
    assert len(found.candidates) == 16
    assert len(found.matches) == detection.counted[last] / {"full": 8, "tree": 2}[method] == 15
    assert seconds == pytest.approx(1 + 1 + 4 * (4 + 1))
