"""How a command ends that cannot do its work: one sentence, a hint, and the exit code of its kind.

| code | meaning |
| --- | --- |
| 0 | done |
| 1 | a mistake in Elenchus |
| 2 | what was asked for cannot be done as asked |
| 3 | a model could not be used |
| 4 | the budget is used up |
| 5 | the database or the disk, or another process runs the session |
| 130 | paused, or interrupted; also where nobody reads the output any more |
"""

from __future__ import annotations

import errno
import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import takewhile
from typing import Any

from elenchus.config.addresses import without_secrets
from elenchus.config.validation import fault_told
from elenchus.service.cli.output import STANDARD_OUTPUT, CommandOutput, clean, print_json

OK, BUG, USAGE, PROVIDER, BUDGET, STORAGE, PAUSED = 0, 1, 2, 3, 4, 5, 130

_HINTS = {
    "UnknownSession": "elenchus sessions list",
    "MissingKey": "elenchus doctor shows which keys are set; local:smollm2-135m needs none",
    "ProviderBusy": "try again later, or take another model",
    "SessionHeld": "elenchus sessions resume ID --take-over",
    "ProtocolBug": "please report this to who wrote the protocol, with the session's export",
}


class Interrupted(Exception):
    """A Ctrl-C that nobody waited for, in a form for which typer does not end the program without a word."""


def report(error: BaseException, arguments: Sequence[str] = ()) -> int:
    """Tell the person, or the program that reads the JSON, what is wrong with this command line; the exit code."""
    error = first_of(error)
    kind, message, code = describe(error)
    message = without_secrets(message)
    hint = hint_for(error, arguments)
    if "--json" in arguments:
        with suppress(OSError):  # where standard output is what cannot be written, standard error says so
            print_json({"error": {"kind": kind, "message": message, "hint": hint}})
    CommandOutput().tell(f"elenchus: {message}" + (f"\n  hint: {hint}" if hint else ""))
    if code == BUG and kind != "ProtocolBug":  # that one tells the place
        sys.stderr.write(clean(without_secrets("".join(traceback.format_exception(error)))))
    return code


def first_of(error: BaseException) -> BaseException:
    """The one error that counts inside a group: ours before others."""
    from elenchus.debate_engine.errors import ElenchusError

    while isinstance(error, BaseExceptionGroup):
        ours = error.subgroup(ElenchusError)
        error = (ours or error).exceptions[0]
    return error


def describe(error: BaseException) -> tuple[str, str, int]:
    """Kind, message and exit code of an error."""
    from elenchus.config.documents import UnreadableDocument
    from elenchus.config.validation import UnusableEntry
    from elenchus.debate_engine.errors import ElenchusError

    match error:
        case UnusableEntry():
            return "UsageError", one_sentence(f"{error}; mend the file"), USAGE
        case UnreadableDocument():
            return "UsageError", one_sentence(str(error)), USAGE
        case ElenchusError():
            return type(error).__name__, one_sentence(str(error)), getattr(error, "exit_code", BUG)
        case OSError(filename=name) if name == STANDARD_OUTPUT or (name is None and _output_is_stuck()):
            said = (error.strerror or str(error)).lower()
            return "StorageError", f"Standard output cannot be written ({said}): send it to another place.", STORAGE
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return (
                "StorageError",
                f"There is no room left on the disk ({error}): free some space and try again.",
                STORAGE,
            )
        case OSError():
            return "StorageError", f"A file cannot be used: {error}; make it readable and its folder writable.", STORAGE
        case KeyboardInterrupt() | Interrupted():
            return "Interrupted", "Interrupted.", PAUSED
    if type(error).__module__.startswith("typer."):
        return _usage(error)
    return type(error).__name__, f"This is a mistake in Elenchus ({type(error).__name__}: {error}).", BUG


def _output_is_stuck() -> bool:
    """Whether what was written to standard output cannot leave: it is still there, or nothing may be written at all."""
    try:
        sys.stdout.flush()
        os.write(1, b"")
    except OSError:
        return True
    return False


