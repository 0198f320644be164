"""A class that is made in the server that runs, or in one that is started for it; and one that is deleted."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import quote

from elenchus.debate_engine.errors import ElenchusError
from elenchus.service.cli import context
from elenchus.service.cli.class_slips import new_file

if TYPE_CHECKING:
    from pathlib import Path

    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.service.cli.class_slips import Slips
    from elenchus.service.cli.launch import Options
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.client.remote_lab import RemoteLab
    from elenchus.service.lab.access import Access
    from elenchus.service.lab.classes.classes import Classes
    from elenchus.service.lab.classes.new_class import ClassOptions
    from elenchus.service.web.listening import Listening
    from elenchus.service.web.server import WebService

ASKING = timedelta(minutes=5)
"""How long this program may ask a server for what it is to do."""
LINK_LASTS, LEADS = timedelta(days=1), timedelta(days=3)
"""How long the teacher's link can be used, and how long whoever used it leads the class."""
LOOKS_FOR_SERVER = 5.0
"""Seconds in which a server that runs is to answer."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """At which address the server listens, or is to: as `elenchus serve` is told."""

    host: str
    lan: bool
    port: int | None

    def listening(self, settings: Settings) -> Listening:
        """Raises UsageError where nothing can listen there."""
        from elenchus.service.cli.serve import listening_of

        return listening_of(settings, self.host, self.port, lan=self.lan)

    def address(self, settings: Settings) -> str:
        """Where a server that runs already answers on this machine."""
        from elenchus.service.cli import served_at

        if self.port is None and not self.host and (known := served_at.address_of(settings.home)):
            return known
        host = "127.0.0.1" if self.lan else self.host or settings.web.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port or settings.web.port}"


@dataclass(frozen=True, slots=True)
class ClassAnnouncement:
    """A new class as it is told: `join` is where people come in, `lead` the teacher's link for one sign-in."""

    id: str
    code: str
    join: str
    lead: str
    slips: tuple[str, ...]
    cautions: tuple[str, ...]


# ── holding one ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def hold_class(where: ServerAddress, wanted: ClassOptions, slips: Path | None, how: Options) -> None:
    """Make a class where a server of these sessions runs, and else serve it until it is asked to end.

    Raises UsageError, ProviderError, StorageError.
    """
    from elenchus.service.cli import served_at
    from elenchus.service.web.listening import PortTaken

    settings = context.settings()
    if how.dry_run:
        await _tell_estimate(settings, wanted, how.out)
        return
    anywhere = not where.host and where.port is None
    if anywhere and served_at.address_of(settings.home) and await _held_there(where, settings, wanted, slips, how.out):
        return
    try:
        listening = where.listening(settings)
    except PortTaken:
        if not await _held_there(where, settings, wanted, slips, how.out):
            raise
        return
    with closing(listening), new_file(slips) as file:
        await _served(settings, listening, wanted, how.out, file)


async def _held_there(
    where: ServerAddress, settings: Settings, wanted: ClassOptions, slips: Path | None, out: CommandOutput
) -> bool:
    """Whether a server of these sessions answers there, and holds the class now."""
    async with context.opened(settings) as app, _server_at(app, where.address(settings)) as server:
        if server is None:
            return False
        with new_file(slips) as file:
            _tell(out, wanted, await _made_there(app, server, wanted), file, listening=None)
    return True


async def _served(
    settings: Settings, listening: Listening, wanted: ClassOptions, out: CommandOutput, file: Slips
) -> None:
    from elenchus.service.app import open_app
    from elenchus.service.cli import serve
    from elenchus.service.cli.class_robots import play_with_robots
    from elenchus.service.cli.health import heartbeat

    made: list[tuple[Classes, str]] = []

    async def tell(service: WebService) -> None:
        new = await service.classes.create(wanted)
        lead = await _link(service.access, new.room.id, listening.here)
        join = f"{listening.url}/join/{new.room.code}"
        told = ClassAnnouncement(new.room.id, new.room.code, join, lead, new.slips, new.cautions)
        _tell(out, wanted, told, file, listening=listening)
        made.append((service.classes, new.room.id))

    settings = await serve.prepared(settings)
    async with (
        open_app(settings) as app,
        heartbeat(settings.home, lambda: True),
        serve.served(app, out, listening, tell) as asked_to_end,
        asyncio.TaskGroup() as tasks,
    ):
        robots = [] if wanted.people else [tasks.create_task(play_with_robots(*one, out)) for one in made]
        await asked_to_end.wait()
        for task in robots:
            task.cancel()


