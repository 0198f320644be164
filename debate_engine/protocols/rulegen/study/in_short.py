"""A study in short: what each side of a contrast came to, as a class asks for it, and what may be concluded. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median

from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.cases import MODELS, CellTable
from elenchus.debate_engine.protocols.rulegen.study.contrasts import THESE, Compared
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.reports.words import count, listed

MOST = 8
"""Contrasts that a reader takes in; all comparisons stand in their tables."""


def in_short(study: Study) -> list[str]:
    """The contrasts of the file, people first, then models together: the two sides in plain words, and what was found;
    what was not tested is said once of all.
    """
    told = [one for one in study.contrasts if one.over == "versions" and one.subject != THESE]
    told.sort(key=lambda one: (one.subject != PEOPLE, one.subject != MODELS))
    table = CellTable(study.cases, study.design)
    lines = [line for one in told[:MOST] if (line := _of_one(study, table, one))]
    untested: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in told[:MOST]:
        if one.p is None and one.why:
            untested[words.who(one), one.why].append(words.against(one))
    lines += [f"{subject}: not tested: {listed(names)}: {why}." for (subject, why), names in untested.items()]
    if rest := told[MOST:]:
        lines.append(f"{count(len(rest), 'comparison')} more: see below.")
    return lines


def _of_one(study: Study, table: CellTable, one: Compared) -> str:
    tested = "" if one.p is None and one.why else words.in_short(one, study.unit)
    parts = [part for part in (plainly(study, table, one), tested) if part]
    return f"{words.who(one)}: {' '.join(parts)}" if parts else ""


def plainly(study: Study, table: CellTable, one: Compared) -> str:
    """What came out on both sides, all who count there together: medians, or how many; "" of an interaction, of models
    together, and where nobody counts on a side.
    """
    if one.contrast.is_interaction or one.subject in (MODELS, THESE):
        return ""
    sides = list(_values(table, one))
    if not all(sides):
        return ""
    names = [words.side(name) for name in (one.contrast.one, one.contrast.other)]
    people, ns = one.subject == PEOPLE, [len(side) for side in sides]
    if one.in_points:
        if not all(isinstance(value, bool) for side in sides for value in side):
            return ""
        who, said = "who met" if people else "runs with", study.outcome or "the bias was seen"
        first, second = (f"{sum(side)} of {n}" for side, n in zip(sides, ns, strict=True))
        return f"{said}: {first} {who} {names[0]}, {second} {who} {names[1]}."
    first, second = (words.number(median(map(float, side)), study.unit) for side in sides)
    if not people:
        runs = [count(n, "run") for n in ns]
        return f"a median of {first} with {names[0]} ({runs[0]}), of {second} with {names[1]} ({runs[1]})."
    those = [f"those who met {name} ({count(n, 'person', 'people')})" for name, n in zip(names, ns, strict=True)]
    return f"{those[0]} said a median of {first}, {those[1]} one of {second}."


def _values(table: CellTable, one: Compared) -> Iterator[Sequence[bool | float]]:
    """What came out on each side, a value for each subject: of several levels that it met on a side their mean."""
    for sign in (1, -1):
        found: list[bool | float] = []
        for key in (key for keys in one.keys for key in keys):
            own = tuple((cell, weight) for cell, weight in key.group.cells if key.group.sign * weight * sign > 0)
            total = sum(abs(weight) for _, weight in own)
            found += [case.score([(cell, abs(weight) / total) for cell, weight in own])
                      for case in table.cases_in(key) if own]  # fmt: skip
        yield found
