"""Replies in a vendor's form in which something is wrong: in its JSON, in its events, in its bytes, in its status."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from tests.fakes.llm.loopback import Fail, Fake, Raw, Say

RAW = {
    "@deep": "[" * 600 + "]" * 600,
    "@deeper": "[" * 100_000 + "]" * 100_000,
    "@objects": '{"a":' * 600 + "1" + "}" * 600,
    "@digits": "9" * 5000,
    "@nan": "NaN",
    "@infinity": "-Infinity",
    "@half": '"\\ud83d"',
}
"""What no Python value can be dumped as."""
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, -(2**63), 2**31, 2**63, 10**9, 10**15, 10**30, 0.5, 20.0, 1e308, -1e308, "", "20", "-1",
    "twenty", "\x00", "x" * 100_000, [], [[]], ["a"], {}, {"a": 1}, [{"text": 5}], {"text": "x"}, *RAW,
)  # fmt: skip
LINES = (
    b"\n", b"\n\n\n", b": ping\n\n", b"data:\n\n", b"data: [DONE]\n\n", b"data: null\n\n", b"data: 5\n\n",
    b"event: error\n\n", b'event: error\ndata: {"error": "no"}\n\n', b'data: {"error": 5}\n\n', b"\xff\xfe\n\n",
    b"id: \x00\nretry: -5\ndata: {}\n\n", b"data: " + b"[" * 600 + b"]" * 600 + b"\n\n",
    b"event: message_delta\ndata: {}\n\n",
)  # fmt: skip
STATUSES = (201, 204, 206, 301, 302, 304, 307, 400, 401, 404, 413, 418, 429, 500, 503, 599)


def mutated(fake: Fake, body: dict[str, Any], say: Say, chance: Random, *, streamed: bool) -> Raw:
    """One reply of the fake to a request, with one to three things wrong."""
    kind = "text/event-stream" if streamed else "application/json"
    if chance.random() < 0.15:
        error = _tree(fake.failure(Fail(chance.choice(STATUSES), "Something is wrong.", "a_code")), chance)
        return Raw(dumped(error), chance.choice(STATUSES), "application/json")
    if not streamed:
        data = dumped(_tree(fake.whole(say, body), chance))
    else:
        data = b"".join(_events(list(fake.stream(say, body)), chance))
    if chance.random() < 0.25:
        data = _bytes(data, chance)
    status = chance.choice(STATUSES) if chance.random() < 0.03 else 200
    return Raw(data, status, "text/html" if chance.random() < 0.03 else kind)


def dumped(value: Any) -> bytes:
    text = json.dumps(value)
    for name, raw in RAW.items():
        text = text.replace(json.dumps(name), raw)
    return text.encode()


def _tree(value: Any, chance: Random) -> Any:
    """A JSON value with one to three of its places changed."""
    value = deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        holders = [(holder, key) for holder, key in _places(value)]
        if not holders or chance.random() < 0.03:
            return _odd(chance)
        holder, key = chance.choice(holders)
        _CHANGES[chance.randrange(len(_CHANGES))](holder, key, chance)
    return value


def _odd(chance: Random) -> Any:
    """One of its own: what is put into a tree is changed there later, and must not hold itself."""
    return deepcopy(chance.choice(ODD))


def _replace(holder: Any, key: Any, chance: Random) -> None:
    holder[key] = _odd(chance)


def _wrap(holder: Any, key: Any, chance: Random) -> None:
    holder[key] = chance.choice(([holder[key]], {"value": holder[key]}, str(holder[key])))


def _delete(holder: Any, key: Any, chance: Random) -> None:
    del holder[key]


_CHANGES: tuple[Callable[[Any, Any, Random], None], ...] = (_replace, _replace, _replace, _wrap, _delete)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from _places(item)


def _events(events: list[bytes], chance: Random) -> list[bytes]:
    """The events of a stream with something wrong in one, or in their order."""
    place = chance.randrange(len(events))
    match chance.randrange(6):
        case 0:
            del events[place]
        case 1:
            events.insert(place, chance.choice(LINES))
        case 2:
            chance.shuffle(events)
        case 3:
            events = events[:place]
        case _:
            head, mark, data = events[place].partition(b"data: ")
            if mark and data.strip() != b"[DONE]":
                events[place] = head + mark + dumped(_tree(json.loads(data), chance)) + b"\n\n"
    return events


def _bytes(data: bytes, chance: Random) -> bytes:
    place, some = chance.randrange(len(data) + 1), chance.randbytes(chance.randint(1, 8))
    return chance.choice(
        (data[:place], data[:place] + some + data[place:], data[:place] + some + data[place + 8 :], data * 2)
    )
