"""What was generated, reviewed by people: a table to fill in, and the files of the release that come of it.

`keep` is yes or no for each opinion and each profile; what nobody has decided is not used. Everything blocks.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from elenchus.config.documents import read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.printable import csv_cell
from elenchus.debate_engine.protocols.cognition.profile import in_words
from elenchus.debate_engine.protocols.cognition.schemas import Flow
from elenchus.detectors.evaluation.cogbench.generate_schemas import GeneratedTopic, GenerateResult
from elenchus.detectors.evaluation.cogbench.shapes import Json
from elenchus.detectors.evaluation.records import read_rows

GENERATED, REVIEW = "generated.json", "review.csv"
LARGEST = 20_000_000
COLUMNS = ("id", "what", "topic", "text", "perspective", "supporters", "reasons", "note", "keep", "remark")
_YES, _NO = frozenset({"yes", "y", "ja", "true", "1"}), frozenset({"no", "n", "nein", "false", "0"})


def review_csv(generated: GenerateResult) -> bytes:
    """The table that people fill in."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="")
    writer.writeheader()
    for row in _rows(generated):
        writer.writerow({column: csv_cell(cell) for column, cell in row.items()})
    return out.getvalue().encode("utf-8-sig")


def _rows(generated: GenerateResult) -> Iterator[dict[str, str]]:
    for n, topic in enumerate(generated.topics, 1):
        for place, one in enumerate(topic.opinions, 1):
            note = f"not checked: {one.unchecked}" if one.unchecked else ""
            yield {
                "id": f"t{n}.{place}", "what": "opinion", "topic": topic.topic, "text": one.opinion,
                "perspective": one.perspective, "supporters": "; ".join(one.supporters),
                "reasons": " ".join(one.reasons), "note": note,
            }  # fmt: skip
    for n, made in enumerate(generated.profiles, 1):
        if made.profile is not None:
            note = f"made of “{made.supporter}”, named {made.times} times as a supporter"
            yield {"id": f"p{n}", "what": "profile", "text": made.profile.text, "note": note}


def read_generated(folder: Path) -> GenerateResult:
    """What was generated into a folder. Raises UsageError, UnreadableDocument."""
    path = folder / GENERATED
    try:
        return GenerateResult.model_validate(json_in(read_text(path, LARGEST), f"The file {path}"))
    except ValidationError as error:
        raise UsageError(f"{path} is not what `elenchus cogbench generate` writes.") from error


def read_review(path: Path, generated: GenerateResult) -> dict[str, bool]:
    """What people decided on what was generated, by id. Raises UsageError, UnreadableDocument."""
    found, there = dict[str, bool](), {row["id"] for row in _rows(generated)}
    for row, cells in read_rows(path):
        named = {str(column).strip().casefold(): str(value or "").strip() for column, value in cells.items()}
        if missing := [column for column in ("id", "keep") if column not in named]:
            raise UsageError(f"{path}, row {row}: the column {missing[0]} is missing.")
        keep = named["keep"].casefold()
        if keep and keep not in _YES | _NO:
            raise UsageError(f"{path}, row {row}: keep is yes or no, and {keep[:40]!r} is neither.")
        if (name := named["id"]) not in there:
            raise UsageError(f"{path}, row {row}: {name[:40]!r} is no id of what was generated here.")
        if name in found:
            raise UsageError(f"{path}, row {row}: {name} is there twice.")
        if keep:
            found[name] = keep in _YES
    if not any(found.values()):
        raise UsageError(f"{path} keeps nothing: write yes or no into the column keep.")
    return found


def tasks_of(generated: GenerateResult, kept: Mapping[str, bool], flows: Mapping[str, Sequence[Flow]]) -> list[Json]:
    """Tasks in the shape of the release: iteration 0 of each topic with a kept opinion, and one a flow."""
    found = []
    for n, topic in enumerate(generated.topics, 1):
        questions = [
            {"question": one.opinion} for place, one in enumerate(topic.opinions, 1) if kept.get(f"t{n}.{place}")
        ]
        if questions:
            found += [_task(topic, questions, i, texts) for i, texts in enumerate(_texts(flows.get(topic.topic, ())))]
    return found


def _texts(flows: Sequence[Flow]) -> list[tuple[str, ...]]:
    return [(), *(flow.texts for flow in flows)]


def _task(topic: GeneratedTopic, questions: list[dict[str, str]], iteration: int, texts: tuple[str, ...]) -> Json:
    return {
        "topic": topic.topic, "category": topic.category, "iteration": iteration,
        "questionnaire": [dict(question) for question in questions], "information_flow": list(texts),
    }  # fmt: skip


def check_names(generated: GenerateResult, kept: Mapping[str, bool]) -> None:
    """A name tells one persona from another in the release's files. Raises UsageError for one that is there twice."""
    first = dict[str, str]()
    for n, made in enumerate(generated.profiles, 1):
        if made.profile is not None and kept.get(f"p{n}"):
            name = made.profile.name
            if there := first.get(name.casefold()):
                raise UsageError(
                    f"The profiles {there} and p{n} are both called {name}: keep one of them, or give one another name "
                    f"in {GENERATED}."
                )
            first[name.casefold()] = f"p{n}"


def profiles_of(generated: GenerateResult, kept: Mapping[str, bool]) -> list[dict[str, Any]]:
    """The kept profiles in the shape of the release."""
    return [
        {name: in_words(trait) for name, trait in made.profile.traits.items()}
        for n, made in enumerate(generated.profiles, 1)
        if made.profile is not None and kept.get(f"p{n}")
    ]
