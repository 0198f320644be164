"""What the JSON and the YAML in a document say, read strictly.

Numbers are finite, no key stands twice, lists and mappings stand in one another to a bounded depth. YAML has no
aliases, anchors or tags and a bounded number of values; a plain scalar is null, a truth value, a decimal number or
else text, so a date or `1:30` is text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elenchus.config.documents import UnreadableDocument, read_text

DEEPEST = 64
"""Lists and mappings inside one another."""

MOST_VALUES = 200_000
"""Values of a YAML document."""

LONGEST_NUMBER = 40
"""Digits of a whole number: Python itself would refuse some thousands with an error of its own."""


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def json_in(text: str, name: str, line: int = 0) -> Any:
    """What a JSON text says. `line`: where it stands, if it is one line of a document. Raises UnreadableDocument."""
    try:
        value = json.loads(
            text, parse_constant=_no_number, parse_int=_whole, parse_float=_finite, object_pairs_hook=_each_key_once
        )
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # half a character cannot be written again
    except json.JSONDecodeError as error:
        raise UnreadableDocument(name, f"it is not valid JSON: {error.msg.lower()}", line or error.lineno) from error
    except UnicodeEncodeError as error:
        raise UnreadableDocument(name, "it holds half a character (a lone surrogate)", line) from error
    except RecursionError as error:
        raise UnreadableDocument(name, _TOO_DEEP, line) from error
    except ValueError as error:
        raise UnreadableDocument(name, str(error), line) from error
    if _deeper_than(value, DEEPEST):
        raise UnreadableDocument(name, _TOO_DEEP, line)
    return value


_TOO_DEEP = f"lists and mappings stand more than {DEEPEST} deep in one another"


def _deeper_than(value: Any, levels: int) -> bool:
    """Whether lists and mappings stand deeper in one another. Does not recurse."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [inner for outer in layer if isinstance(outer, list | dict) for inner in _inside(outer)]
        if not layer:
            return False
    return True


def _inside(value: list[Any] | dict[str, Any]) -> Iterator[Any]:
    return iter(value.values() if isinstance(value, dict) else value)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{_shown(name)} is there twice")
        found[name] = value
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no finite number")


def _whole(text: str) -> int:
    if len(text.lstrip("+-")) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(text)} digits is too long")
    return int(text)


def _finite(text: str) -> float:
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{_shown(text)} is no finite number")
    return value


def _shown(text: Any) -> str:
    shown = " ".join(str(text).split())
    return f"“{shown[:40]}{'…' if len(shown) > 40 else ''}”"


# ── YAML ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_yaml(path: Path, largest: int, what: str = "file") -> Any:
    """What a YAML file says, None where it is empty. Blocks. Raises UnreadableDocument."""
    return yaml_in(read_text(path, largest, what), f"The {what} {path}")


def yaml_in(text: str, name: str) -> Any:
    """What the YAML text of the document called `name` says, None for an empty one. Raises UnreadableDocument."""
    import yaml

    try:
        return _Yaml(text, name).document()
    except yaml.MarkedYAMLError as error:
        begun = any(word in str(error.context) for word in ("flow", "simple key"))  # a bracket, or a name without colon
        opened = error.context_mark if begun else None
        mark = opened or error.problem_mark or error.context_mark
        told = f"it is not valid YAML: {error.problem or error.context}"
        line = min(mark.line, text.count("\n")) + 1 if mark else 0  # the end is told as a line after the last
        raise UnreadableDocument(name, told, line) from error
    except yaml.YAMLError as error:  # a character that YAML does not take
        at = getattr(error, "position", None)
        line = text.count("\n", 0, at) + 1 if isinstance(at, int) else 0
        told = getattr(error, "reason", None) or "a character that YAML does not take"
        raise UnreadableDocument(name, f"it is not valid YAML: {told}", line) from error
    except (RecursionError, UnicodeEncodeError) as error:
        raise UnreadableDocument(name, "it is not valid YAML") from error


