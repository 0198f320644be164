"""Finds those whom a rule names as its speaker or as spoken to although no role is called so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from debate_engine.scenes.lenient.kinds import names_a_kind
from debate_engine.scenes.lenient.labels import mode_in
from debate_engine.scenes.lenient.mentions import Cast
from debate_engine.scenes.lenient.parties import ARROW
from debate_engine.scenes.lenient.purposes import purpose_in
from debate_engine.scenes.lenient.vocabulary import any_case, one_of
from debate_engine.scenes.scene import SYSTEM

_NAME = re.compile(r"(?:the\s+)?(?P<name>[A-Z][\w.'’-]*(?: [A-Z0-9][\w.'’-]*){0,2})", re.IGNORECASE)
_NO_NAME = any_case(
    one_of("all any each every both others? rest none nobody group class team audience"),
    r"\b.*|(?:every|any|some)(?:one|body|thing)\b.*|system|them(?:selves)?|(?:him|her|it|your)?self",
)
"""What may stand for people without being a name."""
_AND = re.compile(r"\s*(?:[,;/&]|\band\b)\s*")
_TELLS = re.compile(
    r"\b(?:tell|ask|inform|remind|urge|invite|thank|warn|advise|encourage|persuade|convince|assure)s\s+"
    r"(?P<name>[A-Z][a-z][\w'’-]*)(?![’'])\b"
)


def strangers_of(texts: Iterable[str], fields: Mapping[str, str], cast: Cast) -> Iterator[tuple[str, str]]:
    """Each stranger whom a rule sets beside an arrow or in a field, and what it does (`starts` or `receives` it)."""
    for text in texts:
        left, *right = re.split(ARROW, text, maxsplit=1)
        head = re.split(r"[:：|\[(]", right[0], maxsplit=1)[0] if right else ""
        speaker = re.split(r"[,:：|\])]", left)[-1]
        if cast.mentions(speaker) or SYSTEM in speaker.lower():
            yield from ((name, "receives") for name in strangers_in(head, cast))
        elif cast.mentions(head) and not (mode_in(speaker) or purpose_in(speaker)):
            yield from ((name, "starts") for name in strangers_in(speaker, cast))
    for key, does in (("initiator", "starts"), ("receivers", "receives")):
        yield from ((name, does) for name in strangers_in(fields.get(key, ""), cast))


def strangers_in(names: str, cast: Cast) -> Iterator[str]:
    """The names of a list (`Ada, Zoe and the others`) that are nobody's of the cast; nothing where it is no list."""
    for part in (part for part in _AND.split(names.strip(" .([")) if part):
        name = _NAME.fullmatch(part)
        if name is None or not name["name"][0].isupper():
            return
        unknown = not (_NO_NAME.fullmatch(name["name"]) or names_a_kind(part))
        if unknown and not cast.mentions(part):
            yield name["name"]


def told_stranger(sentence: str, cast: Cast) -> str:
    """Who is told something in a sentence (`Ben tells Zoe`) and is no role, "" for nobody."""
    found = _TELLS.search(sentence)
    return found["name"] if found and not cast.mentions(found["name"]) else ""
