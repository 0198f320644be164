"""What somebody meant whose command line cannot be read, as the line to type instead."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import takewhile
from typing import Any

IN_ONE_PIECE = {"MOTION": "a motion", "SCENE": "a scene's name", "NAME": "a name", "PERSONA": "a name"}
"""What stands in quotes where it has several words, by what the help calls the command's only argument."""


def meant(error: Any, arguments: Sequence[str]) -> str:
    """The command line to try instead of these arguments, "" where none suggests itself. `error` is typer's."""
    context = error.ctx
    given = list(arguments[len(context.command_path.split()) - 1 :])
    words = list(takewhile(lambda word: not word.startswith("-"), given))
    if hasattr(context.command, "commands"):
        return _another_command(context, words, given)
    wanted = [one.metavar for one in context.command.params if one.param_type_name == "argument"]
    if len(wanted) == 1 and (called := IN_ONE_PIECE.get(wanted[0])) and len(words) > 1:
        quoted = _quoted(" ".join(words))
        return (
            f"{_line(context.command_path, given[len(words) :], quoted)} ({called} of several words stands in quotes)"
        )
    if context.command_path.endswith("sessions export") and len(words) == 2:
        return _line(context.command_path, [words[0], "--export", *given[1:]])
    return ""


def _another_command(context: Any, words: Sequence[str], given: Sequence[str]) -> str:
    """The command spelt like the one that there is not, else the command of that name in a group of commands."""
    if not words:
        return ""
    commands: dict[str, Any] = context.command.commands
    if near := get_close_matches(words[0], commands, n=1, cutoff=0.7):
        return _line(context.command_path, [near[0], *given[1:]])
    groups = [name for name, group in commands.items() if words[0] in getattr(group, "commands", ())]
    return " or ".join(_line(context.command_path, [name, *given]) for name in groups)


def _quoted(motion: str) -> str:
    """In double quotes where a shell leaves all within as it is: an apostrophe is common in what people debate."""
    return shlex.quote(motion) if set(motion) & set('"$`\\!') else f'"{motion}"'


def _line(path: str, arguments: Sequence[str], first: str = "") -> str:
    return " ".join([path, *([first] if first else []), *map(shlex.quote, arguments)])
