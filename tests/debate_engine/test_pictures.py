"""Where pictures lie: by their hash, whole or not at all, and nothing else is taken for one."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from pydantic import ValidationError

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import Recorded, Said, ShownPicture, with_alt
from elenchus.debate_engine.pictures import PictureStore, file_name, shown_in
from tests.debate_engine.scenes.pictures import picture

CONTENT = picture()
CARD = ShownPicture(sha256=sha256(CONTENT).hexdigest(), media_type="image/png")


def said(seq: int, shown: ShownPicture | None) -> Recorded:
    text = with_alt("A card.", "Look.") if shown else "Look."
    event = Said(step=f"s/{seq}", input_hash="h", speaker="system", to=("Ada",), text=text, picture=shown)
    return Recorded(seq=seq, at=datetime.now(UTC), event=event)


def test_a_picture_lies_under_its_hash_and_is_there_once(tmp_path: Path) -> None:
    store = PictureStore(tmp_path / "pictures")
    assert store.read(CARD) is None
    store.put(CARD, CONTENT)
    store.put(CARD, CONTENT)
    assert [path.name for path in store.folder.iterdir()] == [f"{CARD.sha256}.png"] == [file_name(CARD)]
    assert store.read(CARD) == CONTENT


def test_several_who_put_the_same_picture_at_once_leave_one_whole(tmp_path: Path) -> None:
    store = PictureStore(tmp_path / "pictures")
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(store.put, CARD, CONTENT) for _ in range(24)]:
            done.result()
    assert [path.name for path in store.folder.iterdir()] == [file_name(CARD)]
    assert store.read(CARD) == CONTENT


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(CONTENT[:20]), Path.mkdir, os.mkfifo])
def test_what_is_not_what_it_was_is_no_picture(tmp_path: Path, spoil: object) -> None:
    store = PictureStore(tmp_path)
    assert callable(spoil)
    spoil(store.path_of(CARD))
    assert store.read(CARD) is None


def test_a_damaged_picture_is_mended_by_whoever_has_it_whole(tmp_path: Path) -> None:
    store = PictureStore(tmp_path)
    store.path_of(CARD).write_bytes(CONTENT[:20])
    store.put(CARD, CONTENT)
    assert store.read(CARD) == CONTENT


def test_where_nothing_can_be_written_it_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("a file")
    with pytest.raises(StorageError, match="Could not write to"):
        PictureStore(tmp_path / "pictures").put(CARD, CONTENT)


def test_an_export_has_each_picture_once_and_none_that_is_gone(tmp_path: Path) -> None:
    store = PictureStore(tmp_path)
    store.put(CARD, CONTENT)
    gone = ShownPicture(sha256="0" * 64, media_type="image/webp")
    recorded = [said(1, CARD), said(2, None), said(3, gone), said(4, CARD)]
    assert shown_in(recorded) == [CARD, gone]
    assert store.files_of(recorded) == {f"pictures/{CARD.sha256}.png": CONTENT}


@pytest.mark.parametrize("forged", ["../../etc/passwd", "", "A" * 64, "0" * 63, "0" * 64 + "\n", "/" * 64])
def test_what_is_no_hash_names_no_file(forged: str) -> None:
    with pytest.raises(ValidationError):
        ShownPicture(sha256=forged, media_type="image/png")
