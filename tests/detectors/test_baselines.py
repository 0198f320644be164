"""The methods that the tree is compared with."""

from __future__ import annotations

import json

import pytest

from elenchus.debate_engine.llm.client import Call
from tests.detectors.scripted_detection import (
    GARBLED,
    LOSS,
    NAMES,
    PLAN,
    QUOTE,
    SUNK,
    Answer,
    DetectionSession,
    Written,
    prompt,
    suspecting,
)

NAMED = {"bias": NAMES[SUNK], "reason": f"They say “{QUOTE}” and “we love the sea so much”."}
THOUGHT = {"thinking": f"They say “{QUOTE}”.", "bias": NAMES[SUNK]}
ANSWERS: dict[str, Answer] = {
    "detectors/choose": NAMED,
    "detectors/conclude": NAMED,
    "detectors/reason": THOUGHT,
    "detectors/talk": lambda call: f"[{call.step}] I think so.",
    "detectors/critic": {"remark": "Look again.", "settled": "no"},
}


@pytest.mark.parametrize(
    ("method", "calls"),
    [
        ("zero-shot", {"choose": 1}),
        ("cot", {"reason": 1}),
        ("candidates", {"screen": 2, "reason": 1}),
        ("dialogue", {"talk": 4, "conclude": 1}),
        ("group", {"talk": 4, "critic": 2, "conclude": 1}),
    ],
)
async def test_each_baseline_names_one_bias_with_its_own_calls(method: str, calls: dict[str, int]) -> None:
    detection = DetectionSession(ANSWERS, {"method": method})
    found = await detection.found()
    assert detection.counted == calls
    assert (found.verdict, found.bias, found.method) == ("found", SUNK, method)
    assert [ranked.bias for ranked in found.ranking] == [SUNK]
    assert (found.quotes[0].words, found.quotes[0].found) == (QUOTE, True)
    assert found.decision is None


@pytest.mark.parametrize("method", ["zero-shot", "cot", "candidates", "dialogue", "group"])
async def test_each_baseline_can_find_none_or_be_unreadable(method: str) -> None:
    none: dict[str, Answer] = {
        "detectors/choose": {"bias": "none", "reason": "Sound."},
        "detectors/conclude": {"bias": "none", "reason": "Sound."},
        "detectors/reason": {"thinking": "Sound.", "bias": "none"},
    }
    found = await DetectionSession({**ANSWERS, **none}, {"method": method}).found()
    assert (found.verdict, found.bias, found.ranking) == ("none", None, ())
    garbled: dict[str, Answer] = dict.fromkeys(none, GARBLED)
    assert (await DetectionSession({**ANSWERS, **garbled}, {"method": method}).found()).verdict == "unread"


@pytest.mark.parametrize("method", ["zero-shot", "cot", "candidates", "dialogue", "group"])
async def test_a_name_by_words_that_stand_nowhere_is_asked_about_once_more_and_then_unfounded(method: str) -> None:
    why = "They say “we love the sea so much”."
    invented: dict[str, Answer] = {
        "detectors/choose": {"bias": NAMES[SUNK], "reason": why},
        "detectors/conclude": {"bias": NAMES[SUNK], "reason": why},
        "detectors/reason": {"thinking": why, "bias": NAMES[SUNK]},
    }
    detection = DetectionSession({**ANSWERS, **invented}, {"method": method})
    found = await detection.found()
    assert (found.verdict, found.bias, found.ranking) == ("unfounded", None, ())
    last = detection.client.asked[-1]
    assert last.step.endswith("/again")
    assert "This does not stand in the text: we love the sea so much" in prompt(last)

    def mended(call: Call) -> Written:
        return {**ANSWERS, **({} if call.step.endswith("/again") else invented)}[call.prompt_id]  # type: ignore[return-value]

    found = await DetectionSession({**ANSWERS, **dict.fromkeys(invented, mended)}, {"method": method}).found()
    assert (found.verdict, found.bias) == ("found", SUNK)
    assert "asked once more" in found.notes[-1]


