"""Whatever a person hands in: it is opened within bounds, or refused with the document and the line."""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from elenchus.config.documents import UnreadableDocument, read_bytes, read_text, text_in


def refused(read: Any, *arguments: Any) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        read(*arguments)
    return str(caught.value)


def test_a_file_is_read_whatever_link_leads_to_it(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"\xef\xbb\xbfWords.\n")
    (tmp_path / "link.txt").symlink_to("real.txt")
    assert read_text(tmp_path / "link.txt", 100) == "Words.\n"
    assert read_bytes(tmp_path / "real.txt", 10) == b"\xef\xbb\xbfWords.\n"


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/dev/zero", "device"), ("/dev/full", "device"), ("/dev/tty", "device"), ("/proc", "folder"),
        ("none", "no such file"), ("a\0b", "null byte"), ("x" * 300, "too long"), ("", "folder"),
    ],
)  # fmt: skip
def test_what_is_no_regular_file_is_refused_for_what_it_is(tmp_path: Path, path: str, says: str) -> None:
    said = refused(read_bytes, tmp_path / path, 100, "brief")
    assert said.startswith(f"The brief {tmp_path / path} cannot be read (")
    assert says in said


def test_a_pipe_and_a_socket_are_refused_at_once_also_through_a_link(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    assert "pipe, not a regular file" in refused(read_bytes, tmp_path / "link", 100)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        assert "socket" in refused(read_bytes, tmp_path / "s", 100)


def test_a_file_exchanged_for_a_pipe_at_any_moment_never_makes_the_reader_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "regular").write_text("text")
    given, stop = tmp_path / "given", threading.Event()

    def exchange() -> None:
        while not stop.is_set():
            for kind in ("pipe", "regular"):
                (tmp_path / "next").symlink_to(kind)
                (tmp_path / "next").replace(given)

    given.symlink_to("regular")
    exchanging = threading.Thread(target=exchange)
    exchanging.start()
    try:
        seen: set[str] = set()
        reads, until = 0, time.monotonic() + 30
        while reads < 2000 or (len(seen) < 2 and time.monotonic() < until):  # a busy machine may let one kind wait
            reads += 1
            try:
                seen.add(read_bytes(given, 100).decode())
            except UnreadableDocument as error:
                seen.add(error.problem[:12])
        assert seen == {"text", "it is a pipe"}
    finally:
        stop.set()
        exchanging.join()


def test_no_more_is_read_than_is_allowed_whatever_size_a_file_claims(tmp_path: Path) -> None:
    assert "larger than 10 bytes" in refused(read_bytes, Path("/proc/self/status"), 10), "its size is said to be 0"
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10**12)
    assert "larger than 1,000 bytes" in refused(read_bytes, tmp_path / "sparse", 1000)
    (tmp_path / "exact").write_bytes(b"x" * 1000)
    assert len(read_bytes(tmp_path / "exact", 1000)) == 1000
    assert "larger than 999 bytes" in refused(read_bytes, tmp_path / "exact", 999)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a\nb\n\xff", "(line 3: it is not UTF-8"),
        ("ä".encode("utf-16"), "(it is not UTF-8 but UTF-16"),
        (b"a\nb\0", "(line 2: it is no text, as it holds a NUL byte"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(data: bytes, says: str) -> None:
    assert f"The brief cannot be read {says}" in refused(text_in, data, "The brief")
