"""What a bench works on: questions and labelled answers from files or records, and texts whose bias is known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from elenchus.config.json_and_yaml import read_yaml
from elenchus.config.static_questions import BUILT_IN, load_questions
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.records import Record, read_records
from elenchus.detectors.evaluation.schemas import Item, LabelledAnswer, Sample

TEXTS = Path(__file__).with_name("texts")
OfBias = TypeVar("OfBias", Item, Sample)
_TAKEN = {"bias", "question", "criteria", "answer"}
"""What an item has of a record as it stands there."""


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
        Item(id=name, **record.model_dump(include=_TAKEN), model=record.model or "not told")
        for name, record in zip(ids, records, strict=True)
    ]


def labelled_items(records: Sequence[Record]) -> list[LabelledAnswer]:
    """Records with an answer, a bias and people's labels (columns `human`, or the field presence of bias)."""
    return [
        LabelledAnswer(id=name, **record.model_dump(include=_TAKEN), human=human_of(record))
        for name, record in zip(_ids(records), records, strict=True)
    ]


def human_of(record: Record) -> tuple[bool | None, ...]:
    """What people said: the columns `human`, else the presence of bias."""
    return record.human or (record.present,)


def first_of_each(items: Sequence[Item], limit: int | None) -> list[Item]:
    """At most so many, in their own order: of each bias the first, then of each the second. Pure."""
    if limit is None or limit >= len(items):
        return list(items)
    kept = {item.id for item in round_robin(items)[:limit]}
    return [item for item in items if item.id in kept]


def round_robin(items: Sequence[OfBias]) -> list[OfBias]:
    """Of each bias the first, then of each the second, and so on. Pure."""
    seen: Counter[str] = Counter()
    turns: list[int] = []
    for item in items:
        turns.append(seen[item.bias])
        seen[item.bias] += 1
    return [items[place] for place in sorted(range(len(items)), key=lambda place: (turns[place], place))]


def _ids(records: Sequence[Record]) -> list[str]:
    """An id a record: its own where all differ and can stand in a step's key, else its row."""
    own = [record.id for record in records]
    usable = len(set(own)) == len(own) and all(name and len(name) <= 80 and name.isprintable() for name in own)
    return own if usable else [f"row-{record.row}" for record in records]


# ── texts whose bias is known ─────────────────────────────────────────────────────────────────────────────────────────


def own_texts(folder: Path = TEXTS) -> tuple[Sample, ...]:
    """Our 146: of each bias a text that shows it, and its twin that shows none. Blocks."""
    samples: list[Sample] = []
    for path in sorted(folder.glob("*.yaml")):
        pair = read_yaml(path, 100_000)
        samples.append(Sample(id=f"{pair['bias']}/biased", text=pair["biased"].strip(), bias=pair["bias"]))
        samples.append(Sample(id=f"{pair['bias']}/sound", text=pair["sound"].strip()))
    return tuple(samples)


def read_samples(path: Path) -> tuple[Sample, ...]:
    """A user's texts: records with `text` and `bias`. Raises UsageError. Blocks.

    A text shows none where `bias` is empty or "none", or where the presence of the bias is denied.
    """
    records = read_records(path, needs=("answer",))
    return tuple(Sample(id=r.id or f"row-{r.row}", text=r.answer, bias=_shown(path, r)) for r in records)


def _shown(path: Path, record: Record) -> str:
    """The bias that a text shows. Raises UsageError where one is said to be there, and none is named."""
    if record.present and not record.bias:
        raise UsageError(f"{path}, row {record.row}: a bias is said to be there: name it, or say no.")
    return "" if record.present is False else record.bias


def drawn(samples: Sequence[Sample], most: int, seed: int) -> tuple[Sample, ...]:
    """At most so many, drawn by a seed, in their own order: stratified, half with a bias and half without.

    Where one half has too few, the other fills up; of the biased each bias comes once before any comes twice. No text
    comes with its twin as long as there are others (the twin's id has the same beginning). Pure.
    """
    if most >= len(samples):
        return tuple(samples)
    chance = random.Random(seed)
    biased = [s for s in samples if s.bias]
    chance.shuffle(biased)
    biased = round_robin(biased)
    wanted = min(len(biased), max(most // 2, most - sum(not s.bias for s in samples)))
    taken = biased[:wanted]
    pairs = {_pair(sample) for sample in taken}
    without = [s for s in samples if not s.bias]
    chance.shuffle(without)
    without.sort(key=lambda sample: _pair(sample) in pairs)
    kept = {sample.id for sample in (*taken, *without[: most - len(taken)])}
    return tuple(sample for sample in samples if sample.id in kept)


def _pair(sample: Sample) -> str:
    return sample.id.rpartition("/")[0] or sample.id
