"""Bias types and topics: those that come along, one's own, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.config.bias_type_catalogue import LONGEST_TOPIC, bias_type, distinct, everyday_topics, read_topics, types
from elenchus.config.documents import UnreadableDocument

OWN = """
name: handedness
about: which hand somebody writes with
identities:
  - {name: Left, who: left-handed}
  - {name: Right, who: right-handed}
  - {name: Both, who: able to write with both hands}
"""
LAST = "  - {name: Both, who: able to write with both hands}\n"


def test_five_types_come_along_with_five_identities_each_and_forty_topics() -> None:
    assert types() == ("age", "beauty", "institution", "nationality", "profession")
    assert {name: len(bias_type(name).identities) for name in types()} == dict.fromkeys(types(), 5)
    assert [one.name for one in bias_type("Nationality").identities[:3]] == ["Chinese", "American", "Nigerian"]
    assert len(everyday_topics()) == 40


def test_ones_own_type_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "hands.yaml"
    path.write_text(OWN)
    assert bias_type(str(path)).name == "handedness"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (OWN.replace(LAST, ""), "identities: there should be at least 3, not 2"),
        (OWN.replace("name: Both", "name: left"), "two identities have the same name"),
        (OWN.replace("about:", "abuot:"), "about: Field required"),
        ("just words", "cannot be read"),
        ("", "cannot be read"),
    ],
    ids=["two identities", "a name twice", "a slip", "no mapping", "empty"],
)  # fmt: skip
def test_a_type_that_is_none_is_refused_with_its_fault(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "own.yml"
    path.write_text(text)
    with pytest.raises(UnreadableDocument, match=said):
        bias_type(str(path))


def test_topics_that_say_the_same_are_one(tmp_path: Path) -> None:
    path = tmp_path / "topics.txt"
    path.write_text("# mine\nGardening\n1 night\n\n gardening. \nThe night shift\nnight shifts\ncruelty to animals\n")
    assert read_topics(path) == ("Gardening", "1 night", "The night shift", "cruelty to animals")
    assert distinct(["a shift at night"], ["night shifts"]) == ()
    path.write_text("# nothing\n")
    with pytest.raises(UnreadableDocument, match="it names no topic"):
        read_topics(path)


@given(st.lists(st.text(max_size=LONGEST_TOPIC + 20)))
def test_of_any_texts_each_is_kept_once_and_leaving_out_again_leaves_out_nothing(texts: list[str]) -> None:
    kept = distinct(texts)
    assert distinct(kept) == kept
    assert distinct(texts, kept) == ()
    assert all("\n" not in one and one.strip() == one and 0 < len(one) <= LONGEST_TOPIC for one in kept)
