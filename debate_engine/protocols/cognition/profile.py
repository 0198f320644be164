"""A persona's profile: the paper's 22 attributes in three kinds, a change of it checked, and what a change did. Pure.

An attribute is a text or a list of short values. Which of the two it is, is its structure, and no change alters it:
released files have texts, profiles that are made here have lists where there can be several values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError, model_serializer, model_validator

from elenchus.config.validation import fault_told
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.prompts import line

Kind = Literal["basic information", "philosophical orientations", "individual characteristics"]
Attribute = Literal[
    "Name", "Gender", "Age", "Place of Birth", "Occupation", "Height", "Weight", "Distinguishing Marks", "Personality",
    "Hobbies", "Skills", "Dislikes", "Values", "Religious Beliefs", "Interpersonal Relationships", "Flaws",
    "External Environment", "Financial Status", "Family Background", "Educational Background",
    "Significant Experiences", "Future Outlook",
]  # fmt: skip
Trait = str | tuple[str, ...]

KINDS: Mapping[Kind, tuple[Attribute, ...]] = {
    "basic information": (
        "Name", "Gender", "Age", "Place of Birth", "Occupation", "Height", "Weight", "Distinguishing Marks",
    ),
    "philosophical orientations": ("Values", "Religious Beliefs"),
    "individual characteristics": (
        "Personality", "Hobbies", "Skills", "Dislikes", "Interpersonal Relationships", "Flaws", "External Environment",
        "Financial Status", "Family Background", "Educational Background", "Significant Experiences", "Future Outlook",
    ),
}  # fmt: skip
ATTRIBUTES: tuple[Attribute, ...] = Attribute.__args__  # type: ignore[attr-defined]  # in the paper's order
LISTS: frozenset[Attribute] = frozenset({
    "Distinguishing Marks", "Personality", "Hobbies", "Skills", "Dislikes", "Values", "Interpersonal Relationships",
    "Flaws", "Significant Experiences", "Future Outlook",
})  # fmt: skip
"""Those that are lists in profiles which are made here."""

LONGEST_VALUE = 30
"""Characters that a value of a list stays under."""
LONGEST_TEXT = 300
MOST_VALUES = 12
MOST_GIVEN = 100
"""Values of a list in a profile from elsewhere, which need not keep the rules: each prompt holds them all."""
MOST_SHOWN = 3
"""Values, or pairs of them, that a sentence about what is wrong names."""

_Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000)]
_Trait = _Line | Annotated[tuple[_Line, ...], Field(max_length=MOST_GIVEN)]


class Profile(FrozenModel):
    """Who a persona is. As JSON it has the paper's names and order, which is the shape of the released profiles.

    Raises ValueError naming every attribute that is missing, and those that no profile has.
    """

    traits: Mapping[Attribute, _Trait]

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            raise ValueError("a profile is a mapping of attributes")  # noqa: TRY004 - pydantic tells of ValueErrors
        flat = given["traits"] if given.keys() == {"traits"} else given
        missing = [name for name in ATTRIBUTES if name not in flat]
        unknown = [str(name) for name in flat if name not in ATTRIBUTES]
        if missing or unknown:
            parts = (("it lacks", missing), ("it has unknown attributes", unknown))
            raise ValueError("; ".join(f"{what} {', '.join(names)}" for what, names in parts if names))
        return {"traits": {name: flat[name] for name in ATTRIBUTES}}

    @model_serializer
    def _as_released(self) -> dict[str, Any]:
        return {name: list(trait) if isinstance(trait, tuple) else trait for name, trait in self.traits.items()}

    def __getitem__(self, name: Attribute) -> Trait:
        return self.traits[name]

    @property
    def name(self) -> str:
        """What the persona is called: it tells one persona from another in the released files."""
        return in_words(self.traits["Name"])

    @property
    def text(self) -> str:
        """A line an attribute, as prompts and the released results have it."""
        return "\n".join(f"{name}: {line(in_words(trait))}" for name, trait in self.traits.items())


def in_words(trait: Trait) -> str:
    """An attribute's values as one text."""
    return trait if isinstance(trait, str) else ", ".join(trait)


def profile_of(given: Any, called: str = "the profile") -> Profile:
    """A profile out of JSON or YAML; numbers become texts. Raises UsageError, one sentence, for what is none."""
    try:
        profile = Profile.model_validate(_as_texts(given))
        if is_blank(profile.name):
            raise ValueError("its Name is empty")
    except ValueError as error:
        raise UsageError(f"{called[:1].upper()}{called[1:]} cannot be used: {_first(error)}.") from error
    return profile


def _as_texts(given: Any) -> Any:
    """The same with texts for numbers: `Age: 61`, as people write it."""
    if isinstance(given, Mapping):
        return {name: _as_texts(value) for name, value in given.items()}
    if isinstance(given, list | tuple):
        return [_as_texts(value) for value in given]
    return str(given) if isinstance(given, int | float) and not isinstance(given, bool) else given