async def _link(access: Access, class_id: str, address: str) -> str:
    """An address that signs one browser in as who leads the class, once. It is in no QR code."""
    given = await access.give(
        "moderator", classroom=class_id, label="teacher", once=True, lasts=LEADS, use_within=LINK_LASTS
    )
    return f"{address}/sign-in?link={given.secret}"


async def _tell_estimate(settings: Settings, wanted: ClassOptions, out: CommandOutput) -> None:
    from elenchus.service.cli.preflight import costing
    from elenchus.service.lab import default_models
    from elenchus.service.lab.classes.new_class import estimated

    settings = await default_models.settled(default_models.with_option(settings, ""))
    async with context.opened(settings) as app:
        found = await estimated(wanted, app.settings, app.registry)
    plan = found.plan
    for caution in found.told:
        out.warn(caution)
    out.document(plan)
    if not out.json:
        out.line(
            f"{wanted.people + wanted.bots} sessions: at the most {plan['calls']:,} calls of models, "
            f"{plan['input_tokens']:,} tokens in, {plan['output_tokens']:,} out, {costing(plan)}"
        )


# ── in a server that runs ────────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def _server_at(app: App, address: str) -> AsyncIterator[RemoteLab | None]:
    """The server of these very sessions that answers at this address, None where none does.

    Whoever may write to the store may do everything: a grant that is written there, and that the server takes, shows
    that both have the same one.
    """
    from elenchus.service.client.connection import Timeouts
    from elenchus.service.client.remote_lab import connect
    from elenchus.service.lab.access import Access

    access = Access(app.store)
    given = await access.give("owner", label="elenchus class", lasts=ASKING)
    timeouts = Timeouts(connect=LOOKS_FOR_SERVER, outage=LOOKS_FOR_SERVER)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(access.revoke, given.grant.id)
        server: RemoteLab | None = None
        with suppress(ElenchusError):
            server = await stack.enter_async_context(connect(address, given.secret, timeouts=timeouts))
        yield server


async def _made_there(app: App, server: RemoteLab, wanted: ClassOptions) -> ClassAnnouncement:
    from elenchus.service.lab.access import Access

    body = {"options": wanted.model_dump(mode="json", exclude_unset=True)}
    made = await server.connection.post("/classes", body, once=True, works=True)
    lead = await _link(Access(app.store), made["id"], str(server.connection.url).rstrip("/"))
    return ClassAnnouncement(
        made["id"], made["code"], made["join"], lead, tuple(made["slips"]), tuple(made["warnings"])
    )


# ── telling of it ────────────────────────────────────────────────────────────────────────────────────────────────────


def _tell(
    out: CommandOutput, wanted: ClassOptions, told: ClassAnnouncement, file: Slips, *, listening: Listening | None
) -> None:
    """To whoever started it; where `listening`, the server is this program, and ends with it."""
    from elenchus.service.cli.serve import show_qr_code

    joined = told.join.rpartition("/")[0]
    if told.slips:
        file.write(told.slips, joined)
    if out.json:
        url = joined.removesuffix("/join")
        document = {"url": url, "moderator": told.lead, "class": told.id, "code": told.code, "join": told.join}
        sys.stdout.write(f"{json.dumps(document)}\n")
        sys.stdout.flush()
        return
    for caution in told.cautions:
        out.warn(caution)
    out.line(f"The class {told.id} waits for people" if wanted.people else f"The class {told.id} is one of robots")
    out.line(f"Lead it here (the link signs one browser in, once): {told.lead}")
    if told.slips:
        out.line(f"{len(told.slips)} codes, one for each person, are in {file.path}: people type theirs at {joined}")
    elif wanted.people:
        out.line(f"People join at {joined} by the code {told.code}")
        show_qr_code(out, told.join)
    if listening is None:
        out.line("The server that runs already holds it.")
        return
    if wanted.people and not listening.is_for_others:
        out.line("Only this machine reaches it: for phones say --lan.")
    out.line("Ctrl-C ends the server: the class pauses, and goes on when it is started again.")


# ── deleting one ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def delete_class(where: ServerAddress, class_id: str, out: CommandOutput) -> None:
    """Delete a class that is over, by the server where one runs. Raises UsageError, StorageError."""
    from elenchus.service.lab.access import Access
    from elenchus.service.lab.classes.classes import Classes

    settings = context.settings()
    async with context.opened(settings) as app, _server_at(app, where.address(settings)) as server:
        if server is not None:
            await server.connection.ask("DELETE", f"/classes/{quote(class_id, safe='')}")
        else:
            classes = Classes(app.class_parts, Access(app.store), app.runner.run)
            try:
                await classes.remove(class_id)
            finally:
                await classes.aclose()
    out.document({"id": class_id, "deleted": True})
    if not out.json:
        out.line(f"deleted the class {class_id}")
