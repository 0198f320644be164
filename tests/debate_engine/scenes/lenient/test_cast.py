"""The words by which the rules of a script call its roles: parts of an identity, titles, nouns for a kind."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes.lenient.reading import ReadRule
from tests.debate_engine.scenes.lenient.readings import whole


def first_rule(roles: str, rule: str) -> ReadRule:
    return whole(roles, f"1. {rule}").rules[0]


def cast(ada: str, ben: str = "Old sailor", cleo: str = "Harbour master") -> str:
    people = (("Ada", "Subject", ada), ("Ben", "Confederate", ben), ("Cleo", "Moderator", cleo))
    return "\n".join(f"Name: {name} ({kind})\nIdentity: {identity}\nTask: x" for name, kind, identity in people)


@pytest.mark.parametrize("ada", ["Coordinator on duty", "Coordinator behind the desk", "Night coordinator"])
def test_a_noun_for_a_kind_means_the_one_whose_identity_bears_it(ada: str) -> None:
    rule = first_rule(cast(ada), "(Unicast, advice) The Old Sailor urges the Coordinator to wait.")
    assert (rule.rule.initiator, rule.rule.receivers, rule.clear) == ("Ben", ("Ada",), True)


@pytest.mark.parametrize(
    "ada", ["deck hand, the subject of the experiment", "deck hand; new on board", "deck hand – the subject of it all"]
)
def test_each_part_of_an_identity_between_commas_is_a_call(ada: str) -> None:
    rule = first_rule(cast(ada), "(Unicast, advice) The old sailor urges the deck hand to wait.")
    assert (rule.rule.initiator, rule.rule.receivers, rule.clear) == ("Ben", ("Ada",), True)


def test_what_two_do_to_a_third_is_not_clear() -> None:
    rule = first_rule(cast("deck hand"), "(Multicast, joking) Ada is teased by Ben and Cleo about her knots.")
    assert not rule.clear


@pytest.mark.parametrize("by", ["by Ben and Cleo", "by both Ben and Cleo", "by the old sailor and Cleo"])
def test_what_two_do_to_somebody_is_not_clear(by: str) -> None:
    rule = first_rule(cast("deck hand"), f"(Unicast, conflict) Ada is challenged {by}.")
    assert not rule.clear


@pytest.mark.parametrize(("ben", "call"), [("Host of a radio show", "The Host"), ("Ship's cook", "The cook")])
def test_a_short_noun_of_an_identity_is_a_call_behind_its_article(ben: str, call: str) -> None:
    rule = first_rule(cast("deck hand", ben), f"(Unicast, advice) {call} urges the deck hand to wait.")
    assert (rule.rule.initiator, rule.rule.receivers, rule.clear) == ("Ben", ("Ada",), True)


@pytest.mark.parametrize(("name", "call"), [("Professor Hall", "the professor"), ("Captain Hall", "the captain")])
def test_a_title_in_a_name_is_a_call_in_small_letters(name: str, call: str) -> None:
    roles = cast("deck hand").replace("Ben", name)
    rule = first_rule(roles, f"(Multicast, figuring things out) Cleo wants a verdict from Ada and {call}.")
    assert (rule.rule.initiator, rule.rule.receivers, rule.clear) == ("Cleo", ("Ada", name), True)
