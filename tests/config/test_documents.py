"""Whatever a person hands in: it is read within bounds, or refused with the document and the line."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from elenchus.config.documents import (
    DEEPEST,
    LONGEST_NUMBER,
    MOST_VALUES,
    UnreadableDocument,
    json_in,
    read_bytes,
    read_text,
    read_yaml,
    text_in,
    yaml_in,
)

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)
"""Some hundred bytes of YAML whose aliases stand for 9^10 values."""


def refused(read: Any, *arguments: Any) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        read(*arguments)
    return str(caught.value)


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────


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


# ── YAML ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (BOMB, 1, "aliases and anchors"),
        ("a: 1\nb: *a\n", 2, "aliases and anchors"),
        ("a: 1\nb: !!timestamp x\n", 2, "tags (!)"),
        ("!!python/object/apply:os.system [true]", 1, "tags (!)"),
        ("a: !own text", 1, "tags (!)"),
        ("a: ! text", 1, "tags (!)"),
        ("a: 1\nb: 2\na: 3\n", 3, "“a” is there twice"),
        ("? [a]\n: 1\n", 1, "no name of an entry"),
        ("a: 1\n---\nb: 2\n", 2, "a second document"),
        ("a: .inf", 1, ".inf is no finite number: write it in quotes"),
        ("a: 1\nb: 1.0e+999", 2, "“1.0e+999” is no finite number"),
        (f"a: {'9' * 5000}", 1, "a number of 5000 digits is too long"),
        ("[" * (DEEPEST + 2), 1, f"more than {DEEPEST} deep"),
        ("- " * 100_000, 1, f"more than {DEEPEST} deep"),
        ("[" + "a," * (MOST_VALUES + 1), 1, f"more than {MOST_VALUES:,} values"),
        ("a: 1\nb: [", 2, "not valid YAML"),
        ("a: b: c", 1, "not valid YAML"),
        ("a: 1\nb: '", 2, "not valid YAML"),
        ("a: 1\nb: \x07", 2, "not valid YAML"),
        ("a: \ud800", 0, "not valid YAML"),
        ("%YAML 9.9\n---\na", 1, "not valid YAML"),
    ],
)  # fmt: skip
def test_yaml_that_is_not_taken_is_refused_with_its_line(text: str, line: int, says: str) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        yaml_in(text, "The agenda a.yaml")
    assert says in caught.value.problem
    assert caught.value.line == line
    assert str(caught.value).startswith("The agenda a.yaml cannot be read (")


def test_plain_scalars_are_null_truth_values_decimal_numbers_or_text() -> None:
    assert yaml_in("", "X") is None
    assert yaml_in("# nothing\n", "X") is None
    words = "[~, null, '', yes, Off, TRUE, 0, -7, +3, 1.5, 2.0e+3, .5, '1', '~']"
    assert yaml_in(words, "X") == [None, None, "", True, False, True, 0, -7, 3, 1.5, 2000.0, 0.5, "1", "~"]
    texts = "[2026-11-22, 1:30, 010, 0x1F, 1_000, '.inf', 0o7, \"!!x\", 1.2.3, 2e3, NO!]"
    wanted = ["2026-11-22", "1:30", "010", "0x1F", "1_000", ".inf", "0o7", "!!x", "1.2.3", "2e3", "NO!"]
    assert yaml_in(texts, "X") == wanted, "whatever else YAML 1.1 makes of them"
    assert yaml_in("a: |\n  two\n  lines\nb: >\n  one\n  line\n", "X") == {"a": "two\nlines\n", "b": "one line\n"}


words = st.text(st.characters(codec="utf-8"))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**LONGEST_NUMBER) + 1, 10**LONGEST_NUMBER - 1)
    | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(words, inner, max_size=5),
    max_leaves=30,
)  # fmt: skip


@given(values, st.booleans())
def test_what_others_write_as_yaml_or_json_is_read_as_they_meant_it(value: Any, flow: bool) -> None:
    assert json_in(json.dumps(value), "X") == value
    assert json_in(json.dumps(value, ensure_ascii=False), "X") == value

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    written = yaml.dump(value, Dumper=Dumper, default_flow_style=flow, allow_unicode=True)
    assert yaml_in(written, "X") == yaml.safe_load(written), "where both take it"


scraps = st.lists(
    st.sampled_from([*"[]{},:-?&*!|>'\"%@`#\n\t ~", "- ", ": ", "? ", "---\n", "...\n", "!!", "<<: ", "a", "1"])
    | st.text(max_size=3),
    max_size=60,
).map("".join)  # fmt: skip


@given(st.binary(max_size=400) | scraps.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_of_any_bytes_comes_a_value_or_a_sentence(data: bytes) -> None:
    for read in (yaml_in, json_in):
        try:
            read(text_in(data, "The file"), "The file")
        except UnreadableDocument as error:
            assert str(error).startswith("The file cannot be read (")
            assert error.problem


def test_a_file_of_yaml_is_named_in_what_is_wrong_with_it(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text("a: 1\nb: *a\n")
    assert refused(read_yaml, tmp_path / "m.yaml", 100).startswith(
        f"The file {tmp_path / 'm.yaml'} cannot be read (line 2: "
    )


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 100_000, f"more than {DEEPEST} deep"),
        ("[" * 100 + "]" * 100, f"more than {DEEPEST} deep"),
        ('{"a": 1, "a": 2}', "“a” is there twice"),
        ("NaN", "NaN is no finite number"),
        ("[-Infinity]", "-Infinity is no finite number"),
        ("[1e999]", "no finite number"),
        ("9" * 5000, "5000 digits"),
        ('["\\ud800"]', "half a character"),
        ('{\n"a": x}', "line 2: it is not valid JSON"),
    ],
)
def test_json_that_is_not_taken_is_refused(text: str, says: str) -> None:
    assert says in refused(json_in, text, "The agenda a.json")


def test_a_line_of_json_is_told_by_its_number_in_the_document() -> None:
    assert refused(json_in, "{", "The file", 7).startswith("The file cannot be read (line 7: ")


def test_a_doubled_key_among_very_many_is_found_in_a_time_that_grows_with_their_number() -> None:
    text = "{" + ",".join(f'"k{n}":1' for n in range(100_000)) + ',"k99999":2}'
    started = time.process_time()
    with pytest.raises(UnreadableDocument, match="“k99999” is there twice"):
        json_in(text, "It")
    assert time.process_time() - started < 5
