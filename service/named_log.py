"""The log that `ELENCHUS_SESSIONS_LOG` names: opened, or refused in one sentence that says what is wrong with it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.log import EventLog

METHODS = tuple(name for name in vars(EventLog) if callable(getattr(EventLog, name)) and not name.startswith("_"))
"""What a log must have."""


async def named_log(name: str, home: Path) -> EventLog:
    """The log that this function, named as PACKAGE.MODULE:FUNCTION, opens in the data folder, which exists.

    Raises UsageError for anything that is no such function; what the function itself raises of the contract's errors
    comes through.
    """
    try:
        opening = _function(name)(home)
        if not inspect.isawaitable(opening):
            raise _unusable(f"{name} is no async function")
        log = await opening
    except ElenchusError:
        raise
    except Exception as error:  # whatever somebody's function raises must reach the user as a sentence
        raise _unusable(f"{name} raised {type(error).__name__}: {error}") from error
    if missing := [method for method in METHODS if not callable(getattr(log, method, None))]:
        raise _unusable(f"{name} gave {_kind(log)}, which lacks {', '.join(missing)}")
    opened: EventLog = log
    return opened


def _function(name: str) -> Callable[[Path], Awaitable[Any]]:
    """What is named, if it can be called with a folder. Raises UsageError."""
    try:
        found = resolve_name(name)
    except Exception as error:  # an import runs somebody's module
        raise _unusable(_said(error)) from error
    if not inspect.isroutine(found) and (inspect.isclass(found) or not callable(found)):
        raise _unusable(f"{name} is {_kind(found)}")
    try:
        inspect.signature(found).bind(Path())
    except TypeError as error:
        raise _unusable(f"{name} cannot be called with a folder alone: {error}") from error
    except ValueError:  # a function written in C that does not say what it takes
        pass
    function: Callable[[Path], Awaitable[Any]] = found
    return function


def _said(error: Exception) -> str:
    """An error in its own words; one that has none to say by its kind."""
    plain = isinstance(error, ValueError | ImportError | AttributeError) and str(error)
    return str(error) if plain else f"{type(error).__name__}: {error}"


def _kind(found: object) -> str:
    if inspect.ismodule(found):
        return "a module"
    if inspect.isclass(found):
        return "a class"
    return "None" if found is None else f"of type {type(found).__name__}"


def _unusable(why: str) -> UsageError:
    return UsageError(
        f"ELENCHUS_SESSIONS_LOG cannot be used ({why}): name an async function that takes a folder and gives a log, as "
        "PACKAGE.MODULE:FUNCTION, or unset it."
    )