_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUTH = {
    form(word): truth
    for truth, words in ((True, ("yes", "true", "on")), (False, ("no", "false", "off")))
    for word in words
    for form in (str.lower, str.capitalize, str.upper)
}
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"(?:[-+]?[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)")


class _Yaml:
    """Builds the value from a parser's events, which hold what a finished value no longer shows: aliases, tags, lines.

    Nothing is built that could grow beyond the text: there are no aliases to repeat, and depth and number are bounded.
    """

    def __init__(self, text: str, name: str) -> None:
        import yaml

        self._kinds = yaml  # the module, imported once
        self._events: Iterator[Any] = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self._name, self._values = name, 0

    def document(self) -> Any:
        """The one document of the stream."""
        next(self._events)  # the stream's start
        if isinstance(next(self._events), self._kinds.StreamEndEvent):
            return None
        value = self._value(next(self._events), 0)
        next(self._events)  # the document's end
        if not isinstance(more := next(self._events), self._kinds.StreamEndEvent):
            raise self._fault(more, "a second document begins here (---): one is wanted")
        return value

    def _value(self, event: Any, depth: int) -> Any:
        self._check(event, depth)
        if isinstance(event, self._kinds.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, self._kinds.SequenceStartEvent):
            return [self._value(item, depth + 1) for item in self._until(self._kinds.SequenceEndEvent)]
        found: dict[Any, Any] = {}
        for key_event in self._until(self._kinds.MappingEndEvent):
            if not isinstance(key_event, self._kinds.ScalarEvent):
                raise self._fault(key_event, "a list or mapping is no name of an entry")
            key = self._value(key_event, depth + 1)
            if (value_event := next(self._events)) and self._split_number(found, key_event, value_event):
                comma = f"{list(found.values())[-1]},{key_event.value}"
                raise self._fault(key_event, f"“{comma}” has a decimal comma: write {comma.replace(',', '.')}")
            if key in found:
                raise self._fault(key_event, f"{_shown(key)} is there twice")
            found[key] = self._value(value_event, depth + 1)
        return found

    def _split_number(self, before: dict[Any, Any], key: Any, value: Any) -> bool:
        """Whether an entry of `{input: 1,5}` is what stands after a decimal comma: digits, and nothing said of them."""
        digits = key.implicit[0] and key.value.isdecimal() and bool(before) and type(list(before.values())[-1]) is int
        return digits and isinstance(value, self._kinds.ScalarEvent) and value.implicit[0] and not value.value

    def _until(self, end: type) -> Iterator[Any]:
        while not isinstance(event := next(self._events), end):
            yield event

    def _check(self, event: Any, depth: int) -> None:
        """Refuse what our documents do not have."""
        self._values += 1
        if isinstance(event, self._kinds.AliasEvent) or event.anchor is not None:
            raise self._fault(event, "aliases and anchors (* and &) are not taken here: write it out, or in quotes")
        if event.tag is not None:
            raise self._fault(event, "tags (!) are not taken here: leave it out, or write the text in quotes")
        if depth > DEEPEST:
            raise self._fault(event, _TOO_DEEP)
        if self._values > MOST_VALUES:
            raise self._fault(event, f"it holds more than {MOST_VALUES:,} values")

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if not event.implicit[0]:  # in quotes, or a block of text
            return text
        if text in _NULL:
            return None
        if text in _TRUTH:
            return _TRUTH[text]
        try:
            if _WHOLE.fullmatch(text):
                return _whole(text)
            if _NOT_FINITE.fullmatch(text):
                _no_number(text)
            if _FLOAT.fullmatch(text):
                return _finite(text)
        except ValueError as error:
            raise self._fault(event, f"{error}: write it in quotes if it is a text") from error
        return text

    def _fault(self, event: Any, problem: str) -> UnreadableDocument:
        return UnreadableDocument(self._name, problem, event.start_mark.line + 1)
