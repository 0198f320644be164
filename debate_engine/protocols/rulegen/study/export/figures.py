"""comparisons.csv: what is compared with what; figures.csv: the report's numbers, at full precision. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, get_args

from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared, Over
from elenchus.debate_engine.protocols.rulegen.study.export.table import Field, Table
from elenchus.debate_engine.protocols.rulegen.study.means import Mean
from elenchus.debate_engine.protocols.rulegen.study.omnibus import Arms
from elenchus.debate_engine.protocols.rulegen.study.statistics import Proportion
from elenchus.debate_engine.scenes.contrasts import Expected, Kind

Numbers = Mapping[str, float | None]
"""Statistics by name; None for what cannot be told."""

_COMPARISON = (
    Field(name="number", type="integer", low=1, meaning="which comparison; it has a row for each cell that enters it"),
    Field(name="family", meaning="the family within which p values are corrected (Holm)"),
    Field(name="over", meaning="what is compared: versions (over all, pooled over the plan's strata, or in each of the "
          "strata by itself), subjects, styles", values=get_args(Over)),
    Field(name="subject", meaning="of whom", form="people, provider:model, models (one difference each), these models "
          "(as strata), or people and models"),
    Field(name="compare", meaning="what is compared, of versions a level for each factor, * for any",
          form="first − second, or (first − second) − (third − fourth)"),
    Field(name="expect", meaning="what was expected of the first", values=get_args(Expected)),
    Field(name="margin", type="number", low=0, meaning="within which difference the two are the same, said beforehand",
          empty="no sameness is claimed"),
    Field(name="method", values=("by model", *get_args(Kind)),
          meaning="between: other subjects; within: subjects with themselves, as one sample over all strata; an "
                  "interaction: a difference of differences (mixed: the differences of subjects with themselves are "
                  "compared between others); by model: one number a model"),
    Field(name="stratum", type="integer", low=1, meaning="the stratum: groups that are alike but for what is compared"),
    Field(name="group", type="integer", low=1, high=4, meaning="the group of subjects in that stratum: of subjects "
          "with themselves there is one, of an interaction between subjects four"),
    Field(name="sign", type="integer", low=-1, high=1, meaning="the comparison is the sum of the groups' means, each "
          "with this sign"),
    Field(name="cell_subject", meaning="who the group's subjects are"),
    Field(name="cell_style", meaning="in which style", empty="as the scene has it"),
    Field(name="cell_stratum", meaning="of which stratum of the plan (stratum in outcomes.csv)", empty="of any"),
    Field(name="cell", meaning="a cell that each of them met (outcomes.csv)"),
    Field(name="weight", type="number", meaning="each subject's number is the sum of what came out in the group's "
          "cells, each with this weight"),
)  # fmt: skip
_FIGURE = (
    Field(name="part", values=("cells", "judges", "comparisons", "arms"),
          meaning="cells: what came out in each; judges: how often they saw the bias in each; comparisons; arms: "
                  "whether anything differs over all versions"),
    Field(name="number", type="integer", low=1, meaning="the row of that part, of a comparison as in comparisons.csv"),
    Field(name="subject", meaning="of whom"),
    Field(name="style", meaning="in which style", empty="as the scene has it, or in any"),
    Field(name="version", meaning="in which version; of what came out in which cell (a level for each factor)",
          empty="it is of several"),
    Field(name="over", meaning="of a comparison what is compared, as in comparisons.csv", values=get_args(Over),
          empty="it is no comparison"),
    Field(name="stratum", meaning="in which stratum of the plan", empty="it is of all"),
    Field(name="compare", meaning="what is compared", empty="it is of one cell, or of all versions"),
    Field(name="statistic", meaning="which number it is: n (of groups n_1, n_2 …), estimate with low and high "
          "(95 %), p, p_holm; g, d_z, odds_ratio, eta_squared with their intervals; p_same and same_low, same_high "
          "(90 %) where no difference is claimed; of subjects with themselves changed_1 and changed_2 (yes at the "
          "first or at the second alone), and by which side was met first n_first_1, estimate_first_1 and so on, "
          "p_order and p_carry_over"),
    Field(name="drawn", type="boolean", meaning="whether it comes from arrangements that were drawn by chance: another "
          "drawing finds nearly the same"),
    Field(name="value", type="number", meaning="the number, with all its digits: shares and their differences from 0 "
          "to 1"),
    Field(name="unit", meaning="in what it is given", empty="it is a share, or has no unit"),
)  # fmt: skip


def comparisons_table(study: Study) -> Table:
    """Every comparison, a row a cell of each of its groups."""
    return Table(
        name="comparisons",
        meaning="One row is one cell of one group of a comparison: what each of the group's subjects met.",
        fields=_COMPARISON,
        rows=[row for number, one in enumerate(study.contrasts, 1) for row in _cells(number, one)],
        key=("number", "stratum", "group", "cell"),
    )


def _cells(number: int, one: Compared) -> Iterator[dict[str, Any]]:
    of = {
        "number": number,
        "family": _family(one),
        "over": one.over,
        "subject": one.subject,
        "compare": str(one.contrast),
        "expect": one.contrast.expect,
        "margin": one.contrast.margin,
        "method": "by model" if one.by_model else one.kind,
    }
    for stratum, keys in enumerate(one.keys, 1):
        for number_of_group, key in enumerate(keys, 1):
            where = {"stratum": stratum, "group": number_of_group, "sign": key.group.sign}
            for cell, weight in key.group.cells:
                met = {"cell_subject": key.subject, "cell_style": key.style, "cell_stratum": key.stratum, "cell": cell,
                       "weight": weight}  # fmt: skip
                yield {**of, **where, **met}


def figures_table(study: Study) -> Table:
    """The study's own numbers in long form; what cannot be told has no row."""
    return Table(
        name="figures",
        meaning="One row is one number of the report, at full precision.",
        fields=_FIGURE,
        rows=[*_of_cells(study), *_of_comparisons(study), *_of_arms(study.arms)],
        key=("part", "number", "statistic"),
    )


