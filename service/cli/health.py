"""What `elenchus doctor` looks at: packages, the database and the disk, the bot's token, and the server's heartbeat."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import re
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import gettempdir
from time import time
from typing import TYPE_CHECKING, Any

from elenchus.config.addresses import shown_address
from elenchus.debate_engine.errors import DamagedLog, NewerSchema, StorageError, UsageError
from elenchus.service.cli.session_lookup import state_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings

EVERY = 10.0
"""Seconds between two heartbeats."""
DISCORD_DEADLINE = 10.0
"""Seconds for each answer of Discord."""
_log = logging.getLogger(__name__)


# ── packages ─────────────────────────────────────────────────────────────────────────────────────────────────────

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra\s*==\s*['\"](\w+)['\"]")
_SHOWN = ("local", "detect", "train", "articles", "scale", "otel")


def packages() -> dict[str, dict[str, str | None]]:
    """By group (`base`, then each extra): package and its version, None where it is missing."""
    groups: dict[str, dict[str, str | None]] = {"base": {}, **{name: {} for name in _SHOWN}}
    for line in _requirements():
        extra = _EXTRA.search(line)
        group = extra[1] if extra else "base"
        name = _NAME.match(line)
        if group in groups and name:
            groups[group][name[0]] = version_of(name[0])
    return groups


def protocols() -> list[dict[str, str]]:
    """The protocols that installed packages bring, and why one cannot be used."""
    from dataclasses import asdict

    from elenchus.debate_engine.protocols import registry

    return [asdict(one) for one in registry.packages()]


def version_of(package: str) -> str | None:
    """The installed version, None where it is missing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _requirements() -> list[str]:
    try:
        return requires("elenchus") or []
    except PackageNotFoundError:  # run from a folder that was never installed
        return []


def front_ends(home_is_writable: bool, interactive: bool, bot_token: bool) -> list[dict[str, Any]]:
    """What each front end needs, and whether it is there."""
    needs = {
        "terminal": [
            ("a folder for the sessions that can be written (ELENCHUS_HOME)", home_is_writable),
            ("a terminal for the live view (plain lines without)", interactive),
        ],
        "serve": [
            ("a folder for the sessions that can be written (ELENCHUS_HOME)", home_is_writable),
            ("aiohttp", version_of("aiohttp") is not None),
        ],
        "bot": [
            ("discord.py", version_of("discord.py") is not None),
            ("a bot token (DISCORD_TOKEN)", bot_token),
        ],
    }
    return [
        {"name": name, "ready": all(there for _, there in parts), "needs": [{"what": w, "there": t} for w, t in parts]}
        for name, parts in needs.items()
    ]


# ── database and disk ─────────────────────────────────────────────────────────────────────────────────────────────────


async def database(settings: Settings) -> dict[str, Any]:
    """Where it is, how large, in which state, and how many sessions it holds. Nothing is made where there is none."""
    from elenchus.service.store import database_path, open_store, seen

    path = database_path(settings)
    shown = "PostgreSQL (ELENCHUS_DATABASE_URL)" if settings.database.url else str(path)
    found: dict[str, Any] = {"path": shown, "bytes": 0, "state": "not made yet", "sessions": {}, "problem": ""}
    try:
        there, found["bytes"] = await asyncio.to_thread(seen, settings)
        if not there:
            return found
        log = await open_store(settings)
        try:
            sessions = await log.sessions()
        finally:
            await log.aclose()
    except (StorageError, UsageError) as error:
        states: dict[type[Exception], str] = {DamagedLog: "damaged", NewerSchema: "from a newer Elenchus"}
        return found | {"state": states.get(type(error), "cannot be used"), "problem": str(error)}
    state, problem = ("ok", "") if log.refusal is None else ("read-only", str(log.refusal))
    counted = dict(Counter(state_of(info) for info in sessions))
    return found | {"state": state, "problem": problem, "sessions": counted}


async def sessions_log(settings: Settings, database: dict[str, Any]) -> dict[str, Any]:
    """The log in use by the name of its function, "" for that of the database, and its sessions by their state."""
    name = settings.sessions.log
    if not name or not await asyncio.to_thread(settings.home.exists):
        return {"function": name, "sessions": {} if name else database["sessions"], "problem": database["problem"]}
    from elenchus.service.named_log import named_log

    try:
        log = await named_log(name, settings.home)
        try:
            sessions = await log.sessions()
        finally:
            await log.aclose()
    except (StorageError, UsageError) as error:
        return {"function": name, "sessions": {}, "problem": str(error)}
    return {"function": name, "sessions": dict(Counter(state_of(info) for info in sessions)), "problem": ""}


def library(settings: Settings) -> dict[str, Any]:
    """What detections know of biases: `vectors`, in a folder or on a server (`path`), or else the catalogue itself."""
    if find_spec("chromadb") is None:
        said = "the catalogue itself, compared by words: for vectors pip install 'elenchus[detect]'"
        return {"vectors": False, "path": None, "embedding": None, "said": said}
    chosen = settings.library
    where = shown_address(chosen.server) if chosen.server else str(settings.library_dir)
    there = chosen.server is None and settings.library_dir.exists()
    state = "on a server" if chosen.server else "built" if there else "built at first use"
    return {
        "vectors": True,
        "path": where,
        "embedding": chosen.embedding,
        "said": f"knowledge by meaning ({chosen.embedding}), {state}",
    }


