"""How the versions of a scene differ, told so that no number rests on fewer than five people. Pure; slow at first.

Where every count of a comparison is five or more, it is the study's own, within strata. Where one is less, the sides
are compared all together; where then fewer than five said yes, or no, the difference is told between what it can be,
with an interval that covers all of that. What cannot be told so is left out, in a sentence, which is the study's own
where that tells of no count under five.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from statistics import median

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import CellTable, Sample
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared, corrected
from elenchus.debate_engine.protocols.rulegen.study.differences import EstimatedDifference, of_numbers, of_shares
from elenchus.debate_engine.protocols.rulegen.study.in_short import plainly
from elenchus.debate_engine.protocols.rulegen.study.literature import published, sizes_beside
from elenchus.debate_engine.protocols.rulegen.study.means import MeanDifference
from elenchus.debate_engine.protocols.rulegen.study.shares import difference
from elenchus.debate_engine.protocols.rulegen.study.statistics import Equivalence, Proportion, proportion
from elenchus.service.lab.classes.differencing import Cells, singles_out
from elenchus.service.lab.classes.disclosure import rests_on_few, three
from elenchus.service.lab.classes.publication import LEAST, Effect, Group, PublishedSize

FEW_PEOPLE = f"fewer than {LEAST} people on a side: not told, so that nobody can be told from it"
FEW_SAID = f"fewer than {LEAST} people said yes, or no: not told, so that nobody can be told from it"
FEW_CHANGED = f"fewer than {LEAST} people answered otherwise at the two: not told, so that nobody can be told from it"
FEW_MAKE = (
    f"fewer than {LEAST} answers make the mean of a side, or no number varies: means are not compared here, "
    "and all files tell more"
)
FEW_BETWEEN = f"not told, as together with what else is shown it would tell of fewer than {LEAST} people"


def effects_of(
    study: Study, subject: str, groups: Sequence[Group], versions: Collection[str] = ()
) -> tuple[tuple[Effect, ...], list[Compared]]:
    """The contrasts of the file for this subject (`people`, `robots`); and those that are told exactly, for what stands
    beside them. `groups` are what is shown besides: nobody may be told from both together. `versions` are those that
    could be met, all where none are named: what compares others is left out without a word.
    """
    met = {cell for version in versions for _, cell in study.design.met.get(version, ())}
    table = CellTable(study.cases, study.design)
    shown: list[Cells] = [group.cells for group in groups]
    without_mean = {cell for group in groups if group.mean is None for cell in group.cells}
    found: list[Compared | Effect] = []
    for one in study.contrasts:
        if one.over == "versions" and one.subject == subject:
            sides = _sides(one)
            if met and (len(sides) < 2 or any(met.isdisjoint(side) for side in sides)):
                continue
            told = _told(table, one)
            if isinstance(told, Compared) or told.rough:
                if singles_out([*shown, *sides], _sizes(table, subject)):
                    told = Effect(compare=words.against(one), why=FEW_BETWEEN)
                else:
                    shown += sides
            if isinstance(told, Compared) and not told.in_points and _few_make(table, told, sides, without_mean):
                told = _of_medians(study, table, told)
            found.append(told)
    exact = iter(corrected([one for one in found if isinstance(one, Compared)]))
    told_all = [next(exact) if isinstance(one, Compared) else one for one in found]
    effects = tuple(_exact(study, table, one) if isinstance(one, Compared) else one for one in told_all)
    return effects, [one for one in told_all if isinstance(one, Compared)]


def literature_of(study: Study, told: Sequence[Compared]) -> tuple[PublishedSize, ...]:
    """The file's sources of the same task or paradigm, with ours beside those of the same arms and metric."""
    shown = study.model_copy(update={"contrasts": tuple(told)})
    return tuple(
        PublishedSize(
            citation=one.citation,
            doi=one.doi,
            same=one.same,
            arms=one.arms,
            told=published(one),
            replication=one.replication,
            ours="; ".join(str(size) for _, size in sizes_beside(shown, one)),
        )
        for one in study.plan.literature
        if one.same != "name"
    )


