"""What commands have in common: settings, the application, and one run of the event loop."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from config.settings import Settings
    from service.app import App

T = TypeVar("T")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output and nothing else.")]
SessionId = Annotated[str, typer.Argument(metavar="ID", help="The session's id, or the beginning of it.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Your name in the session's log (default: your login).")]

LEAVE_ON = frozenset({"budget", "provider"})
"""Where nobody can press a key, a session that waits for one of these is left, and may be resumed later."""


def settings() -> Settings:
    """The settings of this process. Raises UsageError naming the variable that cannot be read."""
    from config.settings import load_settings
    from debate_engine.errors import UsageError

    try:
        return load_settings()
    except ValueError as error:
        raise UsageError(str(error)) from error


def opened(known: Settings | None = None, *, interactive: bool = False) -> AbstractAsyncContextManager[App]:
    """The application. In an `interactive` run a session that must wait is not left: a key can mend it."""
    from service.app import open_app

    return open_app(known or settings(), leave_on=frozenset() if interactive else LEAVE_ON)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work in an event loop of its own."""
    import asyncio

    return asyncio.run(work)


def name_of(by: str) -> str:
    """The name that was given, or the login."""
    from service.cli.output import clean
    from service.cli.people.desk import person

    return clean(by).strip() or person()
