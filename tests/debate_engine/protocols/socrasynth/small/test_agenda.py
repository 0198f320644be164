"""What small models name as their concerns, and the topics that are made of them."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.socrasynth.small.agenda import concern_in, named_after, paired, ranked


@pytest.mark.parametrize(
    "phrase, concern",
    [
        (" the importance of public safety in cities", "public safety"),
        (" the environment.", "the environment"),
        (" the economy and could lead to", "the economy"),
        (" everyone and ensure fairness", ""),
        ("ensure that nobody pays", ""),
        (" our economy as a whole", "the economy"),
        ("and it's essential", ""),
        (" other forms.", ""),
        (" children's education. By removing", "children's education"),
        (" protecting wildlife and nature", "wildlife"),
        (" the fact that", ""),
        (" private cars", ""),
        (" 1.2.2.1 vs", ""),
        (" things", ""),
        (" the safety of those on the road", "safety"),
        (" work-life balance, which", "work-life balance"),
    ],
)
def test_a_concern_is_a_few_plain_words_that_the_motion_does_not_hold_already(phrase: str, concern: str) -> None:
    assert concern_in(phrase, "A city should ban private cars from its centre.") == concern


def test_concerns_are_ranked_by_how_often_they_are_named_and_said_once() -> None:
    assert ranked(["safety", "jobs", "public safety", "jobs", "", "health"]) == ["jobs", "safety", "health"]


def test_concerns_are_paired_and_none_stands_on_both_sides() -> None:
    def titles(pro: list[str], con: list[str]) -> list[str]:
        return [topic.title for topic in paired(pro, con)]

    assert titles(["health", "jobs"], ["jobs", "trade", "peace"]) == ["health vs. trade", "jobs vs. peace"]
    assert titles(["health", "jobs"], []) == ["health vs. jobs"]
    assert titles([], ["health", "jobs"]) == ["jobs vs. health"]
    assert titles([], []) == []


def test_concerns_are_asked_for_as_what_the_deed_would_be_good_or_bad_for() -> None:
    assert named_after("A city should not ban cars.") == "A city should not ban cars, because that would be bad for"
    assert named_after("Zoos do harm.") == "Zoos do harm, because zoos are bad for"
    assert named_after("Robots can sing.") == "Robots can sing: the strongest reason to agree is about"
