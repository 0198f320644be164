from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

import pytest
from scipy.stats import spearmanr  # type: ignore[import-untyped]

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.gate.statements import read_statements
from elenchus.detectors.alignment.training.counterfactual import Item, counterfactual_items
from elenchus.detectors.alignment.training.folder import verdict_on
from elenchus.detectors.alignment.training.reward_gate import (
    RewardVerdict,
    ScoredPair,
    has_passed,
    reward_conditions,
    rules_of_length,
)
from elenchus.detectors.alignment.verdicts import Condition
from elenchus.detectors.evaluation.intervals import share

Score = Callable[[Item, str], float]


def pair(n: int, chosen: float, rejected: float, words: tuple[int, int] = (5, 5)) -> ScoredPair:
    return ScoredPair("so " * words[0], "no " * words[1], f"topic {n % 20}", chosen, rejected)


def varied(n: int) -> tuple[int, int]:
    """Lengths of which neither side has the longer as a rule."""
    return (5 + n % 3, 5 + (n + 1 + n % 2) % 3)


def conditions(pairs: list[ScoredPair], score: Score) -> dict[str, Condition]:
    items = counterfactual_items()
    scores = [tuple(score(item, answer) for answer in item.answers) for item in items]
    return {of.name: of for of in reward_conditions(pairs, items, scores)}  # type: ignore[arg-type]


def understands(item: Item, answer: str) -> float:
    return float(answer == (item.right or item.unknown))


GOOD = [pair(n, 1.0 + n % 7, 0.5 - n % 5, varied(n)) for n in range(60)]


def test_a_model_that_follows_the_text_passes() -> None:
    found = conditions(GOOD, understands)
    assert [of.passed for of in found.values()] == [True] * 5, [str(of) for of in found.values()]


def test_a_model_that_knows_nothing_fails() -> None:
    chance = [pair(n, n % 2, (n + 1) % 2) for n in range(60)]
    found = conditions(chance, lambda item, answer: crc32(f"{item.prompt} {answer}".encode()) % 101)
    assert not any(found[name].passed for name in ("held_out", "person", "answer", "unknown"))


def test_a_model_that_always_prefers_unknown_fails_at_answers_alone() -> None:
    found = conditions(GOOD, lambda item, answer: 2 * float(answer == item.unknown) + understands(item, answer))
    assert {name for name, of in found.items() if not of.passed} == {"answer"}


def test_a_model_that_follows_a_stereotype_fails_at_persons() -> None:
    """One of the two groups is always preferred: right in half of the items."""
    groups = {item.scene: min(item.persons) for item in counterfactual_items()}
    found = conditions(GOOD, lambda item, answer: 0.5 * (answer == item.unknown) + (answer == groups[item.scene]))
    person = found["person"]
    assert (person.value, person.passed) == (0.5, False)


def test_items_of_a_scene_hang_together() -> None:
    """Right on all of 15 scenes and wrong on all of 10: 60 of 100 are above one half, 15 of 25 are not shown to be."""

    def by_scene(item: Item, answer: str) -> float:
        right = understands(item, answer)
        return right if item.scene < 15 else 1 - right

    found = conditions(GOOD, by_scene)
    for name in ("person", "answer", "unknown"):
        assert (found[name].value, found[name].passed) == (0.6, False), name
        assert (found[name].low, found[name].high) == pytest.approx((0.407, 0.766), abs=0.001)


def test_a_model_that_has_learnt_the_length_fails_twice() -> None:
    """It ranks all pairs rightly, and so does the rule."""
    pairs = [pair(n, 9.0, 4.0, (9, 4)) for n in range(60)]
    found = conditions(pairs, understands)
    assert found["held_out"].value == 1
    assert found["held_out"].passed is False
    assert found["length"].passed is False
    assert rules_of_length(pairs) == (1, 0)


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([pair(1, 1, 0, (2, 1)), pair(2, 0, 1, (2, 1))], "only 2 pairs over 2 topics: 30 over 6 are wanted"),
        ([pair(20 * n, 1.0 + n % 7, 0.5, varied(n)) for n in range(60)], "only 60 pairs over 1 topics"),
        ([pair(n, 9.0, 4.0) for n in range(60)], "all are of one length, or have one score"),
        ([], "there are no held-out pairs"),
    ],
    ids=["two pairs", "one topic", "one length", "none"],
)
def test_a_length_that_nothing_is_shown_of_is_no_pass(pairs: list[ScoredPair], why: str) -> None:
    length = conditions(pairs, understands)["length"]
    assert length.passed is False
    assert why in length.why


