"""Claim: weights are tried at least 178 times as fast as by a loop over debates in plain Python.

A learner spends its time on one function: how many of the training debates do these six weights decide rightly? Here
over 600 simulated debates with two referees' sheets of each side (one order of showing, as in the paper): once as a
loop over debates, sides and criteria (a lean one: the referees' means are taken beforehand); once as
`Table.accuracy` does it; once as a genetic search asks it for a whole population (`Table.accuracies`). Medians of
rounds in which all take turns; all three give the same answers. Below, how long each learner takes, on one seed, and
how many times as long the loop alone would have taken to try as many candidates.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from elenchus.detectors.decision.data import Debate, Side
from elenchus.detectors.decision.learning.objective import TIE, Table, no_progress
from elenchus.detectors.decision.learning.training import NAMES, installed, learn, learner_of
from elenchus.detectors.decision.simulate import simulate
from elenchus.detectors.decision.weights import CRITERIA

DEBATES, CANDIDATES, ROUNDS = 600, 45, 30


def loop(debates: Sequence[Any], weights: Sequence[float]) -> float:
    """Return the accuracy as a program without vectors computes it from the referees' means (see `plain`)."""
    right = 0
    for sides, first_is_right in debates:
        totals = [0.0, 0.0]
        for n, scores in enumerate(sides):
            for weight, name in zip(weights, CRITERIA, strict=True):
                totals[n] += weight * scores[name]
        right += (totals[0] - totals[1] >= -TIE) == first_is_right
    return right / len(debates)


def plain(debates: Sequence[Debate]) -> list[Any]:
    """Return of each debate both sides' mean scores by criterion, and whether the first side is right."""

    def means(cards: Sequence[dict[str, float]]) -> dict[str, float]:
        return {name: sum(card[name] for card in cards) / len(cards) for name in CRITERIA}

    sides: tuple[Side, Side] = ("first", "second")
    return [(tuple(means(debate.cards_of(side)) for side in sides), debate.right == "first") for debate in debates]


def as_in_the_paper(debates: Sequence[Debate]) -> list[Debate]:
    """Return the debates with the sheets of one order of showing alone, those without a readable side left out."""
    one_order = [
        debate.model_copy(update={"sheets": tuple(s for s in debate.sheets if s.shown_first == "first")})
        for debate in debates
    ]
    return [debate for debate in one_order if debate.cards_of("first") and debate.cards_of("second")]


def seconds(work: Callable[[], object], times: int) -> float:
    """Return how long one call takes, over so many."""
    begun = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - begun) / times


def main() -> None:
    """Measure, and print two tables."""
    debates = as_in_the_paper(simulate(DEBATES + 20, 1))[:DEBATES]
    table = Table.of(debates)
    rng = np.random.default_rng(1)
    herd = rng.uniform(-1, 1, (CANDIDATES, len(CRITERIA)))
    one, read = herd[0], plain(debates)
    assert [loop(read, row) for row in herd.tolist()] == [table.accuracy(row) for row in herd]
    assert table.accuracies(herd).tolist() == [table.accuracy(row) for row in herd]
    took: dict[str, list[float]] = {"loop": [], "one": [], "many": []}
    for _ in range(ROUNDS):
        took["loop"].append(seconds(lambda: loop(read, one.tolist()), 3))
        took["one"].append(seconds(lambda: table.accuracy(one), 300))
        took["many"].append(seconds(lambda: table.accuracies(herd), 30) / CANDIDATES)
    told = {"loop": "a loop in plain Python", "one": "one candidate", "many": f"{CANDIDATES} candidates at once"}
    print(f"| {DEBATES} debates | a candidate: µs | ratio |\n| --- | ---: | ---: |")
    slow = statistics.median(took["loop"])
    for name, each in took.items():
        print(f"| {told[name]} | {1e6 * statistics.median(each):.1f} | {slow / statistics.median(each):.0f} |")
    print("\n| learner | candidates tried | s | by the loop: s | ratio |\n| --- | ---: | ---: | ---: | ---: |")
    for name in NAMES:
        print(f"  {name}", file=sys.stderr)
        if name not in installed():
            print(f"| {name} | not run: torch is not installed | | | |")
            continue
        found, lasted = learn(table, learner_of(name), 1, no_progress)
        looped = slow * found.evaluations
        ratio = f"{looped:.2f} | {looped / lasted:.1f}" if found.evaluations > 1 else "– | –"  # regression tries none
        print(f"| {name} | {found.evaluations} | {lasted:.3f} | {ratio} |")


if __name__ == "__main__":
    main()
