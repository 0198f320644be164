"""What a signal does from the first moment of the program on, wherever in Python it arrives."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.service.cli.program import hears_signals

ROOT = Path(__file__).parents[3]
ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
pytestmark = [
    pytest.mark.kill,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGHUP, and ends processes otherwise"),
]

IN_A_CALLBACK = """
import sys, weakref
from elenchus.service.cli import signals

class Thing: pass

def spin(_):
    print("spinning", flush=True)
    while True:
        pass

def importing():
    thing = Thing()
    watched = weakref.ref(thing, spin)
    del thing

sys.argv = ["elenchus", *sys.argv[1:]]
signals.take_over()
importing()
print("ran on", flush=True)
"""
TAKEN_OVER = """
import sys
there = set(sys.modules)
from elenchus.service.cli import signals
signals.take_over()
print({"typing", "re", "inspect", "dataclasses", "asyncio", "logging", "pathlib"} & (set(sys.modules) - there))
"""
AT_WORK = """
import asyncio
from elenchus.service.cli import context, signals

async def work():
    print("working", flush=True)
    try:
        await asyncio.sleep(60)
    finally:
        print("tidied up", flush=True)

signals.take_over()
try:
    context.run(work())
except Exception as error:
    print(type(error).__name__, flush=True)
"""
HOLDING_ON = """
import asyncio
from contextlib import suppress
from elenchus.service.cli import context, signals

async def work():
    print("working", flush=True)
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        print("cancelled", flush=True)

signals.take_over()
context.run(work())
"""


@contextmanager
def begun(code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has begun its work. It hears signals also where the tests run under `nohup`, and is ended."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT, text=True, bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=hears_signals,  # noqa: PLW1509 - it touches nothing that a thread may hold
    )  # fmt: skip
    with process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() in {"spinning", "working"}
            yield process
        finally:
            process.kill()


def test_signals_are_heard_before_anything_is_loaded_that_takes_time() -> None:
    """Before that Ctrl-C is an exception, which Python swallows where it lands in a callback of an import."""
    done = subprocess.run([sys.executable, "-c", TAKEN_OVER], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("number", ALL)
def test_a_signal_inside_a_callback_that_swallows_exceptions_ends_the_program(number: signal.Signals) -> None:
    with begun(IN_A_CALLBACK) as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "elenchus: Interrupted.\n")


def test_where_a_document_was_asked_for_an_interruption_is_one() -> None:
    with begun(IN_A_CALLBACK, "--json") as process:
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
    assert out == '{"error": {"kind": "Interrupted", "message": "Interrupted.", "hint": ""}}\n'


@pytest.mark.parametrize("number", ALL)
def test_a_signal_while_a_command_works_cancels_the_work_which_may_tidy_up(number: signal.Signals) -> None:
    with begun(AT_WORK) as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "tidied up\nInterrupted\n", "")


def test_the_second_signal_cuts_no_tidying_short_and_the_third_ends_the_program() -> None:
    with begun(HOLDING_ON) as process:
        assert process.stdout is not None
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "cancelled\n"
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")


def test_what_is_told_to_ignore_a_hangup_ignores_it() -> None:
    ignoring = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{AT_WORK}"
    with begun(ignoring) as process:
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60)[0] == "tidied up\nInterrupted\n"
