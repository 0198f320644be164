"""PersonaEmojis of personas: small pictures of our own, kept as the application's emojis, which Discord serves to all.

The shape shows the part somebody plays (pro a disc, con a square, a judge a hexagon), the letters who it is, the
colour both. An application holds 2,000 emojis; where one cannot be made there is no face, and everything else goes on.
"""

from __future__ import annotations

import asyncio
import io
import logging
import math
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING

import discord

from elenchus.bot.errors import DISCONNECTED
from elenchus.service.lab.avatars import CORNERS, colour_of, letters_of, number_of, part_of

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

_log = logging.getLogger(__name__)

SIZE = 128
"""Pixels of a face's side."""

PATIENCE, REST = 10.0, 600.0
"""Seconds that a speaker waits for a new face; seconds in which nobody waits after one that did not come."""

WIDEST = 1.1
"""Of the letters, in half sides of a face: what the narrowest shape, the square, has room for."""


def emoji_name(seat: str, name: str) -> str:
    """What the face is called among the application's emojis: 2–32 letters, digits and underscores."""
    letters = letters_of(seat, name).replace("?", "x")
    return f"face_{part_of(seat) or 'other'}_{letters.lower()}_{number_of(seat, name) % 8}"


@lru_cache(maxsize=256)
def draw(seat: str, name: str) -> bytes:
    """The face as a PNG, `SIZE` pixels square with a transparent ground. Some milliseconds of work."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGBA", (SIZE * 2, SIZE * 2))
    pen = ImageDraw.Draw(picture)
    _shape(pen, CORNERS[part_of(seat)], colour_of(seat, name))
    letters = letters_of(seat, name)
    size = SIZE * (0.85 if len(letters) > 1 else 1.15)
    width = pen.textlength(letters, ImageFont.load_default(size))
    font = ImageFont.load_default(size * min(1, WIDEST * SIZE / width))
    pen.text((SIZE, SIZE), letters, fill="white", font=font, anchor="mm", stroke_width=4, stroke_fill="white")
    buffer = io.BytesIO()
    picture.resize((SIZE, SIZE), Image.Resampling.LANCZOS).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _shape(pen: ImageDraw, corners: int, colour: str) -> None:
    """A disc or a polygon over the whole double-sized picture, with a dark rim that shows on any background."""
    middle, radius = float(SIZE), float(SIZE - 6)
    if not corners:
        box = (middle - radius, middle - radius, middle + radius, middle + radius)
        pen.ellipse(box, fill=colour, outline=(24, 24, 28), width=8)
        return
    turn = math.pi / 2 if corners % 4 else math.pi / corners
    angles = [turn + 2 * math.pi * k / corners for k in range(corners)]
    points = [(middle + radius * math.cos(angle), middle - radius * math.sin(angle)) for angle in angles]
    pen.polygon(points, fill=colour)
    pen.line([*points, points[0], points[1]], fill=(24, 24, 28), width=8, joint="curve")


class PersonaEmojis:
    """The addresses of faces. Made when they are first needed; an application's emojis outlast its process.

    `patience`: the seconds that a speaker waits for a new one.
    """

    def __init__(self, client: discord.Client, patience: float = PATIENCE) -> None:
        self._client = client
        self._patience = patience
        self._listed = False
        self._urls: dict[str, str | None] = {}
        self._making = asyncio.Lock()
        self._rests_until = 0.0

    async def url_of(self, seat: str, name: str) -> str | None:
        """The public address of this speaker's face, None where it cannot be had. A known one waits for no other."""
        wanted = emoji_name(seat, name)
        if wanted not in self._urls:
            async with self._making:
                await self._find(wanted, seat, name)
        return self._urls[wanted]

    async def _find(self, wanted: str, seat: str, name: str) -> None:
        if wanted in self._urls:
            return  # found, or given up, while this speaker waited
        if monotonic() < self._rests_until:
            self._urls[wanted] = None
            return
        try:
            async with asyncio.timeout(self._patience):  # Discord may have the makers of emojis wait for an hour
                await self._look_or_make(wanted, seat, name)
        except (discord.HTTPException, *DISCONNECTED) as error:
            _log.warning("no face %s: the speaker goes without one", wanted, exc_info=True)
            self._urls[wanted] = None
            if isinstance(error, TimeoutError):
                self._rests_until = monotonic() + REST

    async def _look_or_make(self, wanted: str, seat: str, name: str) -> None:
        if not self._listed:
            self._urls |= {emoji.name: emoji.url for emoji in await self._client.fetch_application_emojis()}
            self._listed = True
        if wanted not in self._urls:
            picture = await asyncio.to_thread(draw, seat, name)
            self._urls[wanted] = (await self._client.create_application_emoji(name=wanted, image=picture)).url
