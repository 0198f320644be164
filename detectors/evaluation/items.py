"""The questions of a bench: from the question files, or from records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from elenchus.config.static_questions import BUILT_IN, load_questions
from elenchus.detectors.evaluation.records import Record, read_records
from elenchus.detectors.evaluation.schemas import Item, Labelled


def items_of(folder: Path | None = None) -> list[Item]:
    """Every question of a folder (default: our own), `BIAS/N`. Raises ValueError naming a file that cannot be used."""
    return [
        Item(
            id=f"{file.bias}/{n}",
            bias=file.bias,
            question=question.question,
            criteria=question.judged_by,
            origin=question.origin,
        )
        for file in load_questions(folder or BUILT_IN)
        for n, question in enumerate(file.questions, 1)
    ]


def recorded_items(path: Path) -> list[Item]:
    """Records with a question, criteria and a bias; one with an answer is judged, not asked. Raises UsageError."""
    records = read_records(path, needs=("question", "criteria", "bias"))
    ids = _ids(records)
    return [
        Item(
            id=name,
            bias=record.bias,
            question=record.question,
            criteria=record.criteria,
            answer=record.answer,
            model=record.model or "not told",
        )
        for name, record in zip(ids, records, strict=True)
    ]


def labelled_items(records: Sequence[Record]) -> list[Labelled]:
    """Records with an answer, a bias and people's labels (columns `human`, or the field presence of bias)."""
    return [
        Labelled(
            id=name,
            bias=record.bias,
            question=record.question,
            criteria=record.criteria,
            answer=record.answer,
            human=human_of(record),
        )
        for name, record in zip(_ids(records), records, strict=True)
    ]


def human_of(record: Record) -> tuple[bool | None, ...]:
    """What people said: the columns `human`, else the presence of bias."""
    return record.human or (record.present,)


def first_of_each(items: Sequence[Item], limit: int | None) -> list[Item]:
    """At most so many, in their own order: of each bias the first, then of each the second. Pure."""
    if limit is None or limit >= len(items):
        return list(items)
    seen: Counter[str] = Counter()
    ranked: list[tuple[int, int]] = []
    for place, item in enumerate(items):
        ranked.append((seen[item.bias], place))
        seen[item.bias] += 1
    kept = {place for _, place in sorted(ranked)[:limit]}
    return [item for place, item in enumerate(items) if place in kept]


def _ids(records: Sequence[Record]) -> list[str]:
    """An id a record: its own where all differ and can stand in a step's key, else its row."""
    own = [record.id for record in records]
    usable = len(set(own)) == len(own) and all(name and len(name) <= 80 and name.isprintable() for name in own)
    return own if usable else [f"row-{record.row}" for record in records]
