"""Tells who is only told of in a rule's sentence: in a clause of their own (`what Ada said`), or as a thing's maker."""

from __future__ import annotations

import re

from debate_engine.scenes.lenient.vocabulary import any_case, before_somebody, one_of, third_person

_DOES = re.compile(
    r"\s+(?:(?:\w+ly|also|then|later|just|already|first|once|never|still|now|both|himself|herself)\s+)*"
    r"(?:ha[sd]|have|is|was|were|are|will|would|can|could|may|might|must|should|did|does|do|\w{2,}ed|(?!as\b|his\b|its\b)[a-z]{2,}s"
    r"|said|made|gave|took|chose|told|wrote|drew|saw|heard|found|thought|brought|bought|sold|paid|spent|lost|won|kept|left"
    r"|put|set|got|went|came|knew|meant|felt|held|led|read|ran|sent|spoke|stood|understood|began|built|let|met|sought|threw)\b"
)
"""How a verb of their own follows somebody."""
_DETERMINER = one_of("the an? any every all each its their his her this these those some another no one")
_NOUN = rf"\b{_DETERMINER}\s+(?:(?!(?:to|with|for|that|which|what|and|or|if|as|by)\b)[\w’'-]+\s+){{1,4}}?"
_A_THING = any_case(rf"(?:{_NOUN}(?:(?:that|which|whom)\s+)?|,\s*(?:which|whom)\s+)(?:the\s+)?$")
"""A thing, and then who has to do with it."""
_BY = before_somebody(r"\bby")
_CLAUSE = before_somebody(r"\b", one_of("that what(?:ever)? whether if how why when whenever where which"))
_CIRCUMSTANCE = before_somebody(
    r"\b(?:after|before|until|once|while|because|since|as|unless|(?:al)?though|so that|in case)"
)
_THINKING = before_somebody(r"\b\w+ing(?: out)? that")
_ASKS = any_case(
    r"\b(?:(?:ask|wonder|check|quer(?:y|ie)|question|quiz)(?:e?s|ing)?|(?:in|en)quir(?:es?|ing)"
    r"|to (?:know|hear|learn|find out|be told))\b[^,]*$"
)
_MEETS = any_case(
    r"\W*(?:\w+ly\s+|then\s+|also\s+)*(?:",
    third_person(
        """
        respond reply repl react comment answer agree disagree object critici[sz]e prais challeng question doubt disput
        contest reject refus accept approv support mock teas compliment endors counter dismiss correct contradict
        ridicul belittl oppos attack acknowledg appreciat congratulat thank jok laugh argu confront undermin request
        demand collect gather seek scoff sneer insist press probe follow
        """
    ),
    r"\b|(?:asks|calls|begs|presses)\s+for\b)",
)
"""Verbs that meet somebody in what is theirs: `praises the tea that Ada chose`, `asks for the tea that Ada chose`."""


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
