"""A class that is made in the server that runs, or in one that is started for it; and one that is deleted."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Collection
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
    from elenchus.service.lab.classes.classroom import Phase
    from elenchus.service.lab.classes.live_class import LiveClass
    from elenchus.service.lab.classes.new_class import ClassOptions
    from elenchus.service.lab.classes.publication import Group
    from elenchus.service.web.listening import Listening
    from elenchus.service.web.server import WebService

ASKING = timedelta(minutes=5)
"""How long this program may ask a server for what it is to do."""
LINK_LASTS, LEADS = timedelta(days=1), timedelta(days=3)
"""How long the teacher's link can be used, and how long whoever used it leads the class."""
LOOKS_FOR_SERVER = 5.0
"""Seconds in which a server that runs is to answer."""


@dataclass(frozen=True, slots=True)
class Where:
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
        host = "127.0.0.1" if self.lan else self.host or settings.web.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port or settings.web.port}"


@dataclass(frozen=True, slots=True)
class Told:
    """A new class as it is told: `join` is where people come in, `lead` the teacher's link for one sign-in."""

    id: str
    code: str
    join: str
    lead: str
    slips: tuple[str, ...]
    cautions: tuple[str, ...]


# ── holding one ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def hold_class(where: Where, wanted: ClassOptions, slips: Path | None, how: Options) -> None:
    """Make a class where a server of these sessions runs, and else serve it until it is asked to end.

    Raises UsageError, ProviderError, StorageError.
    """
    from elenchus.service.web.listening import PortTaken

    settings = context.settings()
    if how.dry_run:
        await _tell_estimate(settings, wanted, how.out)
        return
    try:
        listening = where.listening(settings)
    except PortTaken:
        async with context.opened(settings) as app, _server_at(app, where.address(settings)) as server:
            if server is None:
                raise
            with new_file(slips) as file:
                _tell(how.out, wanted, await _made_there(app, server, wanted), file, listening=None)
        return
    with closing(listening), new_file(slips) as file:
        await _served(settings, listening, wanted, how.out, file)


async def _served(
    settings: Settings, listening: Listening, wanted: ClassOptions, out: CommandOutput, file: Slips
) -> None:
    from elenchus.service.app import open_app
    from elenchus.service.cli import serve
    from elenchus.service.cli.health import heartbeat

    made: list[tuple[Classes, str]] = []

    async def tell(service: WebService) -> None:
        new = await service.classes.create(wanted)
        lead = await _link(service.access, new.room.id, listening.here)
        join = f"{listening.url}/join/{new.room.code}"
        told = Told(new.room.id, new.room.code, join, lead, new.slips, new.cautions)
        _tell(out, wanted, told, file, listening=listening)
        made.append((service.classes, new.room.id))

    settings = await serve.prepared(settings)
    async with (
        open_app(settings) as app,
        serve.served(app, out, listening, tell) as asked_to_end,
        heartbeat(settings.home, lambda: True),
        asyncio.TaskGroup() as tasks,
    ):
        robots = [] if wanted.people else [tasks.create_task(_play_with_robots(*one, out)) for one in made]
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
        plan = await estimated(wanted, app.settings, app.registry)
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


async def _made_there(app: App, server: RemoteLab, wanted: ClassOptions) -> Told:
    from elenchus.service.lab.access import Access

    body = {"options": wanted.model_dump(mode="json", exclude_unset=True)}
    made = await server.connection.post("/classes", body, once=True, works=True)
    lead = await _link(Access(app.store), made["id"], str(server.connection.url).rstrip("/"))
    return Told(made["id"], made["code"], made["join"], lead, tuple(made["slips"]), tuple(made["warnings"]))


# ── telling of it ────────────────────────────────────────────────────────────────────────────────────────────────────


def _tell(out: CommandOutput, wanted: ClassOptions, told: Told, file: Slips, *, listening: Listening | None) -> None:
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


# ── robots alone ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def _play_with_robots(classes: Classes, class_id: str, out: CommandOutput) -> None:
    """Lead a class of answering robots from its lobby to what came out, and tell it, labelled as what it is."""
    live = await classes.open(class_id)
    steps: tuple[Phase, ...] = ("playing", "closed", "debrief", "revealed")
    for phase in steps:
        await _until_ready(live, phase)
        await classes.advance(class_id, phase, "elenchus class", sure=True)
        out.tell(f"the class of robots: {phase}")
    revision = 0
    while live.board.revealed is None:
        revision = await live.board.changed.after(revision)
    for line in robots_told(live):
        out.tell(line)


async def _until_ready(live: LiveClass, phase: Phase) -> None:
    """Wait until every robot has come as far as this phase asks for."""
    from elenchus.debate_engine.protocols.rulegen.people.person_progress import ENDED

    board, revision = live.board, 0
    ready: dict[Phase, Collection[str]] = {"closed": ("waiting", *ENDED), "revealed": ENDED}
    there, wanted = board.members.values(), ready.get(phase)
    while len(there) < board.room.bots or (wanted and not all(one.progress.stage in wanted for one in there)):
        revision = await board.changed.after(revision)


def robots_told(live: LiveClass) -> list[str]:
    """What came out among robots, a line each."""
    shown = live.board.revealed
    if shown is None:
        return []
    told = [f"{shown.analysed} answering robots (simulated: they answer by lot, nobody has said any of it)"]
    told += [f"  {group.name or 'all'}: n = {group.n}{_middle(group, shown.unit)}" for group in shown.groups]
    told += [f"  {sentence}" for effect in shown.effects for sentence in effect.sentences]
    return [*told, *([shown.why] if shown.why else [])]


def _middle(group: Group, unit: str) -> str:
    if group.mean is not None:
        return f", mean {group.mean:g} {unit}".rstrip()
    return f", {group.share:.0%}" if group.share is not None else ""


# ── deleting one ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def delete_class(where: Where, class_id: str, out: CommandOutput) -> None:
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
