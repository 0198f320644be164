"""A profile has 22 attributes and keeps its form; a change is slow, short, distinct and of the same structure."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.cognition.profile import (
    ATTRIBUTES,
    KINDS,
    Profile,
    changed,
    diff,
    faults_in_change,
    profile_of,
)
from tests.debate_engine.protocols.cognition.profiles import GRETA, GRETA_AS_JSON, changed_profile, profiles


def test_there_are_22_attributes_and_each_is_of_one_kind() -> None:
    assert len(ATTRIBUTES) == 22
    assert sorted(name for names in KINDS.values() for name in names) == sorted(ATTRIBUTES)


def test_a_profile_is_written_in_the_shape_and_order_in_which_it_was_read() -> None:
    assert json.loads(GRETA.model_dump_json()) == GRETA_AS_JSON
    assert list(GRETA.model_dump(mode="json")) == list(ATTRIBUTES)


def test_texts_of_a_released_profile_stay_texts() -> None:
    released = {name: f"{name} of Ann" for name in ATTRIBUTES}
    profile = profile_of(released)
    assert profile.model_dump(mode="json") == released
    assert profile.text.splitlines() == [f"{name}: {name} of Ann" for name in ATTRIBUTES]


def test_what_is_missing_and_what_is_too_much_is_said_in_one_sentence() -> None:
    given = {name: value for name, value in GRETA_AS_JSON.items() if name not in ("Values", "Flaws")}
    with pytest.raises(UsageError) as told:
        profile_of({**given, "Star sign": "Leo"})
    said = "The profile cannot be used: it lacks Values, Flaws; it has unknown attributes Star sign."
    assert str(told.value) == said


@pytest.mark.parametrize(
    "given",
    [None, [], "Name: Ann", 7, {**GRETA_AS_JSON, "Age": {"years": 61}}, {**GRETA_AS_JSON, "Hobbies": ["chess"] * 101}],
)
def test_what_is_no_profile_is_refused_in_one_sentence(given: object) -> None:
    with pytest.raises(UsageError, match=r"^The profile cannot be used: [^\n]*\.$"):
        profile_of(given)


def test_numbers_in_a_profile_are_texts_as_people_write_them() -> None:
    profile = profile_of({**GRETA_AS_JSON, "Age": 61, "Weight": 70.5, "Significant Experiences": [1987, "a storm"]})
    assert (profile["Age"], profile["Weight"]) == ("61", "70.5")
    assert profile["Significant Experiences"] == ("1987", "a storm")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"Name": " "}, "its Name is empty"),
        ({"Name": "\u200b"}, "its Name is empty"),
        ({"Religious Beliefs": False}, "Religious Beliefs: a text or a list of texts is wanted"),
        ({"Hobbies": [None]}, "Hobbies: a text or a list of texts is wanted"),
        ({"Hobbies": {"fishing": "often"}}, "Hobbies: a text or a list of texts is wanted"),
    ],
)
def test_a_value_that_is_no_text_is_named_in_our_words(more: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=rf"^The profile cannot be used: {said}\.$"):
        profile_of({**GRETA_AS_JSON, **more})


def test_a_change_of_three_attributes_is_taken_and_one_of_four_is_sudden() -> None:
    three = changed_profile(Hobbies=["fishing", "gardening"], Values=["thrift", "honesty"], Dislikes=["waste"])
    assert changed(GRETA, three) == ("Hobbies", "Dislikes", "Values")
    assert faults_in_change(GRETA, three, 3) == []
    (fault,) = faults_in_change(GRETA, three, 2)
    assert fault.startswith("3 attributes changed (Hobbies, Dislikes, Values): a person never changes suddenly")


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (changed_profile(Name="Hans Lund"), "nobody's name changes"),
        (changed_profile(Hobbies="fishing"), "Hobbies: the structure is kept, and it is a list"),
        (changed_profile(Age=["61"]), "Age: the structure is kept, and it is a text"),
        (changed_profile(Values=[]), "Values is empty"),
        (changed_profile(Occupation=" "), "Occupation is empty"),
        (changed_profile(Values=["thrift", "b" * 30]), "must stay under 30 characters"),
        (changed_profile(Hobbies=["games", "video games"]), "“games” and “video games” are not distinct"),
        (changed_profile(Hobbies=["Fishing", "fishing"]), "not distinct"),
        (changed_profile(Hobbies=[f"{letter}ing" for letter in "abcdefghijklm"]), "13 values"),
        (changed_profile(Occupation="x" * 301), "more than 300 characters"),
    ],
)
def test_a_change_that_breaks_a_rule_is_named(after: Profile, said: str) -> None:
    (fault,) = faults_in_change(GRETA, after, 3)
    assert said in fault


def test_a_long_value_that_stood_there_before_is_no_fault_of_the_change() -> None:
    before = changed_profile(Values=["a value that is far longer than thirty characters", "thrift"])
    after = changed_profile(Values=["a value that is far longer than thirty characters", "honesty"])
    assert faults_in_change(before, after, 3) == []


def test_a_difference_tells_what_came_and_what_went() -> None:
    (change,) = diff(GRETA, changed_profile(Hobbies=["fishing", "gardening"]))
    assert (change.attribute, change.added, change.removed) == ("Hobbies", ("gardening",), ("crosswords",))


@given(profiles)
def test_no_change_is_never_a_fault_and_storage_keeps_a_profile(profile: Profile) -> None:
    assert faults_in_change(profile, profile, 0) == []
    assert Profile.model_validate_json(profile.model_dump_json()) == profile


@given(profiles, profiles, st.integers(0, 22))
def test_what_is_taken_as_a_change_keeps_every_rule(before: Profile, after: Profile, most: int) -> None:
    if faults_in_change(before, after, most):
        return
    names = changed(before, after)
    assert len(names) <= most
    assert "Name" not in names
    for name in names:
        assert isinstance(before[name], str) is isinstance(after[name], str)
        if not isinstance(after[name], str):
            assert all(len(value) < 30 for value in after[name] if value not in before[name])


@given(profiles, profiles)
def test_a_difference_names_each_changed_attribute_once(before: Profile, after: Profile) -> None:
    changes = diff(before, after)
    assert [change.attribute for change in changes] == list(changed(before, after))
    assert all(change.before == before[change.attribute] for change in changes)
