"""What a rule has whom say to whom: its moves, and whether its condition must be looked at first. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from elenchus.debate_engine.scenes.scene import Mode, Rule
from elenchus.debate_engine.words import as_word

TURNS_EACH = 2
"""So often each speaks under a rule that goes both ways."""

_TALK = r"(?:discuss|negotiate|debate|converse|chat|argue|talk)"
_OTHERS = (
    r"him|her|them|others?|each|every(?:one|body)|all|group|subjects?|participants?|confederates?|moderator|facilitator"
)
_RECIPROCAL = re.compile(
    r"\b(?:each other|one another|mutually|back and forth|take turns|dialogue|discuss together)\b"
    r"|\bexchanges? (?:of )?(?:\w+ )?(?:views?|opinions?|thoughts?|ideas?|words|messages)\b"
    rf"|^(?:(?:they|both)(?:\s+\w+)?\s+)?{_TALK}\b"
    r"|^(?:both )?(?:the )?[\w.]+(?: \w+)? and (?:the |other )?[\w.]+(?: \w+)? (?:\w+ly )?"
    rf"(?:{_TALK}|engage|explore|exchange|compare|share|consider|review|weigh|work|look|go)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"^(?:only |but |and |then )?(?:unless|in case|provided|should|when(?:ever)? (?:asked|needed)|where needed)\b"
    r"|[,;(–—]\s*(?:but |and |only )*(?:unless|in case|provided|should|when asked)\b"
    r"|\b(?:unless|as needed|when asked|in case (?:of|that|it|he|she|they))\b"
    r"|(?<!\bas )(?<!\beven )(?<!\bwhat )\bif\b",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"\b(?:asks?|wonders?|sees?|checks?|knows?|decides?|determines?|tests?|inquires?|enquires?|finds? out|sure)"
    r"(?: (?!to\b)[\w'’]+){0,4} if\b",
    re.IGNORECASE,
)
"""An "if" that asks instead of setting a condition."""


@dataclass(frozen=True, slots=True)
class Move:
    """One turn: `speaker` speaks to `to`. Under a two-way rule the one who opened it holds its content (`opens`)."""

    speaker: str
    to: tuple[str, ...]
    mode: Mode
    opens: bool = True


def moves_of(rule: Rule) -> tuple[Move, ...]:
    """The turns of a rule that roles speak: one, or two each in alternation where it goes both ways.

    Fixed words are said, and measures are stated, in one turn.
    """
    if rule.says or rule.measures or rule.trials or not is_two_way(rule):
        return (Move(rule.initiator, rule.receivers, rule.mode),)
    parties = (rule.initiator, *rule.receivers)
    return tuple(
        Move(speaker, tuple(name for name in parties if name != speaker), rule.mode, speaker == rule.initiator)
        for speaker in speakers_of(rule) * TURNS_EACH
    )


def is_fixed(rule: Rule) -> bool:
    """Whether the rule's words are written: nobody is asked for them."""
    return bool(rule.says) and not rule.measures and not rule.trials


def is_two_way(rule: Rule) -> bool:
    """Whether several speak under this rule: its content says so, or names a receiver beside the initiator."""
    names = "|".join(map(re.escape, rule.receivers))
    talks_with = rf"\b{_TALK}(?:e?s|ing|ed|d)?\b(?:(?!\bthat\b|\bwhich\b)[^.;])*\bwith (?:the )?(?:{_OTHERS}|{names})"
    talks = re.search(rf"{talks_with}(?!\w|['’]s)", rule.content, re.IGNORECASE)
    return talks is not None or _RECIPROCAL.search(rule.content) is not None or _names_two(rule)


def speakers_of(rule: Rule) -> tuple[str, ...]:
    """Who speaks under a two-way rule, in order: the initiator, and the receivers it names; all where it names none."""
    named = tuple(name for name in rule.receivers if re.search(as_word(name), rule.content, re.IGNORECASE))
    return (rule.initiator, *(named or rule.receivers))


def is_conditional(rule: Rule) -> bool:
    """Whether the rule holds only under a condition, so that it may be answered "does not apply"."""
    return not rule.says and _CONDITION.search(_WHETHER.sub("", rule.content)) is not None


def _names_two(rule: Rule) -> bool:
    """Whether the content begins with the initiator and a receiver."""
    one, others = re.escape(rule.initiator), "|".join(map(re.escape, rule.receivers))
    return (
        re.match(rf"(?:{one} and (?:{others})|(?:{others}) and {one})(?!\w)", rule.content, re.IGNORECASE) is not None
    )
