"""Tells who is only told of in a rule's sentence: in a clause of their own (`what Ada said`), or as a thing's maker."""

from __future__ import annotations

import re

_DOES = re.compile(
    r"\s+(?:(?:\w+ly|also|then|later|just|already|first|once|never|still|now|both|himself|herself)\s+)*"
    r"(?:ha[sd]|have|is|was|were|are|will|would|can|could|may|might|must|should|did|does|do|\w{2,}ed|(?!as\b|his\b|its\b)[a-z]{2,}s"
    r"|said|made|gave|took|chose|told|wrote|drew|saw|heard|found|thought|brought|bought|sold|paid|spent|lost|won|kept|left"
    r"|put|set|got|went|came|knew|meant|felt|held|led|read|ran|sent|spoke|stood|understood|began|built|let|met|sought|threw)\b"
)
"""How a verb of their own follows somebody."""
_DETERMINER = "the|an?|any|every|all|each|its|their|his|her|this|these|those|some|another|no|one"
_NOUN = rf"\b(?:{_DETERMINER})\s+(?:(?!(?:to|with|for|that|which|what|and|or|if|as|by)\b)[\w’'-]+\s+){{1,4}}?"
_A_THING = re.compile(rf"(?:{_NOUN}(?:(?:that|which|whom)\s+)?|,\s*(?:which|whom)\s+)(?:the\s+)?$", re.IGNORECASE)
"""A thing, and then who has to do with it."""
_BY = re.compile(r"\bby\s+(?:both\s+)?(?:the\s+)?$", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:that|what(?:ever)?|whether|if|how|why|when|whenever|where|which)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(
    r"\b(?:after|before|until|once|while|because|since|as|unless|(?:al)?though|so that|in case)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:(?:ask|wonder|check|quer(?:y|ie)|question|quiz)(?:e?s|ing)?|(?:in|en)quir(?:es?|ing)"
    r"|to (?:know|hear|learn|find out|be told))\b[^,]*$",
    re.IGNORECASE,
)
_MEETS = re.compile(
    r"\W*(?:\w+ly\s+|then\s+|also\s+)*(?:(?:respond|reply|repl|react|comment|answer|agree|disagree|object|critici[sz]e|prais"
    r"|challeng|question|doubt|disput|contest|reject|refus|accept|approv|support|mock|teas|compliment|endors|counter|dismiss"
    r"|correct|contradict|ridicul|belittl|oppos|attack|acknowledg|appreciat|congratulat|thank|jok|laugh|argu|confront|undermin"
    r"|request|demand|collect|gather|seek|scoff|sneer|insist|press|probe|follow)(?:e?s|ies)\b|(?:asks|calls|begs|presses)\s+for\b)",
    re.IGNORECASE,
)
"""Verbs that meet somebody in what is theirs: `praises the tea that Ada chose`, `asks for the tea that Ada chose`."""


_THINKING = re.compile(r"\b\w+ing(?: out)? that\s+(?:the\s+)?$", re.IGNORECASE)


def meets(predicate: str) -> bool:
    """Tell whether a predicate begins with a verb that meets somebody in what is theirs."""
    return _MEETS.match(predicate) is not None


def only_told_of(between: str, possessive: bool, behind: str, first: bool = True) -> bool:
    """Tell whether somebody is named but not met.

    `between` is what stands between the predicate's beginning and the person, `possessive` whether only something of
    theirs is named, `behind` what stands behind. `first`: nobody is named before them in that predicate.
    """
    does = _DOES.match(behind) is not None
    if does and not possessive and _CIRCUMSTANCE.search(between):
        return True
    if first and meets(between):
        return False
    if _THINKING.search(between):
        return True
    asked = first and _ASKS.search(between) is not None
    if possessive or _BY.search(between):
        return not (possessive and asked)
    in_a_clause = _CLAUSE.search(between) and not asked
    return does and bool(_A_THING.search(between) or in_a_clause)
