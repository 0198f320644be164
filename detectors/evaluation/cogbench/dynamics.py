"""Does a persona change its mind as it should? A check that needs nobody's ratings. Pure; slow at first (imports).

Articles push to one side, and on which side each opinion stands was coded beforehand. A topic's *change* for a profile
is the mean over its opinions of how many steps the rating has moved from iteration 0 to the last, counted upwards where
the articles push. From it is taken the change in a control run, whose flows push nobody.

- Moved? The mean over (topic, profile), tested by flipping signs (R. A. Fisher 1935): exact p, and the interval that
  belongs to it, which lies between means of subsets (J. A. Hartigan, *J. Am. Stat. Assoc.* 64 (1969) 1303–1317). Both
  suppose that the differences lie evenly on both sides of their middle. All flips are gone through where there are
  9,999 or fewer, of more so many are drawn, the same every time. Pairs of one topic read the same: p is of nothing
  being moved at all, and how other topics would move the interval does not tell.
- More where interest is high? The difference between profiles of high and of low interest within topics, by rearranging
  who is which (see `rulegen.study.permutation`).
- Not moved by the control? The 90 % interval of its change lies within ± a quarter of a step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.permutation import ARRANGEMENTS, p_of_two
from elenchus.detectors.evaluation.cogbench.results import Answer
from elenchus.detectors.evaluation.cogbench.topics import Interest, Material, TopicFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MARGIN = 0.25
"""Steps of a rating: a change within it either way is none."""


class Change(FrozenModel):
    """What a profile's ratings on a topic did: `pushed` and `control` are mean steps towards where the articles push.

    `questions` had all four ratings; None where there was none.
    """

    topic: str
    profile: str
    interest: Interest | None
    questions: int
    pushed: float | None
    control: float | None

    @property
    def difference(self) -> float | None:
        """The change without what happens by itself."""
        return None if self.pushed is None or self.control is None else self.pushed - self.control


class Centre(FrozenModel):
    """A mean over `n` pairs of topic and profile: the two-sided p of its being 0, and its interval at `level`.

    `exact`: all flips were gone through. No interval where there are too few pairs for this level.
    """

    n: int
    mean: float | None
    p: float | None
    level: float
    low: float | None
    high: float | None
    exact: bool


class ByInterest(FrozenModel):
    """Changes of profiles of high and of low interest, over the topics that have both; `p` is two-sided.

    `high` and `low` are means over topics with the same weights, so that their difference is not one of topics.
    """

    topics: int
    high: float | None = None
    low: float | None = None
    difference: float | None = None
    p: float | None = None


class Dynamics(FrozenModel):
    """The check. `left_out`: questions that were not rated in all four places. `still`: the control moved nobody."""

    method: str
    changes: tuple[Change, ...]
    left_out: int
    moved: Centre
    control: Centre
    margin: float = MARGIN
    still: bool | None
    interest: ByInterest


def dynamics(method: str, pushed: Sequence[Answer], control: Sequence[Answer], material: Material) -> Dynamics:
    """The check of a method's answers. Raises UsageError where topics are not coded, or the two runs do not fit."""
    changes, left_out = _changes(pushed, control, material)
    differences = [change.difference for change in changes if change.difference is not None]
    alone = centre([change.control for change in changes if change.control is not None], 0.9)
    bounds = (alone.low, alone.high)
    return Dynamics(
        method=method,
        changes=tuple(changes),
        left_out=left_out,
        moved=centre(differences, 0.95),
        control=alone,
        still=None if None in bounds else all(bound is not None and abs(bound) <= MARGIN for bound in bounds),
        interest=by_interest(changes),
    )


# ── how far ratings moved ────────────────────────────────────────────────────────────────────────────────────────────


def _changes(pushed: Sequence[Answer], control: Sequence[Answer], material: Material) -> tuple[list[Change], int]:
    """A change for each profile and topic of the pushed run, and how many questions are in none."""
    runs = _by_pair(pushed), _by_pair(control)
    found, left_out = [], 0
    for topic, profile in runs[0]:
        coded = material.topics[topic].coded if topic in material.topics else None
        if coded is None:
            raise UsageError(f"Nobody has coded where the articles on {topic} push: name a folder with its topic.yaml.")
        if (topic, profile) not in runs[1]:
            raise UsageError(
                f"The control run has nothing of {profile} on {topic}: run the same with the control flows."
            )
        _same_length(topic, profile, runs[0][topic, profile], runs[1][topic, profile])
        steps = list(_steps(runs[0][topic, profile], runs[1][topic, profile], coded))
        left_out += len(coded.opinions) - len(steps)
        found.append(
            Change(
                topic=topic,
                profile=profile,
                interest=coded.interest.get(profile),
                questions=len(steps),
                pushed=fmean(step for step, _ in steps) if steps else None,
                control=fmean(step for _, step in steps) if steps else None,
            )
        )
    return found, left_out


