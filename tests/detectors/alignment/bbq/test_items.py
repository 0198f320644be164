"""BBQ's files: read as they are, and any other layout refused in a sentence."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.config.documents import UnreadableDocument
from elenchus.detectors.alignment.bbq.items import drawn, item_of, read_items
from tests.conftest import BESIDE
from tests.detectors.alignment.bbq.made_items import items, rows, written


def test_plain_and_packed_files_are_read_alike(tmp_path: Path) -> None:
    plain, packed = written(tmp_path / "a.jsonl", rows()), written(tmp_path / "a.jsonl.gz", rows())
    assert read_items([plain]) == read_items([packed]) == items(questions=1)


def test_the_biased_answer_is_the_target_of_a_negative_question_and_the_other_one_of_a_non_negative() -> None:
    negative, other, *_ = items(questions=1)
    assert (negative.target, negative.biased) == (1, 1)
    assert (other.polarity, other.target, other.biased) == ("nonneg", 1, 0)


def test_in_nationality_groups_are_names_and_elsewhere_kinds() -> None:
    row = rows("Nationality")[0]
    row["additional_metadata"]["stereotyped_groups"] = ["young"]
    assert item_of(row).target == 0
    assert item_of({**row, "category": "Age"}).target is None, "no kind is called so"
    assert item_of({**row, "category": "Age"}).biased is None


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "another condition": ({"context_condition": "vague"}, "vague"),
    "no unknown": ({"answer_info": {f"ans{n}": ["a", "b"] for n in range(3)}}, "the unknown one"),
    "a label beyond": ({"context_condition": "disambig", "label": 7}, "label"),
    "ambiguous with an answer": ({"label": 0}, "unknown option is to be right"),
    "two options alike": ({"ans1": "the young neighbour "}, "two of its options are the same"),
    "an empty context": ({"context": " "}, "context or question is empty"),
    "an empty option": ({"ans1": ""}, "an option is empty"),
    "another polarity": ({"question_polarity": "up"}, r"\(question_polarity is neither neg nor nonneg\)"),
    "no groups": ({"additional_metadata": {}}, "stereotyped_groups"),
    "answers as words": ({"answer_info": "none"}, "another layout"),
    "no metadata": ({"additional_metadata": None}, "another layout"),
}


@pytest.mark.parametrize(("change", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_a_line_of_another_layout_is_refused_with_its_number(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = written(tmp_path / "x.jsonl", [*rows()[1:2], {**rows()[0], **change}])
    with pytest.raises(UnreadableDocument, match=rf"line 2: this is another layout than BBQ's.*{said}|line 2.*{said}"):
        read_items([path])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"question": "Who?", "answer": "me"}\n', "line 1: this is another layout than BBQ's, without example_id"),
        (b"[1, 2]\n", "another layout than BBQ's, no object"),
        (b"category,question\nAge,Who?\n", "line 1"),
        (b"\n\n", "it holds no item"),
        (b"\xff\xfe{\x00", "UTF-16"),
    ],
    ids=["other fields", "a list", "a table", "nothing", "UTF-16"],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    with pytest.raises(UnreadableDocument, match=said):
        read_items([path])


def test_a_packed_file_that_is_damaged_and_one_given_twice_are_refused(tmp_path: Path) -> None:
    whole = gzip.compress(json.dumps(rows()[0]).encode())
    path = tmp_path / "x.jsonl.gz"
    for data in (whole[:-9], b"plain words", whole[:12] + b"\xff" * 9 + whole[21:]):
        path.write_bytes(data)
        with pytest.raises(UnreadableDocument, match="no gzip file, or damaged"):
            read_items([path])
    plain = written(tmp_path / "a.jsonl", rows())
    with pytest.raises(UnreadableDocument, match="example 0 stands twice"):
        read_items([plain, plain])


def test_packed_files_that_stand_behind_one_another_in_one_file_are_all_read(tmp_path: Path) -> None:
    """As `cat a.gz b.gz > both.gz` writes them."""
    first, second = (written(tmp_path / f"{name}.jsonl.gz", rows(name)) for name in ("Age", "Nationality"))
    both = tmp_path / "both.jsonl.gz"
    both.write_bytes(first.read_bytes() + second.read_bytes())
    assert read_items([both]) == read_items([first, second])
    for damaged in (both.read_bytes()[:-9], first.read_bytes() + b"plain words"):
        both.write_bytes(damaged)
        with pytest.raises(UnreadableDocument, match="no gzip file, or damaged"):
            read_items([both])


@pytest.mark.timeout(25)
def test_many_files_packed_behind_one_another_are_read_once_through(tmp_path: Path) -> None:
    """Whoever copies the rest of the file at each of them takes a minute."""
    one = written(tmp_path / "a.jsonl.gz", rows())
    many = tmp_path / "many.jsonl.gz"
    many.write_bytes(gzip.compress(b"") * 400_000 + one.read_bytes())
    assert read_items([many]) == read_items([one])


@given(st.integers(1, 40), st.integers(0, 3))
def test_a_sample_is_of_all_categories_alike_and_keeps_sets_together(limit: int, seed: int) -> None:
    whole = items("Age", "Beauty", questions=5)
    found = drawn(whole, limit, seed)
    assert len(found) == min(limit, len(whole))
    assert [item for item in whole if item in found] == found
    counts = [sum(item.category == of for item in found) for of in ("Age", "Beauty")]
    assert abs(counts[0] - counts[1]) <= 4
    if limit % 4 == 0:
        assert sum(item.ambiguous for item in found) == len(found) / 2
        assert sum(item.polarity == "neg" for item in found) == len(found) / 2


def test_the_published_files_are_read_whole_and_every_item_has_one_target() -> None:
    files = sorted((BESIDE / "data" / "bbq").glob("*.jsonl.gz"))
    if not files:
        pytest.skip("BBQ's files do not lie beside the checkout")
    found = read_items(files)
    assert len(found) == 3680 + 1556 + 3080 + 1576
    assert sum(item.ambiguous for item in found) == len(found) / 2
    assert all(item.target is not None for item in found)
