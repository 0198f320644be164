"""Reading an SQLite file page by page, without SQLite, which gives up on a file whose skeleton is damaged.

Source: sqlite.org/fileformat2.html, sections 1.3 (header), 1.6 (b-tree pages), 1.5 (overflow), 2 (records) and 4 (WAL).
Whatever does not fit the format is skipped, never raised.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from storage.schema import PAGE_SIZE

Value = int | float | str | bytes | None
Record = list[Value]

LEAF = 0x0D
"""First byte of a page that holds rows of a table."""

SIZES = frozenset(1 << n for n in range(9, 17))

Layout = tuple[int, int]
"""Bytes of a page, and how many of them, at its end, the format leaves alone."""

OURS: Layout = (PAGE_SIZE, 0)


class Unreadable(Exception):
    """This page or row is not as the format demands. Never leaves this package."""


@dataclass(slots=True)
class Pages:
    """The pages of an open database file and of its write-ahead log (`wal` None: there is none)."""

    database: int
    wal: int | None
    layout: Layout = OURS
    total: int = field(init=False)
    _frames: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.total = sum(os.fstat(file).st_size for file in (self.database, self.wal) if file is not None)
        self._frames = dict(self._committed_frames())

    @property
    def size(self) -> int:
        """Bytes of a page."""
        return self.layout[0]

    @property
    def usable(self) -> int:
        """Bytes of a page that the format uses."""
        return self.layout[0] - self.layout[1]

    def numbers(self) -> Iterator[int]:
        """The numbers of all pages that are anywhere, a last broken one included."""
        count = -(-os.fstat(self.database).st_size // self.size)  # rounded up
        yield from sorted({*range(1, count + 1), *self._frames})

    def versions(self, number: int) -> Iterator[bytes]:
        """The page as the log has it, newest first, then as the database has it; short pages are filled with zeros."""
        for offset in reversed(self._frames.get(number, [])):
            assert self.wal is not None
            yield os.pread(self.wal, self.size, offset)
        if number > 0 and (page := os.pread(self.database, self.size, (number - 1) * self.size)):
            yield page.ljust(self.size, b"\0")

    def newest(self, number: int) -> bytes:
        """The page as it is now. Raises Unreadable."""
        for page in self.versions(number):
            return page
        raise Unreadable

    def _committed_frames(self) -> Iterator[tuple[int, list[int]]]:
        """Page number and offsets, oldest first, of the log's frames up to the last commit. Checksums are not asked."""
        if self.wal is None:
            return
        salts = os.pread(self.wal, 8, 16)
        frames: list[tuple[int, int]] = []
        committed = 0
        for offset in range(32, os.fstat(self.wal).st_size - self.size - 23, self.size + 24):
            head = os.pread(self.wal, 24, offset)
            if head[8:16] != salts:
                break
            frames.append((_number(head[:4]), offset + 24))
            committed = len(frames) if _number(head[4:8]) else committed
        found: dict[int, list[int]] = {}
        for number, offset in frames[:committed]:
            found.setdefault(number, []).append(offset)
        yield from found.items()


def layouts(database: int) -> list[Layout]:
    """The layouts to try: the one that we make and, where the file's header is one and says otherwise, that one."""
    header = os.pread(database, 100, 0)
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        return [OURS]
    size = 65536 if header[16:18] == b"\0\1" else _number(header[16:18])
    named = (size, header[20])
    return [OURS, named] if named != OURS and size in SIZES and size - header[20] >= 480 else [OURS]


def rows(pages: Pages) -> Iterator[Record]:
    """The rows of all tables that can be read, in no order. A row of an older version of a page comes later."""
    for number in pages.numbers():
        for page in pages.versions(number):
            whole = True
            for record in _records(pages, page, 100 if number == 1 else 0):
                whole = whole and record is not None
                if record is not None:
                    yield record
            if whole and page.strip(b"\0"):
                break  # an older version has nothing that this one lacks


def _records(pages: Pages, page: bytes, start: int) -> Iterator[Record | None]:
    """The rows on a page, None for one that cannot be read; nothing for a page without rows."""
    if page[start] != LEAF:
        return
    count = _number(page[start + 3 : start + 5])
    for place in range(start + 8, min(start + 8 + 2 * count, pages.usable), 2):
        try:
            yield _record(_payload(pages, page, _number(page[place : place + 2])))
        except (Unreadable, UnicodeDecodeError):
            yield None


def _payload(pages: Pages, page: bytes, start: int) -> bytes:
    """A row's bytes, gathered from the page and its overflow pages (section 1.6, "payload overflow")."""
    length, start = _varint(page, start)
    _, start = _varint(page, start)  # the row's id
    usable = pages.usable
    most, least = usable - 35, (usable - 12) * 32 // 255 - 23
    local = length
    if length > most:
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
    if length > pages.total:
        raise Unreadable
    parts = [_slice(page, start, local)]
    following = _number(_slice(page, start + local, 4)) if local < length else 0
    missing, seen = length - local, set[int]()
    while missing > 0:
        if following in seen or following < 1:
            raise Unreadable
        seen.add(following)
        overflow = pages.newest(following)
        parts.append(_slice(overflow, 4, min(missing, usable - 4)))
        missing -= len(parts[-1])
        following = _number(overflow[:4])
    return b"".join(parts)


def _record(payload: bytes) -> Record:
    """The values of a row (section 2.1). Raises Unreadable, UnicodeDecodeError."""
    header, at = _varint(payload, 0)
    place, values = header, Record()
    while at < header:
        kind, at = _varint(payload, at)
        size = _value_size(kind)
        values.append(_value(kind, _slice(payload, place, size)))
        place += size
    return values


def _value_size(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    if kind >= 10:
        raise Unreadable
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]


def _value(kind: int, data: bytes) -> Value:
    if kind >= 12:
        return data.decode() if kind % 2 else data
    if kind in (0, 7):
        return None  # NULL; a float, of which our tables have none
    return kind - 8 if kind >= 8 else int.from_bytes(data, "big", signed=True)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes and where it ends."""
    value = 0
    for n in range(9):
        byte = _slice(data, at + n, 1)[0]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    raise Unreadable


def _slice(data: bytes, start: int, length: int) -> bytes:
    """Exactly that many bytes. Raises Unreadable."""
    if start + length > len(data):
        raise Unreadable
    return data[start : start + length]


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")
