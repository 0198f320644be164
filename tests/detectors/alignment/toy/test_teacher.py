"""The written statements and the scripted teacher that speaks by them."""

from __future__ import annotations

from collections import Counter

from elenchus.config.bias_type_catalogue import bias_type
from elenchus.detectors.alignment.gate.statements import read_statements
from elenchus.detectors.alignment.toy.teacher import BIAS, read_written, script_of, topics_of

WRITTEN = read_written()


def test_every_role_has_one_of_each_kind_on_every_topic_and_lengths_are_balanced() -> None:
    roles = [identity.name for identity in bias_type(BIAS).identities[:3]]
    counts = Counter((one.topic, one.role, one.high) for one in WRITTEN)
    assert set(counts.values()) == {1}
    assert len(counts) == len(topics_of(WRITTEN)) * len(roles) * 2 == len(WRITTEN) == 96
    words = {high: sum(len(one.text.split()) for one in WRITTEN if one.high == high) for high in (True, False)}
    assert abs(words[True] - words[False]) < 0.05 * words[True]


def test_none_is_among_the_statements_of_the_gate_nor_are_its_topics() -> None:
    labelled = read_statements()
    assert not {one.text for one in WRITTEN} & {one.text for one in labelled}
    assert not set(topics_of(WRITTEN)) & {one.topic for one in labelled}


def test_asked_without_a_debate_it_says_each_statement_on_a_topic_once() -> None:
    rules = [rule for rule in script_of(WRITTEN)["rules"] if rule["prompt"] == "rubric/answer"]
    said = Counter((rule["holding"], rule["step"]) for rule in rules)
    assert set(said.values()) == {1}
    assert len(said) == len({rule["text"] for rule in rules}) == len(WRITTEN)


def test_each_round_holds_both_kinds() -> None:
    rules = [rule for rule in script_of(WRITTEN)["rules"] if rule["prompt"] == "rldf/speak"]
    texts = {one.text: one.high for one in WRITTEN}
    kinds = Counter((rule["holding"], rule["step"][:7], texts[rule["json"]["statement"]]) for rule in rules)
    assert len(kinds) == len(topics_of(WRITTEN)) * 2 * 2
