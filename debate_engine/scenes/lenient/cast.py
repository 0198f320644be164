"""Finds the cast in a sentence: by name, by what somebody is, by kind, or all together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from elenchus.debate_engine.scenes.lenient.reading import ReadRole
from elenchus.debate_engine.scenes.lenient.words import NOUNS, NUMBERS, TITLES
from elenchus.debate_engine.scenes.scene import Kind

Group = Literal["", "all", "others", "participants", "both"]
"""Whom a collective word means: nobody in particular, everybody, the others, those taking part, two of them."""

_TAKING_PART = "participants|parties|attendees|players|(?:team |group )?members"
_PEOPLE = f"(?:{_TAKING_PART}|people|ones|of them)"
_GROUPS: tuple[tuple[Group, str], ...] = (
    ("others", rf"(?:the |all )*other (?:\w+ )?{_PEOPLE}|the others|the rest|the other (?:participant|player|person)"),
    ("all", rf"all (?:the )?{_PEOPLE}|every(?:one|body)(?: else)?|(?:the )?(?:whole|entire) (?:group|team|class)"),
    ("all", r"the (?:group|team|class|audience)(?! \w+s?\b(?<!that)(?<!about)(?<!to)(?<!of)(?<!how)(?<!for)(?<!with))"),
    ("all", r"(?<=to )all(?=[.,;:]|$)"),
    ("both", rf"both (?:of )?(?:the )?{_PEOPLE}|the two {_PEOPLE}"),
    (
        "participants",
        rf"(?:each of )?(?:the |(?<!previous )(?<!past )(?<!other )(?<!how ))(?:{_TAKING_PART})",
    ),
)
_PLAIN = ("subject", "participant", "confederate", "moderator", "facilitator")
"""Nouns that mean the role in small letters and without an article too."""
_PLACE = r"[’']s?(?!\w)"
_SET_APART = re.compile(r"\b(?:unlike|instead of|apart from|except(?: for)?|but|not)\s+(?:the\s+)?$", re.IGNORECASE)
_SOME_OF = re.compile(r"\b(?:one|some|any|most|none|either|neither|which) of\s+$", re.IGNORECASE)


Words = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Mention:
    """Somebody named between `start` and `end` (a possessive's ending included)."""

    start: int
    end: int
    names: tuple[str, ...]
    possessive: bool = False
    group: Group = ""


class Cast:
    """The roles, and all the words by which a script may call them."""

    def __init__(self, found: Sequence[ReadRole]) -> None:
        self.names = tuple(each.role.name for each in found)
        self._kinds: dict[str, Kind] = {each.role.name: each.role.kind for each in found}
        self._named = _names_of(found)
        self._known, self._shared = _words_of(found)
        named, known = (
            "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or "(?!)"
            for words in (self._named, self._known)
        )
        groups = "|".join(f"(?P<g{index}>{pattern})" for index, (_, pattern) in enumerate(_GROUPS))
        self._pattern = re.compile(
            rf"(?<![\w-])(?:(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s)?(?P<name>{named})|(?i:{groups}|(?P<word>{known})))(?P<of>{_PLACE})?(?![\w-])"
        )

    def kind(self, name: str) -> Kind:
        """A role's kind."""
        return self._kinds.get(name, "other")

    def of_kind(self, *kinds: Kind) -> tuple[str, ...]:
        """The names of all roles of these kinds."""
        return tuple(name for name in self.names if self._kinds[name] in kinds)

    def everybody_but(self, *names: str) -> tuple[str, ...]:
        """Everybody's name but these."""
        return tuple(name for name in self.names if name not in names)

    def mentions(self, text: str) -> list[Mention]:
        """Everybody named in a text, in order, but who is only set apart (`unlike Ada`); a word and a name for one role
        side by side are one mention.
        """
        merged: list[Mention] = []
        for mention in self._found(text):
            last = merged[-1] if merged else None
            between = text[last.end : mention.start] if last else ""
            same = last and last.names == mention.names and not (last.possessive or last.group or mention.group)
            if last and same and re.fullmatch(r"\s*,?\s*\(?\s*(?:the\s)?", between):
                merged[-1] = replace(last, end=mention.end, possessive=mention.possessive)
            elif mention.group and _SOME_OF.search(text[: mention.start][-24:]):
                continue
            elif not _SET_APART.search(text[: mention.start][-24:]):
                merged.append(mention)
            elif last and last.group:
                merged.pop()  # all but one
        return merged

    def names_meant(self, mentions: Sequence[Mention], but: str = "") -> tuple[str, ...]:
        """The names that the mentions stand for, each once, without one."""
        names: list[str] = []
        for mention in mentions:
            names += self._members(mention, but) if mention.group else mention.names
        return tuple(dict.fromkeys(name for name in names if name != but))

    def _members(self, mention: Mention, but: str) -> tuple[str, ...]:
        taking_part = tuple(name for name in self.everybody_but(but) if self.kind(name) != "moderator")
        if mention.group == "both":
            subjects = tuple(name for name in taking_part if self.kind(name) == "subject")
            return next((names for names in (taking_part, subjects) if len(names) == 2), ())
        return taking_part if mention.group == "participants" else self.everybody_but(but)

    def _found(self, text: str) -> Iterator[Mention]:
        for found in self._pattern.finditer(text):
            at, possessive = (found.start(), found.end()), bool(found["of"])
            if found["name"]:
                yield Mention(*at, self._named[found["name"]], possessive)
            elif word := found["word"]:
                plain = word.lower().removesuffix("s") in _PLAIN or not word.islower()
                if plain or re.search(r"\b(?:the|each|both)\s$", text[: at[0]], re.IGNORECASE):
                    yield Mention(*at, self._known[word.lower()], possessive)
            else:
                group = next(name for index, (name, _) in enumerate(_GROUPS) if found[f"g{index}"])
                shared = self._shared.get(re.findall(r"[a-z]+", found[0].lower())[-1], ())
                yield Mention(*at, shared, possessive, "" if shared else group)


def _names_of(found: Sequence[ReadRole]) -> Words:
    """The roles by their names, in capitals too, and by the parts of a name that no other role bears."""
    called: Words = {word: (each.role.name,) for each in found for word in (each.role.name, each.role.name.upper())}
    nouns = {noun for known in NOUNS.values() for noun in known}
    parts = [(part, each.role.name) for each in found for part in each.role.name.split() if part[:1].isupper()]
    for part, name in parts:
        alone = sum(other == part for other, _ in parts) == 1 and len(part) > 2 and part[-1] != "."
        if alone and part.lower() not in nouns:
            called.setdefault(part, (name,))
    return called


def _words_of(found: Sequence[ReadRole]) -> tuple[Words, Words]:
    """The roles by what they are: the whole of it and its last word where one alone is called so, and the nouns for
    their kinds, in the plural too; and by the plurals of what several are.
    """
    known: dict[str, list[str]] = {}
    for each in found:
        phrases = {re.sub(r"[^\w\s-]", " ", phrase.lower()).strip() for phrase in each.called}
        phrases |= {each.role.name.lower().split()[0]} & TITLES
        heads = {
            re.split(r"\s(?:in|of|at|on|for|and|from|with|who|behind|by)\s", phrase)[0].split()[-1]
            for phrase in phrases
            if phrase
        }
        for word in {*phrases, *heads}:
            if 3 < len(word) < 50 and word not in NUMBERS.split("|"):
                known.setdefault(word, []).append(each.role.name)
    single = {word: tuple(names) for word, names in known.items() if len(names) == 1}
    for kind, nouns in NOUNS.items():
        names = tuple(each.role.name for each in found if each.role.kind == kind)
        borne = " ".join(phrase.lower() for each in found for phrase in each.called).split()
        single |= {noun: names for noun in nouns if names and (noun in _PLAIN or noun not in (*single, *borne))}
    plurals = {f"{word}s": names for word, names in single.items() if not word.endswith("s") and word != "participant"}
    shared = {f"{word}s": tuple(names) for word, names in known.items() if len(names) > 1 and word not in _PLAIN}
    return {**plurals, **single}, shared
