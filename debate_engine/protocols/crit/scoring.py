"""The arithmetic of CRIT: pure functions of scores that the crit seat gave. A missing score is left out, never 0.

Γ (argument quality) = Σθγ / Σθ over reasons and rivals, 1–10: how well the whole exchange is argued; it drives the
loop of SocraSynth. The claim's standing, 1–10 with 5.5 = even, is another thing: rivals count against the claim in it.

    standing = 5.5 + 4.5 · (P - R) / (P + R + K),   P = Σθγ over reasons, R = Σθγ over rivals

Properties of the standing (tests/debate_engine/protocols/crit/test_scoring.py):
1. strictly between 1 and 10;
2. even (5.5) exactly where both sides weigh the same;
3. swapping the sides gives 11 - standing;
4. a better score of a reason, or a further reason, raises it; of a rival, lowers it;
5. a single reason cannot decide much: K is the weight of one middling reason, so a lone one of that weight gives 7.75.

When too little could be read. Γ is None where nothing is readable, or where more than half of the reasons are not: the
few that survived say little about the rest. The standing compares two sums, so it asks the same of each side that has
reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from elenchus.debate_engine.protocols.crit.quotes import normalised
from elenchus.debate_engine.protocols.crit.schemas import NamedSource, Quality, ScoredReason, TopicQuality
from elenchus.debate_engine.protocols.speech import SIDES, Side

K = 5.5**2
"""The weight θγ of one middling reason."""
Z = 1.645
"""Standard errors that a fall of Γ must exceed: by chance alone one round in twenty does (normal, one-sided), if the
scores of reasons are independent."""


def gamma_of(reasons: Sequence[ScoredReason]) -> float | None:
    """Γ of reasons and rivals together, 1–10; None where fewer than half, or none, are readable."""
    if not _enough(reasons):
        return None
    scores = _scores(reasons)
    return gamma_sum(scores) / sum(theta for _, theta in scores)


def standing_of(reasons: Sequence[ScoredReason]) -> float | None:
    """How the claim stands, rivals counted against it; None where a side's reasons are mostly unreadable, or all."""
    sides = [[r for r in reasons if r.side == side] for side in SIDES]
    if not any(sides) or not all(_enough(side) for side in sides if side):
        return None
    for_it, against = (weight_of(side) for side in sides)
    return 5.5 + 4.5 * (for_it - against) / (for_it + against + K)


def weight_of(reasons: Iterable[ScoredReason]) -> float:
    """Σθγ over the readable ones."""
    return gamma_sum(_scores(reasons))


def quality_of(
    reasons: Sequence[ScoredReason], topics: int = 0, unread: Sequence[str] = (), *, nothing_read: bool = False
) -> Quality:
    """The whole and each of `topics` numbered topics. `nothing_read` withholds Γ: it would say no more than before."""
    by_topic = ([r for r in reasons if r.topic == n] for n in range(1, topics + 1))
    return Quality(
        gamma=None if nothing_read else gamma_of(reasons),
        standing=standing_of(reasons),
        by_topic=tuple(
            TopicQuality(number=n, gamma=gamma_of(part), standing=standing_of(part))
            for n, part in enumerate(by_topic, 1)
        ),
        reasons=tuple(reasons),
        unreadable=sum(not r.readable for r in reasons),
        unread=tuple(unread),
    )


def by_topic(quality: Quality) -> tuple[TopicQuality, ...]:
    """Each topic's, and number 0 for the reasons of no single topic if there are any: the whole is over all of them."""
    outside = [reason for reason in quality.reasons if not reason.topic]
    if not quality.by_topic or not outside:
        return quality.by_topic
    return (*quality.by_topic, TopicQuality(number=0, gamma=gamma_of(outside), standing=standing_of(outside)))


