"""comparisons.csv: what is compared with what; figures.csv: the report's numbers, at full precision. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from elenchus.debate_engine.protocols.rulegen.study.analysis import Row, Study
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Arms, Compared
from elenchus.debate_engine.protocols.rulegen.study.export.table import Field, Table
from elenchus.debate_engine.protocols.rulegen.study.means import Mean
from elenchus.debate_engine.protocols.rulegen.study.statistics import Proportion
from elenchus.debate_engine.scenes.contrasts import Expected

Numbers = Mapping[str, float | None]
"""Statistics by name; None for what cannot be told."""

_CELL = (("subject", "who"), ("style", "in which style"), ("version", "in which version"))
_COMPARISON = (
    Field(name="number", type="integer", low=1, meaning="which comparison; it has a row for each stratum"),
    Field(name="family", meaning="the family within which p values are corrected (Holm)"),
    Field(name="over", meaning="what is compared", values=("versions", "subjects", "styles")),
    Field(name="subject", meaning="of whom", form="people, provider:model, models (one difference each), these models "
          "(as strata), or people and models"),
    Field(name="compare", meaning="the two groups: of versions a level for each factor, * for any",
          form="first − second"),
    Field(name="expect", meaning="what was expected of the first group", values=get_args(Expected)),
    Field(name="margin", type="number", low=0, meaning="within which difference the two are the same, said beforehand",
          empty="no sameness is claimed"),
    Field(name="method", meaning="how it is compared: within strata, or by one difference a model",
          values=("strata", "by model")),
    Field(name="stratum", type="integer", low=1, meaning="the stratum: a cell of the first group beside one of the "
          "second that is alike but for what is compared"),
    *(Field(name=f"{name}_{side}", meaning=f"the cell of the {place} group: {what}",
            empty="as the scene has it" if name == "style" else "")
      for side, place in ((1, "first"), (2, "second")) for name, what in _CELL),
)  # fmt: skip
_FIGURE = (
    Field(name="part", values=("cells", "judges", "comparisons", "arms"),
          meaning="cells: what came out in each; judges: how often they saw the bias in each; comparisons; arms: "
                  "whether anything differs over all versions"),
    Field(name="number", type="integer", low=1, meaning="the row of that part, of a comparison as in comparisons.csv"),
    Field(name="subject", meaning="of whom"),
    Field(name="style", meaning="in which style", empty="as the scene has it, or in any"),
    Field(name="version", meaning="in which version", empty="it is of several"),
    Field(name="compare", meaning="what is compared", empty="it is of one cell, or of all versions"),
    Field(name="statistic", meaning="which number it is: n (of both groups n_1, n_2), estimate with low and high "
          "(95 %), p, p_holm; g, odds_ratio, eta_squared with their intervals; p_same and same_low, same_high (90 %) "
          "where no difference is claimed"),
    Field(name="drawn", type="boolean", meaning="whether it comes from arrangements that were drawn by chance: another "
          "drawing finds nearly the same"),
    Field(name="value", type="number", meaning="the number, with all its digits: shares and their differences from 0 "
          "to 1"),
)  # fmt: skip


def comparisons_table(study: Study) -> Table:
    """Every comparison, a row a stratum."""
    return Table(
        name="comparisons",
        meaning="One row is one stratum of one comparison: two cells of runs.csv.",
        fields=_COMPARISON,
        rows=[row for number, one in enumerate(study.contrasts, 1) for row in _strata(number, one)],
        key=("number", "stratum"),
    )


def _strata(number: int, one: Compared) -> Iterator[dict[str, Any]]:
    for stratum, pair in enumerate(one.pairs, 1):
        cells = {
            f"{name}_{side}": value
            for side, key in enumerate(pair, 1)
            for (name, _), value in zip(_CELL, key, strict=True)
        }
        yield {
            "number": number,
            "family": _family(one),
            "over": one.over,
            "subject": one.subject,
            "compare": str(one.contrast),
            "expect": one.contrast.expect,
            "margin": one.contrast.margin,
            "method": "by model" if one.by_model else "strata",
            "stratum": stratum,
            **cells,
        }


def figures_table(study: Study) -> Table:
    """The study's own numbers in long form; what cannot be told has no row."""
    return Table(
        name="figures",
        meaning="One row is one number of the report, at full precision.",
        fields=_FIGURE,
        rows=[*_of_cells(study.rows), *_of_comparisons(study.contrasts), *_of_arms(study.arms)],
        key=("part", "number", "statistic"),
    )


