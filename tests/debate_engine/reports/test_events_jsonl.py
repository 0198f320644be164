from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Event, EventLost, OwnerStarted, Recorded, SessionStarted, ShownPicture
from elenchus.debate_engine.log import state_of
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.reports.document import markdown_of
from elenchus.debate_engine.reports.events_jsonl import jsonl, read_events
from elenchus.debate_engine.reports.report import report_of
from elenchus.debate_engine.reports.view import SessionView
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
st.register_type_strategy(
    ShownPicture,
    st.builds(ShownPicture, sha256=st.text("0123456789abcdef", min_size=64, max_size=64), lines=st.integers()),
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


free = [kind for kind in KINDS if kind not in (SessionStarted, OwnerStarted)]
owner = st.builds(OwnerStarted, epoch=st.just(1), pid=st.integers(), host=st.text())
any_event = st.one_of([fields_of(kind) for kind in free]).filter(is_finite)
any_log = st.tuples(
    st.lists(st.tuples(times, owner), max_size=1), st.lists(st.tuples(times, any_event), max_size=4)
).map(
    lambda parts: [
        Recorded(seq=n, at=at, event=event)
        for n, (at, event) in enumerate([(datetime(2024, 1, 1, tzinfo=UTC), started()), *parts[0], *parts[1]], 1)
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


def test_in_the_place_of_events_that_are_missing_stands_that_they_are_lost(
    open_question: list[Recorded], tmp_path: Path
) -> None:
    for lost in ({3}, {1}, {4, 5, 6, 9}, {1, 2, 3}):
        lines = jsonl(open_question).splitlines(keepends=True)
        (tmp_path / "e.jsonl").write_text("".join(line for n, line in enumerate(lines, 1) if n not in lost))
        events = read_events(tmp_path / "e.jsonl")
        assert [r.seq for r in events] == list(range(1, len(open_question) + 1))
        assert [r for r in events if r.seq not in lost] == [r for r in open_question if r.seq not in lost]
        assert {r.seq for r in events if isinstance(r.event, EventLost)} == lost - {1}
        assert state_of(events) == "rescued"
        view = SessionView.of("demo", events)
        assert (view.state, view.failures.lost_events) == ("rescued", len(lost))
        assert f"{len(lost)} event" in markdown_of(report_of(view))
        (tmp_path / "again.jsonl").write_text(jsonl(events))
        assert read_events(tmp_path / "again.jsonl") == events


Damage = Callable[[str], str]


def _dropped(number: int) -> Damage:
    return lambda text: "".join(line for n, line in enumerate(text.splitlines(keepends=True), 1) if n != number)


@pytest.mark.parametrize(
    "damage, complaint",
    [
        (lambda text: text[:-20], "breaks off in line {last}"),
        (lambda text: text[: text.index("\n")] + "\n{nonsense\n", "Line 2 of {path} is not JSON"),
        (lambda text: text + text.splitlines()[2] + "\n", "where {next} belongs: lines were added"),
        (lambda text: text.replace('"seq": 3', '"seq": 1000000', 1), "Line 3 of {path} has number 1000000 where 3"),
        (lambda text: text.replace('"seq": 3', '"seq": -3', 1), "Line 3 of {path} has number -3 where 3 belongs"),
        (lambda text: text.replace('"epoch": 1', f'"epoch": {2**63 - 1}', 1), "Event 2 of {path} has an epoch that no"),
        (lambda text: text.replace('"epoch": 1', f'"epoch": {10**30}', 1), "Event 2 of {path} has an epoch that no"),
        (lambda text: text.replace('"epoch": 1', '"epoch": 0', 1), "Event 2 of {path} has an epoch that no owner"),
        (lambda text: re.sub('"at": "[^"]*"', '"at": "9999-12-31T23:59:59-23:59"', text, count=1), "Line 1 of {path}"),
        (lambda text: text.replace("session_started", "owner_started", 1), "Line 1 of {path} is not the start"),
        (lambda text: text.replace('"owner_started"', '"moon_landed"', 1), "Line 2 of {path} was written by another"),
        (lambda text: text.replace('"epoch": 1', '"epoch": "x"', 1), "Line 2 of {path} is damaged (epoch: "),
        (lambda text: text.replace('"epoch": 1', '"phase": 1', 1), "Line 2 of {path}"),
        (lambda text: text.replace("\n", "\n\n", 1), "Line 2 of {path} is not JSON"),
        (lambda text: "[1, 2]\n", "Line 1 of {path} is no event"),
        (lambda text: "[" * 100_000 + "\n", "Line 1 of {path} is not JSON"),
        (lambda text: "[" + "[]," * 6_000_000 + "[]]\n", "Line 1 of {path} is longer than any event"),
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
    assert complaint.format(path=path, last=len(open_question), next=len(open_question) + 1) in str(refused.value)
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
