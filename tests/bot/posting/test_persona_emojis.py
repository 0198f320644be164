"""PersonaEmojis: small files, told apart at the size of a chat, letters legible."""

from __future__ import annotations

import asyncio
import io
import itertools
import re

import pytest
from hypothesis import given, strategies as st
from PIL import Image, ImageChops, ImageFilter, ImageStat

from elenchus.bot.posting.persona_emojis import SIZE, PersonaEmojis, draw, emoji_name
from elenchus.service.lab.avatars import colour_of, initials, letters_of, part_of
from tests.bot.stage import Stage

EMOJIS = ("POST", "/applications/{application_id}/emojis")

CAST = [
    ("pro", "Hypatia (pro)"),
    ("con", "Zeno (con)"),
    ("judge-1", "Aspasia (judge 1)"),
    ("judge-2", "Meno (judge 2)"),
    ("judge-3", "Crito (judge 3)"),
    ("crit", "CRIT"),
    ("moderator", "Alice"),
]


def at_chat_size(seat: str, name: str) -> Image.Image:
    """The face as it stands beside a message: 40 pixels, on Discord's dark ground."""
    picture = Image.open(io.BytesIO(draw(seat, name))).convert("RGBA")
    ground = Image.new("RGBA", picture.size, (49, 51, 56, 255))
    return Image.alpha_composite(ground, picture).convert("RGB").resize((40, 40))


@pytest.mark.parametrize("one, other", list(itertools.combinations(CAST, 2)))
def test_no_two_speakers_of_a_debate_look_alike(one: tuple[str, str], other: tuple[str, str]) -> None:
    difference = ImageChops.difference(at_chat_size(*one), at_chat_size(*other))
    assert sum(ImageStat.Stat(difference).mean) > 15


@pytest.mark.parametrize("seat, name", CAST)
def test_a_face_is_a_small_square_png_with_a_transparent_ground(seat: str, name: str) -> None:
    content = draw(seat, name)
    picture = Image.open(io.BytesIO(content))
    assert (picture.format, picture.size, picture.mode) == ("PNG", (SIZE, SIZE), "RGBA")
    assert picture.getpixel((0, 0)) == (0, 0, 0, 0)
    assert len(content) < 64 * 1024, "Discord takes 256 KiB"


@pytest.mark.parametrize("seat", [seat for seat, _ in CAST])
@pytest.mark.parametrize("name", ["WW WW", "Mo Mx", "W", "Q", "IJ"])
def test_the_letters_stay_inside_their_shape(seat: str, name: str) -> None:
    picture = Image.open(io.BytesIO(draw(seat, name)))
    white = picture.convert("L").point(lambda value: 255 * (value > 230))
    opaque = picture.getchannel("A").point(lambda value: 255 * (value > 200)).filter(ImageFilter.MinFilter(5))
    outside = ImageChops.subtract(ImageChops.multiply(white, picture.getchannel("A")), opaque)
    assert white.getbbox(), "there are letters"
    assert outside.getbbox() is None


@given(st.sampled_from([seat for seat, _ in CAST]), st.text())
def test_white_letters_stand_out_on_every_colour(seat: str, name: str) -> None:
    red, green, blue = bytes.fromhex(colour_of(seat, name).removeprefix("#"))
    assert contrast_with_white((red, green, blue)) >= 4.5


def contrast_with_white(colour: tuple[int, int, int]) -> float:
    """The contrast ratio of WCAG 2: 1 to 21."""
    shares = [value / 255 for value in colour]
    red, green, blue = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def test_contrast_is_wcags() -> None:
    assert contrast_with_white((255, 255, 255)) == pytest.approx(1)
    assert contrast_with_white((0, 0, 0)) == pytest.approx(21)
    assert contrast_with_white((119, 119, 119)) == pytest.approx(4.48, abs=0.01)


@given(st.text(), st.text())
def test_any_name_has_letters_and_a_legal_emoji_name(seat: str, name: str) -> None:
    assert re.fullmatch(r"[A-Z0-9]{1,2}|\?", initials(name))
    assert re.fullmatch(r"\w{2,32}", emoji_name(seat, name), re.ASCII)
    assert part_of(seat) in ("pro", "con", "judge", "crit", "")


def test_the_letters_are_the_names() -> None:
    assert initials("Hypatia (pro)") == "HY"
    assert initials("Ada Lovelace") == "AL"
    assert initials("Ünal") == "UN"
    assert initials("The founder (con)") == "FO"
    assert initials("The trial lawyer") == "TL"
    assert initials("The") == "TH"
    assert initials("王小明") == "?"
    assert letters_of("judge-2", "王小明") == "J2"
    assert letters_of("judge-2", "Ada Lovelace") == "AL"
    assert draw("judge-1", "王小明") != draw("judge-2", "王小明")


async def test_a_speaker_waits_a_moment_for_a_face_that_discord_puts_off_for_an_hour_and_the_next_not_at_all(
    stage: Stage,
) -> None:
    async with stage.running() as bot:
        stage.discord.faults.limit(*EMOJIS, 3600.0, times=9)
        faces = PersonaEmojis(bot, patience=0.5)
        assert await asyncio.wait_for(faces.url_of("pro", "Ada (pro)"), 60) is None
        assert await asyncio.wait_for(faces.url_of("con", "Zeno (con)"), 60) is None
    assert len(stage.discord.made(*EMOJIS)) == 1