async def test_a_baseline_sees_the_whole_list_and_the_candidates_method_only_what_is_suspected() -> None:
    detection = DetectionSession(ANSWERS, {"method": "zero-shot"})
    await detection.found()
    (call,) = detection.of("choose")
    assert prompt(call).count("; ") >= 72
    assert call.schema is not None
    assert len(call.schema["properties"]["bias"]["enum"]) == 74
    detection = DetectionSession({**ANSWERS, "detectors/screen": suspecting([SUNK], [PLAN])}, {"method": "candidates"})
    found = await detection.found()
    (call,) = detection.of("reason")
    assert call.schema is not None
    assert call.schema["properties"]["bias"]["enum"] == [NAMES[SUNK], NAMES[PLAN], "none"]
    assert [candidate.bias for candidate in found.candidates] == [SUNK, PLAN]


async def test_candidates_without_any_suspicion_find_nothing() -> None:
    detection = DetectionSession({**ANSWERS, "detectors/screen": suspecting([], [])}, {"method": "candidates"})
    assert (await detection.found()).verdict == "none"
    assert detection.counted == {"screen": 2}


async def test_given_labels_are_the_whole_list_of_a_baseline() -> None:
    detection = DetectionSession(ANSWERS, {"method": "zero-shot", "labels": [LOSS, SUNK]})
    await detection.found()
    (call,) = detection.of("choose")
    assert f"{NAMES[LOSS]}; {NAMES[SUNK]}\n" in prompt(call)


async def test_in_a_talk_everyone_hears_all_that_was_said_before() -> None:
    detection = DetectionSession(ANSWERS, {"method": "dialogue"})
    found = await detection.found()
    order = ["talk/1/expert", "talk/1/psychologist", "talk/2/expert", "talk/2/psychologist", "conclude"]
    assert [call.step for call in detection.client.asked] == order
    for n, call in enumerate(detection.client.asked):
        assert [f"[{step}]" in prompt(call) for step in order[:4]] == [i < n for i in range(4)]
    assert [remark.agent for remark in found.talk] == ["expert", "psychologist"] * 2


async def test_a_group_concludes_as_soon_as_its_critic_is_content() -> None:
    detection = DetectionSession(
        {**ANSWERS, "detectors/critic": {"remark": "Fine.", "settled": "yes"}}, {"method": "group"}
    )
    found = await detection.found()
    assert detection.counted == {"talk": 2, "critic": 1, "conclude": 1}
    assert [remark.agent for remark in found.talk] == ["expert", "psychologist", "critic"]


async def test_a_critic_that_cannot_be_read_ends_nothing() -> None:
    detection = DetectionSession({**ANSWERS, "detectors/critic": GARBLED}, {"method": "group"})
    assert (await detection.found()).bias == SUNK
    assert detection.counted["talk"] == 4


async def test_a_name_that_is_not_in_the_list_is_no_answer() -> None:
    def invented(_: Call) -> Written:
        return {"bias": "Boat bias", "reason": "Because."}

    found = await DetectionSession({"detectors/choose": invented}, {"method": "zero-shot"}).found()
    assert found.verdict == "unread"
    assert "must be one of" in found.notes[0]


@pytest.mark.parametrize(("method", "words"), [("zero-shot", 50), ("cot", 100), ("candidates", 100), ("dialogue", 50)])
async def test_a_reason_and_the_thinking_before_a_name_are_held_to_their_words(method: str, words: int) -> None:
    long = " ".join(["word"] * 130)
    wordy: dict[str, Answer] = {
        "detectors/choose": {"bias": NAMES[SUNK], "reason": long},
        "detectors/conclude": {"bias": NAMES[SUNK], "reason": long},
        "detectors/reason": {"thinking": long, "bias": NAMES[SUNK]},
    }
    found = await DetectionSession({**ANSWERS, **wordy}, {"method": method}).found()
    assert len(found.why.split()) == words


async def test_what_one_says_in_a_talk_is_held_to_a_hundred_words() -> None:
    found = await DetectionSession(
        {**ANSWERS, "detectors/talk": " ".join(["word"] * 150)}, {"method": "dialogue"}
    ).found()
    assert [len(remark.text.split()) for remark in found.talk] == [100] * 4


async def test_the_outcome_is_plain_json() -> None:
    run = await DetectionSession(ANSWERS, {"method": "cot"}).run()
    assert run.outcome is not None
    keys = ("verdict", "bias", "ranking", "candidates", "matches", "decision")
    assert all(key in json.loads(json.dumps(run.outcome)) for key in keys)