_IN_UNITS = ("estimate", "low", "high", "sd", "median", "same_low", "same_high", "estimate_first_1", "estimate_first_2")


def _told(
    where: Mapping[str, Any], numbers: Numbers, drawn: Collection[str] = (), unit: str = ""
) -> Iterator[dict[str, Any]]:
    for statistic, value in numbers.items():
        if value is not None:
            given = {"value": float(value), "unit": unit if statistic in _IN_UNITS else ""}
            yield {**where, "statistic": statistic, "drawn": statistic in drawn, **given}


def _of_cells(study: Study) -> Iterator[dict[str, Any]]:
    for part, rows in (("cells", study.rows), ("judges", study.judged)):
        for number, row in enumerate(rows, 1):
            cell = {"subject": row.cell.subject, "style": row.cell.style, "version": row.cell.condition}
            came_out = _share(row.share) if row.share else {**_mean(row.mean), "n": row.counted}
            numbers = came_out if part == "cells" else _share(row.frequency)
            unit = study.unit if part == "cells" and row.mean else ""
            yield from _told({**cell, "number": number, "part": part}, numbers, unit=unit)


def _share(one: Proportion) -> Numbers:
    return {"n": one.n, "estimate": one.share, "low": one.low, "high": one.high}


def _mean(one: Mean | None) -> Numbers:
    if one is None:
        return {}
    return {"estimate": one.mean, "low": one.low, "high": one.high, "sd": one.sd, "median": one.median}


def _of_comparisons(study: Study) -> Iterator[dict[str, Any]]:
    families = {_family(one) for one in study.contrasts if _is_drawn(one)}
    for number, one in enumerate(study.contrasts, 1):
        where = {"part": "comparisons", "number": number, "subject": one.subject, "compare": str(one.contrast)}
        where |= {"over": one.over, "stratum": one.stratum}
        sizes = {} if one.by_model else {f"n_{side}": n for side, n in enumerate(one.n, 1)}
        drawn = ["p"] if _is_drawn(one) else []
        drawn += ["p_holm"] if _family(one) in families else []
        if one.order:
            by_chance = {"p_order": one.order.drawn, "p_carry_over": one.order.carry_over_drawn}
            drawn += [name for name, is_drawn in by_chance.items() if is_drawn]
        numbers = {**sizes, **_difference(one), **_equivalence(one), **_order(one), "p_holm": one.adjusted}
        yield from _told(where, numbers, drawn, "" if one.in_points else study.unit)


def _family(one: Compared) -> str:
    return f"{one.over}: {one.subject}"


def _is_drawn(one: Compared) -> bool:
    return one.means is not None and one.means.drawn


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
        size = {"": one.means.g, "_low": one.means.g_low, "_high": one.means.g_high}
        return numbers | {"t": one.means.t, "df": one.means.df} | {one.means.unit + of: x for of, x in size.items()}
    if one.changed:
        numbers |= {f"changed_{side}": n for side, n in enumerate(one.changed, 1)}
    if one.shares and (odds := one.shares.odds):
        return numbers | {"odds_ratio": odds.ratio, "odds_low": odds.low, "odds_high": odds.high}
    return numbers


def _order(one: Compared) -> Numbers:
    if (of := one.order) is None:
        return {}
    numbers: dict[str, float | None] = {"p_order": of.p, "p_carry_over": of.carry_over}
    for side, (n, difference) in enumerate(zip(of.n, of.differences, strict=True), 1):
        numbers |= {f"n_first_{side}": n, f"estimate_first_{side}": difference}
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
            }, ["p"] if of.drawn else [])  # fmt: skip
