"""What two methods differ in: scikit-learn and a plain loop over resamples are the referees."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.cogbench.comparison import Comparison, compared
from elenchus.detectors.evaluation.cogbench.results import Results, read_results
from elenchus.detectors.evaluation.cogbench.score import score
from tests.detectors.evaluation.cogbench.made_files import record, written

ITERATIONS = (1, 2, 5, 10)


def of_two(seed: int = 1, topics: int = 3, profiles: int = 4, **skill: float) -> list[dict[str, Any]]:
    """Records in which each method says what people say so often, and something by chance otherwise."""
    chance = random.Random(seed)
    likes = skill or {"CogGPT": 0.7, "CoT": 0.4}

    def answered(one: dict[str, Any]) -> dict[str, Any]:
        for question in one["questionnaire"]:
            human = question["answer"]["human_rating"] = chance.randint(1, 5)
            for method, like in likes.items():
                rating = human if chance.random() < like else chance.randint(1, 5)
                question["answer"][method] = {"rating": rating, "reason": "So.", "rationality": chance.randint(1, 5)}
        return one

    return [
        answered(record(i, [(1, 1)] * 8, topic=f"T{t}", name=f"P{p}", method="CogGPT"))
        for t in range(topics) for p in range(profiles) for i in ITERATIONS
    ]  # fmt: skip


def results(folder: Path, records: list[dict[str, Any]], name: str = "both.json") -> Results:
    return read_results(written(folder, records, name))


def between(folder: Path, records: list[dict[str, Any]]) -> Comparison:
    both = results(folder, records)
    return compared(both, "CogGPT", both, "CoT")


def ratings(records: Iterable[dict[str, Any]], method: str) -> tuple[list[int], list[int]]:
    answers = [question["answer"] for one in records for question in one["questionnaire"]]
    return [a["human_rating"] for a in answers], [a[method]["rating"] for a in answers]


def test_differences_are_those_of_scikit_learns_kappas_on_the_same_answers(tmp_path: Path) -> None:
    records = of_two()
    found = between(tmp_path, records)
    theirs = {
        i: [cohen_kappa_score(*ratings([r for r in records if r["iteration"] == i], m)) for m in ("CogGPT", "CoT")]
        for i in ITERATIONS
    }
    difference = found.differences["authenticity"]
    assert {i: v for i, v in difference.by_iteration.items() if v is not None} == pytest.approx(
        {i: ours - other for i, (ours, other) in theirs.items()}
    )
    assert difference.average.value == pytest.approx(np.mean([a - b for a, b in theirs.values()]))
    at = [theirs[5][0] - theirs[5][1], theirs[10][0] - theirs[10][1]]
    assert [difference.fifth.value, difference.tenth.value] == pytest.approx(at)
    own, other = found.values["authenticity"]
    assert own == score("CogGPT", results(tmp_path, records).answers("CogGPT")).beside["authenticity"]
    assert other.average.value == pytest.approx(np.mean([b for _, b in theirs.values()]))


def plain_kappa(pairs: Counter[tuple[int, int]]) -> float:
    """κ of weighted pairs, by its definition."""
    n = sum(pairs.values())
    agreed = sum(times for (human, rating), times in pairs.items() if human == rating) / n
    people, method = Counter[int](), Counter[int]()
    for (human, rating), times in pairs.items():
        people[human] += times
        method[rating] += times
    chance = sum(people[step] * method[step] for step in range(1, 6)) / n**2
    return (agreed - chance) / (1 - chance)


def test_the_interval_is_that_of_a_plain_loop_over_the_same_draws(tmp_path: Path) -> None:
    """Topics are drawn first and then profiles; both methods are counted by the same draw."""
    records = [one for one in of_two(4, topics=2, profiles=3) if one["iteration"] == 5]
    found = between(tmp_path, records).differences["authenticity"].fifth
    draw = np.random.default_rng(0)
    topics, profiles = (draw.multinomial(of, np.full(of, 1 / of), 2_000) for of in (2, 3))
    differences = []
    for n in range(2_000):
        kappas = []
        for method in ("CogGPT", "CoT"):
            pairs = Counter[tuple[int, int]]()
            for one in records:
                times = int(topics[n][int(one["topic"][1:])] * profiles[n][int(one["profile"]["Name"][1:])])
                for pair in zip(*ratings([one], method), strict=True) if times else ():
                    pairs[pair] += times
            kappas.append(plain_kappa(pairs))
        differences.append(kappas[0] - kappas[1])
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(differences, [2.5, 97.5])))


def test_what_is_alike_in_both_is_in_no_interval_of_their_difference(tmp_path: Path) -> None:
    """Topics differ much, and one method is a little better in each: two intervals overlap, the difference is sure."""
    records = []
    for topic, agreed in enumerate((1, 3, 5, 7, 8)):
        for name in ("P0", "P1", "P2"):
            one = record(5, [(n % 5 + 1, n % 5 + 1) for n in range(10)], topic=f"T{topic}", name=name, method="CogGPT")
            for n, question in enumerate(one["questionnaire"]):
                human = question["answer"]["human_rating"]
                other = human % 5 + 1
                question["answer"]["CogGPT"]["rating"] = human if n <= agreed + topic % 2 else other
                question["answer"]["CoT"] = {"rating": human if n < agreed else other, "reason": "So."}
            records.append(one)
    found = between(tmp_path, records)
    ours, theirs = (one.fifth for one in found.values["authenticity"])
    difference = found.differences["authenticity"].fifth
    assert ours.low is not None
    assert theirs.high is not None
    assert ours.low < theirs.high
    assert difference.low is not None
    assert difference.low > 0


def test_only_answers_that_both_have_given_count_and_the_others_are_counted(tmp_path: Path) -> None:
    records = of_two()
    whole = between(tmp_path, records)
    for question in records[0]["questionnaire"]:
        question["answer"]["CoT"]["rating"] = -1
    records[1]["questionnaire"][0]["answer"]["CogGPT"]["rationality"] = -1
    records[1]["questionnaire"][1]["answer"]["CoT"]["rationality_by"] = "openai:judge"
    found = between(tmp_path, records)
    assert (whole.left_out, found.left_out) == (0, 8)
    assert (whole.reasons, found.reasons) == (len(records) * 8, len(records) * 8 - 2)
    rest = [one for one in records if one is not records[0] and one["iteration"] == 1]
    own, _ = found.values["authenticity"]
    assert own.by_iteration[1] == pytest.approx(cohen_kappa_score(*ratings(rest, "CogGPT")))


def unrated(records: list[dict[str, Any]], named: dict[str, str]) -> list[dict[str, Any]]:
    """The records as a run writes them: with some methods, by other names, and not rated by anybody."""
    return [
        one | {
            "questionnaire": [
                {"question": q["question"], "answer": {"human_rating": -1}
                 | {new: q["answer"][old] for old, new in named.items()}}
                for q in one["questionnaire"]
            ]
        }
        for one in records
    ]  # fmt: skip


def test_runs_in_two_files_are_compared_by_what_people_said_in_either_in_whatever_order(tmp_path: Path) -> None:
    records = of_two()
    first, second = results(tmp_path, records), unrated(records, {"CoT": "CogGPT"})
    found = compared(first, "CogGPT", results(tmp_path, second[::-1], "other.json"), "CogGPT")
    within = between(tmp_path, records)
    assert found.differences == within.differences
    lesser = compared(first, "CogGPT", results(tmp_path, second[4:], "other.json"), "CogGPT")
    assert (lesser.answers, lesser.left_out) == (within.answers - 32, 32)


def _renamed(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one | {"topic": f"Other {one['topic']}"} for one in records]


def _rerated(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    records[0]["questionnaire"][0]["answer"]["human_rating"] %= 5
    records[0]["questionnaire"][0]["answer"]["human_rating"] += 1
    return list(records)


def _nobodys(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in one.items() if name != "profile"} for one in records]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_renamed, "have answered no question as the same profile"),
        (_rerated, "record 1: people have rated “Q0”"),
        (_nobodys, "it lacks a profile"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(tmp_path: Path, change: Any, said: str) -> None:
    first = results(tmp_path, of_two())
    with pytest.raises(UsageError, match=said):
        compared(first, "CogGPT", results(tmp_path, change(of_two()), "other.json"), "CoT")
    with pytest.raises(UsageError, match="compared with itself"):
        compared(first, "CoT", first, "CoT")


def test_in_one_file_the_order_tells_whose_answers_belong_together_though_nobody_is_named(tmp_path: Path) -> None:
    records = _nobodys(of_two())
    assert between(tmp_path, records).answers == len(records) * 8