def test_a_correlation_near_nothing_is_no_pass_where_other_pairs_could_have_a_larger_one() -> None:
    """30 pairs, in half of the topics the longer one is always chosen, in the other half the shorter one."""
    pairs = [pair(n, 9.0 + n % 3, 4.0, (9, 4) if n % 2 else (4, 9)) for n in range(30)]
    length = conditions(pairs, understands)["length"]
    assert length.value is not None
    assert length.low is not None
    assert length.high is not None
    assert abs(length.value) < 0.1
    assert length.low < -0.3
    assert length.high > 0.3
    assert length.passed is False


def test_the_correlation_with_length_is_that_of_scipy() -> None:
    lengths = [len(text.split()) for one in GOOD for text in (one.chosen, one.rejected)]
    scores = [score for one in GOOD for score in (one.chosen_score, one.rejected_score)]
    length = conditions(GOOD, understands)["length"]
    assert length.value == pytest.approx(spearmanr(lengths, scores).statistic)
    assert length.low is not None
    assert length.value is not None
    assert length.high is not None
    assert -0.3 <= length.low < length.value < length.high <= 0.3


def test_without_held_out_pairs_nothing_passes() -> None:
    found = conditions([], understands)
    assert found["held_out"].passed is False


@pytest.mark.parametrize(
    ("right", "of", "above"), [(53, 86, True), (52, 86, False), (114, 200, True), (113, 200, False)]
)
def test_what_it_takes_to_be_above_one_half(right: int, of: int, above: bool) -> None:
    low = share(right, of).low
    assert low is not None
    assert (low > 0.5) is above


# ── the questions ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_either_person_is_right_equally_often_and_named_first_equally_often() -> None:
    told = [item for item in counterfactual_items() if item.right]
    for scene in {item.scene for item in told}:
        assert set(Counter(item.right for item in told if item.scene == scene).values()) == {2}
    first = sum(item.right == item.persons[0] for item in told)
    assert abs(first - len(told) / 2) <= 2
    assert all(item.prompt.lower().index(item.persons[0][:-1].lower()) == 0 for item in told)


def test_ambiguous_contexts_are_all_different_and_do_not_tell() -> None:
    items = counterfactual_items()
    open_ones = [item for item in items if not item.right]
    assert (len(items), len(open_ones), len({item.prompt for item in items})) == (200, 100, 200)
    assert {item.bias for item in items} == {"age", "nationality", "institution", "beauty", "profession"}
    assert not any(" R " in item.prompt or " W " in item.prompt for item in items)


def test_no_question_is_one_of_the_judges_statements() -> None:
    texts = {one.text for one in read_statements()}
    assert not any(item.prompt in texts for item in counterfactual_items())


LEFT_OUT = [
    {"name": name, "wanted": "", "passed": None, "why": ""}
    for name in ("held_out", "person", "answer", "unknown", "length")
]


@pytest.mark.parametrize(
    "change", [{"passed": True}, {"passed": True, "conditions": []}, {"passed": True, "conditions": LEFT_OUT}]
)
def test_a_verdict_that_was_made_to_pass_by_hand_is_none(tmp_path: Path, change: dict[str, object]) -> None:
    found = reward_conditions([], counterfactual_items(), [(0.0, 0.0, 0.0)] * len(counterfactual_items()))
    failed = RewardVerdict(
        passed=False, pairs=0, items=len(counterfactual_items()), conditions=found, version="0",
        created=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    changed = {**failed.model_dump(mode="json"), **change}
    (tmp_path / "gate.json").write_text(json.dumps(changed))
    with pytest.raises(UsageError, match=r"measure it anew with `elenchus rldf reward-gate`"):
        verdict_on(tmp_path)
    assert not has_passed(changed)
