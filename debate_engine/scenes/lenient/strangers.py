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
    one_of("all any each every both others? other rest remaining two three whole entire full none nobody same"),
    r"\b.*|",
    one_of("group class team audience public room"),
    r"\b.*|(?:every|any|some)(?:one|body|thing)\b.*|system|them(?:selves)?|self|(?:him|her|it|your)(?:self)?",
    r"|n/?a|not applicable",
)
"""What may stand for people, or for nobody, without being a name."""
_BESIDE_NAMES = any_case(one_of(r"the and or from both system \w+ly role \d+ [a-z]"))
"""Words that may stand with the names before an arrow; any other small one makes a sentence of it."""
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
        if only_names(speaker, cast):
            yield from ((name, "receives") for name in strangers_in(head, cast))
        elif cast.mentions(head) and not (mode_in(speaker) or purpose_in(speaker)):
            yield from ((name, "starts") for name in strangers_in(speaker, cast))
    for key, does in (("initiator", "starts"), ("receivers", "receives")):
        yield from ((name, does) for name in strangers_in(fields.get(key, ""), cast))


def only_names(text: str, cast: Cast) -> bool:
    """Tell whether a text names somebody of the cast, or the system, and says nothing of them (not `Ben says`)."""
    said = text
    for mention in reversed(cast.mentions(text)):
        said = f"{said[: mention.start]} {said[mention.end :]}"
    small = [word for word in re.findall(r"\w+", said) if word[0].islower()]
    return (said != text or SYSTEM in text.lower()) and all(_BESIDE_NAMES.fullmatch(word) for word in small)


def strangers_in(names: str, cast: Cast) -> Iterator[str]:
    """The names of a list (`Ada, Zoe and the others`) that are nobody's of the cast; nothing where it is no list."""
    if _NO_NAME.fullmatch(names.strip(" .([")):
        return
    for part in (part for part in _AND.split(names.strip(" .([")) if part):
        name = _NAME.fullmatch(part)
        if name is None or not name["name"][0].isupper():
            return
        unknown = not (_NO_NAME.fullmatch(name["name"]) or names_a_kind(part) or mode_in(part))
        if unknown and not cast.mentions(part):
            yield name["name"]


def told_stranger(sentence: str, cast: Cast) -> str:
    """Who is told something in a sentence (`Ben tells Zoe`) and is no role, "" for nobody."""
    found = _TELLS.search(sentence)
    return found["name"] if found and not cast.mentions(found["name"]) else ""