def _first(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"] if part in ATTRIBUTES)
    wrong = "a text or a list of texts is wanted" if first["type"] in _NO_TEXT else fault_told(first)
    return f"{place}: {wrong}" if place else wrong


_NO_TEXT = ("string_type", "tuple_type")
"""What pydantic calls it that a value is no text and no list."""


# ── changes ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Change(FrozenModel):
    """What changed in one attribute, why, and the sentences of the text that it came from.

    `missing_quotes` are sentences that were given for it and do not stand in the text.
    """

    attribute: Attribute
    before: Trait
    after: Trait
    reason: str = ""
    quotes: tuple[str, ...] = ()
    missing_quotes: tuple[str, ...] = ()

    @property
    def added(self) -> tuple[str, ...]:
        """Values that are there now and were not before."""
        return tuple(value for value in values_of(self.after) if value not in values_of(self.before))

    @property
    def removed(self) -> tuple[str, ...]:
        """Values that were there before and are not now."""
        return tuple(value for value in values_of(self.before) if value not in values_of(self.after))


def values_of(trait: Trait) -> tuple[str, ...]:
    """The values of a list; of a text the text itself."""
    return (trait,) if isinstance(trait, str) else trait


def changed(before: Profile, after: Profile) -> tuple[Attribute, ...]:
    """The attributes in which two profiles differ, in the paper's order; spaces and case are no difference."""
    return tuple(name for name in ATTRIBUTES if _plain(before[name]) != _plain(after[name]))


def diff(before: Profile, after: Profile) -> tuple[Change, ...]:
    """What changed between two versions, attribute by attribute."""
    return tuple(Change(attribute=name, before=before[name], after=after[name]) for name in changed(before, after))


def _plain(trait: Trait) -> Any:
    plain = [" ".join(value.casefold().split()) for value in values_of(trait)]
    return plain[0] if isinstance(trait, str) else plain


# ── what a change may do ─────────────────────────────────────────────────────────────────────────────────────────


def faults_in_change(before: Profile, after: Profile, most: int) -> list[str]:
    """All that keeps a new version from taking the old one's place, each as a sentence for its author.

    What stands unchanged is never a fault, so that a profile which came from elsewhere is taken as it is.
    """
    names = changed(before, after)
    return [*_never_suddenly(names, most), *(fault for name in names for fault in _faults(name, before, after))]


def faults_in_new(profile: Profile) -> list[str]:
    """All that keeps a profile that was just made from being one, each as a sentence for its author."""
    empty = [name for name in ATTRIBUTES if not any(map(str.strip, values_of(profile[name])))]
    lists = ((name, trait) for name, trait in profile.traits.items() if isinstance(trait, tuple))
    faults = [fault for name, trait in lists for fault in _of_list(name, (), trait)]
    return [*([f"{', '.join(empty)}: nothing is said there"] if empty else []), *faults]


def tidied(profile: Profile) -> Profile:
    """The profile with values of lists that keep the rules: too long ones cut after a word, of two alike the first."""

    def kept(values: tuple[str, ...]) -> tuple[str, ...]:
        found: list[str] = []
        for value in (shortened(value) for value in values):
            if value and not any(set(pair) == {value, other} for other in found for pair in _alike((other, value))):
                found.append(value)
        return tuple(found[:MOST_VALUES])

    traits = {name: kept(trait) if isinstance(trait, tuple) else trait for name, trait in profile.traits.items()}
    return Profile.model_validate(traits)


def shortened(value: str) -> str:
    """A value of a list that is shorter than it may be at the most, cut after a word."""
    if len(value) < LONGEST_VALUE:
        return value
    return value[: LONGEST_VALUE - 1].rpartition(" ")[0].rstrip(" ,;") or value[: LONGEST_VALUE - 1]


def _never_suddenly(names: tuple[Attribute, ...], most: int) -> Iterator[str]:
    if len(names) > most:
        yield (
            f"{len(names)} attributes changed ({', '.join(names)}): a person never changes suddenly, at most {most} "
            "may change at once"
        )


def _faults(name: Attribute, before: Profile, after: Profile) -> Iterator[str]:
    old, new = before[name], after[name]
    if name == "Name":
        yield "Name: nobody's name changes by what they read"
    elif isinstance(old, str) is not isinstance(new, str):
        yield f"{name}: the structure is kept, and it is a {'text' if isinstance(old, str) else 'list'}"
    elif not any(map(str.strip, values_of(new))) and any(map(str.strip, values_of(old))):
        yield f"{name} is empty: say so in a word where nothing is left of it"
    elif isinstance(new, str):
        if len(new) > max(LONGEST_TEXT, len(in_words(old))):
            yield f"{name} has more than {LONGEST_TEXT} characters"
    else:
        yield from _of_list(name, values_of(old), new)


def _of_list(name: Attribute, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
    fresh = [value for value in new if value not in old]
    if long := [*dict.fromkeys(value for value in fresh if len(value) >= LONGEST_VALUE)]:
        yield f"{name}: {_quoted(long[:MOST_SHOWN])} must stay under {LONGEST_VALUE} characters: say it more generally"
    if len(new) > max(MOST_VALUES, len(old)):
        yield f"{name} has {len(new)} values, and {MOST_VALUES} are the most"
    if pairs := [*dict.fromkeys(pair for pair in _alike(new[: 2 * MOST_VALUES]) if set(pair) & set(fresh))]:
        shown = "; ".join(f"{_quoted(pair)} are not distinct" for pair in pairs[:MOST_SHOWN])
        more = f" (and {len(pairs) - MOST_SHOWN} pairs more)" if len(pairs) > MOST_SHOWN else ""
        yield f"{name}: {shown}{more}: keep the more general one"


def _alike(values: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of values of which one says the other as well: all of its words stand in the other."""
    words = [frozenset(_WORD.findall(value.casefold())) for value in values]
    for i, some in enumerate(words):
        for j in range(i):
            if some and words[j] and (some <= words[j] or words[j] <= some):
                yield values[j], values[i]


_WORD = re.compile(r"\w+")


def _quoted(values: Any) -> str:
    return " and ".join(f"“{value}”" for value in values)