def _sides(one: Compared) -> list[Cells]:
    """The cells of each side, over all strata."""
    found: dict[int, set[str]] = {}
    for keys in one.keys:
        for place, key in enumerate(keys):
            for cell, weight in key.group.cells:
                side = place if len(keys) > 1 else int(weight < 0)
                found.setdefault(side, set()).add(cell)
    return [*found.values()]


def _sizes(table: CellTable, subject: str) -> dict[str, int]:
    sizes = dict.fromkeys(table.design.cells, 0)
    for (who, _), cases in table.counted.items():
        for cell in (cell for case in cases if who == subject for cell in case.outcomes if cell in sizes):
            sizes[cell] += 1
    return sizes


# ── what may be told ─────────────────────────────────────────────────────────────────────────────────────────────────


def _told(table: CellTable, one: Compared) -> Compared | Effect:
    """The comparison as it may be told exactly; else as far as it may, or why it may not."""
    if one.found is None or one.found.difference is None:
        return _left_out(one, one.why if min(one.n, default=0) >= LEAST else FEW_PEOPLE)
    if one.kind in ("within", "interaction within", "interaction mixed"):
        return _of_the_same(table, one)
    strata = [[table.of(key) for key in keys] for keys in one.keys]
    if all(_is_large(sample, shares=one.in_points) for stratum in strata for sample in stratum):
        return one
    if one.kind == "between":
        return _of_sides(one, _together(strata))
    many = all(sample.n >= LEAST for stratum in strata for sample in stratum)
    return _left_out(one, FEW_SAID if many else FEW_PEOPLE)


def _of_the_same(table: CellTable, one: Compared) -> Compared | Effect:
    """People with themselves."""
    met = [len(table.cases_in(key)) for keys in one.keys for key in keys]
    if min(met, default=0) < LEAST:
        return _left_out(one, FEW_PEOPLE)
    return _left_out(one, FEW_CHANGED) if one.changed and min(one.changed) < LEAST else one


def _of_sides(one: Compared, sides: Sequence[Sample]) -> Compared | Effect:
    """Two sides, all strata together."""
    if min(side.n for side in sides) < LEAST:
        return _left_out(one, FEW_PEOPLE)
    if not all(_is_large(side, shares=one.in_points) for side in sides):
        return _rough(one, *(side.share for side in sides))
    margin = one.contrast.margin if one.contrast.expect == "same" else None
    found = of_shares([sides], margin) if one.in_points else of_numbers([sides], margin)
    fields = {name: getattr(found, name) for name in EstimatedDifference.model_fields}
    return one.model_copy(update={**fields, "n": tuple(side.n for side in sides)})


def _is_large(sample: Sample, *, shares: bool) -> bool:
    """Whether so many people are in it, or of shares so many said yes, and so many no."""
    if not shares:
        return sample.n >= LEAST
    return min(sample.share.k, sample.n - sample.share.k) >= LEAST


def _few_make(table: CellTable, one: Compared, sides: Sequence[Cells], without_mean: Collection[str]) -> bool:
    """Whether few answers make a mean that is compared, or one of which no mean is shown beside it."""
    if any(cell in without_mean for side in sides for cell in side):
        return True
    if one.kind not in ("between", "interaction between"):
        return False
    strata = [[table.of(key) for key in keys] for keys in one.keys]
    samples = [*(sample for stratum in strata for sample in stratum if sample.n >= LEAST), *_together(strata)]
    return any(rests_on_few(sample.numbers) for sample in samples)


def _together(strata: Iterable[Sequence[Sample]]) -> list[Sample]:
    """Each side over all strata."""
    return [
        Sample(
            (f"{n}/{cluster}", value)
            for n, sample in enumerate(side)
            for cluster, values in sample.clusters.items()
            for value in values
        )
        for side in zip(*strata, strict=True)
    ]


