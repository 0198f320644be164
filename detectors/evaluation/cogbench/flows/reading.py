"""A flow out of a file, a folder or an address: text, Markdown, PDF, pages of the web, short videos as text.

A flow is what a persona reads in one iteration. Whatever cannot be read is refused in one sentence. In a folder each
file is an iteration, in the order of the names (2 before 10).
"""

from __future__ import annotations

import asyncio
import codecs
import re
from pathlib import Path

from elenchus.config.documents import UnreadableDocument, read_bytes, text_in
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.text import whole
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.protocols.cognition.schemas import LONGEST_FLOW, Flow
from elenchus.detectors.evaluation.cogbench.flows import markdown
from elenchus.detectors.evaluation.cogbench.flows.extraction import Extract, extracted
from elenchus.detectors.evaluation.cogbench.flows.fetching import PDF, PLAIN, PUBLIC, Policy, fetcher
from elenchus.detectors.evaluation.cogbench.in_words import flow_text

LARGEST = 5_000_000
"""Bytes of a file."""
SUFFIXES = (".txt", ".md", ".markdown", ".pdf", ".html", ".htm", ".json")
MOST_VIDEOS = 100
MOST_FILES = 1_000
NO_FLOWS = ("topic.yaml", "Thumbs.db", "desktop.ini")
"""Files of a folder beside its flows: what a topic of our own says of itself, and what Windows leaves in folders."""
MOST_NAMED = 3
"""Of what is no flow in a folder."""
LONGEST_HERE = 20_000
"""Characters of Markdown that are parsed in this process, the worst in a third of a second; more in one of its own."""
CHARSETS = re.compile(
    r"ascii|utf-(?:8|8-sig|16|16-[bl]e)|iso8859-\d+|cp\d+|koi8-\w|mac-\w+|gb\w+|big5\w*|euc_\w+|shift_jis\w*|iso2022_\w+"
    r"|tis-620",
    re.ASCII,
)
"""Encodings in which pages are written. Python knows others: one of 5 MB in punycode would take it an hour."""


async def flow_of(given: str, policy: Policy = PUBLIC) -> Flow:
    """What stands at an address (http, https), or in a file. Raises UsageError."""
    if re.match(r"https?://", given.strip(), re.IGNORECASE):
        return await flow_at(given.strip(), policy)
    return await flow_in_file(Path(given))


async def flow_in_file(path: Path) -> Flow:
    """What stands in a file of one of `SUFFIXES`. Raises UsageError."""
    try:
        data = await asyncio.to_thread(read_bytes, path, LARGEST)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    return await flow_in(data, path.name, f"The file {path}", source=str(path.name))


async def flow_in(data: bytes, filename: str, name: str = "", source: str = "") -> Flow:
    """What stands in the bytes of a file, whose type its name tells; `name` begins an error. Raises UsageError."""
    suffix, name = Path(filename).suffix.lower(), name or f"The file {filename}"
    if len(data) > LARGEST:
        raise UsageError(f"{name} cannot be read (it is larger than {LARGEST:,} bytes: give a part of it).")
    if data.startswith(b"%PDF-"):
        suffix = ".pdf"
    if suffix == ".pdf":
        return _one(await extracted("pdf", data, name), name, filename, source)
    if suffix in (".html", ".htm"):
        return _one(await extracted("html", data, name), name, filename, source)
    if suffix not in SUFFIXES and suffix:
        raise UsageError(f"{name} cannot be read: personas read {', '.join(SUFFIXES)}.")
    text = _text(data, name)
    if suffix == ".json":
        return await asyncio.to_thread(videos_in, text, name, Path(filename).stem, source)
    if suffix in (".md", ".markdown"):
        return _one(await _markdown(text, name), name, filename, source)
    return _one(Extract("", text.strip()), name, filename, source)


async def flow_at(url: str, policy: Policy = PUBLIC) -> Flow:
    """The article, text or PDF file at an address. Raises UsageError (`NotFetched` where it is not fetched)."""
    async with fetcher(policy) as fetching:
        page = await fetching.page(url)
    name = f"The page {page.url}"
    if page.type == PDF:
        found = await extracted("pdf", page.data, name)
    elif page.type in PLAIN:
        found = _plain_page(page.data, page.charset, name)
    else:
        found = await extracted("html", page.data, name, page.url)
    return _one(found, name, page.url, page.url)


