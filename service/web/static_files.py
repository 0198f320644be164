"""Our stylesheet, scripts and icon: read once, packed once, under an address that changes with what is in them.

All of them stand in one folder that is named by a hash of all: a script's own imports find the others of its version.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent; `packed` by gzip."""

    media_type: str
    content: bytes
    packed: bytes


@cache
def static_files() -> Mapping[str, StaticFile]:
    """All of them by name. Reads files: called once before the server listens."""
    found = {}
    for path in sorted(files("elenchus.service.web").joinpath("static").iterdir(), key=lambda path: path.name):
        content = path.read_bytes()
        media_type = TYPES[path.name.rpartition(".")[2]]
        found[path.name] = StaticFile(media_type, content, gzip.compress(content, mtime=0))
    return MappingProxyType(found)


@cache
def version() -> str:
    """A name for what is in all of them."""
    digest = hashlib.sha256()
    for name, file in static_files().items():
        digest.update(name.encode() + b"\0" + file.content)
    return digest.hexdigest()[:12]


def static_url(name: str) -> str:
    """The address of a file. Raises KeyError where there is none."""
    static_files()[name]
    return f"/static/{version()}/{name}"
