"""What people read is written in `bot/strings/`, and nowhere else in the bot."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from elenchus.bot.strings import catalogue, messages, msg

BOT = Path(__file__).parents[2] / "bot"
FILES = sorted(path for path in BOT.rglob("*.py") if "strings" not in path.parts)

LOGGED = {"info", "warning", "error", "logged", "Uncertain"}
"""What these are given goes to the log alone."""

WORDS = 3
"""So many words one after the other are prose."""


def spared(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, what is logged, what an assertion says, and the keys of mappings."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                yield text
            case ast.Assert(msg=ast.AST() as text):
                yield text
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=given) if name in LOGGED:
                yield from given
            case ast.Dict(keys=keys):
                yield from (key for key in keys if key is not None)


def prose(source: str) -> list[str]:
    """The texts in a file's code that a person could be told."""
    tree = ast.parse(source)
    left_out = {id(inner) for node in spared(tree) for inner in ast.walk(node)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out
    ]
    return [text for text in texts if re.search(rf"(?:[A-Za-z’']{{2,}}[ ,:]+){{{WORDS - 1}}}[A-Za-z]{{2,}}", text)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(BOT)))
def test_no_sentence_for_people_stands_outside_the_strings(path: Path) -> None:
    assert prose(path.read_text(encoding="utf-8")) == []


def test_a_sentence_is_found_wherever_it_stands_and_what_is_logged_is_none() -> None:
    assert prose('raise UsageError(f"There is no scene {name}")') == ["There is no scene "]
    assert prose('tell(interaction, "Press it once more")') == ["Press it once more"]
    assert (
        prose('"""A docstring of several words."""\n_log.info("so many words are logged")\n{"a key of words": 1}') == []
    )


def test_no_sentence_stands_twice_in_the_catalogues() -> None:
    found: dict[str, list[str]] = {}
    for name, text in catalogue().items():
        found.setdefault(str(text), []).append(name)
    assert {text: names for text, names in found.items() if len(names) > 1 and len(text) > 40} == {}


# ── the catalogues and the code ──────────────────────────────────────────────────────────────────────────────────────


def asked_for() -> Iterator[tuple[str, ast.Call]]:
    """Every call of `msg` and `messages` in the bot, with where it stands."""
    for path in sorted(set(BOT.rglob("*.py")) - {BOT / "strings" / "__init__.py"}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"msg", "messages"}:
                yield f"{path.relative_to(BOT)}:{node.lineno}", node


def fields(text: str | tuple[str, ...]) -> set[str]:
    """The names of a message's arguments."""
    forms = [text] if isinstance(text, str) else text
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name is not None}


def test_every_call_names_a_message_that_is_there_and_gives_exactly_its_arguments() -> None:
    groups = {name.rpartition(".")[0] for name in catalogue() if "." in name}
    for place, call in asked_for():
        match call.args:
            case [ast.Constant(value=str() as name)]:
                given = {word.arg for word in call.keywords}
                if call.func.id == "messages":  # type: ignore[attr-defined]
                    assert name in groups, f"{place}: no messages {name}"
                    assert given == set(), place
                else:
                    assert name in catalogue(), f"{place}: no message {name}"
                    assert given == fields(catalogue()[name]), f"{place}: {name}"
            case _:
                raise AssertionError(f"{place}: the id is not written out, so nobody can find it")


def test_no_message_is_left_that_nothing_asks_for() -> None:
    used = {call.args[0].value for _, call in asked_for() if isinstance(call.args[0], ast.Constant)}
    assert {name for name in catalogue() if name not in used and name.rpartition(".")[0] not in used} == set()


def test_a_message_has_plain_names_for_arguments_and_stands_in_the_catalogue_of_its_room() -> None:
    assert {
        name for name, text in catalogue().items() if not all(field.isidentifier() for field in fields(text))
    } == set()
    for path in (BOT / "strings" / "en").glob("*.po"):
        ids = re.findall(r'^msgid "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(ids) == len(set(ids)) > 0, path.name
        assert [name for name in ids if not name.startswith(f"{path.stem}-")] == []


ANY = [
    "{name} {0} {{}} {a.b}",
    "\"quoted\" 'twice' \\ %s %(n)s",
    "one\r\ntwo\n\n three ",
    "\u2068isolated\u2069\u202e\u200b",
    "x" * 10_000,
]


@pytest.mark.parametrize("text", ANY, ids=["braces", "quotes", "lines", "isolates", "long"])
def test_what_is_put_in_comes_out_as_it_is_and_nothing_invisible_is_added(text: str) -> None:
    assert msg("thread-paused", reason=text) == f"⏸ **Paused:** {text}"


def test_a_message_or_an_argument_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        msg("thread-never-written")
    with pytest.raises(KeyError):
        msg("thread-paused")
    with pytest.raises(KeyError):
        messages("thread-never-written")
