"""What the terms of a rule over measures can be, and where a rule asks what no answer can meet. Pure.

A rule such as `pick = "Z"` reads well and names what there is, and yet it is always no.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from elenchus.debate_engine.scenes.measures import Stated, Type, number
from elenchus.debate_engine.scenes.outcome import parsed

NUMBER, TEXT = frozenset[Type]({"number"}), frozenset[Type]({"text"})
YES_NO = frozenset[Type]({"yes-no", "number"})
"""Yes and no count as 1 and 0."""

_SAME = (ast.Eq, ast.NotEq)
_ORDERS: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Lt: ("<", False), ast.LtE: ("<=", False), ast.Gt: (">", True), ast.GtE: (">=", True),
}  # fmt: skip
"""How an order is written, and whether the greater stands first."""


@dataclass(frozen=True)
class Term:
    """What a name, a value or a part of a rule can be: of which types, and which `values` (None: too many to name).

    A number that has none lies from `low` to `high` (None: no bound).
    """

    types: frozenset[Type]
    values: frozenset[Stated] | None = None
    name: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def is_text(self) -> bool:
        """Whether it is a text whatever was answered."""
        return self.types == TEXT

    @property
    def is_yes_or_no(self) -> bool:
        """Whether it may be yes or no."""
        return "yes-no" in self.types

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest number that it can be."""
        numbers = [float(value) for value in self.values or () if not isinstance(value, str)]
        if numbers:
            return min(numbers), max(numbers)
        return -inf if self.low is None else self.low, inf if self.high is None else self.high

    def __str__(self) -> str:
        if not self.name:
            return _quoted(next(iter(self.values))) if self.values else "what is reckoned"
        return self.name

    @property
    def told(self) -> str:
        """The values, or what is wanted in their place."""
        if self.is_yes_or_no:
            return f"{self} is yes or no"
        if self.values is None:
            return f"{self} is {'a text' if self.is_text else 'a number'}{self._within}"
        return f"{self} is one of: {', '.join(sorted(map(_quoted, self.values)))}"

    @property
    def _within(self) -> str:
        ends = zip(("from", "to"), (self.low, self.high), strict=True)
        return "".join(f" {word} {number(end)}" for word, end in ends if end is not None)


def constant(value: float | str) -> Term:
    """A number or a text as a rule holds it."""
    return Term(TEXT if isinstance(value, str) else NUMBER, frozenset({value}))


def complaints(rule: str, known: Mapping[str, Term], what: str) -> Iterator[str]:
    """What no answer can meet in a rule, which is called `what`; all its names are `known`. Raises UnreadableRule."""
    for node in ast.walk(parsed(rule, what)):
        yield from (f"{what} “{rule}” {problem}" for problem in _of(node, known))


def term_of(rule: str, known: Mapping[str, Term]) -> Term:
    """What the whole rule can be. Raises UnreadableRule."""
    return _term(parsed(rule).body, known)


def _of(node: ast.AST, known: Mapping[str, Term]) -> Iterator[str]:
    match node:
        case ast.BoolOp(values=parts):
            yield from (problem for part in parts for problem in _of_a_condition(part, known))
        case ast.UnaryOp(op=ast.Not(), operand=part):
            yield from _of_a_condition(part, known)
        case ast.UnaryOp(operand=part):
            yield from _of_a_summand(part, known)
        case ast.BinOp(left=left, right=right):
            yield from (problem for part in (left, right) for problem in _of_a_summand(part, known))
        case ast.Compare(left=left, ops=ops, comparators=others):
            terms = [_term(one, known) for one in (left, *others)]
            for op, (one, other) in zip(ops, pairwise(terms), strict=True):
                yield from _of_the_same(one, other) if isinstance(op, _SAME) else _of_an_order(op, one, other)


def _of_a_condition(node: ast.expr, known: Mapping[str, Term]) -> Iterator[str]:
    term = _term(node, known)
    if isinstance(node, ast.Constant) or term.is_text:
        yield f"takes {term} for yes or no: write both sides of each comparison"


def _of_a_summand(node: ast.expr, known: Mapping[str, Term]) -> Iterator[str]:
    if (term := _term(node, known)).is_text:
        yield f"reckons with {term}, which is a text"


def _of_an_order(op: ast.cmpop, one: Term, other: Term) -> Iterator[str]:
    if not (one.is_text or other.is_text):
        yield from _of_what_is_reached(op, one, other)
    else:
        worded, against = (one, other) if one.is_text else (other, one)
        against_what = "a number" if "number" in against.types else "another text"
        yield f"asks whether {worded}, a text, is more or less than {against_what}: texts are only the same or not"


def _of_what_is_reached(op: ast.cmpop, one: Term, other: Term) -> Iterator[str]:
    """A number that is never so little, or so great."""
    sign, turned = _ORDERS[type(op)]
    little, great = (other.ends[0], one.ends[1]) if turned else (one.ends[0], other.ends[1])
    if little > great or (little == great and "=" not in sign):
        yield f"asks for {one} {sign} {other}, which is never so{_named(one, other)}"


def _named(*terms: Term) -> str:
    """What the name among the terms can be."""
    return next((f": {term.told}" for term in terms if term.name), "")


def _of_the_same(one: Term, other: Term) -> Iterator[str]:
    """Two terms that are never the same; what is told is what the name among them can be."""
    listed = one.values is not None and other.values is not None
    apart = not (one.types & other.types) or (listed and not (one.values or set()) & (other.values or set()))
    beyond = one.ends[1] < other.ends[0] or other.ends[1] < one.ends[0]
    if apart or beyond:
        yield f"compares {one} with {other}, which is never the same{_named(one, other)}"


def _term(node: ast.expr, known: Mapping[str, Term]) -> Term:
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float | str):
            return constant(value)
        case ast.Name(id=name):
            return known[name]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if isinstance(value, int | float):
            return constant(-value)
        case ast.BoolOp() | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return Term(YES_NO, frozenset({True, False}))
    return Term(NUMBER)


def _quoted(value: Stated) -> str:
    return f'"{value}"' if isinstance(value, str) else number(value)
