"""What a service sends is read whole, or refused in a sentence: streams in any pieces, archives, other versions."""

from __future__ import annotations

import asyncio
import io
import zipfile
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.service.client.errors import AccessRefused, ServerFault, ServerUnavailable, error_of
from elenchus.service.client.files import unpacked
from elenchus.service.client.following import Message, messages
from elenchus.service.client.wire import recorded_in, understood

STREAM = (
    b'retry: 1000\n\nid: 1\nevent: said\ndata: {"text": "\xc3\xa4"}\n\n'
    b": here\n\nevent: all-there\ndata: {}\n\nevent: gone"
)
MESSAGES = [Message("retry", ""), Message("said", '{"text": "ä"}'), Message("", ""), Message("all-there", "{}")]


class Pieces:
    """A stream that comes in these pieces."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces

    async def iter_any(self) -> object:
        for piece in self._pieces:
            await asyncio.sleep(0)
            yield piece


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_a_stream_says_the_same_in_whatever_pieces_it_comes(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    pieces = [STREAM[one:other] for one, other in pairwise(places)]

    async def read() -> list[Message]:
        return [message async for message in messages(Pieces(pieces))]  # type: ignore[arg-type]

    assert asyncio.run(read()) == MESSAGES, "the last one is not whole"


def packed(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(name, b"x")
    return content.getvalue()


def test_an_archive_is_unpacked_in_its_order_without_its_folder() -> None:
    assert list(unpacked(packed("s/report.md", "s/data/b.csv", "s/a.csv"))) == ["report.md", "data/b.csv", "a.csv"]


@pytest.mark.parametrize("name", ["s/../../x", "/etc/x", "s/..\\x", "s", "s/c:x", "../x", "s/a/../../../x"])
def test_an_archive_that_would_write_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not to be written"):
        unpacked(packed(name))


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive", packed("s/x")[:-9]], ids=range(4))
def test_what_is_no_archive_is_refused(content: bytes) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        unpacked(content)


def test_an_event_that_is_not_known_here_is_told_as_that_of_another_version() -> None:
    document = {"seq": 1, "at": "2026-01-01T00:00:00Z", "event": {"kind": "of_tomorrow"}}
    with pytest.raises(UsageError, match=r"it runs Elenchus 9\.9\.9, and this is .*Install the same version"):
        understood(lambda: recorded_in(document), "9.9.9")


def test_a_problem_becomes_the_error_of_its_kind_with_the_servers_sentence() -> None:
    for kind, of_session, error in (
        ("not-there", True, UnknownSession), ("not-there", False, UsageError), ("forbidden", True, AccessRefused),
        ("fault", True, ServerFault), ("too-many", True, ServerUnavailable), ("of-tomorrow", True, UsageError),
    ):  # fmt: skip
        document = {"type": f"urn:elenchus:problem:{kind}", "detail": "Do that."}
        found = error_of(document, of_session=of_session)
        assert (type(found), str(found)) == (error, "Do that.")
