"""Published sizes beside those found here: only of the same task or paradigm, and only in the same metric. Pure."""

from __future__ import annotations

from typing import NamedTuple

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.contrasts import THESE, Compared
from elenchus.debate_engine.scenes.plan import Source


class Size(NamedTuple):
    """An effect size and its interval."""

    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        within = (
            "" if self.low is None or self.high is None else f" ({words.number(self.low)} to {words.number(self.high)})"
        )
        return f"{words.number(self.value)}{within}"


def published(source: Source) -> str:
    """A source's size in words."""
    if source.size is None:
        return source.told or words.NOTHING
    metric = "" if source.metric == "other" else f"{source.metric} "
    people = f", {source.n:,} people" if source.n else ""
    return f"{metric}{Size(source.size, source.low, source.high)}{people}"


def sizes_beside(study: Study, source: Source) -> list[tuple[Compared, Size]]:
    """The comparisons of the very arms that a source names, each with what was found here in its metric and in its
    direction.
    """
    found = ((one, size_beside(source, one)) for one in _of_its_arms(study, source) if source.comparable)
    return [(one, size) for one, size in found if size is not None]


def why_none(study: Study, source: Source) -> str:
    """Why no size of ours stands beside a source's."""
    if not source.comparable:
        return "not to be set beside it"
    return "nothing in this metric" if _of_its_arms(study, source) else "no contrast of the file has these arms by name"


def _of_its_arms(study: Study, source: Source) -> list[Compared]:
    own = [one for one in study.contrasts if one.over == "versions" and one.subject != THESE]
    return [one for one in own if {*_arms(one.contrast.compare)} == {*_arms(source.arms)}]


def _arms(compare: str) -> tuple[str, ...]:
    """The sides of a contrast without its wildcards, so that `high - low` is `high/* - low/*`."""
    sides = compare.replace("−", "-").split(" - ")
    return tuple("/".join(part for part in side.strip().split("/") if part != "*") for side in sides)


def size_beside(source: Source, one: Compared) -> Size | None:
    """What was found here, in the source's metric, turned round where the source names the arms the other way."""
    size = _own_size(source, one)
    if size is None or _arms(one.contrast.compare) == _arms(source.arms):
        return size
    return _inverse(size) if source.metric == "odds ratio" else _negative(size)


def _negative(of: Size) -> Size:
    low, high = (None if bound is None else -bound for bound in (of.high, of.low))
    return Size(-of.value, low, high)


def _inverse(of: Size) -> Size | None:
    """Odds the other way; an end of 0 is one that is not there, and the other way round."""
    if not of.value:
        return None
    low, high = (1 / bound if bound else None for bound in (of.high, of.low))
    return Size(1 / of.value, low, high)


def _own_size(source: Source, one: Compared) -> Size | None:
    """What was found here, in the source's metric; None where it is no such size."""
    match source.metric:
        case "d":
            if one.means is None or one.kind != "between":
                return None  # in another unit than that of two groups of subjects
            return _size(one.means.g, one.means.g_low, one.means.g_high)
        case "mean difference":
            return _size(one.means.difference, one.means.low, one.means.high) if one.means else None
        case "risk difference":
            return _size(one.shares.difference, one.shares.low, one.shares.high) if one.shares else None
        case "odds ratio":
            odds = one.shares.odds if one.shares and one.kind == "between" else None
            return _size(odds.ratio, odds.low, odds.high) if odds else None
    return None


def _size(value: float | None, low: float | None, high: float | None) -> Size | None:
    return None if value is None else Size(value, low, high)
