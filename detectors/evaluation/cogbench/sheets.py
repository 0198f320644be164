"""Sheets on which people rate blind: what a persona answered (rationality), or what they would answer in its place.

A sheet is a table with a row an item, in an order of its own; the item's id says nothing, and the key, which is kept
apart, says what it is. Rationality: every method's answer to a question is an item, and no method is named. Ratings:
the items of a topic and a profile stand together, its iterations in their order, as whoever rates them reads along.

How they are read back: `collected`. Pure.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from json import dumps
from random import Random
from typing import Any, NamedTuple

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.printable import csv_cell, printable
from elenchus.detectors.evaluation.cogbench.in_words import profile_rows, what_was_read
from elenchus.detectors.evaluation.cogbench.results import Results, has_reason, who
from elenchus.detectors.evaluation.cogbench.rubric import GUIDE, What
from elenchus.detectors.evaluation.cogbench.shapes import Json

COLUMNS: dict[What, tuple[str, ...]] = {
    "rationality": ("id", "topic", "persona", "iteration", "statement", "rating", "reason", "score", "remark"),
    "ratings": ("id", "topic", "persona", "iteration", "statement", "score", "remark"),
}
"""Of a sheet; people fill in the last two."""
MOST_RATERS = 20
_LETTERS = "bcdfghjkmnpqrstvwxz"


class Item(FrozenModel):
    """What an id stands for: a question of a record (both from 0), and whose answer; "" for the person's own."""

    record: int = Field(ge=0)
    question: int = Field(ge=0)
    method: str = ""


class SheetKey(FrozenModel):
    """What the ids of a set of sheets stand for, in the results with this `hash`."""

    what: What
    hash: str
    items: Mapping[str, Item]


class Sheets(NamedTuple):
    """The key, and the files for the raters by name."""

    key: SheetKey
    files: dict[str, bytes]


# ── made ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def make_sheets(
    results: Results, what: What, methods: Sequence[str], raters: int, limit: int | None, seed: int
) -> Sheets:
    """A sheet a rater. `limit`: so many questions (rationality), or pairs of topic and profile (ratings), drawn.

    Raises UsageError for a method that is nowhere.
    """
    chance = Random(seed)
    groups = _by_question(results, methods) if what == "rationality" else _by_persona(results)
    if limit is not None:
        chance.shuffle(groups)
        groups = groups[:limit]
    items = [item for group in groups for item in group]
    ids = random_ids(len(items), chance)
    named = dict(zip(ids, items, strict=True))
    key = SheetKey(what=what, hash=hash_of(results, items), items=dict(sorted(named.items())))
    grouped = _grouped(ids, [len(group) for group in groups])
    files = {"guide.md": GUIDE[what].encode(), "material.md": _material(results, items).encode()}
    for rater in range(1, raters + 1):
        order = _in_order(grouped, what, chance)
        files[f"sheet-{rater}.csv"] = _sheet(results, what, [(name, named[name]) for name in order])
    return Sheets(key, files)


def hash_of(results: Results, items: Iterable[Item]) -> str:
    """What tells results from others, whatever has been rated of them since: all that was asked, and what the methods
    of these items have answered.
    """
    methods = sorted({item.method for item in items if item.method})
    asked = [
        [r["iteration"], r.get("topic"), who(r.get("profile")), [_answered(q, methods) for q in r["questionnaire"]]]
        for r in results.records
    ]
    return sha256(dumps(asked).encode()).hexdigest()[:16]


def _answered(question: Json, methods: Sequence[str]) -> list[Any]:
    given = [question["answer"].get(method, {}) for method in methods]
    return [question["question"], *([answer.get("rating"), answer.get("reason")] for answer in given)]


def _by_question(results: Results, methods: Sequence[str]) -> list[list[Item]]:
    """Every method's answers to one question are a group, as far as they have a reason to rate."""
    for method in methods:
        results.answers(method)  # refuses one that is nowhere, or answered a part alone
    groups = (
        [Item(record=n, question=place, method=method) for method in methods if has_reason(question, method)]
        for n, record in enumerate(results.records)
        for place, question in enumerate(record["questionnaire"])
    )
    return [group for group in groups if group]


def _by_persona(results: Results) -> list[list[Item]]:
    """All that one profile is asked on a topic is a group, its iterations in their order."""
    groups: dict[tuple[str, str], list[Item]] = {}
    order = sorted(range(len(results.records)), key=lambda n: int(results.records[n]["iteration"]))
    for n in order:
        record = results.records[n]
        group = groups.setdefault((str(record.get("topic", "")), who(record.get("profile"))), [])
        group += [Item(record=n, question=place) for place in range(len(record["questionnaire"]))]
    return list(groups.values())


def random_ids(number: int, chance: Random) -> list[str]:
    """So many different ids that say nothing."""
    found = dict[str, None]()
    while len(found) < number:
        found["".join(chance.choices(_LETTERS, k=6))] = None
    return list(found)


def _grouped(ids: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    rest = iter(ids)
    return [[next(rest) for _ in range(size)] for size in sizes]


def _in_order(groups: Sequence[Sequence[str]], what: What, chance: Random) -> list[str]:
    """Rationality: all in any order; ratings: a persona after the other, in any order."""
    if what == "rationality":
        names = [name for group in groups for name in group]
        return chance.sample(names, len(names))
    return [name for group in chance.sample(groups, len(groups)) for name in group]


def _sheet(results: Results, what: What, rows: Sequence[tuple[str, Item]]) -> bytes:
    """A CSV table that spreadsheets open as UTF-8."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS[what], extrasaction="ignore", restval="")
    writer.writeheader()
    for name, item in rows:
        record = results.records[item.record]
        question = record["questionnaire"][item.question]
        given = question["answer"].get(item.method, {})
        cells = {
            "id": name,
            "topic": str(record.get("topic", "")),
            "persona": who(record.get("profile")),
            "iteration": str(record["iteration"]),
            "statement": question["question"],
            "rating": str(given.get("rating", "")),
            "reason": str(given.get("reason", "")),
        }
        writer.writerow({column: csv_cell(cell) for column, cell in cells.items()})
    return out.getvalue().encode("utf-8-sig")


def _material(results: Results, items: Sequence[Item]) -> str:
    """Who the personas are, and what each topic gave to read, iteration by iteration."""
    records = [results.records[n] for n in sorted({item.record for item in items})]
    personas = {who(record.get("profile")): record.get("profile") for record in records}
    parts = ["# Who", *(f"## {name}\n\n{_profile(profile)}" for name, profile in personas.items()), "# What was read"]
    topics = {str(record.get("topic", "")) for record in records}
    flows: dict[tuple[str, int], str] = {}
    for record in results.records:
        if (topic := str(record.get("topic", ""))) in topics:
            flows.setdefault((topic, record["iteration"]), _flow(record))
    parts += [f"## {topic}, iteration {n}\n\n{flow}" for (topic, n), flow in sorted(flows.items())]
    return printable("\n\n".join(parts)) + "\n"


def _profile(profile: Any) -> str:
    return "\n".join(f"- {row}" for row in profile_rows(profile)) or "(the file does not say)"


def _flow(record: Json) -> str:
    found = what_was_read(record)
    if found is None:
        return "(the file does not say)"
    return found or "(nothing: this was asked before anything was read)"
