"""BBQ's items, read from its files (.jsonl, .jsonl.gz; CC-BY 4.0, one's own copy). Another layout is refused."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal

from pydantic import Field

from elenchus.config.documents import UnreadableDocument, read_bytes, text_in
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.events import FrozenModel

LARGEST = 200_000_000
"""Bytes of a file, unpacked."""
OPTIONS = ("ans0", "ans1", "ans2")
UNKNOWN = "unknown"
PUBLISHED = frozenset({
    "Age", "Disability_status", "Gender_identity", "Nationality", "Physical_appearance", "Race_ethnicity",
    "Race_x_SES", "Race_x_gender", "Religion", "SES", "Sexual_orientation",
})  # fmt: skip
"""BBQ's categories."""
SAMPLE = "elenchus: a sample in BBQ's layout"
"""The source that our own sample names: it is not BBQ, and no figure of it stands beside one of BBQ's."""
_BY_NAME = "Nationality"
"""The category whose stereotyped groups are the names of the answers' people; elsewhere they are their kinds."""
_KEYS = (
    "example_id", "question_index", "question_polarity", "context_condition", "category", "answer_info",
    "additional_metadata", "context", "question", *OPTIONS, "label",
)  # fmt: skip


class BbqItem(FrozenModel):
    """A question with three options. `unknown`, `label` (what is right) and `target` are places among them (from 0).

    `target` is the person of the group that the stereotype is about, None where the item does not tell which that is.
    """

    id: str
    category: str
    question_index: str
    polarity: Literal["neg", "nonneg"]
    ambiguous: bool
    context: str
    question: str
    options: tuple[str, str, str]
    unknown: int = Field(ge=0, le=2)
    label: int = Field(ge=0, le=2)
    target: int | None = Field(None, ge=0, le=2)
    published: bool = False
    """Whether it is of one of BBQ's categories, and not of our sample."""

    @property
    def cluster(self) -> str:
        """Items that vary one question: they hang together."""
        return f"{self.category}\n{self.question_index}"

    @property
    def biased(self) -> int | None:
        """The option that the stereotype would give: its target to a negative question, else the other person."""
        if self.target is None:
            return None
        return self.target if self.polarity == "neg" else 3 - self.target - self.unknown


def read_items(paths: Iterable[Path]) -> list[BbqItem]:
    """The items of all files in order. Raises UnreadableDocument, which names file and line."""
    found = [item for path in paths for item in _read(path)]
    seen: set[str] = set()
    for item in found:
        if item.id in seen:
            raise UnreadableDocument(
                f"{item.category}", f"example {item.id.partition('/')[2]} stands twice: give each file once"
            )
        seen.add(item.id)
    return found


def _read(path: Path) -> list[BbqItem]:
    name = f"The BBQ file {path}"
    data = read_bytes(path, LARGEST, "BBQ file")
    text = text_in(_unpacked(data, name) if path.suffix == ".gz" else data, name)
    found = [
        _item(json_in(line, name, number), name, number)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    if not found:
        raise UnreadableDocument(name, "it holds no item")
    return found


def _unpacked(data: bytes, name: str) -> bytes:
    """All that is packed, also where several gzip files stand behind one another (`cat a.gz b.gz`)."""
    try:
        with gzip.open(io.BytesIO(data)) as packed:
            whole = packed.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableDocument(name, "it is no gzip file, or damaged") from error
    if len(whole) > LARGEST:
        raise UnreadableDocument(name, f"unpacked it has more than {LARGEST:,} bytes")
    return whole


def _item(row: Any, name: str, line: int) -> BbqItem:
    """Raises UnreadableDocument for another layout."""
    if not isinstance(row, Mapping) or (missing := [key for key in _KEYS if key not in row]):
        lacks = "no object" if not isinstance(row, Mapping) else f"without {', '.join(missing)}"
        raise UnreadableDocument(name, f"this is another layout than BBQ's, {lacks}: give its own .jsonl files", line)
    try:
        return item_of(row)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise UnreadableDocument(name, f"this is another layout than BBQ's ({_fault(error)})", line) from error


def _fault(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__


def item_of(row: Mapping[str, Any]) -> BbqItem:
    """An item of a line. Raises KeyError, ValueError, TypeError, IndexError, AttributeError for one of another form."""
    category, info = str(row["category"]), row["answer_info"]
    kinds = [str(info[option][1]) for option in OPTIONS]
    if kinds.count(UNKNOWN) != 1:
        raise ValueError("one of three options is to be the unknown one")
    condition = {"ambig": True, "disambig": False}[row["context_condition"]]
    if row["question_polarity"] not in {"neg", "nonneg"}:
        raise ValueError("question_polarity is neither neg nor nonneg")
    context, question = str(row["context"]).strip(), str(row["question"]).strip()
    options = (str(row["ans0"]).strip(), str(row["ans1"]).strip(), str(row["ans2"]).strip())
    if not (context and question and all(options)):
        raise ValueError("context or question is empty" if all(options) else "an option is empty")
    if len({option.casefold() for option in options}) < len(options):
        raise ValueError("two of its options are the same")
    unknown, label = kinds.index(UNKNOWN), int(row["label"])
    if condition and label != unknown:
        raise ValueError("in an ambiguous context the unknown option is to be right")
    groups = {str(group).casefold() for group in row["additional_metadata"]["stereotyped_groups"]}
    place = 0 if category == _BY_NAME else 1
    hits = [n for n, option in enumerate(OPTIONS) if n != unknown and str(info[option][place]).casefold() in groups]
    return BbqItem(
        id=f"{category}/{row['example_id']}",
        category=category,
        question_index=str(row["question_index"]),
        polarity=row["question_polarity"],
        ambiguous=condition,
        context=context,
        question=question,
        options=options,
        unknown=unknown,
        label=label,
        target=hits[0] if len(hits) == 1 else None,
        published=category in PUBLISHED and row["additional_metadata"].get("source") != SAMPLE,
    )


def drawn(items: Sequence[BbqItem], limit: int | None, seed: int) -> list[BbqItem]:
    """About `limit` of the items, never more, in their order: whole sets of four (context × question) as far as they
    go, so that conditions and polarities stay balanced, from all categories alike.
    """
    if limit is None or limit >= len(items):
        return list(items)
    sets: dict[str, dict[tuple[Any, ...], list[int]]] = {}
    for n, item in enumerate(items):
        of = (
            item.question_index,
            frozenset(option.casefold() for m, option in enumerate(item.options) if m != item.unknown),
        )
        sets.setdefault(item.category, {}).setdefault(of, []).append(n)
    queues = []
    for category in sorted(sets):
        places = list(sets[category].values())
        Random(f"{seed}/{category}").shuffle(places)
        queues.append(places)
    chosen: list[int] = []
    while any(queues):
        for queue in queues:
            if queue and len(chosen) < limit:
                chosen += queue.pop()[: limit - len(chosen)]
        if len(chosen) >= limit:
            break
    return [items[n] for n in sorted(chosen)]
