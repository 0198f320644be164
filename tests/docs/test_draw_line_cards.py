"""The cards that the scene of conformity shows are those that its alt texts tell, and neither gives an answer away."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from docs.draw_line_cards import PLACES, STROKE, UNIT, drawn, lengths_of
from elenchus.debate_engine.scenes.canonical import read
from elenchus.debate_engine.scenes.pictures import Picture

ROOT = Path(__file__).parents[2]
(FILE,) = (path for path in (ROOT / "config").rglob("conformity.md") if "src" not in path.parts)
SCENE = read(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("picture", SCENE.pictures, ids=lambda picture: picture.name)
def test_a_card_is_drawn_from_what_its_alt_text_says(picture: Picture) -> None:
    kept = Image.open(FILE.parent / picture.file)
    again = Image.open(io.BytesIO(drawn(lengths_of(picture))))
    assert (kept.size, kept.mode, kept.tobytes()) == (again.size, again.mode, again.tobytes())


@pytest.mark.parametrize("picture", SCENE.pictures, ids=lambda picture: picture.name)
def test_the_lines_of_a_card_are_as_long_as_their_strokes(picture: Picture) -> None:
    image = Image.open(FILE.parent / picture.file).convert("L")
    found = {name: sum(image.getpixel((left, y)) == 0 for y in range(330)) for name, left in PLACES.items()}
    assert found == {name: strokes * UNIT for name, strokes in lengths_of(picture).items()}


def right_and_shown() -> Iterator[tuple[str, Picture]]:
    for block in SCENE.trials:
        for item in block.items:
            picture = SCENE.picture(str(item.picture))
            assert picture is not None
            yield item.right, picture


def test_in_each_round_one_line_alone_is_as_long_as_the_standard_and_it_is_the_right_one() -> None:
    rounds = [*right_and_shown()]
    assert len(rounds) == 18
    for right, picture in rounds:
        lengths = lengths_of(picture)
        assert [name for name in "123" if lengths[name] == lengths["S"]] == [right]


def test_neither_the_name_of_a_card_nor_its_words_say_which_line_is_right() -> None:
    for _, picture in right_and_shown():
        first, *lines = picture.alt.split("\n")
        assert first == "A line S, and beside it three others:"
        assert [line.replace(STROKE, "") for line in lines] == ["S ", "1 ", "2 ", "3 "]
        assert [one.file for one in SCENE.pictures] == [f"conformity/card-{n}.png" for n in range(1, 10)]
