"""How the gateway's payloads travel: as text, or in one compressed stream a connection."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from importlib import import_module


def packer(wanted: str | None) -> Callable[[str], bytes | str]:
    """How this connection's payloads travel: as text, or in one zlib or zstd stream."""
    if wanted is None:
        return lambda text: text
    if wanted == "zlib-stream":
        stream = zlib.compressobj()
        return lambda text: stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
    if wanted == "zstd-stream":
        return _zstd()
    raise ValueError(f"unknown compression {wanted}")


def _zstd() -> Callable[[str], bytes]:
    """Present where discord.py asks for it: Python 3.14, or with the zstandard package."""
    try:
        module = import_module("compression.zstd")
        stream, flush = module.ZstdCompressor(), module.ZstdCompressor.FLUSH_BLOCK
    except ModuleNotFoundError:
        module = import_module("zstandard")
        stream, flush = module.ZstdCompressor().compressobj(), module.COMPRESSOBJ_FLUSH_BLOCK
    return lambda text: bytes(stream.compress(text.encode()) + stream.flush(flush))
