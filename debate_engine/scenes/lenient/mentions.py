"""Finds the cast in a sentence: by name, by identity, by kind, in the plural, or all together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from debate_engine.scenes.lenient.alike import alike
from debate_engine.scenes.lenient.kinds import KIN, NOUNS
from debate_engine.scenes.lenient.reading import ReadRole
from debate_engine.scenes.lenient.vocabulary import NUMBERS
from debate_engine.scenes.scene import Role

Group = Literal["", "one", "two", "several", "all", "rest"]
"""Whom a collective word means: nobody's in particular, the other or two of the cast, those taking part, everybody, or
the rest."""

_PEOPLE = (
    "participants|participant|parties|roles|players|individuals|members|people|sides|attendees|users|characters"
    "|teammates|colleagues|employees|students|subjects|confederates|agents|of them|others"
)
_SPOKEN_TO = (
    "(?:"
    + "|".join(f"(?<={word} )" for word in ("to", "with", "asks", "tells", "for", "informs", "reminds", "invites"))
    + ")"
)
_HERE = "".join(
    f"(?<!{word} )"
    for word in ("previous", "past", "former", "earlier", "other", "how", "real", "many", "most", "some", "of")
)
"""Behind these words people who are not in the scene are meant."""

_TAKING_PART = "participants|parties|attendees|players|team members|group members"
_ENDS = r"(?=[.,;:]|$| (?:about|for|that|to|what|how|present|of (?:them|you))\b)"
_BEGINS = "(?<![^.(:])"
_A_THING = (
    r" (?:discussion|average|results?|scores?|votes?|ratings?|rankings?|mean|estimates?|decisions?|opinions?|answers?"
    r"|choices?|total|leader|chat|tasks?|setting|size|poll|data|feedback|norm|statistics)\b"
    r"| (?!then|now|also|all|both|\w+ly)\w+ (?:is|are|was|were)\b"
)
"""Behind these a word for a group only says whose or what kind of thing it is: `the team result`."""
_DO = r"(?:share|receive|get|are|discuss|debate|exchange|talk|compare|argue|negotiate|deliberate|chat)\b"

_GROUPS: tuple[tuple[Group, str], ...] = (
    ("one", r"the other (?:participant|player|person|party|member|one)\b(?! s)"),
    (
        "rest",
        rf"(?:the |any |all (?:the |of the )?)?other (?:\w+ )?(?:{_PEOPLE}|ones|two|three|four)|the others|the rest",
    ),
    ("all", rf"all (?:\w+ ){{0,2}}?(?:{_PEOPLE})|everyone|everybody|(?:the )?(?:whole|entire) (?:group|team|class)"),
    ("two", rf"(?:both|the two)(?: of)?(?: the)? (?:{_PEOPLE})\b(?! and\b)"),
    ("several", rf"the (?:three|four|five|six)(?: of)?(?: the)? (?:\w+ )?(?:{_PEOPLE})\b(?! and\b)"),
    ("several", rf"(?:each|every|either)(?: of)?(?: the)? (?:{_PEOPLE})\b|(?:the |{_HERE})(?:{_TAKING_PART})"),
    ("several", rf"the (?:group|team|class|audience)\b(?! of\b|{_A_THING})"),
    ("all", rf"{_SPOKEN_TO}all\b{_ENDS}|{_BEGINS}all\b(?= {_DO})"),
    (
        "two",
        rf"{_SPOKEN_TO}(?:both|the two|the pair|them both)\b{_ENDS}|{_BEGINS}(?:both|the two|the pair)\b(?= {_DO})",
    ),
)
_SET_APART = re.compile(
    r"\b(?:unlike|instead of|rather than|apart from|besides|(?<!or )not"
    r"|(?P<but>except(?: for)?|other than|but(?: not)?))\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_PLACES = r"[’']s?(?!\w)|(?<=s)[’'](?!\w)"


@dataclass(frozen=True)
class Mention:
    """Somebody named between `start` and `end` (a possessive's ending included), but for those `without`."""

    start: int
    end: int
    names: tuple[str, ...]
    possessive: bool = False
    group: Group = ""
    without: tuple[str, ...] = ()


class Cast:
    """The roles, and all the words by which a script may call them."""

    def __init__(self, found: Sequence[ReadRole]) -> None:
        self.roles: tuple[Role, ...] = tuple(each.role for each in found)
        self.names = tuple(role.name for role in self.roles)
        self._kinds = {role.name: role.kind for role in self.roles}
        self._called = _by_name(found)
        self._known = _by_word(found)
        words = sorted((*self._known, *_of_kinds(self.roles)), key=len, reverse=True)
        called = sorted(self._called, key=len, reverse=True)
        names = "|".join(re.escape(name) for name in called) or r"(?!)"
        known = "|".join(re.escape(word) for word in words) or r"(?!)"
        groups = "|".join(f"(?P<g{index}>{pattern})" for index, (_, pattern) in enumerate(_GROUPS))
        self._pattern = re.compile(
            rf"(?<![\w-])(?:(?P<name>{names})|(?i:(?P<word>(?:{known}))(?!\s+(?:matters?|lines?|areas?)\b)|{groups})"
            rf"|(?P<odd>(?:[Tt]he )?[A-Za-z]{{5,14}}))(?P<of>{_PLACES})?(?![\w])"
        )

    def kind(self, name: str) -> str:
        """A role's kind."""
        return self._kinds.get(name, "other")

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """The names of all roles of these kinds."""
        return tuple(name for name in self.names if self._kinds[name] in kinds)

    def but(self, *names: str) -> tuple[str, ...]:
        """Everybody's name but these."""
        return tuple(name for name in self.names if name not in names)

    def mentions(self, text: str) -> list[Mention]:
        """Everybody named in a text, in order; a word and a name for one role side by side are one mention.

        Who is only set apart (`unlike Ada`, `all but Ada`) is left out.
        """
        merged: list[Mention] = []
        for mention in self._found(text):
            last = merged[-1] if merged else None
            if apart := _SET_APART.search(text[: mention.start][-24:]):
                if apart["but"] and last and last.end >= mention.start - len(apart[0]) - 1:
                    merged[-1] = replace(last, without=mention.names)
                continue
            between = text[last.end : mention.start] if last else ""
            same = last and last.names == mention.names and not last.possessive and not last.group
            if last and same and re.fullmatch(r"\s*,?\s*\(?\s*(?:the\s)?", between):
                merged[-1] = Mention(last.start, mention.end, last.names, mention.possessive)
            else:
                merged.append(mention)
        return merged

    def _found(self, text: str) -> Iterator[Mention]:
        position = 0
        while match := self._pattern.search(text, position):
            position = match.end()
            groups = match.groupdict()
            possessive = bool(groups["of"])
            if groups["name"]:
                yield Mention(match.start(), match.end(), self._called[groups["name"]], possessive)
            elif groups["word"]:
                word = groups["word"].lower()
                group: Group = "several" if word.endswith("participants") else ""
                yield Mention(match.start(), match.end(), self._by_word(word), possessive, group)
            elif groups["odd"]:
                if names := self._odd(groups["odd"], text, match.start()):
                    yield Mention(match.start(), match.end(), names, possessive)
                elif groups["odd"].lower().startswith("the "):
                    position = match.start() + 4
            else:
                names = self._several(match[0])
                meant = next(kind for i, (kind, _) in enumerate(_GROUPS) if groups[f"g{i}"])
                yield Mention(match.start(), match.end(), names, possessive, "" if names else meant)

    def _several(self, words: str) -> tuple[str, ...]:
        """The roles of one kind or identity where a collective names it (`both subjects`, `all players`) and several
        are of it.
        """
        last = re.findall(r"[a-z]+", re.sub(rf"(?:{_PLACES})$", "", words.lower()))[-1:]
        if not last or last[0].startswith("participant"):
            return ()
        names = _of_kinds(self.roles).get(last[0].removesuffix("s")) or self._known.get(last[0], ())
        return names if len(names) > 1 else ()

    def _by_word(self, word: str) -> tuple[str, ...]:
        return self._known.get(word) or _of_kinds(self.roles)[word]

    def _odd(self, word: str, text: str, start: int) -> tuple[str, ...]:
        """The role that a misspelt word means: only a noun (after "the", or with a capital) is looked at."""
        bare = word.lower().removeprefix("the ")
        noun = word[:3].lower() == "the" or word[0].isupper()
        if not noun or len(bare) < 6 or bare in KIN or text[start - 1 : start] == "-":
            return ()
        known = {**_of_kinds(self.roles), **self._known}
        return next((known[other] for other in known if " " not in other and alike(bare, other, 0.86)), ())


_BESIDE = re.compile(r"\s*;\s*|\s[-–—]\s|,\s*(?=(?:the|an?|who|now|acts?|acting|serv\w+|pos\w+|play\w*|[a-z]{2,}s)\b)")
"""What parts an identity from what is said of it."""
_OFFICES = (
    "Professor", "Doctor", "Captain", "Judge", "Sergeant", "Principal", "Nurse", "Coach", "Chef", "Officer",
    "Inspector", "Director", "Senator", "Mayor", "Lieutenant", "Major", "Colonel", "General", "Detective", "Pastor",
    "Father", "Sister",
)  # fmt: skip
"""Titles that are nouns too: `the professor` is the one of the cast who bears it."""
_TITLES = ("Mr", "Mrs", "Ms", "Miss", "Dr", "Prof", "Professor", "Sir")


def _by_name(found: Sequence[ReadRole]) -> dict[str, tuple[str, ...]]:
    """The roles by their names, and by the parts of a name that no other role bears."""
    called: dict[str, tuple[str, ...]] = {each.role.name: (each.role.name,) for each in found}
    for each in found:
        name = each.role.name
        parts = [part for part in re.split(r"\s+", name) if len(part) > 2 and part[0].isupper() and part[-1] != "."]
        alone = [
            part for part in parts if not any(part in other.role.name.split() for other in found if other is not each)
        ]
        nouns = {noun for nouns in NOUNS.values() for noun in nouns}
        for word in (part for part in alone if part.lower() not in nouns):
            called.setdefault(word, (name,))
            if name.split()[0].rstrip(".") in _TITLES:
                called.setdefault(f"{name.split()[0]} {word}", (name,))
        if len(name) > 2:
            called.setdefault(name.upper(), (name,))
        if len(parts) == 1 and parts[0] == name:
            called.setdefault(f"Dr. {name}", (name,))
            called.setdefault(f"Dr {name}", (name,))
    return called


def _by_word(found: Sequence[ReadRole]) -> dict[str, tuple[str, ...]]:
    """The roles by identity: the whole of it, and its last word; what two roles share means both."""
    known: dict[str, list[str]] = {}
    for each in found:
        for phrase in _phrases(each):
            bare = re.sub(r"[^\w\s-]", " ", phrase.lower()).split()
            whole = " ".join(bare)
            if not bare or len(bare) > 5:
                continue
            head = re.split(r"\b(?:in|of|at|on|for|and|from|with|who|behind|by|under|over|during)\b", whole)[0].split()
            last = head[-1] if head else bare[-1]
            _note(known, whole, each.role.name)
            if _is_noun(last, found) and len(last) > 2 and last not in NUMBERS.split("|"):
                _note(known, last if len(last) > 4 else f"the {last}", each.role.name)
    plurals = {f"{word}s": names for word, names in known.items() if not word.endswith("s")}
    articles = {f"{a} {w}": n for w, n in {**known, **plurals}.items() for a in ("the", "each", "every")}
    return {word: tuple(names) for word, names in {**plurals, **known, **articles}.items()}


def _phrases(found: ReadRole) -> Iterator[str]:
    """What a role is called, what stands before a comma or a dash by itself too, and the title in its name."""
    for phrase in found.called:
        yield phrase
        first = _BESIDE.split(phrase, maxsplit=1)[0]
        if first != phrase:
            yield first
    title = found.role.name.split()[0]
    if len(title) > 4 and title.isalpha() and title in _OFFICES and title != found.role.name:
        yield title


def _note(known: dict[str, list[str]], word: str, name: str) -> None:
    names = known.setdefault(word, [])
    if name not in names:
        names.append(name)


def _is_noun(word: str, found: Sequence[ReadRole]) -> bool:
    """Tell whether an identity's last word may stand for the role: `participant` cannot where two are one."""
    bearing = [each for each in found if any(word in called.lower().split() for called in each.called)]
    return len(bearing) == 1


def _of_kinds(roles: Sequence[Role]) -> dict[str, tuple[str, ...]]:
    """The roles of each kind by the nouns for it, with and without article and plural."""
    known: dict[str, tuple[str, ...]] = {}
    for kind, nouns in NOUNS.items():
        names = tuple(role.name for role in roles if role.kind == kind)
        for noun in nouns if names else ():
            plural = () if noun == "participant" else (f"{noun}s", f"the {noun}s")
            for word in (noun, f"the {noun}", *plural):
                known[word] = names
    return known
