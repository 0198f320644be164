"""A profile for tests, and profiles by chance."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from elenchus.debate_engine.protocols.cognition.profile import ATTRIBUTES, LISTS, Attribute, Profile

GRETA_AS_JSON: dict[str, Any] = {
    "Name": "Greta Lund",
    "Gender": "woman",
    "Age": "61",
    "Place of Birth": "Bergen",
    "Occupation": "retired ship's cook",
    "Height": "168 cm",
    "Weight": "70 kg",
    "Distinguishing Marks": ["burn on the left hand"],
    "Personality": ["patient", "dry humour"],
    "Hobbies": ["fishing", "crosswords"],
    "Skills": ["cooking for many"],
    "Dislikes": ["waste", "loud engines"],
    "Values": ["thrift", "loyalty"],
    "Religious Beliefs": "Lutheran, seldom at church",
    "Interpersonal Relationships": ["a son abroad"],
    "Flaws": ["stubborn"],
    "External Environment": "a harbour town with a closed shipyard",
    "Financial Status": "a small pension",
    "Family Background": "fishermen for four generations",
    "Educational Background": "left school at fifteen",
    "Significant Experiences": ["a storm in 1987"],
    "Future Outlook": ["a quiet garden"],
}
GRETA = Profile.model_validate(GRETA_AS_JSON)


def changed_profile(**changes: Any) -> Profile:
    """Greta with other attributes; blanks in names are underscores."""
    return Profile.model_validate({**GRETA_AS_JSON, **{name.replace("_", " "): v for name, v in changes.items()}})


_words = st.text("abcdefgh ", min_size=1, max_size=40).filter(str.strip)


def traits(name: Attribute) -> st.SearchStrategy[Any]:
    """Values of an attribute in the structure that it has here."""
    return st.lists(_words, min_size=1, max_size=14).map(tuple) if name in LISTS else _words


def _some(names: list[Attribute]) -> st.SearchStrategy[Profile]:
    other = st.fixed_dictionaries({name: traits(name) for name in names})
    return other.map(lambda given: Profile.model_validate({**GRETA_AS_JSON, **given}))


profiles = st.lists(st.sampled_from(ATTRIBUTES), max_size=6, unique=True).flatmap(_some)
"""Greta, with up to six attributes that are others."""
