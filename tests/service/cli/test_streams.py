"""Standard streams that are closed, or cannot be written."""

from __future__ import annotations

import subprocess

import pytest

from tests.service.cli.program import ELENCHUS, PATIENCE, ROOT, Program, Result, environment
from tests.service.cli.test_debate import DEMO, MOTION, SHORT


def from_bash(elenchus: Program, ending: str, *arguments: str) -> Result:
    """A command whose streams bash redirects first."""
    return in_bash(elenchus, f'exec "$@" {ending}', *arguments)


def in_bash(elenchus: Program, script: str, *arguments: str) -> Result:
    """What comes of a script whose "$@" is the command."""
    done = subprocess.run(
        ["bash", "-c", script, "bash", *ELENCHUS, *arguments],
        capture_output=True, text=True, cwd=elenchus.folder, timeout=PATIENCE, check=False,
        env=environment(elenchus.home, {"PYTHONPATH": str(ROOT)}),
    )  # fmt: skip
    return Result(done.returncode, done.stdout, done.stderr)


def test_closed_streams_are_no_reason_to_fail_and_their_numbers_go_to_no_file(elenchus: Program) -> None:
    closed = from_bash(elenchus, "<&- >&- 2>&-", "debate", MOTION, *SHORT)
    assert closed == Result(0, "", "")
    assert from_bash(elenchus, ">&-", "sessions", "list") == Result(0, "", "")
    (row,) = elenchus("sessions", "list", "--json").json
    assert row["state"] == "finished"


def test_output_that_cannot_be_written_leaves_the_debate_alone_and_says_where_it_is(elenchus: Program) -> None:
    result = from_bash(elenchus, "> /dev/full", "debate", MOTION, *SHORT)
    (row,) = elenchus("sessions", "list", "--json").json
    assert row["state"] == "finished"
    assert f"the session goes on; see it with: elenchus sessions show {row['id']}" in result.err
    assert result.code == 5


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "PYTHONUNBUFFERED=1"])
def test_whatever_cannot_be_written_to_standard_output_is_not_told_as_a_full_disk(
    elenchus: Program, unbuffered: str
) -> None:
    elenchus("debate", MOTION, *SHORT)
    for arguments in (("sessions", "list"), ("crit", "--help")):
        result = in_bash(elenchus, f'exec env {unbuffered} "$@" > /dev/full', *arguments)
        assert result.code == 5
        assert "Standard output cannot be written" in result.err
        assert "free some space" not in result.err


def test_a_reader_that_leaves_interrupts_and_is_no_mistake(elenchus: Program) -> None:
    for arguments, rows in ((("debate", MOTION, *DEMO), 1), (("sessions", "list"), 0)):
        ended = in_bash(elenchus, f'"$@" | head -n {rows}; exit ${{PIPESTATUS[0]}}', *arguments)
        assert ended.code == 130, ended.err
        assert "mistake in Elenchus" not in ended.err
