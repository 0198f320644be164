"""Labelled detection: whether one given bias is there."""

from __future__ import annotations

import pytest

from debate_engine.llm.client import Call
from debate_engine.llm.scripted import Script
from detectors.labelled import agreed
from detectors.schemas import Turn
from tests.detectors.room import GARBLED, QUOTE, SUNK, Answer, Room, Written

YES: Answer = {"reason": f"They say “{QUOTE}”.", "present": "yes"}


async def test_the_given_bias_is_asked_about_with_its_definition_the_situation_and_the_criteria() -> None:
    settings = {"bias": SUNK, "question": "Would you go on building?", "criteria": "The past outlay decides."}
    room = Room({"detectors/label": YES}, settings)
    found = await room.found()
    assert (found.verdict, found.bias, found.method, found.agreement) == ("found", SUNK, "labelled", 1.0)
    assert found.answers[0].quotes[0].found
    words = room.words("label/1")
    for told in ("Money, time or effort already spent", "Would you go on building?", "The past outlay decides."):
        assert told in words


async def test_without_criteria_the_signs_of_the_bias_are_judged_by() -> None:
    room = Room({"detectors/label": YES}, {"bias": SUNK})
    await room.found()
    assert "A decision is due on whether to go on or to stop." in room.words("label/1")
    assert "The situation" not in room.words("label/1")


async def test_in_the_record_of_a_scene_only_the_subject_counts() -> None:
    turns = (Turn(number=1, speaker="Mia", text="Go on!"), Turn(number=2, speaker="Subject", text=f"Yes, {QUOTE}."))
    room = Room({"detectors/label": YES}, {"bias": SUNK, "turns": turns, "speaker": "Subject"})
    found = await room.found()
    words = room.words("label/1")
    assert "Does Subject show the bias" in words
    assert "Only what Subject says is examined" in words
    assert "Turn 1, Mia:\nGo on!" in words
    (quote,) = found.answers[0].quotes
    assert (quote.speaker, quote.turn) == ("Subject", 2)


async def test_repeats_are_asked_side_by_side_and_their_agreement_is_told() -> None:
    def mostly(call: Call) -> Written:
        return {"reason": "So.", "present": "no" if call.step == "label/2" else "yes"}

    room = Room({"detectors/label": mostly}, {"bias": SUNK, "repeats": 5}, script=Script(latency=0.05))
    found = await room.found()
    assert (found.verdict, found.agreement) == ("found", 0.8)
    assert [answer.present for answer in found.answers] == [True, False, True, True, True]
    assert room.client.most_in_flight == 5


async def test_words_quoted_from_the_definition_are_no_quote_of_the_text() -> None:
    reason = f"They say “{QUOTE}”, so “money, time or effort already spent” counts; “nobody ever said this” does not."
    found = await Room({"detectors/label": {"reason": reason, "present": "yes"}}, {"bias": SUNK}).found()
    assert [(quote.words, quote.found) for quote in found.answers[0].quotes] == [
        (QUOTE, True),
        ("nobody ever said this", False),
    ]


async def test_an_unreadable_answer_is_no_answer() -> None:
    found = await Room({"detectors/label": GARBLED}, {"bias": SUNK}).found()
    assert (found.verdict, found.agreement) == ("unread", None)
    assert found.answers[0].unread


@pytest.mark.parametrize(
    ("answers", "verdict", "agreement"),
    [
        ([True, True, None], "found", 1.0),
        ([False, False, True], "none", 2 / 3),
        ([True, False], "undecided", 0.5),
        ([True, None], "found", 1.0),
        ([True, None, None], "unread", None),
        ([None], "unread", None),
    ],
)
def test_most_readable_answers_decide(answers: list[bool | None], verdict: str, agreement: float | None) -> None:
    assert agreed(answers) == (verdict, agreement)


async def test_a_reason_is_held_to_fifty_words() -> None:
    long = {"reason": " ".join(["word"] * 90), "present": "no"}
    found = await Room({"detectors/label": long}, {"bias": SUNK}).found()
    assert len(found.answers[0].reason.split()) == 50
