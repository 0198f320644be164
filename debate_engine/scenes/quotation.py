"""Quotation marks as Word sets them, read as straight ones where that is unambiguous. Pure."""

from __future__ import annotations

import re

_CURLY = "“”„‘’‚"
_PAIRED = rf'“[^{_CURLY}"\\]*”|„[^{_CURLY}"\\]*[“”]|‘[^{_CURLY}"\\]*’|‚[^{_CURLY}"\\]*[‘’]'
"""A whole text between marks that belong together, and no other mark in it."""
_NESTED = r'‘[^‘’"\\]*’'
"""Single ones around double ones, as around a rule that compares with a text."""

_STRAIGHT = r'"(?:[^"\\]|\\.)*"'
_TEXT = re.compile(rf"({_STRAIGHT})|((?:^|[:\[{{,])\s*)({_PAIRED}|{_NESTED})(?=\s*(?:[,\]}}]|: |:?$))")
_IN_RULE = re.compile(rf"(\"[^\"]*\"|'[^']*')|({_PAIRED})")
_LEFT = re.compile(rf"{_STRAIGHT}|[\[{{,]\s*([{_CURLY}])")


CURLY = "a text begins with a curly quotation mark ({}) that does not go with the one at its end"


def straight(line: str) -> str:
    """A line of YAML, curly quotation marks around a whole text in it made straight; those inside a text stay."""
    return _TEXT.sub(lambda found: found[1] or f'{found[2]}"{found[3][1:-1]}"', line)


def straight_in_rule(rule: str) -> str:
    """A rule over measures, the curly quotation marks around its texts made straight."""
    return _IN_RULE.sub(lambda found: found[1] or f'"{found[2][1:-1]}"', rule)


def without_marks(text: str) -> str:
    """A text without the curly quotation marks around the whole of it."""
    return text[1:-1] if re.fullmatch(_PAIRED, text) else text


def curly_mark(line: str) -> str:
    """The curly quotation mark with which a text inside brackets begins in a line of YAML; "" for none."""
    begin = min((at for at in (line.find("["), line.find("{")) if at >= 0), default=len(line))
    return next((found[1] for found in _LEFT.finditer(line, begin) if found[1]), "")
