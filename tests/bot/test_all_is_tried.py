"""Every command with each of its options, every menu entry, button and form of the bot is used in these tests.

This reads the tests: that a use shows what it should is theirs to say.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from discord import AppCommandType, app_commands

from elenchus.bot.client import ElenchusBot
from elenchus.bot.rendering.turns import ACTIONS
from elenchus.bot.strings import messages, msg
from elenchus.config.settings import Settings
from elenchus.service.app import open_app
from elenchus.service.lab.moderation import FORMS
from tests.bot.stage import services_of

TESTS = Path(__file__).parent
STARTERS = {"offer", "debate"}
"""The stage's own ways to say `/debate start`."""


def calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    """The calls of methods, or functions, with these names."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in names:
                yield node


def constants(node: ast.AST) -> set[str]:
    """The texts in a piece of code."""
    found = {inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant)}
    return {value for value in found if isinstance(value, str)}


def used() -> tuple[Mapping[str, set[str]], set[str], set[str]]:
    """Options by command, menu entries, and the labels of buttons that are pressed.

    Options that a test hands on to a helper, or keeps in a table of its own, count by standing in the same folder, and
    labels by standing in the same file.
    """
    options, menus, pressed = defaultdict[str, set[str]](set), set[str](), set[str]()
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.rglob("*.py")}
    named = defaultdict[Path, set[str]](set)
    for path, tree in trees.items():
        given = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg}
        named[path.parent] |= given | constants(tree)
    for path, tree in trees.items():
        for call in calls(tree, "slash", "complete", *STARTERS):
            started = {"debate start"} if isinstance(call.func, ast.Attribute) and call.func.attr in STARTERS else set()
            for command in constants(call) | started:
                options[command] |= named[path.parent]
        for call in calls(tree, "menu"):
            menus |= constants(call)
        if any(calls(tree, "press")):
            pressed |= constants(tree)
    return options, menus, pressed


async def test_every_command_with_every_option_and_every_menu_entry_is_used(tmp_path: Path) -> None:
    options, menus, _ = used()
    async with open_app(Settings(home=tmp_path)) as app:
        tree = ElenchusBot(services_of(app)).tree
        known = {c.qualified_name: c for c in tree.walk_commands() if isinstance(c, app_commands.Command)}
        entries = {menu.name for menu in tree.get_commands(type=AppCommandType.message)}
    assert {"debate start", "session leave", "privacy forget", "settings reset", "crit", "help"} <= known.keys()
    assert known.keys() - options.keys() == set()
    unused = {name: {p.name for p in known[name].parameters} - options[name] for name in known}
    assert {name: left for name, left in unused.items() if left} == {}
    assert entries - menus == set()


def test_every_button_is_pressed() -> None:
    _, _, pressed = used()
    of_debates = {
        *messages("panel-buttons").values(), *(label for _, label, _ in ACTIONS),
        *messages("audience-buttons").values(), *messages("audience-close").values(), msg("debate-go"),
        msg("debate-cancel"), msg("people-agree"), msg("people-decline"), msg("people-leave-sure"),
        msg("people-continue"), msg("people-correct"), msg("sessions-sure"), msg("privacy-sure"), msg("forms-open"),
        msg("detecting-look"),
    }  # fmt: skip
    of_scenes = {
        msg("scenes-take-part"), msg("scene-seats-question"), msg("scene-seats-withdraw"),
        msg("scene-seats-withdraw-sure"), msg("scene-seats-leave-sure"), *messages("scene-rooms-buttons").values(),
    }  # fmt: skip
    assert (of_debates | of_scenes) - pressed == set()


def test_every_form_of_the_panel_is_opened_and_sent() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (TESTS / "panel").glob("*.py")]
    for action in FORMS:
        assert [text for text in texts if f'"{messages("panel-buttons")[action]}"' in text and ".fill(" in text], action
