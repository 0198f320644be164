"""Standard streams that are closed, or cannot be written."""

from __future__ import annotations

import subprocess

from tests.service.cli.program import ELENCHUS, PATIENCE, ROOT, Program, Result, environment
from tests.service.cli.test_debate import MOTION, SHORT


def from_bash(elenchus: Program, ending: str, *arguments: str) -> Result:
    """A command whose streams bash redirects first."""
    done = subprocess.run(
        ["bash", "-c", f'exec "$@" {ending}', "bash", *ELENCHUS, *arguments],
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