def _same_length(topic: str, profile: str, pushed: Sequence[Answer], control: Sequence[Answer]) -> None:
    """Raises UsageError where one run went on for longer: drift would count as being moved."""
    ends = [max(answer.iteration for answer in run) for run in (pushed, control)]
    if ends[0] != ends[1]:
        raise UsageError(
            f"The run of {profile} on {topic} ends after iteration {ends[0]}, that of the control run after iteration "
            f"{ends[1]}: finish the one that was broken off (elenchus cogbench resume ID)."
        )


def _steps(pushed: Sequence[Answer], control: Sequence[Answer], coded: TopicFile) -> Iterator[tuple[int, int]]:
    """The steps of each opinion that was rated at both ends of both runs."""
    for opinion in coded.opinions:
        towards = coded.pushes * opinion.side
        ends = [_ends(run, opinion.text) for run in (pushed, control)]
        if all(None not in end for end in ends):
            moved = [(last or 0) - (first or 0) for first, last in ends]
            yield towards * moved[0], towards * moved[1]


def _ends(answers: Sequence[Answer], question: str) -> tuple[int | None, int | None]:
    """The rating before anything was read, and the one after the last iteration of the run."""
    rated = {answer.iteration: answer.rating for answer in answers if answer.question == question}
    last = max(answer.iteration for answer in answers)
    return rated.get(0), rated.get(last) if last > 0 else None


def _by_pair(answers: Sequence[Answer]) -> dict[tuple[str, str], list[Answer]]:
    found: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        found[answer.cluster].append(answer)
    return found


# ── the tests ────────────────────────────────────────────────────────────────────────────────────────────────────────


def centre(values: Sequence[float], level: float) -> Centre:
    """The mean, the p of its signs flipped, and the interval of all centres that the test does not reject."""
    n, exact = len(values), 2 ** len(values) <= ARRANGEMENTS
    if not values:
        return Centre(n=0, mean=None, p=None, level=level, low=None, high=None, exact=exact)
    import numpy as np

    of = np.asarray(values, dtype=float)
    subsets = _subsets(n) if exact else np.random.default_rng(ARRANGEMENTS).random((ARRANGEMENTS, n)) < 0.5
    flipped = of.mean() - 2 * (subsets @ of) / n
    as_great = int((abs(flipped) >= abs(of.mean()) * (1 - 1e-9)).sum())
    sizes = subsets.sum(1)
    means = np.sort((subsets @ of)[sizes > 0] / sizes[sizes > 0])
    place = int((1 - level) / 2 * (len(subsets) + (0 if exact else 1)) + 1e-9)
    low, high = (float(means[place - 1]), float(means[-place])) if place else (None, None)
    p = as_great / len(subsets) if exact else (1 + as_great) / (1 + len(subsets))
    return Centre(n=n, mean=float(of.mean()), p=p, level=level, low=low, high=high, exact=exact)


def _subsets(n: int) -> Array:
    """All subsets of n things as rows of truth values, the empty one first."""
    import numpy as np

    return np.asarray((np.arange(2**n)[:, None] >> np.arange(n)) % 2 == 1)


def by_interest(changes: Sequence[Change]) -> ByInterest:
    """High against low interest within topics."""
    strata: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for change in changes:
        if change.interest and change.difference is not None:
            strata[change.topic][change.interest == "low"].append(change.difference)
    both = [(high, low) for high, low in strata.values() if high and low]
    if not both:
        return ByInterest(topics=0)
    weights = [len(high) * len(low) / (len(high) + len(low)) for high, low in both]
    means = [fmean(map(fmean, side), weights) for side in zip(*both, strict=True)]
    testable = sum(len(high) + len(low) for high, low in both) > 2
    return ByInterest(
        topics=len(both),
        high=means[0],
        low=means[1],
        difference=means[0] - means[1],
        p=p_of_two(both) if testable else None,
    )
