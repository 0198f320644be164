"""Files in as few messages as hold them."""

from __future__ import annotations

from hypothesis import given, strategies as st

from elenchus.bot.panel.files import batched
from elenchus.bot.rendering.report import MOST_FILES, ROOM

BLOCK = bytes(ROOM // 4)


@given(st.lists(st.sampled_from([0, 1, 2, 4, 5]), max_size=30))
def test_every_file_that_a_message_can_hold_is_sent_once_and_the_others_are_named(quarters: list[int]) -> None:
    contents = {f"{n}": BLOCK * size for n, size in enumerate(quarters)}
    batches, too_large = batched(contents)
    assert too_large == [name for name, content in contents.items() if len(content) > ROOM]
    assert [name for batch in batches for name in batch] == [name for name in contents if name not in too_large]
    for batch in batches:
        assert 1 <= len(batch) <= MOST_FILES
        assert sum(map(len, batch.values())) <= ROOM


def test_a_message_holds_ten_files() -> None:
    batches, _ = batched({f"{n}": b"" for n in range(12)})
    assert [len(batch) for batch in batches] == [10, 2]