def disk(home: Path) -> dict[str, Any]:
    """The folder of all data: whether it can be written, and how many bytes are free there."""
    there = next((p for p in (home, *home.parents) if p.exists()), home)
    writable = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
    return {"home": str(home), "writable": writable, "free_bytes": shutil.disk_usage(there).free}


# ── the bot's token ───────────────────────────────────────────────────────────────────────────────────────────────────


async def bot_token(settings: Any, api: str = "") -> dict[str, Any]:
    """What Discord (or the server at `api`) says to the token; the token itself is never told.

    `ok` None: there is none to try. `invitation` is "" where the application is not known.
    """
    token = settings.discord.token.get_secret_value().strip() if settings.discord.token else ""
    if not token:
        return {"ok": None, "said": "no token is set (DISCORD_TOKEN)", "name": "", "invitation": "", "permissions": 0}
    from elenchus.bot import endpoints, invite  # brings discord.py along

    known = endpoints.current()
    asked = endpoints.Endpoints(api or known.api, known.gateway, known.cdn)
    try:
        endpoints.check(asked)
    except ValueError as error:
        name, application, said = "", 0, str(error)
    else:
        name, application, said = await _asked_discord(asked.api, token)
    return {
        "ok": not said,
        "said": said or f"Discord takes the token: the bot is called {name}",
        "name": name,
        "invitation": invite.address(application) if application else "",
        "permissions": invite.PERMISSIONS.value,
    }


async def _asked_discord(api: str, token: str) -> tuple[str, int, str]:
    """The bot's name, its application's id, and "" or why there are none."""
    import aiohttp

    if not (token.isascii() and token.isprintable()) or " " in token:
        return "", 0, "DISCORD_TOKEN is no bot's token: copy it again from the application's page"
    timeout, headers = aiohttp.ClientTimeout(total=DISCORD_DEADLINE), {"Authorization": f"Bot {token}"}
    try:
        async with aiohttp.ClientSession(timeout=timeout, headers=headers, trust_env=True) as session:
            async with session.get(f"{api.rstrip('/')}/users/@me", allow_redirects=False) as answer:
                if answer.status == 401:
                    return "", 0, "Discord refuses the token: copy it again from the application's page"
                if answer.status != 200:
                    return "", 0, f"Discord answers {answer.status}: try later"
                name = str((await _json(answer))["username"])
            async with session.get(f"{api.rstrip('/')}/oauth2/applications/@me", allow_redirects=False) as answer:
                return name, int((await _json(answer))["id"]), ""
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        return "", 0, f"Discord cannot be reached ({type(error).__name__}): look at the network"
    except (ValueError, TypeError, KeyError, RecursionError):
        return "", 0, "what answers there is not Discord's API"


async def _json(answer: Any) -> Any:
    """What Discord says; no more of it is read than such an answer can have."""
    from elenchus.service.lab.servers import beginning

    return json.loads(await beginning(answer))


# ── the heartbeat ─────────────────────────────────────────────────────────────────────────────────────────────────────


# The file lies in the folder for temporary files, which belongs to one machine or container, not among the sessions,
# which several may share. A server that hangs, or has lost its connection, touches it no more.


def heartbeat_file(home: Path) -> Path:
    """Where the server of this data folder says that it is alive."""
    owner = os.getuid() if hasattr(os, "getuid") else ""
    name = hashlib.sha256(str(home.absolute()).encode()).hexdigest()[:16]
    return Path(gettempdir()) / f"elenchus-{owner}-{name}.alive"


def heartbeat_age(home: Path) -> float | None:
    """Seconds since the server was last alive; None where no server runs here."""
    try:
        found = heartbeat_file(home).lstat()
    except FileNotFoundError:
        return None
    if hasattr(os, "getuid") and found.st_uid != os.getuid():  # somebody else's
        return None
    return max(0.0, time() - found.st_mtime)


@asynccontextmanager
async def heartbeat(home: Path, connected: Callable[[], bool]) -> AsyncIterator[None]:
    """Inside, the file is touched every ten seconds while the server is connected; at the end no server runs here.

    The beginning counts too, so that a server that never connects is found out.
    """
    file = heartbeat_file(home)

    async def beat() -> None:
        while True:
            await asyncio.sleep(EVERY)
            if connected():
                _touch(file)

    _touch(file)
    beating = asyncio.create_task(beat(), name="heartbeat")
    try:
        yield
    finally:
        beating.cancel()
        with suppress(OSError):
            file.unlink()


def _touch(file: Path) -> None:
    """Set the file's time, where it is our own: in a folder that all may write to, somebody else may have put one, a
    link or a pipe of its name there. Then nothing tells that the server is alive, which runs all the same.
    """
    flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        number = os.open(file, flags, 0o600)
        try:
            os.utime(number if os.utime in os.supports_fd else file)
        finally:
            os.close(number)
    except OSError as error:
        _log.warning("whether the server is alive cannot be told: %s", error)
