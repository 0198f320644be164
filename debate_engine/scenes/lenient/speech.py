"""Sets apart what is said word by word in a rule: of it only who is called by name in it tells the parties."""

from __future__ import annotations

import re
from collections.abc import Sequence

from debate_engine.scenes.lenient.mentions import Cast, Mention

_QUOTED = re.compile(r"\"([^\"]{2,})\"|“([^“”]{2,})”|«([^«»]{2,})»|„([^„“”]{2,})[“”]")
_LONGEST = 4_000
"""Letters of a rule within which speech is looked for."""
_BEFORE_A_CALL = re.compile(
    r"(?:^|[.!?…,;]\s+|^(?:so|well|thank you|thanks|hello|hi|dear|now|and you|yes|no)\s+)$", re.IGNORECASE
)
_BEHIND_A_CALL = re.compile(r"\s*(?:[,.!?;:…]|$)")
_AND = re.compile(r"\s*(?:and|&)\s*")
_SAID_BEFORE = re.compile(
    r"^\W*(?P<verb>[a-z]+(?:s|ed)|said|told)\s+(?P<who>.+?)(?=\s+(?:to|about|with|in|and|while|as|before|after)\b|[,.;:(]|$)"
)
"""`"…", says Ada to Ben`: the verb stands before who speaks."""


def narrated(content: str, cast: Cast) -> tuple[str, tuple[Mention, ...]]:
    """The rule without what is said word by word, and those whom that calls by name, the last sentence's.

    A quote that is no more than somebody's name stays, and a rule that names nobody outside is left as it is.
    """
    called: list[Mention] = []

    def put_aside(found: re.Match[str]) -> str:
        said = next(part for part in found.groups() if part)
        mentions = cast.mentions(said)
        if len(mentions) == 1 and len(said.split()) <= 3 and mentions[0].end - mentions[0].start >= len(said) - 1:
            return said
        called[:] = _called(said, mentions) or called
        return " "

    told = _QUOTED.sub(put_aside, content[:_LONGEST]) + content[_LONGEST:]
    if told == content or not cast.mentions(told):
        return content, ()
    told = re.sub(r"^[\s,.;:–—-]+", "", re.sub(r"\s+", " ", told))
    before = _SAID_BEFORE.match(told)
    if before and told[:1].islower() and cast.mentions(before["who"]):
        told = f"{before['who']} {before['verb']}{told[before.end() :]}"
    return told, tuple(called)


def _called(said: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Those whom a speech calls by name: `Ada and Ben, do you …?`, `Do you agree, Ada?`; of several calls the last."""
    together: list[list[Mention]] = []
    for mention in mentions:
        if together and _AND.fullmatch(said[together[-1][-1].end : mention.start]):
            together[-1].append(mention)
        else:
            together.append([mention])
    calls = [
        group
        for group in together
        if not group[-1].possessive
        and _BEFORE_A_CALL.search(said[: group[0].start])
        and _BEHIND_A_CALL.match(said, group[-1].end)
    ]
    return calls[-1] if calls else []
