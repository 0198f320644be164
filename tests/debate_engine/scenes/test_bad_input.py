"""Whatever is given to the readers, they end with a reading or with findings that name line and remedy."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.consistency import MAX_RULES
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.lenient.reader import LARGEST, read_script
from elenchus.debate_engine.scenes.script import check_any, read_any
from tests.debate_engine.scenes.lenient.readings import ROLES, parties_of, with_rules
from tests.debate_engine.scenes.test_canonical import EXAMPLE

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


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A canonical scene with lines lost, doubled, swapped or filled with something else."""
    lines = EXAMPLE.split("\n")
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(lines) - 1)))
        new = draw(st.lists(PIECES, max_size=8).map(" ".join) | st.text(max_size=40) | st.sampled_from(lines or [""]))
        lines[at : at + draw(st.integers(0, 2))] = [new] * draw(st.integers(0, 2))
    return "\n".join(lines)


@settings(max_examples=300)
@given(damaged())
def test_a_damaged_canonical_scene_is_checked_and_what_can_be_used_is_written_and_read_back(text: str) -> None:
    findings = check_any(text)
    assert all(finding.line >= 1 and finding.what and finding.remedy for finding in findings)
    scene, _ = canonical.check(text)
    if not any(finding.grave for finding in findings) and canonical.is_canonical(text):
        again = canonical.write(canonical.read(text))
        assert canonical.read(again) == scene
        assert canonical.write(canonical.read(again)) == again


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=60).map("\n".join))
def test_what_was_read_leniently_is_written_and_read_back_as_the_same(text: str) -> None:
    scene = with_rules(f"1. (Unicast) Ben jokes with Ada.\n{text}").scene()
    again, findings = canonical.check(canonical.write(scene))
    if not any(finding.grave for finding in findings):
        assert again == scene


@pytest.mark.parametrize(
    "old, new, line, what, remedy",
    [
        ("Ada (subject)", "Ada (other)", 11, "the scene has no subject", "give one role the kind subject"),
        ("Ben (confederate)", "ada (confederate)", 16, "there are two roles named ada", "give each a name of its own"),
        ("Ben → Ada", "Ben → Zoe", 23, "Zoe receives it, who is no role", "take one of: Ada, Ben"),
        ("JOK** Ben", "JOK** Zoe", 23, "Zoe starts it, who is no role", "take one of: Ada, Ben"),
        ("# Rules", "# Roles", 19, "the section Roles stands here again", "write each section once"),
    ],
)  # fmt: skip
def test_what_keeps_a_canonical_scene_from_being_one_is_named_with_line_and_remedy(
    old: str, new: str, line: int, what: str, remedy: str
) -> None:
    found = [(finding.line, finding.what, finding.remedy) for finding in check_any(EXAMPLE.replace(old, new, 1))]
    assert (line, what, remedy) in found


def test_a_canonical_scene_of_no_rules_or_of_500_is_refused() -> None:
    head, _, tail = EXAMPLE.partition("1. **self")
    after = tail.partition("# Observation")[2]
    none = check_any(f"{head}# Observation{after}")
    assert [(f.line, f.what) for f in none if f.grave] == [(19, "the scene has no rules")]
    many = "".join(f"{n}. **unicast** Ben → Ada: say {n}\n" for n in range(1, 501))
    found = check_any(f"{head}{many}\n# Observation{after}")
    assert [(f.line, f.what) for f in found if f.grave] == [(19, "the scene has 500 rules")]


def test_rules_that_stand_before_the_roles_in_a_canonical_scene_are_read_all_the_same() -> None:
    head, _, rest = EXAMPLE.partition("# Roles")
    roles, _, rules = rest.partition("# Rules")
    rules, _, end = rules.partition("# Observation")
    turned = f"{head}# Rules{rules}# Roles{roles}# Observation{end}"
    assert check_any(turned) == ()
    assert canonical.read(turned) == canonical.read(EXAMPLE)


@settings(max_examples=100)
@given(st.binary(max_size=400))
def test_no_bytes_make_a_reader_fail(source: bytes) -> None:
    read_script(source)
    check_any(source)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_no_rule_makes_a_reader_fail_or_name_somebody_who_is_no_role(rule: str) -> None:
    reading = with_rules(f"1. (Unicast, joking) {rule}")
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
    assert parties_of(reading) == [("Ben", ("Ada",))]


@pytest.mark.slow
def test_the_largest_texts_are_read_in_seconds() -> None:
    nasty = [
        "(" * 190_000,
        "1. (Unicast " * 15_000,
        "Moderator and " * 14_000,
        "a → " * 60_000,
        "A - " * 45_000,
        "Role 1: " * 20_000,
        "x\n# Debrief of " + "a" * 150_000 + "!",
        "x" + " ." * 90_000,
        "→ Zoe, " * 25_000,
    ]
    for text in nasty:
        start = time.monotonic()
        read_script(f"{ROLES}# Rules\n1. (Unicast) {text}"[:LARGEST])
        assert time.monotonic() - start < 60


def test_the_readers_open_no_file(tmp_path: Path) -> None:
    script = tmp_path / "scene.md"
    script.write_text("secret", encoding="utf-8")
    with pytest.raises(FaultyScene):
        read_any(str(script))
