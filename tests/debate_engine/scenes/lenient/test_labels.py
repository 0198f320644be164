"""One rule with its label in many dresses: mode and purpose are read, and nothing of the label stays in the content."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.scenes.lenient.labels import split_label
from elenchus.debate_engine.scenes.lenient.lines import bare_lines
from elenchus.debate_engine.scenes.lenient.reader import read_script
from tests.debate_engine.scenes.lenient.readings import ROLES, told, with_rules

SAYS = "Ben teases Ada about milk."


@pytest.mark.parametrize("purpose, code", [("Joking around", "JOK"), ("Describing or explaining the past", "PAS")])
@pytest.mark.parametrize(
    "form",
    [
        "1. [Unicast] [{}] {}",
        "1. [Unicast][{}]: {}",
        "1. (Unicast) ({}) {}",
        "1. Unicast: {} - {}",
        "1. Unicast: {}: {}",
        "1. Unicast / {} / {}",
        "1. unicast | {} | {}",
        "1. UNICAST, {} - {}",
        "1. **Unicast – {}**\n   {}",
        "**1. Unicast - {}**\n{}",
        "### Rule 1: Unicast, {}\n{}",
        "1. {} | Unicast | {}",
        "1. **{}** [Unicast] {}",
        "1. ({}) (Unicast): {}",
        "1. Unicast; {}; {}",
    ],
)
def test_the_purpose_may_stand_in_a_dress_of_its_own(form: str, purpose: str, code: str) -> None:
    for words in (purpose, purpose.lower()):
        (read,) = with_rules(f"{form.format(words, SAYS)}").rules
        assert (read.rule.mode, read.rule.purpose, read.rule.initiator, read.rule.receivers) == (
            "unicast",
            code,
            "Ben",
            ("Ada",),
        )
        assert (read.rule.content, read.clear) == (SAYS, True)


@pytest.mark.parametrize(
    "rule, expected, content",
    [
        ("1. UNICAST | Ben teases Ada.", "unicast None Ben > Ada", "Ben teases Ada."),
        ("1. unicast > Ben teases Ada.", "unicast None Ben > Ada", "Ben teases Ada."),
        ("1. Unicast. Ben teases Ada. Purpose: joking around.", "unicast JOK Ben > Ada", "Ben teases Ada."),
        ("1. [Unicast] Ben -> Ada | JOK | milk is for cats", "unicast JOK Ben > Ada", "milk is for cats"),
        ("1. Ben teases Ada - Unicast, JOK", "unicast JOK Ben > Ada", "Ben teases Ada"),
        ("1. (Unicast) Ben teases Ada. [Purpose: joking]", "unicast JOK Ben > Ada", "Ben teases Ada."),
        ("1. (Self-receiving) (Receiving information from the system) Ada gets a bill.",
         "self-receiving SYS system > Ada",
         "Ada gets a bill."),
        ("1. (Unicast) Sharing feelings about milk with Ada, Ben laughs.", "unicast None Ben > Ada ?",
         "Sharing feelings about milk with Ada, Ben laughs."),
        ("1. (Unicast) Explain to Ada, Ben, what milk is.", "unicast None Ada > Ben ?",
         "Explain to Ada, Ben, what milk is."),
    ],
)  # fmt: skip
def test_what_is_label_and_what_is_content_is_told_apart(rule: str, expected: str, content: str) -> None:
    reading = with_rules(f"{rule}")
    assert told(reading) == [expected]
    assert reading.rules[0].rule.content == content


@pytest.mark.parametrize(
    "purpose, code", [("the past", "PAS"), ("the future", "FUT"), ("Describing or explaining", "DES"), ("", None)]
)
def test_a_purpose_in_a_field_of_its_own_is_read_beside_the_mode(purpose: str, code: str | None) -> None:
    fields = f"- Purpose: {purpose}\n- Mode: Unicast\n- Content: {SAYS}"
    (read,) = with_rules(f"### Rule 1\n{fields}").rules
    assert (read.rule.mode, read.rule.purpose, read.rule.content) == ("unicast", code, SAYS)


@pytest.mark.parametrize(
    "rules",
    [
        "1. Mode: Unicast\n   Purpose: joking\n   Content: {0}\n\n2. Mode: Broadcast\n   Purpose: FEL\n   Content: {1}",
        (
            "1. **From:** Ben | **Receiver(s):** Ada | **Mode:** Unicast | **Purpose:** joking | **Content:** {0}\n"
            "2. **From:** Cleo | **Receiver(s):** all | **Mode:** Broadcast | **Purpose:** feelings | **Content:** {1}"
        ),
        "- mode: unicast\n  purpose: joking\n  content: {0}\n- mode: broadcast\n  purpose: feelings\n  content: {1}",
    ],
)
def test_rules_in_fields_are_told_apart_and_keep_no_key(rules: str) -> None:
    reading = with_rules(f"{rules.format(SAYS, 'Cleo thanks everyone.')}")
    assert told(reading) == ["unicast JOK Ben > Ada", "broadcast FEL Cleo > Ada,Ben"]
    assert [read.rule.content for read in reading.rules] == [SAYS, "Cleo thanks everyone."]


@pytest.mark.parametrize(
    "head, cells",
    [
        ("| No. | Mode | Purpose | Rule |", "| {n} | {mode} | {purpose} | {text} |"),
        ("| Rule | Mode (Purpose) | Description |", "| {n} | {mode} ({purpose}) | {text} |"),
        ("| Step | Mode | Purpose | |", "| Step {n} | {mode} | {purpose} | {text} |"),
    ],
)
def test_a_column_of_rules_is_no_column_of_numbers(head: str, cells: str) -> None:
    rows = [("Unicast", "joking", SAYS), ("Broadcast", "feelings", "Cleo thanks everyone.")]
    lines = [
        cells.format(n=n, mode=mode, purpose=purpose, text=text) for n, (mode, purpose, text) in enumerate(rows, 1)
    ]
    reading = read_script(f"{ROLES}# Rules\n{head}\n|---|---|---|---|\n" + "\n".join(lines) + "\n")
    assert told(reading) == ["unicast JOK Ben > Ada", "broadcast FEL Cleo > Ada,Ben"]
    assert [read.rule.content for read in reading.rules] == [SAYS, "Cleo thanks everyone."]


@pytest.mark.parametrize("to", ["to Ada and Cleo", "to Ada, Cleo"])
def test_all_whom_a_label_joins_are_spoken_to(to: str) -> None:
    assert told(with_rules(f"1. Multicast {to} (joking) – Ben: how the milk tastes.")) == [
        "multicast JOK Ben > Ada,Cleo"
    ]


def test_what_the_system_tells_one_without_a_label_is_told_to_that_one() -> None:
    reading = with_rules("1. The system tells Ada the price.\n2. The system opens the sale.")
    assert told(reading) == ["self-receiving SYS system > Ada ?", "self-receiving SYS system > Ada,Ben,Cleo ?"]


DRESSES = (
    "{mode} -> {purpose} -> {said}",
    "{mode} / {purpose} -> {said}",
    "{mode} / {purpose} => {said}",
    "{mode} → {purpose} → {said}",
    "{mode} • {purpose} • {said}",
    "<{mode}> <{purpose}> {said}",
    "{mode}, {purpose}, {said}",
    "{mode}; {purpose}; {said}",
    "{mode}, {purpose}. {said}",
    "[{mode}][{purpose}] {said}",
    "{mode} ({purpose}): {said}",
)
SAID = (
    "If Ada waits, Ben argues with her.",
    "After the debate, Ben asks Ada for a number.",
    "When the future is discussed, Ben jokes with Ada.",
)


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("purpose", ["engaging in conflict", "CON"])
@pytest.mark.parametrize("dress", DRESSES)
def test_what_is_told_before_the_comma_belongs_to_the_content(dress: str, purpose: str, said: str) -> None:
    line = next(iter(bare_lines(dress.format(mode="Unicast", purpose=purpose, said=said))))
    label = split_label(line.text)
    assert (label.mode, label.purpose, label.content) == ("unicast", "CON", said)


@pytest.mark.parametrize(
    "said", ["Ada explains the rules, then sits down.", "*If they argue*, Ben laughs at Ada, loudly."]
)
def test_a_sentence_behind_a_bare_mode_is_whole(said: str) -> None:
    line = next(iter(bare_lines(f"**Unicast** {said}")))
    assert split_label(line.text).content == said.replace("*", "")


_SIGNS = st.sampled_from([" ", ", ", ": ", " - ", " – ", " / ", " | ", " -> ", " => ", " • ", "; ", ". ", ") ", " ("])
_WORDS = ("Ada", "Ben", "asks", "to", "if", "When", "argues", "explains", "the", "future", "feels,", "past.", "(once)")
_SAID = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=9).map(" ".join)


@given(st.sampled_from(["Unicast", "(Broadcast", "[Self-receiving", "multicast"]), _SIGNS, _SAID, _SIGNS, _SAID)
def test_no_word_of_a_rule_is_lost_between_its_label_and_its_content(
    mode: str, sign: str, purpose: str, second: str, said: str
) -> None:
    line = f"{mode}{sign}{purpose}{second}{said}"
    label = split_label(line)
    words = Counter(re.findall(r"\w+", line))
    assert words <= Counter(re.findall(r"\w+", f"{label.text} {label.content} {label.spare}"))