def fell(history: Sequence[float | None]) -> bool:
    """Whether the latest Γ is below the last readable one before it (table 2: go on while Γ ≥ Γ′).

    An unreadable Γ is skipped: it never fell, and the next is compared with the one before it.
    """
    readable = [gamma for gamma in history if gamma is not None]
    return bool(history) and history[-1] is not None and len(readable) > 1 and readable[-1] < readable[-2]


def fell_beyond(history: Sequence[float | None], noise: float | None) -> bool:
    """Whether the latest Γ fell below the last readable one before it by more than the noise of that difference."""
    readable = [gamma for gamma in history if gamma is not None]
    return fell(history) and noise is not None and readable[-2] - readable[-1] > noise


def fell_twice(history: Sequence[float | None]) -> bool:
    """Whether the latest two readable changes of Γ are falls."""
    readable = [gamma for gamma in history if gamma is not None]
    return fell(history) and len(readable) > 2 and readable[-2] < readable[-3]


def noise_after(before: Quality | None, now: Quality) -> float | None:
    """The same of two scorings, the later one of all the reasons of the earlier and of more (see `noise_of`)."""
    known = before.reasons if before else ()
    return noise_of(known, now.reasons[len(known) :])


def noise_of(known: Sequence[ScoredReason], new: Sequence[ScoredReason]) -> float | None:
    """How far Γ may fall by chance where `new` reasons join the `known`: `Z` standard errors of the difference.

    Γ moves by w(Γ_new - Γ_known), w the new reasons' share of Σθ. The variance s² of a single γ is estimated from the
    spread within both groups, never below that of rounding to whole numbers (1/12); a group's Γ has the variance
    s²·Σθ²/(Σθ)². Scores are taken as independent: what the reasons of one round have in common is not in it. None with
    fewer than three readable reasons, or with none on one side.
    """
    groups = [_scores(known), _scores(new)]
    count = sum(map(len, groups))
    if count < 3 or not all(groups):
        return None
    weights = [sum(theta for _, theta in group) for group in groups]
    means = [gamma_sum(group) / weight for group, weight in zip(groups, weights, strict=True)]
    squares = sum(
        theta * (gamma - mean) ** 2 for group, mean in zip(groups, means, strict=True) for gamma, theta in group
    )
    spread = max(squares / sum(weights) * count / (count - 2), 1 / 12)
    errors = (sum(theta**2 for _, theta in group) / w**2 for group, w in zip(groups, weights, strict=True))
    return Z * weights[1] / sum(weights) * sqrt(spread * sum(errors))


def gamma_sum(scores: Iterable[tuple[float, float]]) -> float:
    """Σθγ of (γ, θ) pairs."""
    return sum(theta * gamma for gamma, theta in scores)


def two_unreadable(history: Sequence[float | None]) -> bool:
    """Whether the last two Γ could not be read: the moderator is to be told."""
    return len(history) > 1 and history[-1] is None and history[-2] is None


def weakest(reasons: Iterable[ScoredReason], side: Side) -> ScoredReason | None:
    """The side's readable reason of the lowest validity, then of the least credible source; the earliest of equals."""
    readable = [r for r in reasons if r.side == side and r.readable]
    return min(readable, key=lambda r: (r.gamma, r.theta), default=None)


def sources_of(reasons: Iterable[ScoredReason]) -> list[NamedSource]:
    """The sources that each side names, pro's first, in order of their first mention: claimed, not checked."""
    named: dict[tuple[Side, str], NamedSource] = {}
    for r in sorted(reasons, key=lambda r: SIDES.index(r.side)):
        if key := normalised(r.source):
            known = named.get((r.side, key), NamedSource(side=r.side, name=r.source.strip(), times=0))
            named[r.side, key] = known.model_copy(update={"times": known.times + 1})
    return list(named.values())


def _scores(reasons: Iterable[ScoredReason]) -> list[tuple[float, float]]:
    return [(r.gamma, r.theta) for r in reasons if r.gamma is not None and r.theta is not None]


def _enough(reasons: Sequence[ScoredReason]) -> bool:
    return 2 * len(_scores(reasons)) >= max(1, len(reasons))
