"""Writing to a terminal or a reader that does not keep up."""

from __future__ import annotations

import os
import time

import pytest

from elenchus.service.cli.console import BackgroundWriter


def test_a_reader_who_does_not_keep_up_holds_up_nobody_and_gets_everything() -> None:
    readable, writable = os.pipe()
    with os.fdopen(writable, "w") as file, os.fdopen(readable, "rb") as reader:
        screen, text = BackgroundWriter(file), "x" * 1_000
        began = time.monotonic()
        for _ in range(1_000):
            screen.write(text)
        assert time.monotonic() - began < 5
        assert screen.backlog > 100_000
        assert len(reader.read(1_000_000)) == 1_000_000
        screen.finish()
        assert screen.backlog == 0


def test_the_writer_is_told_when_nobody_reads_any_more() -> None:
    readable, writable = os.pipe()
    os.close(readable)
    file = os.fdopen(writable, "w")
    screen = BackgroundWriter(file)
    screen.write("hello")
    screen.finish()
    with pytest.raises(BrokenPipeError):
        screen.write("anybody?")
    with pytest.raises(BrokenPipeError):
        file.close()
