"""Numbers in an exported session that nothing of ours would write: one sentence, or a session like any other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.service.cli.program import Program, Result
from tests.service.cli.test_debate import MOTION, SHORT
from tests.twins import GREENHOUSE

pytestmark = pytest.mark.slow
MODEL = ("--model", "scripted:demo", "--json")
SESSIONS: dict[str, tuple[str, ...]] = {
    "debate": ("debate", MOTION, *SHORT, "--seed", "1", "--json"),
    "open question": ("debate", "Which illness is it?", "--open-question", *SHORT, "--seed", "1", "--json"),
    "sweep": ("sweep", MOTION, "--topics", "1", "--heat", "0.9", "--heat", "0.1", *MODEL),
    "crit": ("crit", "text.md", *MODEL),
    "detect": ("detect", "text.md", "--bias", "Sunk cost fallacy", *MODEL),
    "scene": ("scene", "run", GREENHOUSE, "--condition", "treatment", *MODEL),
}
ODD = (
    *("0", "-0", "-1", "1", "2.5", "1e-320", "1e308", "-1e308", "NaN", "Infinity", "-Infinity", "1e400", "9" * 5000),
    *(str(2**31), str(2**63 - 1), str(-(2**63)), str(2**63), "1" + "0" * 30, "-1" + "0" * 400),
    *('"12"', '"1e9"', '"NaN"', '""', '"many"', "null", "true", "[]", "{}", "[1]"),
)
"""What stands for a number, as JSON or as what a careless writer takes for it."""

PLACE = "\ue000"
"""Where the number was."""


class Exported(dict[str, list[str]]):
    """The lines of an export of each kind of session; a megabyte, which no report of a failure is to hold."""

    def __repr__(self) -> str:
        return ", ".join(self)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """Each kind of session, run once."""
    folder = tmp_path_factory.mktemp("folder")
    (folder / "text.md").write_text("We spent a year on it, so we must not stop now. That is why I go on.")
    found = Exported()
    for name, command in SESSIONS.items():
        program = Program(tmp_path_factory.mktemp("home"), folder)
        assert (done := program(*command)).code == 0, done.err
        (session,) = program("sessions", "list", "--json").json
        assert program("sessions", "export", session["id"], "--export", folder / name).code == 0
        found[name] = (folder / name / "events.jsonl").read_text().splitlines()
    return found


def numbers_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where each number stands: its list or mapping, and the place in it."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if isinstance(item, int | float) and not isinstance(item, bool):
            yield value, key
        yield from numbers_in(item)


def with_odd(line: str, which: int, odd: str) -> str:
    """The line with another thing in the place of one of its numbers."""
    event = json.loads(line)
    places = list(numbers_in(event))
    inside, key = places[which % len(places)]
    inside[key] = PLACE
    return json.dumps(event, ensure_ascii=False).replace(f'"{PLACE}"', odd)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted(SESSIONS)),
    changes=st.lists(
        st.tuples(st.sampled_from((-1, 0)) | st.integers(0, 10_000), st.integers(0, 10_000), st.sampled_from(ODD)),
        min_size=1,
        max_size=2,
    ),
)
def test_an_export_with_odd_numbers_is_refused_in_a_sentence_or_can_be_read(
    inside: Callable[..., Result],
    elenchus: Program,
    exported: dict[str, list[str]],
    name: str,
    changes: list[tuple[int, int, str]],
) -> None:
    lines = list(exported[name])
    for line, number, odd in changes:
        lines[line % len(lines)] = with_odd(exported[name][line % len(lines)], number, odd)
    shutil.rmtree(elenchus.home, ignore_errors=True)
    (elenchus.folder / "events.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    imported = inside("sessions", "import", "events.jsonl", "--id", "odd", "--json")
    assert imported.code in (0, 2, 5), imported.err
    done = [imported]
    if imported.code == 0:
        read = (("list",), ("show", "odd"), ("show", "odd", "--json"), ("export", "odd", "--export", "out"))
        done += [inside("sessions", *command) for command in read]
    for result in done:
        assert "Traceback" not in result.err, result.err
        assert result.code in (0, 2, 5), result.err
        told = [line for line in result.err.splitlines() if line.startswith("elenchus: ")]
        assert len(told) == (result.code != 0), result.err


@pytest.mark.parametrize("name", sorted(SESSIONS))
def test_a_result_of_another_form_is_said_to_be_unreadable(
    inside: Callable[..., Result], elenchus: Program, exported: dict[str, list[str]], name: str
) -> None:
    *lines, last = exported[name]
    places = len(list(numbers_in(json.loads(last))))
    for number in range(1, places, max(1, places // 3)):  # 0 is the line's own number
        (elenchus.folder / "events.jsonl").write_text("\n".join([*lines, with_odd(last, number, '"many"'), ""]))
        assert inside("sessions", "import", "events.jsonl", "--id", f"odd-{number}").code == 0
        for command in (("show", f"odd-{number}"), ("export", f"odd-{number}", "--export", "out")):
            result = inside("sessions", *command)
            assert result.code == 0, result.err


def test_a_heat_or_a_score_off_its_scale_is_said_to_be_unreadable_and_nowhere_shown(
    inside: Callable[..., Result], elenchus: Program, exported: dict[str, list[str]]
) -> None:
    events = [json.loads(line) for line in exported["debate"]]
    results = {event["step"]: event["result"] for event in events if isinstance(event.get("result"), dict)}
    places = {
        "heat": results["round/1/heat"],
        "gamma": results["round/1/crit/quality"],
        "a": results["judging/judgement"]["totals"][0],
        "closing_heat": events[-1]["outcome"],
    }
    for number, (key, place) in enumerate(places.items()):
        kept, place[key] = place[key], 1e300
        lines = "".join(f"{json.dumps(event)}\n" for event in events)
        place[key] = kept
        (elenchus.folder / "events.jsonl").write_text(lines, encoding="utf-8")
        assert inside("sessions", "import", "events.jsonl", "--id", f"off-{number}").code == 0
        shown = inside("sessions", "show", f"off-{number}")
        assert (shown.code, "1000000" in shown.out) == (0, False), key
        assert inside("sessions", "export", f"off-{number}", "--export", f"out-{number}").code == 0
        report = (elenchus.folder / f"out-{number}" / "report.md").read_text()
        assert ("does not read" in report, "1000000" in report) == (True, False), key