def _usage(error: Any) -> tuple[str, str, int]:
    """What typer has to say about a command line that it cannot read; of a number it says what was given."""
    from pydantic import ValidationError

    message = error.format_message()
    if isinstance(cause := error.__cause__, ValidationError):
        first = cause.errors()[0]
        message = message.replace(first["msg"], fault_told(first))
    return "UsageError", message, getattr(error, "exit_code", USAGE)


def hint_for(error: BaseException, arguments: Sequence[str] = ()) -> str:
    """What to try next, "" where the message says it all."""
    if given := getattr(error, "hint", ""):
        return str(given)
    if (context := getattr(error, "ctx", None)) is not None:
        return meant(error, arguments) or f"{context.command_path} --help"
    return next((_HINTS[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in _HINTS), "")


def one_sentence(message: str) -> str:
    """The message with a capital and a full stop."""
    message = " ".join(message.split())
    if not message:
        return "Something went wrong."
    first = message.split()[0]
    capital = message[0].upper() if first.isalpha() else message[0]  # `openai:gpt …` is a name and stays as it is
    return capital + message[1:] + ("" if message[-1] in ".!?" else ".")


# ── the command line that was meant ───────────────────────────────────────────────────────────────────────────────────


IN_ONE_PIECE = {"MOTION": "a motion", "SCENE": "a scene's name", "NAME": "a name", "PERSONA": "a name"}
"""What stands in quotes where it has several words, by what the help calls the command's only argument."""


TAKE_A_TEXT = ("crit", "detect")
"""The commands that read a text from standard input, too."""


def meant(error: Any, arguments: Sequence[str]) -> str:
    """The command line to try instead of these arguments, "" where none suggests itself. `error` is typer's."""
    context = error.ctx
    given = list(arguments[len(context.command_path.split()) - 1 :])
    words = list(takewhile(lambda word: not word.startswith("-"), given))
    if hasattr(context.command, "commands"):
        return _another_command(context, words, given)
    wanted = [one.metavar for one in context.command.params if one.param_type_name == "argument"]
    text, others = (words, given[len(words) :]) if words else _at_the_end(given, error.format_message())
    quoted = _quoted(" ".join(text))
    if len(wanted) == 1 and (called := IN_ONE_PIECE.get(wanted[0])) and len(text) > 1:
        return f"{_line(context.command_path, others, quoted)} ({called} of several words stands in quotes)"
    if context.command_path.split()[-1] in TAKE_A_TEXT and len(text) > 1:
        return f"echo {quoted} | {_line(context.command_path, ['-', *others])}"
    if context.command_path.endswith("sessions export") and len(words) == 2:
        return _line(context.command_path, [words[0], "--export", *given[1:]])
    return ""


def _at_the_end(given: Sequence[str], message: str) -> tuple[Sequence[str], Sequence[str]]:
    """The words behind all options, of which typer's message names those that are too many, and what is before them."""
    extra = message.rpartition("(")[2].rstrip(")").split()
    first = len(given) - len(extra) - 1
    return (given[first:], given[:first]) if extra and first > 0 and [*given[first + 1 :]] == extra else ((), given)


def _another_command(context: Any, words: Sequence[str], given: Sequence[str]) -> str:
    """The command spelt like the one that there is not, else that of this name in a group; of a motion its debate."""
    if not words:
        return ""
    commands: dict[str, Any] = context.command.commands
    if near := get_close_matches(words[0], commands, n=1, cutoff=0.7):
        return _line(context.command_path, [near[0], *given[1:]])
    built = {name: getattr(one, "built", one) for name, one in commands.items()}  # where they are but a table's rows
    groups = [name for name, one in built.items() if words[0] in getattr(one, "commands", ())]
    if not groups and "debate" in commands and len(" ".join(words).split()) > 2:
        return _line(f"{context.command_path} debate", given[len(words) :], _quoted(" ".join(words)))
    return " or ".join(_line(context.command_path, [name, *given]) for name in groups)


def _quoted(motion: str) -> str:
    """In double quotes where a shell leaves all within as it is: an apostrophe is common in what people debate."""
    return shlex.quote(motion) if set(motion) & set('"$`\\!') else f'"{motion}"'


def _line(path: str, arguments: Sequence[str], first: str = "") -> str:
    return " ".join([path, *([first] if first else []), *map(shlex.quote, arguments)])
