"""`elenchus serve`."""

from __future__ import annotations

import json as json_
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service import qr_codes
from elenchus.service.cli import context, long_running
from elenchus.service.cli.options import whole
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    import asyncio

    from rich.console import RenderableType

    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.service.web.listening import Listening
    from elenchus.service.web.server import WebService

Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Where to listen (default: 127.0.0.1, this machine alone).")
]
Lan = Annotated[
    bool, typer.Option("--lan", help="Listen in this machine's network, and show a QR code for people's phones.")
]
Port = Annotated[
    int | None, whole("--port", metavar="N", help="The port to listen at (default: 8321; 0: any that is free).")
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one line on standard output, a JSON document, once it is ready.")
]


def serve(host: Host = "", lan: Lan = False, port: Port = None, json: Json = False) -> None:
    """Serve debates, scenes and classes to browsers and programs, until it is interrupted.

    The first line has the address, and a link that signs one browser in as the moderator, once.

    On Ctrl-C or SIGTERM sessions pause; they go on when it is started again. docs/service.md tells the rest.
    """
    context.run(_serve(CommandOutput(json), host, port, lan=lan))


async def _serve(out: CommandOutput, host: str, port: int | None, *, lan: bool) -> None:
    from elenchus.service.app import open_app
    from elenchus.service.cli.health import heartbeat

    settings = context.settings()
    with closing(listening_of(settings, host, port, lan=lan)) as listening:
        settings = await prepared(settings)
        async with (
            open_app(settings) as app,
            heartbeat(settings.home, lambda: True),
            served(app, out, listening) as asked_to_end,
        ):
            await asked_to_end.wait()


async def prepared(settings: Settings) -> Settings:
    """The settings with the models for seats that nobody names; from now on it is told what goes on."""
    long_running.log_to_stderr(as_json=not sys.stderr.isatty())
    long_running.allow_open_files()
    return await long_running.settled(settings)


def listening_of(settings: Settings, host: str, port: int | None, *, lan: bool) -> Listening:
    """Where to listen, by the options and else the settings. Raises UsageError."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.service.cli import checks
    from elenchus.service.web.listening import listen

    web = settings.web
    if lan and host:
        raise UsageError("--lan listens at this machine's address in its network: leave --host away.")
    if port is not None:
        checks.within(port, 0, 65535, "--port", "8321")
    return listen(host or web.host, web.port if port is None else port, lan=lan, public_url=web.public_url or "")


@asynccontextmanager
async def served(
    app: App, out: CommandOutput, listening: Listening, tell: Callable[[WebService], Awaitable[None]] | None = None
) -> AsyncIterator[asyncio.Event]:
    """Inside, the web front end is served; the event is set by the signal that asks for the end, which is made here.

    `tell` says that it is ready (default: where to go, and a link for one sign-in). Raises StorageError, NewerSchema.
    """
    import asyncio
    import logging

    from elenchus.service.cli import served_at, signals
    from elenchus.service.web import serving

    asked, at_once = asyncio.Event(), asyncio.Event()

    def heard(times: int) -> None:
        (asked if times == 1 else at_once).set()

    await app.runner.is_elsewhere()  # a queue of a newer version is refused before anybody comes
    with signals.heard_by(signals.on_loop(heard)):
        async with serving.serving(app, listening) as service:
            with served_at.noted(app.settings.home, listening.here):
                await (tell(service) if tell else told(out, listening, service))
                yield asked
            logging.getLogger(__name__).info("stopping: sessions pause, and go on when it is started again")
            await serving.end(service, at_once)


async def told(out: CommandOutput, listening: Listening, service: WebService) -> None:
    """Say that it is ready: where to go, and a link for one sign-in."""
    from elenchus.service.web.serving import moderators_link

    link = await moderators_link(service, listening)
    if out.json:
        sys.stdout.write(f"{json_.dumps({'url': listening.url, 'moderator': link})}\n")
        sys.stdout.flush()
        return
    out.line(f"Elenchus is served at {listening.url}")
    out.line(f"Moderate here (the link signs one browser in, once): {link}")
    if listening.is_for_others:
        out.line(f"People join at {listening.url}/join")
        show_qr_code(out, f"{listening.url}/join")
    out.line("Ctrl-C ends it: sessions pause, and go on when it is started again.")


def show_qr_code(out: CommandOutput, url: str) -> None:
    """On a terminal, the code of an address for people's phones."""
    if out.console.is_terminal:
        out.show(_white_on_black(qr_codes.as_characters(url)))


def _white_on_black(drawn: str) -> RenderableType:
    """In colours of its own, so that phones read it on a light terminal as well."""
    from rich.text import Text

    return Text(drawn, "#ffffff on #000000", no_wrap=True, overflow="ignore")
