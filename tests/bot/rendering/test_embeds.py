"""Embeds keep Discord's limits whatever is put into them."""

from __future__ import annotations

from hypothesis import given, strategies as st
from rich.cells import cell_len

from elenchus.bot.rendering.embeds import SUM, embeds, packed, size, table
from elenchus.bot.rendering.safe import units

texts = st.text(max_size=60) | st.integers(1, 7_000).map(lambda n: "wörd " * (n // 5 + 1))
fields = st.lists(st.tuples(st.text(min_size=1, max_size=300), texts), max_size=40)


@given(texts, texts, fields, texts)
def test_every_embed_and_every_message_of_embeds_is_within_the_limits(
    title: str, text: str, more: list[tuple[str, str]], footer: str
) -> None:
    made = embeds(title, text, more, footer)
    for embed in made:
        assert units(embed.title) <= 256
        assert units(embed.description) <= 4_096
        assert units(embed.footer) <= 2_048
        assert len(embed.fields) <= 25
        assert all(1 <= units(f.name) <= 256 and 1 <= units(f.value) <= 1_024 for f in embed.fields)
    for message in packed(made):
        assert len(message) <= 10
        assert sum(map(size, message)) <= SUM
    assert [e for message in packed(made) for e in message] == made


@given(texts, fields)
def test_nothing_of_a_long_embed_is_cut_off(text: str, more: list[tuple[str, str]]) -> None:
    made = embeds("t", text, more)
    told = "".join(e.description + "".join(f.value for f in e.fields) for e in made)
    assert told.count("wörd") == text.count("wörd") + sum(value.count("wörd") for _, value in more)


def test_columns_of_a_table_stand_under_each_other_where_letters_are_wide() -> None:
    made = table(("topic", "Γ"), [["空気と店", "6.4"], ["Air `x`", "7.0"], ["a\nb", "–"]])
    lines = made.split("\n")[1:-1]
    assert {cell_len(line) for line in lines} == {len("空気と店") * 2 + 2 + 3}
    assert "`" not in "".join(lines)
