"""Small real pictures for tests, made as they are needed."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image


def picture(kind: str = "PNG", size: tuple[int, int] = (8, 6), colour: str = "teal") -> bytes:
    """A picture of one colour."""
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()


def moving(kind: str = "GIF") -> bytes:
    """A picture of two frames."""
    file = io.BytesIO()
    frames = [Image.new("RGB", (8, 6), colour) for colour in ("teal", "orange")]
    frames[0].save(file, kind, save_all=True, append_images=frames[1:])
    return file.getvalue()


def claiming(width: int, height: int) -> bytes:
    """A PNG whose head claims so many pixels, of a few hundred bytes: a decompression bomb."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 10_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
