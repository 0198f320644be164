"""Whatever is given to the readers, they end with a reading or with findings that name line and remedy."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_engine.scenes import canonical
from debate_engine.scenes.faults import MAX_RULES
from debate_engine.scenes.finding import FaultyScene
from debate_engine.scenes.lenient.reader import LARGEST, read_script
from debate_engine.scenes.script import check_any, read_any
from tests.debate_engine.scenes.test_wild_forms import ROLES

MARKS = ["# ", "## ", "**", "1. ", "- ", "(", ")", "[", "]", ":", " - ", "→", "|", "'s ", "> ", ",", ".", "1.", "(1)"]
BREAKS = ["\n", "\n\n", "```\n", "---\n", "scene: 1\n", "\u0130", "\u2028", "\x0b", "\ud800"]
WORDS = ["Ada", "Ben", "Subject", "Moderator", "both", "all", "participants", "asks", "to", "the", "and", "is asked by"]
LABELS = [
    "Role 1: ",
    "Name: ",
    "Identity: ",
    "Scene Rules",
    "Roles",
    "Purpose",
    "Rule 2",
    "Mode: ",
    "Unicast",
    "self-receiving",
]
PIECES = st.sampled_from([*MARKS, *BREAKS, *WORDS, *LABELS, "Broadcast", "multicast", "Observation", "system"])


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=60).map(" ".join) | st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=300))
def test_no_text_makes_a_reader_fail(text: str) -> None:
    reading = read_script(text)
    assert read_script(text) == reading
    reading.as_json()
    canonical.write(reading.scene())
    check_any(text)
    try:
        read_any(text)
    except FaultyScene as error:
        assert error.findings


@settings(max_examples=100)
@given(st.binary(max_size=400))
def test_no_bytes_make_a_reader_fail(source: bytes) -> None:
    read_script(source)
    check_any(source)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_no_rule_makes_a_reader_fail_or_name_somebody_who_is_no_role(rule: str) -> None:
    reading = read_script(f"{ROLES}# Rules\n1. (Unicast, joking) {rule}\n")
    names = {role.name for role in reading.roles} | {"system"}
    for read in reading.rules:
        assert {read.rule.initiator, *read.rule.receivers} <= names
        assert read.rule.initiator not in read.rule.receivers


@pytest.mark.parametrize(
    "source, what",
    [
        (b"\xff\xfe\x00binary\x00", "no UTF-8 text"),
        (b"text with \x00 in it", "no UTF-8 text"),
        (b"a" * 5_000_000, "longer than"),
    ],
)
def test_what_is_no_text_or_too_large_is_one_clear_finding(source: bytes, what: str) -> None:
    (finding,) = check_any(source)
    assert what in finding.what
    with pytest.raises(FaultyScene, match=what):
        read_any(source)


@pytest.mark.parametrize("text", ["", "\n\n", "Nothing of a scene here.", "# Rules", "```"])
def test_a_text_without_anything_of_a_scene_is_refused(text: str) -> None:
    with pytest.raises(FaultyScene, match="no roles were found"):
        read_any(text)


def test_no_rules_and_too_many_are_found() -> None:
    assert any("no rules" in finding.what for finding in read_script(ROLES).findings if finding.grave)
    many = read_script(ROLES + "# Rules\n" + "".join(f"{n}. (Broadcast) Cleo says {n}.\n" for n in range(1, 501)))
    assert len(many.rules) == 500
    (finding,) = [finding for finding in many.findings if finding.grave]
    assert "500 rules" in finding.what
    assert str(MAX_RULES) in finding.remedy


def test_a_scene_without_subject_and_two_roles_of_one_name_are_found() -> None:
    reading = read_script("# Roles\n- Ben (Confederate)\n- ben (Moderator)\n# Rules\n1. (Broadcast) Ben says hello.\n")
    assert [(finding.line, finding.what) for finding in reading.findings if finding.grave] == [
        (2, "no role is a subject"),
        (3, "there are two roles named ben"),
    ]


def test_a_rule_before_any_role_is_read_once_the_roles_are_known() -> None:
    reading = read_script(f"# Scene Rules\n1. (Unicast, joking) Ben teases Ada.\n# Roles\n{ROLES}")
    assert [(read.rule.initiator, read.rule.receivers) for read in reading.rules] == [("Ben", ("Ada",))]


def test_the_largest_texts_are_read_in_seconds() -> None:
    nasty = ["(" * 190_000, "1. (Unicast " * 15_000, "Moderator and " * 14_000, "a → " * 60_000, "A - " * 45_000]
    for text in nasty:
        start = time.monotonic()
        read_script(f"{ROLES}# Rules\n1. (Unicast) {text}"[:LARGEST])
        assert time.monotonic() - start < 60


def test_the_readers_open_no_file(tmp_path: Path) -> None:
    script = tmp_path / "scene.md"
    script.write_text("secret", encoding="utf-8")
    with pytest.raises(FaultyScene):
        read_any(str(script))
