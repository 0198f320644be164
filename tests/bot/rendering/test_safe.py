"""Nothing that a model or a person wrote acts in Discord."""

from __future__ import annotations

import re

import discord
import pytest
from hypothesis import given, strategies as st

from elenchus.bot.rendering.safe import FENCE, inline, persona_name, plain, shortened, speech, units

TRICKS = (
    "@everyone", "@here", "<@123456789012345678>", "<@!123456789012345678>", "<@&123456789012345678>",
    "<#123456789012345678>", "</debate start:123456789012345678>", "<t:1700000000:R>", "<:smile:123456789012345678>",
    "<a:wave:123456789012345678>", "<id:customize>", "[free money](https://evil.example)", "discord.gg/abc",
    "https://discord.com/invite/abc", "DISCORDAPP . com/invite/x", "\\<@123456789012345678>", "\\\\<@&1>",
)  # fmt: skip
ACTING = re.compile(r"<(?:@|#|/|:|a:|t:|id:)|@everyone|@here|\]\(|(?:discord(?:app)?\.(?:gg|com))/", re.IGNORECASE)
tricky = st.lists(st.sampled_from([*TRICKS, " ", "\n", "`", FENCE, "x", "> ", ">>> ", "# ", "-# ", "*"])).map("".join)


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("make", [speech, inline, plain])
def test_no_trick_acts_and_all_of_them_can_be_read(trick: str, make: object) -> None:
    assert callable(make)
    made = make(f"look: {trick} !")
    assert not ACTING.search(made)
    assert re.sub(r"[\u200b\\]", "", made) == re.sub(r"\\", "", f"look: {trick} !")


@given(tricky)
def test_no_mixture_of_tricks_acts(text: str) -> None:
    for made in (speech(text), inline(text), plain(text)):
        assert not ACTING.search(made)


@given(tricky)
def test_what_was_made_safe_pings_nobody_by_the_librarys_own_reading(text: str) -> None:
    made = speech(text)
    assert discord.utils.escape_mentions(made) == made


@given(tricky)
def test_every_code_block_of_a_speech_is_closed(text: str) -> None:
    assert speech(text).count(FENCE) % 2 == 0


def test_headings_get_one_size_and_nobody_fakes_our_small_print_or_a_quote_without_end() -> None:
    made = speech("# Big\n###### Small\n-# round 1 · #9.1\n>>> all of it\n#hashtag")
    assert made == "### Big\n### Small\n\u200b-# round 1 · #9.1\n> all of it\n#hashtag"


def test_a_comment_in_code_is_no_heading() -> None:
    assert speech("```python\n# a comment\n-# too\n```") == "```python\n# a comment\n-# too\n```"


def test_lists_emphasis_and_quotes_of_a_speech_stay() -> None:
    text = "- one\n- **two** and *three*\n> four\n||five||"
    assert speech(text) == text


def test_a_name_shows_as_it_is_written() -> None:
    assert inline("**Bob** _the_ [x] `y`") == r"\*\*Bob\*\* \_the\_ \[x\] \`y\`"


@given(st.text(max_size=120))
def test_every_text_makes_a_legal_persona_name(text: str) -> None:
    name = persona_name(text)
    assert 1 <= units(name) <= 80
    assert "discord" not in name.casefold()
    assert "clyde" not in name.casefold()
    assert name.casefold() not in ("everyone", "here")
    assert not set("@#:") & set(name)
    assert name == name.strip()


@pytest.mark.parametrize(
    ("given_name", "legal"),
    [
        ("Discord Fan", "Dis-cord Fan"),
        ("cLyDe", "cLy-De"),
        ("dis\u200bcord", "dis-cord"),
        ("ｄｉｓｃｏｒｄ", "dis-cord"),
        ("openai:gpt-5", "openai꞉gpt-5"),
        ("everyone", "“everyone”"),
        ("  ", "pro"),
    ],
)
def test_a_persona_name_loses_what_discord_refuses(given_name: str, legal: str) -> None:
    assert persona_name(given_name, "pro") == legal


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_a_shortened_text_fits_and_one_that_fits_is_left_alone(text: str, most: int) -> None:
    made = shortened(text, most)
    assert units(made) <= most
    assert made == text or units(text) > most
