"""What two methods' figures differ in, over the answers of both to the same questions, with intervals. Pure.

An answer's partner is the other method's answer to the same question, as the same profile, after the same iteration;
people's rating of it is one. So a difference is freed of what is alike in both (a hard topic, a profile that people
find hard to play), and its interval comes from the same resamples of topics and, crosswise, profiles for both (see
`bootstrap`): two intervals of their own overlap long before there is no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.evaluation.cogbench.results import Answer, Results
from elenchus.detectors.evaluation.cogbench.score import AdditionalFigure, Tables, iterations_of, with_intervals
from elenchus.detectors.evaluation.intervals import RESAMPLES

Key = tuple[str, str, int, str, int]
"""A question: topic, profile, iteration, its words, and which of those that read alike it is, from 0."""


class Comparison(FrozenModel):
    """`method` less `against`, figure by figure, over `answers` of each that both have given.

    An iteration counts where both have the figure. `left_out`: those of either that have no partner, or that people or
    one of the two have not rated: in no κ. `reasons`: of how many both reasons were rated, and by the same (people, or
    one model). What was resampled: `topics` and `profiles`, of which there are `clusters` pairs.
    """

    method: str
    against: str
    answers: int
    left_out: int
    reasons: int
    values: Mapping[str, tuple[AdditionalFigure, AdditionalFigure]]
    differences: Mapping[str, AdditionalFigure]
    clusters: int
    topics: int
    profiles: int
    resamples: int = RESAMPLES
    seed: int = 0


class _Pair(NamedTuple):
    first: Answer
    second: Answer


def compared(first: Results, method: str, second: Results, against: str, seed: int = 0) -> Comparison:
    """The difference. Raises UsageError where there is nothing to compare, or people have not rated the same."""
    if first.named == second.named and method == against:
        raise UsageError(f"{method} is compared with itself: name another method, or the file of another run.")
    _check_who(first, second)
    ours, theirs = _by_question(first, method), _by_question(second, against)
    pairs = [_paired(ours[key], theirs[key], first.named) for key in ours if key in theirs]
    if not pairs:
        raise UsageError(f"{method} and {against} have answered no question as the same profile: nothing is compared.")
    alone = len(ours) + len(theirs) - 2 * len(pairs)
    iterations = iterations_of(pair.first for pair in pairs)
    figures = [Tables.of(side, iterations).figures(seed) for side in zip(*pairs, strict=True)]
    clusters = {pair.first.cluster for pair in pairs}
    return Comparison(
        method=method,
        against=against,
        answers=len(pairs),
        left_out=alone + sum(pair.first.rating is None or pair.first.human is None for pair in pairs),
        reasons=sum(pair.first.rationality is not None for pair in pairs),
        values={
            name: (with_intervals(iterations, *of), with_intervals(iterations, *figures[1][name]))
            for name, of in figures[0].items()
        },
        differences={
            name: with_intervals(iterations, *(a - b for a, b in zip(of, figures[1][name], strict=True)))
            for name, of in figures[0].items()
        },
        clusters=len(clusters),
        topics=len({topic for topic, _ in clusters}),
        profiles=len({profile for _, profile in clusters}),
        seed=seed,
    )


def _check_who(first: Results, second: Results) -> None:
    """Raises UsageError where it is not said who answers: in one file order tells which answers are to one question."""
    for one in (first, second) if first.named != second.named else ():
        if nobody := next((n for n, record in enumerate(one.records, 1) if record.get("profile") is None), 0):
            raise UsageError(
                f"{one.named}, record {nobody}: it lacks a profile, by which answers are compared with another file's."
            )


def _by_question(results: Results, method: str) -> dict[Key, Answer]:
    """A method's answers by what was asked. Raises UsageError for a method that is nowhere."""
    return dict(_keyed(results.answers(method)))


def _keyed(answers: Sequence[Answer]) -> Iterator[tuple[Key, Answer]]:
    seen = Counter[tuple[str, str, int, str]]()
    for answer in answers:
        asked = answer.topic, answer.profile, answer.iteration, answer.question
        yield (*asked, seen[asked]), answer
        seen[asked] += 1


def _paired(ours: Answer, theirs: Answer, named: str) -> _Pair:
    """Both, each with what the other lacks to be left out along with it. Raises UsageError."""
    human = ours.human if theirs.human is None else theirs.human
    if None not in (ours.human, theirs.human) and ours.human != theirs.human:
        raise UsageError(
            f"{named}, record {ours.record}: people have rated “{ours.question[:60]}” {ours.human} there and "
            f"{theirs.human} in the other file: methods are compared by what the same people said."
        )
    rated = None not in (ours.rating, theirs.rating)
    reasoned = None not in (ours.rationality, theirs.rationality) and ours.judge == theirs.judge
    return _Pair(*(
        one._replace(
            human=human,
            rating=one.rating if rated else None,
            rationality=one.rationality if reasoned else None,
        )
        for one in (ours, theirs)
    ))  # fmt: skip
