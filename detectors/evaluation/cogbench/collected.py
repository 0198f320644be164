"""Filled-in sheets, read back: of two raters or more, each item with its ratings, the majority, and the agreement."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from elenchus.config.documents import read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.protocols.cognition.people import Majority, majority
from elenchus.detectors.evaluation.cogbench.bootstrap import Cluster
from elenchus.detectors.evaluation.cogbench.raters import Rated
from elenchus.detectors.evaluation.cogbench.results import RATED_BY, Results, has_reason, who
from elenchus.detectors.evaluation.cogbench.shapes import SCALE, Json
from elenchus.detectors.evaluation.cogbench.sheets import Item, SheetKey, hash_of
from elenchus.detectors.evaluation.records import read_rows

LARGEST_KEY = 50_000_000


@dataclass(frozen=True, slots=True)
class Collected:
    """What the raters of `names` have written: of each item (its id) a rating each, None for none."""

    key: SheetKey
    names: tuple[str, ...]
    ratings: Mapping[str, tuple[int | None, ...]]

    def rated(self, results: Results) -> list[Rated]:
        """For `raters.agreement_of`: what hangs together is a topic's profile."""
        return [Rated(of, _cluster(results.records[self.key.items[name].record])) for name, of in self.ratings.items()]

    @property
    def majorities(self) -> dict[str, Majority]:
        """Of each item that somebody has rated."""
        return {name: most for name, of in self.ratings.items() if (most := majority(of)) is not None}


def _cluster(record: Json) -> Cluster:
    return str(record.get("topic", "")), who(record.get("profile"))


def read_key(path: Path, results: Results) -> SheetKey:
    """The key of sheets that were made of these results. Blocks. Raises UsageError, UnreadableDocument."""
    try:
        key = SheetKey.model_validate(json_in(read_text(path, LARGEST_KEY), f"The file {path}"))
    except ValidationError as error:
        raise UsageError(f"{path} is no key of sheets: it is the key.json that was made along with them.") from error
    methods = {item.method for item in key.items.values()} - {""}
    for method in methods.intersection(results.methods):
        results.answers(method)  # refuses what is no answer
    if not methods.issubset(results.methods) or key.hash != hash_of(results, key.items.values()):
        raise UsageError(f"{path} is the key of sheets of other results than {results.named}.")
    _check_items(key, results, path)
    return key


def _check_items(key: SheetKey, results: Results, path: Path) -> None:
    """Raises UsageError for an id that stands for no question or answer of the results, or for one that has another."""
    known: dict[Item, str] = {}
    for name, item in key.items.items():
        questions = results.records[item.record]["questionnaire"] if item.record < len(results.records) else []
        answered = item.question < len(questions) and (
            has_reason(questions[item.question], item.method) if key.what == "rationality" else not item.method
        )
        if not answered:
            what = f"answer of {item.method!r}" if item.method else "question"
            raise UsageError(f"{path}: {name[:40]!r} stands for no {what} in {results.named} that is to be rated.")
        if (other := known.setdefault(item, name)) != name:
            raise UsageError(f"{path}: {other[:40]!r} and {name[:40]!r} stand for the same, which would count twice.")


def read_sheets(key: SheetKey, paths: Sequence[Path]) -> Collected:
    """What stands on filled-in sheets, CSV or XLSX, one a rater. Blocks. Raises UsageError, UnreadableDocument."""
    if len(paths) < 2 or len(set(paths)) < len(paths):
        raise UsageError("Give the sheets of two raters or more, each once: one alone tells nothing of agreement.")
    sheets = [_scores(key, path) for path in paths]
    ratings = {name: tuple(sheet.get(name) for sheet in sheets) for name in key.items}
    if not any(rating for of in ratings.values() for rating in of):
        raise UsageError("Nobody has filled in a score: write 1 to 5 into the column score.")
    return Collected(key, tuple(path.stem for path in paths), ratings)


def _scores(key: SheetKey, path: Path) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for row, cells in read_rows(path):
        where = f"{path}, row {row}"
        named = {str(column).strip().casefold(): value for column, value in cells.items()}
        if missing := [column for column in ("id", "score") if column not in named]:
            raise UsageError(f"{where}: the column {missing[0]} is missing.")
        if (name := str(named["id"]).strip()) not in key.items:
            raise UsageError(f"{where}: {name[:40]!r} is no id of these sheets.")
        if name in found:
            raise UsageError(f"{where}: {name} is there twice.")
        found[name] = _score(named["score"], where)
    return found


def _score(cell: Any, where: str) -> int | None:
    text = str("" if cell is None else cell).strip()
    if not text:
        return None
    if not re.fullmatch(rf"[{SCALE[0]}-{SCALE[-1]}](?:[.,]0+)?", text):
        raise UsageError(f"{where}: a score is a whole number from 1 to 5 or empty, and {text[:40]!r} is neither.")
    return int(text[0])


# ── written into the results ─────────────────────────────────────────────────────────────────────────────────────────


def with_majorities(results: Results, collected: Collected) -> list[Json]:
    """The records with what most raters say, where anybody has rated: as rationality, or as human ratings."""
    records = deepcopy(list(results.records))
    for name, most in collected.majorities.items():
        item = collected.key.items[name]
        answer = records[item.record]["questionnaire"][item.question]["answer"]
        if collected.key.what == "rationality":
            answer[item.method]["rationality"] = most.rating
            answer[item.method].pop(RATED_BY, None)
        else:
            answer["human_rating"] = most.rating
    return records


def ratings_csv(results: Results, collected: Collected) -> bytes:
    """Every item with every rating, the majority, and whether a tie was decided by the median."""
    out = io.StringIO()
    writer = csv.writer(out)
    raters = [f"rater {n} ({name})" for n, name in enumerate(collected.names, 1)]
    writer.writerow(["id", "topic", "profile", "iteration", "question", "method", *raters, "majority", "tie"])
    for row in _rating_rows(results, collected):
        writer.writerow([csv_cell(cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def _rating_rows(results: Results, collected: Collected) -> Iterator[list[str]]:
    for name, ratings in collected.ratings.items():
        item, most = collected.key.items[name], majority(ratings)
        record = results.records[item.record]
        about = [str(record.get("topic", "")), who(record.get("profile")), str(record["iteration"])]
        question = record["questionnaire"][item.question]["question"]
        decided = ["", ""] if most is None else [str(most.rating), "median" if most.tied else ""]
        given = ["" if rating is None else str(rating) for rating in ratings]
        yield [name, *about, question, item.method, *given, *decided]
