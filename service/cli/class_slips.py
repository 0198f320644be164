"""Slips: a code for each person of a class, in a file that is printed and cut up."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TextIO

from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.service.qr_codes import as_svg_element

PAGES = (".html", ".htm")
_HEAD = """<!doctype html>
<html>
<meta charset="utf-8">
<title>Elenchus</title>
<style>
  body { display: grid; grid-template-columns: repeat(3, 1fr); margin: 0; font: 4mm/1.4 sans-serif; }
  section { padding: 6mm 3mm; border: 0.2mm dashed #999; text-align: center; break-inside: avoid; }
  svg { width: 28mm; height: 28mm; }
  b { display: block; font: bold 7mm/1.6 monospace; }
</style>
"""


@dataclass(frozen=True, slots=True)
class Slips:
    """A file that is there and empty, so that codes which are told once are not lost; None where none is wanted."""

    path: Path | None
    _file: TextIO | None = None

    def write(self, codes: Sequence[str], join: str) -> None:
        """A code each, with the address where it is typed. Raises StorageError."""
        if self._file is None or self.path is None:
            return
        as_page = self.path.suffix.lower() in PAGES
        try:
            self._file.write(page(codes, join) if as_page else "".join(f"{code}\t{join}\n" for code in codes))
            self._file.flush()
        except OSError as error:
            raise StorageError(f"{self.path} cannot be written ({error.strerror}).") from error


@contextmanager
def new_file(path: Path | None) -> Iterator[Slips]:
    """A new file that only its owner reads, as whoever has a code is that person. Raises UsageError.

    What is left empty, as no class was made, is removed.
    """
    if path is None:
        yield Slips(None)
        return
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(
            f"{path} is there already, perhaps with codes that are in use: give --slips another file."
        ) from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}): give --slips another file.") from None
    with os.fdopen(number, "w", encoding="utf-8") as file:
        try:
            yield Slips(path, file)
        finally:
            if not os.fstat(number).st_size:
                path.unlink(missing_ok=True)


def page(codes: Sequence[str], join: str) -> str:
    """All slips as a page of HTML: code and address, in letters and as a QR code; no word, so of any language."""
    drawn = ((code, as_svg_element(f"{join}/{code}")) for code in codes)
    slips = (f"<section>{svg}<b>{escape(code)}</b>{escape(join)}</section>\n" for code, svg in drawn)
    return _HEAD + "".join(slips)
