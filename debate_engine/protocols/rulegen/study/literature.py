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


def sizes_beside(study: Study, source: Source) -> list[Compared]:
    """The comparisons beside which a source's size may stand: of the arms that it names, or the only ones."""
    if not source.comparable:
        return []
    own = [one for one in study.contrasts if one.over == "versions" and one.subject != THESE]
    contrasts = list(dict.fromkeys(one.contrast.compare for one in own))
    named = [compare for compare in contrasts if _bare(compare) == _bare(source.arms)]
    meant = named or (contrasts if len(contrasts) == 1 else [])
    return [one for one in own if one.contrast.compare in meant and own_size(source, one)]


def _bare(arms: str) -> str:
    """A contrast without its wildcards, so that `high - low` is `high/* - low/*`."""
    sides = arms.replace("−", "-").split(" - ")
    return " - ".join("/".join(part for part in side.strip().split("/") if part != "*") for side in sides)


def own_size(source: Source, one: Compared) -> Size | None:
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
