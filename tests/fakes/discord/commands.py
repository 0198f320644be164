"""What Discord demands of application commands when they are registered."""

from __future__ import annotations

import re
from typing import Any

from tests.fakes.discord.errors import Form, Refused
from tests.fakes.discord.limits import Path, choice_list
from tests.fakes.discord.state import Json

CHAT_INPUT, SUB, GROUP = 1, 1, 2
NAME = re.compile(r"[-_'\w]{1,32}\Z")
MOST = {1: 100, 2: 15, 3: 15}


def check(bodies: list[Json]) -> None:
    """Refuse a set of commands that Discord would refuse."""
    form = Form()
    for index, body in enumerate(bodies):
        command(form, (index,), body)
    names = [(body.get("type") or 1, body.get("name")) for body in bodies]
    for index, name in enumerate(names):
        if name in names[:index]:
            form.wrong(
                (index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
    form.check()
    for kind, most in MOST.items():
        if sum(1 for each, _ in names if each == kind) > most:
            raise Refused(30032)


def command(form: Form, path: Path, body: Json) -> None:
    if (body.get("type") or CHAT_INPUT) != CHAT_INPUT:
        form.length((*path, "name"), body.get("name"), 32, 1)
        if body.get("description") or body.get("options"):
            form.wrong(
                (*path, "description"), "APPLICATION_COMMAND_INVALID", "A context menu has no description or options"
            )
        return
    named(form, path, body)
    options(form, path, body.get("options") or [], depth=0)
    if size(body) > 8000:
        form.wrong(path, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)")


def named(form: Form, path: Path, body: Json) -> None:
    """A lower-case name of 1 to 32 and a description of 1 to 100 characters."""
    name = str(body.get("name", ""))
    if not NAME.match(name) or name != name.lower():
        form.wrong((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    form.length((*path, "description"), body.get("description"), 100, 1)


def options(form: Form, path: Path, given: list[Json], depth: int) -> None:
    form.count((*path, "options"), len(given), 25)
    names = [each.get("name") for each in given]
    if len(set(names)) != len(names):
        form.wrong((*path, "options"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE", "Option names must be unique")
    kinds = {each.get("type") in (SUB, GROUP) for each in given}
    if len(kinds) > 1:
        message = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        form.wrong((*path, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    required = [bool(each.get("required")) for each in given]
    if required != sorted(required, reverse=True):
        message = "Required options must be placed before non-required options"
        form.wrong((*path, "options"), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
    for index, each in enumerate(given):
        option(form, (*path, "options", index), each, depth)


def option(form: Form, path: Path, body: Json, depth: int) -> None:
    named(form, path, body)
    kind = body.get("type")
    if kind in (SUB, GROUP):
        if depth > (1 if kind == SUB else 0):
            form.wrong(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Nested too deep")
        options(form, path, body.get("options") or [], depth + 1)
        return
    choices: list[Any] = body.get("choices") or []
    choice_list(form, (*path, "choices"), choices)
    if choices and body.get("autocomplete"):
        form.wrong((*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "Autocomplete excludes choices")


def size(body: Json) -> int:
    """Characters of names, descriptions and values, with those of the options."""
    own = len(body.get("name") or "") + len(body.get("description") or "")
    own += sum(len(str(each.get("name"))) + len(str(each.get("value"))) for each in body.get("choices") or [])
    return own + sum(map(size, body.get("options") or []))
