"""The outcome of a scene: a rule over its measures and its condition, such as `price >= 240` or `answer = "A"`. Pure.

Allowed are names, numbers, texts in quotation marks, + − * /, comparisons, `and`, `or`, `not` and brackets. A rule that
compares gives yes or no, any other a number. What depends on a measure that is missing is missing (None).
Numbers that differ only by what computers lose in decimals (`CLOSE`) are the same.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Collection, Mapping
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.scenes.measures import Stated

if TYPE_CHECKING:
    from elenchus.debate_engine.scenes.scene import Scene

LONGEST = 300
"""Characters of a rule."""

CLOSE = 1e-9
"""Numbers that differ by a smaller share (or by less) are the same: 0.1 + 0.2 is 0.3."""

_SIGNS = str.maketrans({"≥": ">=", "≤": "<=", "≠": "!=", "−": "-", "×": "*", "÷": "/"})
_EQUALS = re.compile(r"(?<![<>=!])=(?!=)")
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_KINDS = (ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Compare, ast.Name,
          ast.Load, ast.Constant, *_ARITHMETIC, *_COMPARED)  # fmt: skip
_ONE_AT_A_TIME = Lock()
"""Python 3.11 counts the depth of all threads that parse at once as one, and then raises SystemError."""


class UnreadableRule(ValueError):
    """A rule that says something else than an outcome; the message says what."""


def parsed(rule: str, what: str = "the outcome") -> ast.Expression:
    """The rule, read; `what` it is called in a complaint. Raises UnreadableRule."""
    if len(rule) > LONGEST:
        raise UnreadableRule(f"{what} has {len(rule)} characters, of which {LONGEST} are allowed")
    try:
        with _ONE_AT_A_TIME:
            found = ast.parse(_as_python(rule.strip()), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UnreadableRule(f"{what} “{rule}” cannot be read: write it as price >= 240") from None
    for node in ast.walk(found):
        if not isinstance(node, _KINDS) or (
            isinstance(node, ast.Constant) and type(node.value) not in (int, float, str)
        ):
            raise UnreadableRule(f"{what} “{rule}” holds more than names, numbers, texts and comparisons")
    return found


def _as_python(rule: str) -> str:
    """The signs of the rule as Python has them; what stands in quotation marks stays as it is."""
    parts = re.split(r"(\"[^\"]*\"|'[^']*')", rule)
    return "".join(part if n % 2 else _EQUALS.sub("==", part.translate(_SIGNS)) for n, part in enumerate(parts))


def names_in(rule: str, what: str = "the outcome") -> tuple[str, ...]:
    """What the rule speaks of, in order. Raises UnreadableRule."""
    return tuple(dict.fromkeys(node.id for node in ast.walk(parsed(rule, what)) if isinstance(node, ast.Name)))


def check(rule: str, known: Collection[str], what: str = "the outcome") -> None:
    """Raises UnreadableRule for a rule that cannot be read, or speaks of what the scene does not have."""
    if unknown := [name for name in names_in(rule, what) if name not in known]:
        have = f"it has {', '.join(known)}" if known else "it has no measures"
        raise UnreadableRule(f"{what} speaks of {', '.join(unknown)}, which the scene does not have: {have}")


def is_yes_or_no(rule: str) -> bool:
    """Whether the outcome is yes or no, not a number. Raises UnreadableRule."""
    return isinstance(parsed(rule).body, ast.Compare | ast.BoolOp) or (
        isinstance(body := parsed(rule).body, ast.UnaryOp) and isinstance(body.op, ast.Not)
    )


def unit_in(rule: str, units: Mapping[str, str]) -> str:
    """In what the outcome is given: the unit of the measures of which it is a sum, a difference or a share; else "".

    Raises UnreadableRule.
    """
    return _unit(parsed(rule).body, units) or ""


def _unit(node: ast.expr, units: Mapping[str, str]) -> str | None:
    """None of a plain number, which takes the unit of what it stands beside."""
    match node:
        case ast.Name(id=name):
            return units.get(name, "")
        case ast.Constant():
            return None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _unit(operand, units)
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _unit(left, units), _unit(right, units)
            if isinstance(op, ast.Add | ast.Sub):
                return one if other is None or one == other else other if one is None else ""
            if other is None or (one is None and isinstance(op, ast.Mult)):
                return one if other is None else other
    return ""


def at_level(scene: Scene, stated: Mapping[str, Stated | None], level: str) -> dict[str, Stated | None]:
    """What was stated, and counted over trials, as a rule calls it: `price` where `price_gain` was stated at `gain`."""
    values = dict(stated)
    for block in scene.trials:
        values |= block.counts(stated)
    ending = f"_{level}" if level else ""
    own = [*(one.name for one in scene.measures), *(block.name for block in scene.trials)]
    for name in (name for name in own if ending and name.endswith(ending)):
        inside = [one for one in values if one == name or one.startswith(f"{name}_")]
        values |= {name.removesuffix(ending) + one.removeprefix(name): values[one] for one in inside}
    return values


def outcome_of(rule: str, values: Mapping[str, Stated | None]) -> Stated | None:
    """What came out: None where a value that it depends on is missing, or a number is none (a division by 0).

    Raises UnreadableRule for a rule that cannot be read, or compares what cannot be compared.
    """
    try:
        found = _value(parsed(rule).body, values)
    except TypeError:
        raise UnreadableRule(f"the outcome “{rule}” compares a text with a number") from None
    except ZeroDivisionError:
        return None
    return None if isinstance(found, float) and not math.isfinite(found) else found


def _value(node: ast.expr, values: Mapping[str, Stated | None]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return values.get(name)
        case ast.BoolOp(op=op, values=parts):
            return _joined([_value(part, values) for part in parts], all_of=isinstance(op, ast.And))
        case ast.UnaryOp(op=op, operand=operand):
            of = _value(operand, values)
            return of if of is None else not of if isinstance(op, ast.Not) else -of
        case ast.BinOp(left=left, op=op, right=right):
            pair = _value(left, values), _value(right, values)
            return None if None in pair else _ARITHMETIC[type(op)](*pair)
        case ast.Compare(left=left, ops=ops, comparators=others):
            terms = [_value(term, values) for term in (left, *others)]
            if None in terms:
                return None
            return all(_compared(type(op), *pair) for op, pair in zip(ops, pairwise(terms), strict=True))
    raise AssertionError(ast.dump(node))


def _compared(op: type[ast.cmpop], one: Any, other: Any) -> bool:
    """Two values compared; numbers that differ by less than CLOSE are the same."""
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    if numbers and math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE):
        return _COMPARED[op](0, 0)
    return _COMPARED[op](one, other)


def _joined(parts: list[Any], *, all_of: bool) -> bool | None:
    """Kleene's logic: one no decides an `and` and one yes an `or`, whatever is missing."""
    decides = [part for part in parts if part is not None and bool(part) is not all_of]
    if decides:
        return not all_of
    return None if None in parts else all_of
