"""`elenchus doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import context, failures
from elenchus.service.cli.options import Json
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.service.cli.tables import WordTable


def doctor(
    alive: Annotated[
        float | None,
        typer.Option(
            "--alive",
            metavar="SECONDS",
            help="Only tell whether the server that runs here was connected so lately; if not, end with 5.",
        ),
    ] = None,
    discord_api: Annotated[
        str, typer.Option("--discord-api", metavar="URL", help="Where the bot's token is tried: as for `bot`.")
    ] = "",
    json: Json = False,
) -> None:
    """Tell what is installed, which keys are set and servers answer, and what each front end needs.

    The bot's token is tried where it is set, and the address told by which the bot is invited. Ends with 5 where what
    sessions are written to, or what processes share, cannot be used.
    """
    if alive is None:
        context.run(_doctor(CommandOutput(json), discord_api))
    else:
        _tell_alive(alive, CommandOutput(json))


def _tell_alive(within: float, out: CommandOutput) -> None:
    """For a container's health check. Raises UsageError, typer.Exit."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.health import heartbeat_age

    checks.within(within, 0, 1e9, "--alive", "60")
    silent = heartbeat_age(context.settings().home)
    out.document({"server": silent is not None, "silent_seconds": silent})
    if silent is None:
        out.tell("no server runs here")
    elif silent > within:
        out.tell(f"the server was last connected {silent:.0f} s ago")
        raise typer.Exit(failures.STORAGE)
    else:
        out.tell("alive")


async def _doctor(out: CommandOutput, discord_api: str) -> None:
    found = await examined(discord_api)
    out.document(found)
    if not out.json:
        _print(out, found)
    if not _holds_sessions(found):
        raise typer.Exit(failures.STORAGE)


def _holds_sessions(found: dict[str, Any]) -> bool:
    """Whether everything that sessions need of this machine, and of others, is well."""
    problem = found["database"]["problem"] or found["log"]["problem"]
    return not problem and _is_roomy(found["disk"]) and all(one["well"] is not False for one in found["shared"])


async def examined(discord_api: str = "") -> dict[str, Any]:
    """Everything that was found, as JSON; keys are told as set or not set."""
    import platform
    from importlib.metadata import version

    from elenchus.config.settings import overlooked
    from elenchus.service.cli import health, shared_health
    from elenchus.service.cli.models import weights
    from elenchus.service.cli.session_outcome import sits_here
    from elenchus.service.lab import servers

    settings = context.settings()
    home = health.disk(settings.home)
    database = await health.database(settings)
    return {
        "elenchus": version("elenchus"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "settings": overlooked(),
        "packages": health.packages(),
        "protocols": health.protocols(),
        "vendors": await servers.vendors(settings),
        "discord": await health.bot_token(settings, discord_api),
        "weights": weights(settings),
        "library": health.library(settings),
        "database": database,
        "log": await health.sessions_log(settings, database),
        "disk": home,
        "shared": await shared_health.examined(settings),
        "front_ends": health.front_ends(home["writable"], sits_here(), bot_token=settings.discord.token is not None),
    }


def _print(out: CommandOutput, found: dict[str, Any]) -> None:
    out.line(f"Elenchus {found['elenchus']}, Python {found['python']}, {found['system']}")
    for title, table in _tables(found):
        out.line(f"\n{title}")
        out.show(table)


def _tables(found: dict[str, Any]) -> list[tuple[str, WordTable]]:
    packages = [
        ("extra " + group if group != "base" else group, name, version or "not installed", version is not None)
        for group, names in found["packages"].items()
        for name, version in names.items()
    ]
    vendors = [
        (v["provider"], "key set" if v["key"] else "no key", v["server"] or "", v["said"], v["answers"])
        for v in found["vendors"]
    ]
    weights, library, database, disk = (found[name] for name in ("weights", "library", "database", "disk"))
    log = found["log"]
    data = [
        ("weights", weights["path"] or "", weights["said"], weights["there"]),
        ("library", library["path"] or "", library["said"], library["vectors"] or None),
        (
            "database",
            database["path"],
            database["problem"] or f"{database['state']}, {database['bytes'] / 1e6:.1f} MB, {_counted(database)}",
            None if database["state"] == "not made yet" else database["state"] == "ok",
        ),
        ("log", log["function"] or "the database's", log["problem"] or _counted(log), not log["problem"]),
        ("disk", disk["home"], _room(disk), _is_roomy(disk)),
    ]
    protocols = [
        (p["protocol"], f"{p['name']} {p['version']}", p["problem"], not p["problem"]) for p in found["protocols"]
    ]
    settings = [(sentence, False) for sentence in found["settings"]]
    ends = [(end["name"], need["what"], need["there"]) for end in found["front_ends"] for need in end["needs"]]
    return [
        *([("Settings", table_of(settings))] if settings else []),
        ("Packages", table_of(packages)),
        *([("Protocols", table_of(protocols))] if protocols else []),
        ("Vendors", table_of(vendors)),
        ("Data", table_of(data)),
        ("Shared by processes", table_of([(one["what"], one["said"], one["well"]) for one in found["shared"]])),
        ("Discord", table_of(_of_the_bot(found["discord"]))),
        ("Front ends", table_of(ends)),
    ]


def _of_the_bot(bot: dict[str, Any]) -> list[tuple[str, bool | None]]:
    """The token, and the invitation on a line of its own."""
    told: list[tuple[str, bool | None]] = [(bot["said"], bot["ok"])]
    return [*told, (f"invite it: {bot['invitation']}", None)] if bot["invitation"] else told


def _is_roomy(disk: dict[str, Any]) -> bool:
    return bool(disk["writable"] and disk["free_bytes"] > 1e9)


def _room(disk: dict[str, Any]) -> str:
    free = f"{disk['free_bytes'] / 1e9:.1f} GB free"
    return free if disk["writable"] else f"{free}, but no folder that can be written: set ELENCHUS_HOME to another"


def _counted(holder: dict[str, Any]) -> str:
    states = ", ".join(f"{count} {state}" for state, count in holder["sessions"].items())
    return f"sessions: {states}" if states else "no sessions"


def table_of(rows: list[Any]) -> WordTable:
    """Rows whose last field says how it is: True, False, or None for neither."""
    from rich.text import Text

    from elenchus.service.cli.tables import WordTable

    marks = {True: ("✓", "green"), False: ("✗", "red"), None: ("·", "dim")}
    table = WordTable(show_header=False)
    for *cells, well in rows:
        mark, style = marks[well]
        table.add_row(Text(mark, style=style), *(Text(str(cell), overflow="fold") for cell in cells))
    return table