def _told(where: Mapping[str, Any], numbers: Numbers, drawn: Collection[str] = ()) -> Iterator[dict[str, Any]]:
    for statistic, value in numbers.items():
        if value is not None:
            yield {**where, "statistic": statistic, "drawn": statistic in drawn, "value": float(value)}


def _of_cells(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    for number, row in enumerate(rows, 1):
        cell = {"subject": row.cell.subject, "style": row.cell.style, "version": row.cell.condition, "number": number}
        came_out = _share(row.share) if row.share else {**_mean(row.mean), "n": row.counted}
        yield from _told({**cell, "part": "cells"}, came_out)
        yield from _told({**cell, "part": "judges"}, _share(row.frequency))


def _share(one: Proportion) -> Numbers:
    return {"n": one.n, "estimate": one.share, "low": one.low, "high": one.high}


def _mean(one: Mean | None) -> Numbers:
    if one is None:
        return {}
    return {"estimate": one.mean, "low": one.low, "high": one.high, "sd": one.sd, "median": one.median}


def _of_comparisons(contrasts: Sequence[Compared]) -> Iterator[dict[str, Any]]:
    families = {_family(one) for one in contrasts if _is_drawn(one)}
    for number, one in enumerate(contrasts, 1):
        where = {"part": "comparisons", "number": number, "subject": one.subject, "compare": str(one.contrast)}
        if not one.by_model:
            yield from _told(where, {"n_1": one.n[0], "n_2": one.n[1]})
        drawn = (["p"] if _is_drawn(one) else []) + (["p_holm"] if _family(one) in families else [])
        yield from _told(where, {**_difference(one), **_equivalence(one), "p_holm": one.adjusted}, drawn)


def _family(one: Compared) -> str:
    return f"{one.over}: {one.subject}"


def _is_drawn(one: Compared) -> bool:
    return one.means is not None and one.means.exact


def _difference(one: Compared) -> Numbers:
    found = one.found
    if found is None:
        return {}
    numbers: dict[str, float | None] = {
        "estimate": found.difference, "low": found.low, "high": found.high, "p": found.p
    }  # fmt: skip
    if one.by_model:
        return numbers | {"models": one.by_model.models}
    numbers["strata"] = one.strata
    if one.means:
        return numbers | {name: getattr(one.means, name) for name in ("t", "df", "g", "g_low", "g_high")}
    if one.shares and (odds := one.shares.odds):
        return numbers | {"odds_ratio": odds.ratio, "odds_low": odds.low, "odds_high": odds.high}
    return numbers


def _equivalence(one: Compared) -> Numbers:
    of = one.equivalent
    return {"p_same": of.p, "same_low": of.low, "same_high": of.high} if of else {}


def _of_arms(arms: Iterable[Arms]) -> Iterator[dict[str, Any]]:
    for number, one in enumerate(arms, 1):
        where = {"part": "arms", "number": number, "subject": one.subject, "style": one.style}
        yield from _told(where, {"p": one.p}, ["p"])
        if of := one.variance:
            yield from _told(where, {
                "f": of.f, "df_1": of.df_between, "df_2": of.df_within, "p": of.p, "eta_squared": of.eta_squared,
                "eta_low": of.eta_low, "eta_high": of.eta_high,
            }, ["p"] if of.exact else [])  # fmt: skip
