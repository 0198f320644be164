"""The text in a PDF file, a page of the web or a long Markdown text, read in a process of its own.

Whoever hands in such a file may have made it to hang or to fill the memory of what reads it: the process ends after
`SECONDS` and has no more than `MEMORY`, and no more than `AT_ONCE` of them read. Run as a module this is that process:
one line of JSON and the file on standard input, one JSON object on standard output.
"""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.text import whole

Kind = Literal["pdf", "html", "markdown"]
SECONDS = 60.0
MEMORY = 2_000_000_000
AT_ONCE = 2
"""Processes that read; whoever comes then waits for one of them to end."""
MOST_PAGES = 1_000
MOST_TEXT = 400_000
"""Characters of a PDF file, whose few bytes may repeat a page without end; more than anybody reads at once."""
_NEEDS = 'Reading {what} needs {package}: install "elenchus[articles]".'


_PLACES: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


class Extract(NamedTuple):
    """A title ("" where there is none), and the text in paragraphs."""

    title: str
    text: str


async def extracted(kind: Kind, data: bytes, name: str, url: str = "", seconds: float = SECONDS) -> Extract:
    """What stands in a file. `name` begins its sentence of error. Raises UsageError."""
    head = json.dumps({"kind": kind, "url": url}).encode()
    async with _place(name, seconds):
        return _answered(await _read_beside(head + b"\n" + data, name, seconds), name)


@asynccontextmanager
async def _place(name: str, seconds: float) -> AsyncIterator[None]:
    """One of the places, for which nobody waits longer than a file may be read."""
    places = _PLACES.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE))
    try:
        async with asyncio.timeout(seconds):
            await places.acquire()
    except TimeoutError as error:
        raise UsageError(f"{name} was not read, as others were for all of {seconds:g} seconds: try again.") from error
    try:
        yield
    finally:
        places.release()


async def _read_beside(given: bytes, name: str, seconds: float) -> bytes:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-X", "utf8", "-m", __name__,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        out, _ = await asyncio.wait_for(child.communicate(given), seconds)
    except TimeoutError as error:
        raise UsageError(f"{name} cannot be read: that takes longer than {seconds:g} seconds.") from error
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()
    return out


def _answered(out: bytes, name: str) -> Extract:
    try:
        said = json.loads(out)
    except ValueError as error:  # it died: of its limits, or of what it read
        raise UsageError(f"{name} cannot be read: it is damaged, or too much for its reader.") from error
    if "needs" in said:
        raise UsageError(said["needs"])
    if "problem" in said:
        raise UsageError(f"{name} cannot be read: {said['problem']}.")
    return Extract(" ".join(whole(said["title"]).split()), whole(said["text"]))  # a PDF may hold half a character


# ── in the process of its own ────────────────────────────────────────────────────────────────────────────────────────


class _Unreadable(Exception):
    """Says what is wrong, as a part of a sentence."""


def main() -> None:
    """Read standard input, write what stands in it."""
    _limit()
    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(head)
    sys.stdout.write(json.dumps(_read(asked["kind"], data, asked["url"])))


def _read(kind: Kind, data: bytes, url: str) -> dict[str, str]:
    what, package = ("a PDF file", "pypdf") if kind == "pdf" else ("a page of the web", "trafilatura")
    try:
        return _READERS[kind](data, url)._asdict()
    except ImportError:
        return {"needs": _NEEDS.format(what=what, package=package)}
    except _Unreadable as error:
        return {"problem": str(error)}
    except Exception:  # noqa: BLE001 - of a damaged file the readers raise whatever they stumble over
        return {"problem": "it is damaged"}


def _pdf(data: bytes, _: str) -> Extract:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise _Unreadable("it is locked by a password")
    if len(reader.pages) > MOST_PAGES:
        raise _Unreadable(f"it has more than {MOST_PAGES:,} pages: give a part of it")
    pages, found = list[str](), 0
    for page in reader.pages:
        pages.append(page.extract_text().strip())
        if (found := found + len(pages[-1])) > MOST_TEXT:
            raise _Unreadable(f"it holds more than {MOST_TEXT:,} characters: give a part of it")
    text = "\n\n".join(pages).strip()
    if not text:
        raise _Unreadable("it holds no text, as a scanned page does not")
    return Extract((reader.metadata.title if reader.metadata else None) or "", text)


def _html(data: bytes, url: str) -> Extract:
    from trafilatura import bare_extraction

    found = bare_extraction(data, url=url or None, include_comments=False, with_metadata=True)
    if found is None or isinstance(found, dict) or not (found.text or "").strip():
        raise _Unreadable("there is no article in it")
    return Extract(found.title or "", found.text or "")


def _markdown(data: bytes, _: str) -> Extract:
    from elenchus.detectors.evaluation.cogbench.flows import markdown

    return Extract(*markdown.plain(data.decode()))


_READERS: dict[Kind, Callable[[bytes, str], Extract]] = {"pdf": _pdf, "html": _html, "markdown": _markdown}


def _limit() -> None:
    """Bound the memory and the time of this process, where the system can."""
    import logging

    logging.disable()
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS), int(SECONDS)))


if __name__ == "__main__":
    main()
