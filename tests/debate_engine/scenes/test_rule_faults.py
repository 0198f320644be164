"""Rules over measures that read well and that no answer can meet are named before anybody plays."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.rule_faults import of_the_rules_over_measures
from elenchus.debate_engine.scenes.script import check_any
from tests.shipped_scenes import SCENES

SCENE = """---
scene: 1
title: "Best"
bias: ""
factors: {anchor: {none: "a bell", low: "90", high: "4,800"}}
outcome: 'OUTCOME'
exclusions: ['EXCLUSION']
---

# Roles

## Ada (subject)
## Ben (confederate)

# Rules

1. **unicast, DES** Ada → Ben: Say whether you know it.
   measure: known
2. **unicast, DES** Ben → Ada: Say a number.
   says: "It says {anchor}."
3. **unicast, FEL** Ada → Ben: Say which.
   measure: best, price, sure, liking, words, ticket
4. **unicast, FEL** Ada → Ben: Judge.
   trials: signs

# Measures

known: {kind: yes-no, ask: "Seen one?"}
best: {kind: choice, options: [A, B], ask: "Which?"}
price: {kind: number, low: 0, high: 5000, ask: "What price?"}
sure: {kind: rating, low: 0, high: 3, ask: "How sure?"}
liking: {kind: likert, ask: "It is fine."}
words: {kind: text, ask: "Why?"}
ticket: {kind: number, ask: "Which number?", right: 'RIGHT'}

# Trials

signs: {show: "{sign}", answer: {kind: yes-no, ask: "Is it so?"},
  items: [{right: yes, sign: one}, {right: "no", sign: two}]}

# Observation

It shows.

# Debrief

That was all.
"""


def told(outcome: str = "price", exclusion: str = "known", right: str = "ticket = anchor") -> list[str]:
    text = SCENE.replace("OUTCOME", outcome).replace("EXCLUSION", exclusion).replace("RIGHT", right)
    return [finding.what for finding in check_any(text) if finding.grave]


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        ("best > 3", "asks whether best, a text, is more or less than a number"),
        ('best = "Z"', 'compares best with "Z", which is never the same: best is one of: "A", "B"'),
        ('best = "a"', 'compares best with "a", which is never the same'),
        ("best != 1", "compares best with 1, which is never the same"),
        ('signs_1 = "yes"', 'compares signs_1 with "yes", which is never the same: signs_1 is yes or no'),
        ("sure = 7", "compares sure with 7, which is never the same: sure is one of: 0, 1, 2, 3"),
        ('liking = "agree"', "compares liking with"),
        ('price = "dear"', 'compares price with "dear", which is never the same: price is a number'),
        ('anchor = "high" and price > 3', 'compares anchor with "high", which is never the same: anchor is one of'),
        ('best = "A" or "B"', 'takes "B" for yes or no: write both sides of each comparison'),
        ("not words", "takes words for yes or no"),
        ("price + best", "reckons with best, which is a text"),
        ("best", "the outcome best is in words"),
        ("price > anchor", "compares a text with a number in the version none"),
        ("price >= 6000", "asks for price >= 6,000, which is never so: price is a number from 0 to 5,000"),
        ("price < 0", "asks for price < 0, which is never so: price is a number from 0 to 5,000"),
        ("price = 6000", "compares price with 6,000, which is never the same: price is a number from 0 to 5,000"),
        ("sure > 3", "asks for sure > 3, which is never so: sure is one of: 0, 1, 2, 3"),
        ("6000 < price", "asks for 6,000 < price, which is never so: price is a number"),
        ("known > 1", "asks for known > 1, which is never so: known is yes or no"),
    ],
)
def test_an_outcome_that_no_answer_can_meet_is_refused(outcome: str, says: str) -> None:
    (found,) = told(outcome)
    assert says in found


@pytest.mark.parametrize(
    "outcome",
    [
        "price", 'best = "A"', 'words = "yes"', "known = 1", "signs_2 and not signs_1", "signs_errors > 1",
        "liking >= 4", "price > 190 and sure > 1", '(anchor = "a bell" and price = 0) or price = anchor',
        "anchor = 4800", "-price", "sure = 2", "0 <= price < 3", "price <= 0", "price >= 5000", "price < 6000",
        "price / 2 > 3000", "sure >= 3", "liking > 3.5",
    ],
)  # fmt: skip
def test_an_outcome_that_can_be_worked_out_is_in_order(outcome: str) -> None:
    assert told(outcome) == []


def test_exclusions_and_what_is_right_are_tried_like_the_outcome() -> None:
    assert told(exclusion="price") == ["the exclusion “price” is neither yes nor no"]
    assert "best is one of" in told(exclusion='best = "C"')[0]
    assert "ticket, a text" not in told(right="ticket > anchor")[0]
    assert "in the version none" in told(right="ticket > anchor")[0]
    assert told(right="ticket + 1") == ["what is right for ticket “ticket + 1” is neither yes nor no"]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [("OUTCOME", "price / (sure - sure)", "the outcome"), ("EXCLUSION", "price / (sure - sure) > 1", "the exclusion")],
)
def test_a_rule_that_never_says_anything_is_warned_of(old: str, new: str, what: str) -> None:
    text = SCENE.replace(old, new).replace("OUTCOME", "price").replace("EXCLUSION", "known")
    found = {finding.what: finding.grave for finding in check_any(text.replace("RIGHT", "ticket = 0"))}
    assert found[f"{what} “{new}” can never be told, whatever is answered"] is False


def test_the_rules_of_all_scenes_that_come_with_the_program_can_be_worked_out() -> None:
    for name, scene in SCENES.items():
        assert list(of_the_rules_over_measures(scene)) == [], name


@pytest.mark.parametrize(
    ("kind", "right", "wanted"),
    [
        ("yes-no", '"True"', "write yes or no"),
        ("yes-no", "1", "write yes or no"),
        ("number", '"2.50"', "write a number that the form accepts, as 2.5"),
        ("number", "many", "write a number"),
        ("rating", "11", "write a number on its scale"),
        ("likert", "agree", "write the number of its point"),
    ],
)
def test_what_is_right_of_an_item_is_spelled_as_answers_are_told(kind: str, right: str, wanted: str) -> None:
    text = SCENE.replace("OUTCOME", "price").replace("EXCLUSION", "known").replace("RIGHT", "ticket = 0")
    item = text.replace("answer: {kind: yes-no", f"answer: {{kind: {kind}").replace(
        "{right: yes,", f"{{right: {right},"
    )
    found = [finding.what for finding in check_any(item) if finding.grave]
    assert any("what is right in item 1 is no answer" in what and wanted in what for what in found), found


def test_yes_without_quotation_marks_is_what_is_right() -> None:
    text = SCENE.replace("OUTCOME", "price").replace("EXCLUSION", "known").replace("RIGHT", "ticket = 0")
    block = canonical.read(text).block("signs")
    assert [item.right for item in block.items] == ["yes", "no"]
    assert block.counts({"signs_1": True, "signs_2": False}) == {"signs_errors": 0}