def _left_out(one: Compared, why: str) -> Effect:
    return Effect(compare=words.against(one), n=one.n if min(one.n, default=0) >= LEAST else (), why=why)


# ── in words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _of_medians(study: Study, table: CellTable, one: Compared) -> Effect:
    """What may be told of numbers whose mean few make."""
    sentences = filter(None, (_medians(study, table, one), f"{words.against(one)}: {FEW_MAKE}."))
    return Effect(compare=words.against(one), sentences=tuple(sentences), n=one.n, why=FEW_MAKE)


def _coarse(one: Compared) -> Compared:
    """In three figures what is found of numbers: from all digits, and all others' answers, one's own follows."""
    found: dict[str, object] = {} if one.means is None else {"means": _in_three(one.means, "difference", "low", "high")}
    if one.equivalent is not None and not one.in_points:
        found["equivalent"] = _in_three(one.equivalent, "low", "high")
    return one.model_copy(update=found)


def _in_three(of: MeanDifference | Equivalence, *names: str) -> MeanDifference | Equivalence:
    return of.model_copy(update={name: three(x) for name in names if (x := getattr(of, name)) is not None})


def _exact(study: Study, table: CellTable, one: Compared) -> Effect:
    one = _coarse(one)
    found = one.found
    assert found is not None, "what is told exactly was found"
    plain = plainly(study, table, one) if one.in_points else _medians(study, table, one)
    sentences = (plain, words.in_short(one, study.unit))
    return Effect(
        compare=words.against(one), sentences=tuple(filter(None, sentences)), n=one.n, difference=found.difference,
        low=found.low, high=found.high, p=None if one.adjusted is None else three(one.adjusted), size=words.size(one),
    )  # fmt: skip


def _medians(study: Study, table: CellTable, one: Compared) -> str:
    """The middle of each side, in three figures: one more might be somebody's very own."""
    if one.kind != "between":
        return ""
    sides = _together([[table.of(key) for key in keys] for keys in one.keys])
    middles = [words.number(three(median(side.numbers)), study.unit) for side in sides]
    names = [words.side(name) for name in (one.contrast.one, one.contrast.other)]
    told = [f"{middle} with {name} ({side.n})" for middle, name, side in zip(middles, names, sides, strict=True)]
    return f"a median of {told[0]}, of {told[1]}."


def _rough(one: Compared, first: Proportion, second: Proportion) -> Effect:
    """A difference of shares as far as it can be told where fewer than five said yes, or no."""
    if min(first.n, second.n) < 2 * LEAST:
        return _left_out(one, FEW_SAID)
    found = [difference(a, b) for a, b in product(_possible(first), _possible(second))]
    known = [of.difference for of in found if of.difference is not None]
    low = min(-1.0 if of.low is None else of.low for of in found)
    high = max(1.0 if of.high is None else of.high for of in found)
    ps = [of.p for of in found if of.p is not None]
    p = max(ps) if len(ps) == len(found) else None
    told = (
        f"{words.against(one)}: between {_points(min(known))} and {_points(max(known))} points, as no count under "
        f"{LEAST} is told; whatever it is, its 95 % interval lies within {_points(low)} to {_points(high)}"
        f"{'' if p is None else f', and p is {words.p_value(p)} at most'}."
    )
    return Effect(
        compare=words.against(one), sentences=(told,), n=(first.n, second.n), low=low, high=high, p=p, rough=True
    )


def _possible(of: Proportion) -> Iterator[Proportion]:
    """The shares that this one may be, for whoever is told no count under five."""
    few: Iterable[int] = (of.k,)
    if of.k < LEAST:
        few = range(LEAST)
    elif of.n - of.k < LEAST:
        few = range(of.n - LEAST + 1, of.n + 1)
    return (proportion(k, of.n) for k in few)


def _points(x: float) -> str:
    return f"{100 * x:+.0f}".replace("-", "−")
