"""How well the lenient reader reads real scripts: scored on 20 labelled by hand and 50 blind, reported on all."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.lenient.reading import Reading, ReadRule
from tests.debate_engine.scenes.lenient.real_scripts import LABELS, all_scripts, labels, read, section_lines

SETS = pytest.mark.parametrize("which", LABELS)


def labelled(which: str) -> list[tuple[str, dict[str, object], Reading]]:
    known = labels(which)
    found = [(path.stem, known[path.stem], read(path)) for path in all_scripts() if path.stem in known]
    assert len(found) == len(known) > 0
    return found


def rules_beside_labels(which: str) -> list[tuple[str, dict[str, object], ReadRule | None]]:
    pairs: list[tuple[str, dict[str, object], ReadRule | None]] = []
    for name, label, reading in labelled(which):
        by_line = {rule.line: rule for rule in reading.rules}
        rules = label["rules"]
        assert isinstance(rules, list)
        pairs += [(f"{name}:{rule['line']}", rule, by_line.get(rule["line"])) for rule in rules]
    return pairs


def parties(read: ReadRule | None) -> tuple[object, ...]:
    return (read.rule.mode, read.rule.initiator, sorted(read.rule.receivers)) if read else ()


def wanted(label: dict[str, object]) -> tuple[object, ...]:
    receivers = label["receivers"]
    assert isinstance(receivers, list)
    return (label["mode"], label["initiator"], sorted(receivers))


@SETS
def test_every_name_and_kind_of_the_labelled_scripts_is_right(which: str) -> None:
    for name, label, reading in labelled(which):
        read_roles = [{"name": role.name, "kind": role.kind} for role in reading.roles]
        assert read_roles == label["roles"], name


@SETS
def test_nine_of_ten_clear_rules_are_read_and_what_is_marked_clear_is_right(which: str) -> None:
    pairs = rules_beside_labels(which)
    clear = [where for where, label, _ in pairs if label["clear"]]
    marked = [(where, label, rule) for where, label, rule in pairs if rule and rule.clear]
    wrong = [
        (where, parties(rule), wanted(label))
        for where, label, rule in marked
        if not label["clear"] or parties(rule) != wanted(label)
    ]
    right = len(marked) - len(wrong)
    print(f"{which}: of {len(clear)} clear rules {right} read; of {len(marked)} marked clear", *wrong, sep="\n  ")
    assert right >= 0.9 * len(clear)
    assert right >= 0.99 * len(marked)


@SETS
def test_the_reader_finds_each_rule_and_takes_no_heading_for_one(which: str) -> None:
    for name, label, reading in labelled(which):
        rules = label["rules"]
        assert isinstance(rules, list)
        assert [rule.line for rule in reading.rules] == [rule["line"] for rule in rules], name


@SETS
def test_purposes_and_what_is_unclear_are_told_as_by_the_labellers(which: str) -> None:
    pairs = [(label, rule) for _, label, rule in rules_beside_labels(which) if rule]
    purposes = sum(rule.rule.purpose in (label["purpose"], label.get("also", "")) for label, rule in pairs)
    flags = sum(rule.clear == label["clear"] for label, rule in pairs)
    print(f"{which}: purposes as labelled: {purposes} of {len(pairs)}, clear or not: {flags} of {len(pairs)}")
    assert purposes >= 0.98 * len(pairs)
    assert flags >= 0.95 * len(pairs)


def test_every_section_is_cut_where_it_begins_and_ends() -> None:
    cuts = section_lines()
    for path in all_scripts():
        reading, lines = read(path), path.read_text(encoding="utf-8").splitlines()
        for name, span in cuts[path.stem].items():
            written = " ".join(lines[span[0] - 1 : span[1]]) if span else ""
            assert re.findall(r"\w+", getattr(reading, name)) == re.findall(r"\w+", written), (path.stem, name)


def test_each_script_is_written_in_canonical_form_and_read_back() -> None:
    for path in all_scripts():
        scene = read(path).scene()
        again, findings = canonical.check(canonical.write(scene))
        assert again == scene, path.stem
        assert {finding.what for finding in findings if finding.grave} <= {"a unicast goes to 2 roles"}, path.stem


def test_all_70_scripts_are_read_and_reported() -> None:
    print(f"{'script':24} roles rules clear  modes, and rules without a purpose")
    for path in all_scripts():
        reading = read(path)
        modes = Counter(read.rule.mode for read in reading.rules)
        unclear = [read.line for read in reading.rules if not read.clear]
        silent = sum(read.rule.purpose is None for read in reading.rules)
        shown = " ".join(f"{mode}:{count}" for mode, count in sorted(modes.items()))
        counts = f"{len(reading.roles):5} {len(reading.rules):5} {len(reading.rules) - len(unclear):5}"
        print(f"{path.stem:24} {counts}  {shown} none:{silent} unclear lines:{unclear}")
        assert {role.kind for role in reading.roles} == {"subject", "confederate", "moderator"}, path.stem
        assert 7 <= len(reading.rules) <= 12, path.stem
        assert reading.background, path.stem
        assert reading.observation, path.stem
        assert not [finding for finding in reading.findings if finding.grave], path.stem
        assert all(rule.notes for rule in reading.rules if not rule.clear), path.stem
