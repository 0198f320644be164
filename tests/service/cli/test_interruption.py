"""Ctrl-C, SIGTERM and SIGHUP while a debate runs: it is paused at once, and says how to go on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.service.cli.program import ELENCHUS, ROOT, Program, Started, environment
from tests.service.cli.test_debate import MOTION
from tests.service.cli.test_sessions import slow

pytestmark = pytest.mark.kill

PROMPTLY = 20.0
"""Seconds from the signal to the end of the program: room for a busy machine (an idle one takes 0.01 to 2 s), and less
than the scripted call in flight, so that a program that waits for its model is found out."""
EMBEDDED = tuple(part for seat in ("--pro", "--con", "--judge") for part in (seat, "local:smollm2-135m"))
ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ended(process: Started, number: signal.Signals) -> tuple[str, str]:
    """Send the signal; what the program still said, after it has ended promptly with the code of a pause."""
    process.send_signal(number)
    since = time.monotonic()
    out, err = process.communicate(timeout=60)
    seconds = time.monotonic() - since
    print(f"{number.name}: exit {process.returncode} after {seconds:.2f} s")
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert seconds < PROMPTLY
    return out, err


@pytest.mark.parametrize("number", ALL)
def test_a_signal_pauses_a_debate_at_once_and_the_command_that_resumes_is_told(
    elenchus: Program, number: signal.Signals
) -> None:
    agenda = elenchus.folder / "agenda.md"
    agenda.write_text("- rest vs. practice: what evenings are for\n", encoding="utf-8")
    with elenchus.start("debate", MOTION, *slow("30"), "--agenda", str(agenda), "--json") as process:
        session = elenchus.wait_for("said")  # the agenda; the openings are being asked for
        out, err = ended(process, number)
    document = json.loads(out)
    assert (document["id"], document["state"]) == (session, "paused")
    assert document["next"] == f"go on with: elenchus sessions resume {session}"
    assert document["next"] in err
    (paused,) = elenchus.events("session_paused")
    assert paused["why"] == "interrupt"


def until_it_hears_signals(process: Started | subprocess.Popen[bytes]) -> None:
    """Wait until Python itself has started and the program has taken SIGTERM over: the system tells what is caught."""
    status, deadline = Path(f"/proc/{process.pid}/status"), time.monotonic() + 60
    while not int(status.read_text().split("SigCgt:")[1].split()[0], 16) >> (signal.SIGTERM - 1) & 1:
        assert time.monotonic() < deadline, "it never started"
        time.sleep(0.005)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which signals a process catches")
def test_a_signal_at_any_moment_of_the_start_ends_the_program(elenchus: Program) -> None:
    for n in range(12):
        with elenchus.from_a_shell.start("debate", MOTION, *slow("30")) as process:
            until_it_hears_signals(process)
            time.sleep(0.02 + 0.06 * n)
            ended(process, ALL[n % 3])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which signals a process catches")
@pytest.mark.parametrize("command", [("detect", "-"), ("crit", "-"), ("sessions", "answer", "abc")])
def test_a_signal_ends_what_waits_for_a_text_from_standard_input(elenchus: Program, command: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [*ELENCHUS, *command], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        cwd=elenchus.folder, env=environment(elenchus.home, {"PYTHONPATH": str(ROOT)}),
    )  # fmt: skip
    with process:
        until_it_hears_signals(process)
        time.sleep(1.5)  # by then it reads
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(PROMPTLY) == 130
        finally:
            process.kill()


@pytest.mark.parametrize("number", ALL)
def test_a_signal_pauses_a_debate_that_waits_for_a_person(elenchus: Program, number: signal.Signals) -> None:
    with elenchus.start("debate", MOTION, *slow("0"), "--approve-agenda") as process:
        session = elenchus.wait_for("turn_opened")
        assert session in ended(process, number)[1]


@pytest.mark.slow
@pytest.mark.local_model
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_embedded_model_holds_up_no_interruption_be_it_loaded_or_reading_or_writing(
    elenchus: Program, number: signal.Signals
) -> None:
    for later in (0.0, 0.3, 0.6, 1.2, 2.5):
        embedded = elenchus.from_a_shell  # its engine has threads of its own, and takes no fork for a start
        with embedded.start("debate", MOTION, *EMBEDDED, "--topics", "1", "--max-rounds", "1") as process:
            assert process.stderr is not None
            assert any(line.startswith("session ") for line in process.stderr)
            time.sleep(later)
            err = ended(process, number)[1]
        assert "elenchus sessions resume" in err


@pytest.mark.slow
def test_a_debate_interrupted_again_and_again_comes_to_the_end_of_an_undisturbed_one(elenchus: Program) -> None:
    undisturbed = Program(elenchus.home.with_name("quiet"), elenchus.folder)(
        "debate", MOTION, *slow("0"), "--seed", "1", "--json"
    ).json
    with elenchus.start("debate", MOTION, *slow("0.3"), "--seed", "1") as process:
        session = elenchus.wait_for("step_done", '"step":"agenda/')
        ended(process, signal.SIGINT)
    for step in ("opening/pro", "round/1/pro"):
        with elenchus.start("sessions", "resume", session) as process:
            elenchus.wait_for("step_done", f'"step":"{step}')
            ended(process, signal.SIGTERM)
    resumed = elenchus("sessions", "resume", session, "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["state"] == "finished"
    assert resumed.json["usage"]["calls"] == undisturbed["usage"]["calls"]
