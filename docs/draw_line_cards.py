"""Draw the cards of lines that the scene of conformity shows, from what their alt texts say.

    python docs/draw_line_cards.py config/scenes/conformity.md

Each line of an alt text such as `S ━━━━` is a line of as many units as it has strokes, so that picture and words tell
the same. As on Asch's cards the lines stand upright on one level, the standard apart on the left.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from elenchus.debate_engine.scenes.canonical import read
from elenchus.debate_engine.scenes.pictures import Picture

STROKE = "━"
UNIT = 12
"""Pixels of a line for each stroke."""
WIDTH, HEIGHT, GROUND = 640, 380, 330
"""Pixels of a card, and at which height its lines stand."""
PLACES = {"S": 110, "1": 330, "2": 440, "3": 550}
"""Where each line stands, from the left."""
THICK = 6


def lengths_of(picture: Picture) -> dict[str, int]:
    """How many units each line of a card has, by its name."""
    lines = (line.partition(" ") for line in picture.alt.split("\n") if STROKE in line)
    return {name: strokes.count(STROKE) for name, _, strokes in lines}


def drawn(lengths: Mapping[str, int]) -> bytes:
    """The card as a PNG."""
    image = Image.new("L", (WIDTH, HEIGHT), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(28)
    for name, length in lengths.items():
        left = PLACES[name] - THICK // 2
        draw.rectangle((left, GROUND - length * UNIT, left + THICK - 1, GROUND - 1), "black")
        draw.text((PLACES[name], GROUND + 24), name, "black", font, anchor="mm")
    draw.line((220, 20, 220, HEIGHT - 20), "lightgrey", 2)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def main(scene: Path) -> None:
    """Write the pictures beside the scene."""
    for picture in read(scene.read_text(encoding="utf-8")).pictures:
        path = scene.parent / picture.file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(drawn(lengths_of(picture)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
