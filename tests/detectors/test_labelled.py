"""Labelled detection: whether one given bias is there."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script
from elenchus.detectors.checks import agreed
from elenchus.detectors.report import of_detection
from elenchus.detectors.schemas import Answer as DetectorsAnswer, Quote, Turn
from tests.detectors.scripted_detection import GARBLED, QUOTE, SUNK, Answer, DetectionSession, Written

YES: Answer = {"reason": f"They say “{QUOTE}”.", "present": "yes"}


async def test_the_given_bias_is_asked_about_with_its_definition_the_situation_and_the_criteria() -> None:
    settings = {"bias": SUNK, "question": "Would you go on building?", "criteria": "The past outlay decides."}
    detection = DetectionSession({"detectors/label": YES}, settings)
    found = await detection.found()
    assert (found.verdict, found.bias, found.method, found.agreement) == ("found", SUNK, "labelled", 1.0)
    assert found.answers[0].quotes[0].found
    words = detection.words("label/1")
    for told in ("Money, time or effort already spent", "Would you go on building?", "The past outlay decides."):
        assert told in words


async def test_without_criteria_the_signs_of_the_bias_are_judged_by() -> None:
    detection = DetectionSession({"detectors/label": YES}, {"bias": SUNK})
    await detection.found()
    assert "A decision is due on whether to go on or to stop." in detection.words("label/1")
    assert "The situation" not in detection.words("label/1")


async def test_in_the_record_of_a_scene_only_the_subject_counts() -> None:
    turns = (Turn(number=1, speaker="Mia", text="Go on!"), Turn(number=2, speaker="Subject", text=f"Yes, {QUOTE}."))
    detection = DetectionSession({"detectors/label": YES}, {"bias": SUNK, "turns": turns, "speaker": "Subject"})
    found = await detection.found()
    words = detection.words("label/1")
    assert "Does Subject show the bias" in words
    assert "Only what Subject says is examined" in words
    assert "Turn 1, Mia:\nGo on!" in words
    (quote,) = found.answers[0].quotes
    assert (quote.speaker, quote.turn) == ("Subject", 2)


async def test_repeats_are_asked_side_by_side_and_their_agreement_is_told() -> None:
    def mostly(call: Call) -> Written:
        return {"reason": f"They say “{QUOTE}”.", "present": "no" if call.step == "label/2" else "yes"}

    detection = DetectionSession({"detectors/label": mostly}, {"bias": SUNK, "repeats": 5}, script=Script(latency=0.05))
    found = await detection.found()
    assert (found.verdict, found.agreement) == ("found", 0.8)
    assert [answer.present for answer in found.answers] == [True, False, True, True, True]
    assert detection.client.most_in_flight == 5


async def test_words_quoted_from_the_definition_are_no_quote_of_the_text() -> None:
    reason = f"They say “{QUOTE}”, so “money, time or effort already spent” counts; “nobody ever said this” does not."
    found = await DetectionSession({"detectors/label": {"reason": reason, "present": "yes"}}, {"bias": SUNK}).found()
    assert [(quote.words, quote.found) for quote in found.answers[0].quotes] == [
        (QUOTE, True),
        ("nobody ever said this", False),
    ]


async def test_an_unreadable_answer_is_no_answer() -> None:
    found = await DetectionSession({"detectors/label": GARBLED}, {"bias": SUNK}).found()
    assert (found.verdict, found.agreement) == ("unread", None)
    assert found.answers[0].unread


@pytest.mark.parametrize(
    ("answers", "verdict", "agreement"),
    [
        ("yy-", "found", 1.0),
        ("nny", "none", 2 / 3),
        ("yn", "undecided", 0.5),
        ("y-", "found", 1.0),
        ("y--", "unread", None),
        ("-", "unread", None),
        ("u", "unfounded", None),
        ("uyy", "found", 1.0),
        ("uun", "unfounded", None),
        ("unn", "none", 1.0),
        ("uyn", "undecided", 0.5),
        ("u--", "unread", None),
    ],
)
def test_most_counted_answers_decide_and_an_unfounded_yes_is_none(
    answers: str, verdict: str, agreement: float | None
) -> None:
    kinds = {
        "y": DetectorsAnswer(present=True, quotes=(Quote(words=QUOTE, found=True),)),
        "u": DetectorsAnswer(present=True, quotes=(Quote(words="made up by it", found=False),)),
        "n": DetectorsAnswer(present=False, quotes=(Quote(words="made up by it", found=False),)),
        "-": DetectorsAnswer(present=None, unread="garbled"),
    }
    assert agreed([kinds[answer] for answer in answers]) == (verdict, agreement)


INVENTED = {"reason": "They say “we never count what we spend”.", "present": "yes"}


async def test_a_yes_by_words_that_stand_nowhere_is_asked_once_more_and_then_counts_for_nothing() -> None:
    detection = DetectionSession({"detectors/label": INVENTED}, {"bias": SUNK, "repeats": 3})
    found = await detection.found()
    assert (found.verdict, found.agreement) == ("unfounded", None)
    assert all(answer.unfounded and answer.asked_again for answer in found.answers)
    assert sorted(call.step for call in detection.client.asked) == sorted(
        f"label/{n}{again}" for n in (1, 2, 3) for again in ("", "/again")
    )
    again = detection.words("label/1/again")
    assert "This does not stand in the text: we never count what we spend" in again
    assert "as ready to say no as yes" in again
    assert "did not hold" not in detection.words("label/1"), "the first time nobody is told of a fault"
    assert "unfounded" in of_detection(found)


@pytest.mark.parametrize(
    ("second", "verdict"), [(YES, "found"), ({"reason": "No.", "present": "no"}, "none"), (GARBLED, "unfounded")]
)
async def test_what_is_said_when_asked_once_more_stands(second: Answer, verdict: str) -> None:
    def answers(call: Call) -> Written:
        return second if call.step.endswith("/again") else INVENTED  # type: ignore[return-value]

    found = await DetectionSession({"detectors/label": answers}, {"bias": SUNK}).found()
    assert found.verdict == verdict
    assert found.answers[0].asked_again


@pytest.mark.parametrize("quote", ["", "“for nothing”", "“the … so … and”"])
async def test_a_yes_without_a_quote_or_by_a_word_or_two_rests_on_nothing(quote: str) -> None:
    found = await DetectionSession(
        {"detectors/label": {"reason": f"So it is. {quote}", "present": "yes"}}, {"bias": SUNK}
    ).found()
    assert found.verdict == "unfounded"


async def test_a_no_needs_no_quotes_and_invented_ones_do_not_undo_it() -> None:
    detection = DetectionSession({"detectors/label": {**INVENTED, "present": "no"}}, {"bias": SUNK})
    found = await detection.found()
    assert found.verdict == "none"
    assert detection.counted == {"label": 1}
    assert "Quoted, but not in the text: “we never count what we spend”" in of_detection(found)


async def test_the_words_of_others_are_no_evidence_about_the_speaker() -> None:
    turns = (Turn(number=1, speaker="Mia", text=f"Yes, {QUOTE}."), Turn(number=2, speaker="Subject", text="Go on!"))
    settings = {"bias": SUNK, "turns": turns, "speaker": "Subject"}
    assert (await DetectionSession({"detectors/label": YES}, settings).found()).verdict == "unfounded"


async def test_a_reason_is_held_to_fifty_words() -> None:
    long = {"reason": " ".join(["word"] * 90), "present": "no"}
    found = await DetectionSession({"detectors/label": long}, {"bias": SUNK}).found()
    assert len(found.answers[0].reason.split()) == 50
