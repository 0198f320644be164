"""QR codes of addresses: for a page, for a sheet of paper, for a terminal."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from segno import QRCode

MARGIN = 2
"""Light modules around a code."""


@lru_cache(maxsize=256)
def as_svg_file(url: str) -> str:
    """An SVG file, black on nothing: it needs a white ground."""
    drawn = io.BytesIO()
    _code(url).save(drawn, kind="svg", border=MARGIN, omitsize=True, xmldecl=False, svgclass=None, lineclass=None)
    return drawn.getvalue().decode()


def as_svg_element(url: str) -> str:
    """An element within a page of HTML, which gives it its size."""
    return _code(url).svg_inline(omitsize=True, border=MARGIN)


def as_characters(url: str) -> str:
    """Rows of characters: whatever is light in the code is drawn."""
    drawn = io.StringIO()
    _code(url).terminal(out=drawn, compact=True, border=MARGIN)
    return drawn.getvalue().rstrip("\n")


def _code(url: str) -> QRCode:
    import segno

    return segno.make(url, error="m", micro=False)
