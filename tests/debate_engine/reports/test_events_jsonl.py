from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from debate_engine.errors import UsageError
from debate_engine.events import Event, Recorded, SessionStarted
from debate_engine.memory_log import MemoryLog
from debate_engine.reports.events_jsonl import jsonl, read_events
from tests.debate_engine.reports.debates import started
from tests.debate_engine.reports.test_view import numbered

KINDS: tuple[type[BaseModel], ...] = get_args(get_args(Event)[0])

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
times = st.datetimes(min_value=datetime(1970, 1, 2), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone


def fields_of(kind: type[BaseModel]) -> st.SearchStrategy[Any]:
    """Any event of this kind."""

    def one(name: str, annotation: Any) -> st.SearchStrategy[Any]:
        if "Any" in str(annotation):
            return st.dictionaries(st.text(), json_values, max_size=3) if "dict" in str(annotation) else json_values
        if name == "heat":
            return st.floats(0, 1)
        if "datetime" in str(annotation).lower():
            return st.none() | times if "None" in str(annotation) else times
        return st.from_type(annotation)

    return st.builds(kind, **{name: one(name, f.annotation) for name, f in kind.model_fields.items() if name != "kind"})


def is_finite(event: BaseModel) -> bool:
    """Whether JSON can carry its numbers: a log refuses or drops what is infinite, so none ever comes out of one."""
    try:
        return bool(json.dumps(event.model_dump(mode="json"), allow_nan=False))
    except ValueError:
        return False


any_event = st.one_of([fields_of(kind) for kind in KINDS if kind is not SessionStarted]).filter(is_finite)
any_log = st.lists(st.tuples(times, any_event), max_size=4).map(
    lambda rest: [
        Recorded(seq=n, at=at, event=event)
        for n, (at, event) in enumerate([(datetime(2024, 1, 1, tzinfo=UTC), started()), *rest], 1)
    ]
)


@given(any_log)
def test_events_of_every_kind_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, events: list[Recorded]
) -> None:
    path = tmp_path_factory.mktemp("log") / "events.jsonl"
    path.write_text(jsonl(events), encoding="utf-8", newline="")
    assert [r.model_dump(mode="json") for r in read_events(path)] == [r.model_dump(mode="json") for r in events]


async def test_a_whole_session_is_exported_imported_and_exported_again_alike(
    debate: list[Recorded], tmp_path: Path
) -> None:
    path, log = tmp_path / "events.jsonl", MemoryLog()
    path.write_text(jsonl(debate), encoding="utf-8", newline="")
    await log.restore("copy", read_events(path))
    copied = await log.read("copy")
    assert copied == debate
    assert jsonl(copied) == path.read_text(encoding="utf-8")


def test_each_line_is_one_event_with_number_time_kind_and_step(debate: list[Recorded]) -> None:
    lines = [json.loads(line) for line in jsonl(debate).splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(debate) + 1))
    assert {"at", "kind"} <= set.intersection(*(set(line) for line in lines))
    assert {line["kind"] for line in lines if line.get("step") == "agenda/agreed"} == {"step_done"}


def test_no_event_has_a_field_that_hides_its_number_or_time() -> None:
    assert not [kind for kind in KINDS if {"seq", "at"} & kind.model_fields.keys()]


def test_words_of_any_script_are_written_as_they_are() -> None:
    assert "Ärger 审判 🦉 \\u2028 \\u0085 end" in jsonl(numbered([started(motion="Ärger 审判 🦉 \u2028 \u0085 end")]))


Damage = Callable[[str], str]


def _dropped(number: int) -> Damage:
    return lambda text: "".join(line for n, line in enumerate(text.splitlines(keepends=True), 1) if n != number)


@pytest.mark.parametrize(
    "damage, complaint",
    [
        (lambda text: text[:-20], "breaks off in line {last}"),
        (lambda text: text[: text.index("\n")] + "\n{nonsense\n", "Line 2 of {path} is not JSON"),
        (_dropped(3), "Line 3 of {path} has number 4 where 3 belongs: lines were lost or added"),
        (_dropped(1), "Line 1 of {path} has number 2 where 1 belongs"),
        (lambda text: text.replace("session_started", "owner_started", 1), "Line 1 of {path} is not the start"),
        (lambda text: text.replace('"owner_started"', '"moon_landed"', 1), "Line 2 of {path} was written by another"),
        (lambda text: text.replace('"epoch": 1', '"epoch": "x"', 1), "Line 2 of {path} is damaged (epoch: "),
        (lambda text: text.replace('"epoch": 1', '"phase": 1', 1), "Line 2 of {path}"),
        (lambda text: text.replace("\n", "\n\n", 1), "Line 2 of {path} is not JSON"),
        (lambda text: "[1, 2]\n", "Line 1 of {path} is no event"),
        (lambda text: "[" * 100_000 + "\n", "Line 1 of {path} is not JSON"),
        (lambda text: "", "{path} is empty"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_with_the_line_that_is_wrong(
    open_question: list[Recorded], tmp_path: Path, damage: Damage, complaint: str
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(damage(jsonl(open_question)), encoding="utf-8", newline="")
    with pytest.raises(UsageError) as refused:
        read_events(path)
    assert complaint.format(path=path, last=len(open_question)) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_text_and_a_file_that_is_not_there_are_refused(tmp_path: Path) -> None:
    picture = tmp_path / "p.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe\n")
    for path, complaint in (
        (picture, "line 1: it is not UTF-8"),
        (tmp_path / "none", "no such"),
        (tmp_path, "it is a folder"),
    ):
        with pytest.raises(UsageError, match=rf"cannot be read \({complaint}"):
            read_events(path)
