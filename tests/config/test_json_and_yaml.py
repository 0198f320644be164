"""JSON and YAML are read strictly, as whoever wrote them meant them, or refused with the document and the line."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from elenchus.config.documents import UnreadableDocument, text_in
from elenchus.config.json_and_yaml import DEEPEST, LONGEST_NUMBER, MOST_VALUES, json_in, read_yaml, yaml_in
from tests.config.test_documents import refused

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)
"""Some hundred bytes of YAML whose aliases stand for 9^10 values."""


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
