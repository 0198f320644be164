"""Keys, and the text that is being typed."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.service.cli.live.editor import Editor, KeyEffect
from elenchus.service.cli.live.keyboard import Key, KeyParser


def pressed(data: bytes, *, multiline: bool = False) -> tuple[Editor, KeyEffect]:
    """The editor after these bytes, and what the last key did."""
    editor, done = Editor(multiline), KeyEffect.MORE
    for key in KeyParser().feed(data):
        if (done := editor.press(key)) is not KeyEffect.MORE:
            break
    return editor, done


def test_letters_and_arrows_are_keys() -> None:
    names = [key.name for key in KeyParser().feed("aä\x1b[D\x1b[3~\r\x7f".encode())]
    assert names == ["a", "ä", "left", "delete", "enter", "backspace"]


def test_a_character_in_two_pieces_is_one_key() -> None:
    parser, data = KeyParser(), "é".encode()
    assert parser.feed(data[:1]) == []
    assert parser.feed(data[1:]) == [Key("é", "é")]


def test_an_arrow_in_two_pieces_is_one_key() -> None:
    parser = KeyParser()
    assert parser.feed(b"\x1b[") == []
    assert parser.feed(b"C") == [Key("right")]


def test_an_escape_alone_is_the_escape_key() -> None:
    assert KeyParser().feed(b"\x1b") == [Key("esc")]


@pytest.mark.parametrize(
    "sequence",
    ["\x1bs", "\x1b[I", "\x1b[1;9D", "\x1b[27;6;80~", "\x1b[115;5u", "\x1b[<0;10;5M", "\x1b\x1b[A", "\x1b[[A"],
)
def test_a_key_that_is_not_known_presses_no_other(sequence: str) -> None:
    """Single letters are commands, and Esc puts a turn aside: no part of Alt-S or of a mouse's click may be one."""
    assert [key.name for key in KeyParser().feed(f"a{sequence}b".encode())] == ["a", "b"]


def test_the_escape_key_pressed_again_and_again_is_as_many_keys() -> None:
    assert KeyParser().feed(b"\x1b\x1b\x1b") == [Key("esc")] * 3


def test_a_pasted_text_is_one_key_and_its_line_breaks_press_nothing() -> None:
    (key,) = KeyParser().feed(b"\x1b[200~one\rtwo\r\n.\x1b[201~")
    assert (key.name, key.text) == ("paste", "one\ntwo\n.")
    editor = Editor()
    assert editor.press(key) is KeyEffect.MORE
    assert editor.text == "one two ."


def test_control_w_takes_the_word_before_the_cursor_and_control_u_the_line() -> None:
    assert pressed(b"one two\x17")[0].text == "one "
    assert pressed(b"one two\x15")[0].text == ""


def test_enter_ends_a_line() -> None:
    editor, done = pressed(b"hello\r")
    assert (editor.text, done) == ("hello", KeyEffect.DONE)


def test_a_single_dot_ends_a_text_of_many_lines() -> None:
    editor, done = pressed(b"one\r\rtwo\r.\r", multiline=True)
    assert (editor.text, done) == ("one\n\ntwo", KeyEffect.DONE)
    assert editor.cursor == len(editor.text)


def test_ctrl_d_ends_a_text_of_many_lines() -> None:
    editor, done = pressed(b"one\rtwo\x04", multiline=True)
    assert (editor.text, done) == ("one\ntwo", KeyEffect.DONE)


def test_a_dot_within_a_line_ends_nothing() -> None:
    editor, done = pressed(b"one.\r. two\r", multiline=True)
    assert (editor.text, done) == ("one.\n. two\n", KeyEffect.MORE)


def test_the_cursor_moves_between_lines_and_words_can_be_taken_back() -> None:
    editor, _ = pressed(b"first\rsecond line\x1b[A\x1b[HX\x1b[B\x1b[F\x17", multiline=True)
    assert editor.text == "Xfirst\nsecond "
    editor, _ = pressed(b"ab\x1b[D\x1b[3~c\x01d\x15e")
    assert editor.text == "eac"


@given(st.binary(max_size=200), st.booleans())
def test_whatever_is_pressed_the_cursor_stays_within_the_text(data: bytes, multiline: bool) -> None:
    parser, editor = KeyParser(), Editor(multiline)
    for piece in (data[:50], data[50:]):
        for key in parser.feed(piece):
            editor.press(key)
            assert 0 <= editor.cursor <= len(editor.text)
            assert editor.text.isprintable() or "\n" in editor.text or "paste" in key.name