async def _markdown(text: str, name: str) -> Extract:
    if len(text) > LONGEST_HERE:
        return await extracted("markdown", text.encode(), name)
    return Extract(*await asyncio.to_thread(markdown.plain, text))


def _plain_page(data: bytes, charset: str, name: str) -> Extract:
    try:
        known = codecs.lookup(charset or "utf-8-sig").name
        if not CHARSETS.fullmatch(known):
            raise LookupError(known)
        return Extract("", data.decode(known).strip())
    except (LookupError, ValueError) as error:  # a UnicodeError is one
        raise UsageError(f"{name} cannot be read: it is no text in the encoding that it is said to be in.") from error


def _text(data: bytes, name: str) -> str:
    try:
        return text_in(data, name)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error


def _one(found: Extract, name: str, called: str, source: str) -> Flow:
    """A flow of one text. Raises UsageError where there is none, or too much."""
    return _flow([found.text], found.title or called, name, source)


def _flow(texts: list[str], title: str, name: str, source: str) -> Flow:
    """Raises UsageError."""
    kept = [whole(text).strip() for text in texts if not is_blank(text)]
    if not kept:
        raise UsageError(f"{name} holds nothing to read.")
    if (longest := max(map(len, kept))) > LONGEST_FLOW:
        raise UsageError(
            f"{name} holds {longest:,} characters, and a persona reads {LONGEST_FLOW:,} at once: give a part of it."
        )
    return Flow(texts=tuple(kept), title=whole(title)[:200], source=whole(source))


# ── short videos as text ─────────────────────────────────────────────────────────────────────────────────────────────


def videos_in(text: str, name: str, title: str, source: str = "") -> Flow:
    """Short videos: a JSON list of objects of texts (description, text in the frames, transcript), or of texts.

    Raises UsageError.
    """
    try:
        found = json_in(text, name)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    videos = found if isinstance(found, list) else [found]
    if not 1 <= len(videos) <= MOST_VIDEOS:
        raise UsageError(f"{name} holds {len(videos)} videos, and a flow has 1 to {MOST_VIDEOS}.")
    texts = [flow_text(video) for video in videos]
    if None in texts:
        raise UsageError(f"{name}: video {texts.index(None) + 1} is neither a text nor an object of texts.")
    return _flow([one for one in texts if one is not None], title, name, source)


# ── folders ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def flows_in_folder(folder: Path) -> list[Flow]:
    """A flow an iteration: each file of a folder, in the order of the names. Raises UsageError."""
    paths = await asyncio.to_thread(files_in, folder)
    return [await flow_in_file(path) for path in paths]


def files_in(folder: Path) -> list[Path]:
    """The files of a folder that hold flows, 2 before 10. Hidden ones, and what a topic of our own says of itself, are
    passed over. Raises UsageError, also for what is none: iterations would be counted otherwise. Blocks.
    """
    try:
        there = [path for path in folder.iterdir() if path.name[0] != "." and path.name not in NO_FLOWS]
    except OSError as error:
        raise UsageError(f"The folder {folder} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    found = [path for path in there if path.suffix.lower() in SUFFIXES]
    if odd := sorted(path.name for path in there if path not in found):
        named = ", ".join(odd[:MOST_NAMED]) + (f" and {len(odd) - MOST_NAMED} more" if len(odd) > MOST_NAMED else "")
        raise UsageError(
            f"The folder {folder} holds what no persona reads: {named}; they read {', '.join(SUFFIXES)}. Save it as "
            "one of these, or take it out."
        )
    if not 1 <= len(found) <= MOST_FILES:
        raise UsageError(
            f"The folder {folder} holds {len(found)} files to read ({', '.join(SUFFIXES)}), and 1 to {MOST_FILES:,} "
            "are wanted."
        )
    return sorted(found, key=lambda path: (natural(path.name), path.name))


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A key by which 2 comes before 10."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
