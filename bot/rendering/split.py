"""A text in pieces that each fit a message: cut at paragraphs, else lines, else sentences, else words, else characters.

A code block is cut only where it alone is longer than a message, between lines; each piece of it is closed and opened
again in the same language. What a reader sees as one character is not cut (unless it alone is longer than a message).
"""

from __future__ import annotations

import re

import regex

from elenchus.bot.rendering.safe import FENCE, units

LIMIT = 2_000
"""Of a message's content, in UTF-16 units."""

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_OPENING = re.compile(r"```[\w+.#-]{0,20}\n")
_CUTS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])[\"'”’)\]»*_]*\s+|(?<=[。！？])"),
    re.compile(r"\s+"),
)


def split(text: str, limit: int = LIMIT) -> list[str]:
    """The text in pieces of at most `limit` units (at least 40), in order. None is blank, nothing but space is lost.

    Blocks of code are closed where they were not, and stand on lines of their own.
    """
    pieces: list[str] = []
    for block in _blocks(text):
        if pieces and units(pieces[-1]) + 1 + units(block) <= limit:
            pieces[-1] = f"{pieces[-1]}\n{block}"
        else:
            pieces += _code(block, limit) if block.startswith(FENCE) else _prose(block, limit)
    return pieces


def _blocks(text: str) -> list[str]:
    """Blocks of code, each closed, and what stands between them."""
    blocks, at = [], 0
    for found in _CODE.finditer(text):
        closed = found[0].endswith(FENCE) and len(found[0]) >= 2 * len(FENCE)
        blocks += [text[at : found.start()], found[0] if closed else f"{found[0].rstrip()}\n{FENCE}"]
        at = found.end()
    return [block.strip() for block in (*blocks, text[at:]) if block.strip()]


def _prose(text: str, limit: int) -> list[str]:
    pieces = []
    while units(text) > limit:
        edges = _edges(text, limit)
        end, after = next((at for cut in _CUTS if (at := _last(cut, text, edges))), (edges[-1], edges[-1]))
        pieces.append(text[:end])
        text = text[after:].lstrip()
    return [*pieces, text] if text else pieces


def _last(cut: re.Pattern[str], text: str, edges: list[int]) -> tuple[int, int] | None:
    """Where the last such cut inside `edges` ends the piece, and where the next piece begins."""
    whole = set(edges)
    found = [
        (end, m.end())
        for m in cut.finditer(text, 0, edges[-1])
        if (end := m.start() + len(m[0].rstrip())) in whole and m.end() in whole and end
    ]
    return found[-1] if found else None


def _edges(text: str, limit: int) -> list[int]:
    """Offsets of the borders between characters up to `limit` units, at least one."""
    sizes = ((m.end(), units(m[0])) for m in regex.finditer(r"\X", text))
    ends, lengths = [], 0
    for end, size in sizes:
        lengths += size
        if lengths > limit:
            break
        ends.append(end)
    return ends or [limit // 2]  # one endless character: cut between its code points


def _code(block: str, limit: int) -> list[str]:
    if units(block) <= limit:
        return [block]
    opening = m[0] if (m := _OPENING.match(block)) else f"{FENCE}\n"
    body = block[m.end() if m else len(FENCE) : -len(FENCE)].strip("\n")
    pieces, room = [], limit - units(opening) - units(FENCE) - 1
    while body:
        end = _edges(body, room)[-1]
        if end < len(body):
            end = body.rfind("\n", 0, end) + 1 or end
        pieces.append(body[:end].strip("\n"))
        body = body[end:]
    return [f"{opening}{piece}\n{FENCE}" for piece in pieces if piece.strip()]
