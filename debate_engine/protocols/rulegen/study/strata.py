"""Contrasts within the strata that a scene's plan names, and pooled over them. Pure; slow at first.

The planned comparison is over all who count; that the versions are balanced within strata does it no harm. Beside it
stand, for each subject by itself:

- *pooled*: the same within strata, by the methods that all strata are pooled by: of shares Mantel and Haenszel's
  difference and odds ratio with Cochran–Mantel–Haenszel's test (`shares`), of numbers the weighted difference
  (`means`), of interactions theirs (`factor_interactions`). Nothing that strata differ in enters.
- *strata*: the same in each by itself, where five count in each group.

Where a contrast varies within subjects each is its own control, and nothing that strata differ in enters anyhow: there
it is told in each stratum, and not pooled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elenchus.debate_engine.protocols.rulegen.study.cases import Case, CellTable, Key
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared, compared_groups, corrected, groups_of
from elenchus.debate_engine.protocols.rulegen.study.means import FEW
from elenchus.debate_engine.reports.words import count
from elenchus.debate_engine.scenes.contrasts import Contrast, kind_of
from elenchus.debate_engine.scenes.design import Design

FEW_HERE = "fewer than five in a group of this stratum: too few to be compared by themselves"


def by_strata(cases: Sequence[Case], contrasts: Sequence[Contrast], design: Design) -> tuple[Compared, ...]:
    """Of each subject in two strata or more: the contrasts pooled over them (a family), and in each (another)."""
    table, found = CellTable(cases, design), list[Compared]()
    for subject in table.subjects:
        own = (case.stratum for (who, _), of in table.counted.items() for case in of if who == subject)
        strata = sorted({*own} - {""})
        if len(strata) > 1:
            found += corrected([one for of in contrasts for one in _pooled(table, of, subject, strata)])
            found += corrected([_in_one(table, of, subject, stratum) for of in contrasts for stratum in strata])
    return tuple(found)


def _in_one(table: CellTable, contrast: Contrast, subject: str, stratum: str) -> Compared:
    groups = _groups(table, contrast, subject, stratum)
    kind = kind_of(contrast, table.design)
    of = Compared(over="strata", contrast=contrast, subject=subject, kind=kind, stratum=stratum)
    found = compared_groups(table, of, groups)
    if min(found.n) >= FEW:
        return found
    return of.model_copy(update={"n": found.n, "keys": found.keys, "in_points": found.in_points, "why": FEW_HERE})


def _pooled(table: CellTable, contrast: Contrast, subject: str, strata: Sequence[str]) -> Iterator[Compared]:
    kind = kind_of(contrast, table.design)
    if kind in ("within", "interaction within"):
        return
    groups = [keys for stratum in strata for keys in _groups(table, contrast, subject, stratum)]
    of = Compared(over="pooled", contrast=contrast, subject=subject, kind=kind)
    found = compared_groups(table, of, groups)
    apart = sum(len(table.cases_in(key)) for keys in groups if not _enters(table, keys) for key in keys)
    if apart and not found.why:
        left = f"{count(apart, 'subject')} of strata with too few on a side {'is' if apart == 1 else 'are'} left out"
        found = found.model_copy(update={"why": left})
    yield found


def _groups(table: CellTable, contrast: Contrast, subject: str, stratum: str) -> list[tuple[Key, ...]]:
    return [tuple(key._replace(stratum=stratum) for key in keys) for keys in groups_of(table, contrast, subject)]


def _enters(table: CellTable, keys: Sequence[Key]) -> bool:
    """Whether a stratum has what it takes: somebody in each group, of numbers two."""
    shares = table.has_shares and all(len(key.group.cells) == 1 for key in keys)
    return all(len(table.of(key).clusters) > (0 if shares else 1) for key in keys)
