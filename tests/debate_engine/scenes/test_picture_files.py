"""The files of pictures: real ones are taken with what is in them, all others are refused in one sentence."""

from __future__ import annotations

import hashlib
import os
import socket
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.pictures import LARGEST, PictureStore
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.picture_files import (
    UnusablePicture,
    beside_its_pictures,
    keep,
    look_at,
    read_picture,
    with_pictures,
)
from elenchus.debate_engine.scenes.pictures import MEDIA_TYPES, Picture
from elenchus.debate_engine.scenes.script import check_any
from tests.debate_engine.scenes.pictures import claiming, moving, picture
from tests.debate_engine.scenes.test_pictures import SCENE

KINDS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".webp": "WEBP"}


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_a_picture_is_taken_with_the_hash_and_the_kind_of_its_bytes(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"card{suffix}").write_bytes(picture(KINDS[suffix]))
    read = read_picture(Picture(name="card", file=f"card{suffix}", alt="A card."), tmp_path)
    assert read.content == picture(KINDS[suffix])
    assert read.picture.media_type == MEDIA_TYPES[suffix]
    assert read.picture.sha256 == hashlib.sha256(read.content).hexdigest()
    assert read.picture.size == len(read.content)


def _link(path: Path) -> None:
    (path.parent / "real.png").write_bytes(picture())
    path.symlink_to("real.png")


def _socket(path: Path) -> None:
    listening = socket.socket(socket.AF_UNIX)
    os.chdir(path.parent)  # such a name may be short only
    listening.bind(path.name)
    listening.close()


def _written(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "give a file that exists"),
        (Path.mkdir, "it is a folder"),
        (os.mkfifo, "it is a pipe"),
        (_socket, "it is a socket"),
        (_link, "is a link"),
        (lambda path: path.symlink_to("/dev/zero"), "is a link"),
        (_written(b""), "is no picture, or a damaged one"),
        (_written(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "is no picture"),
        (_written(picture("BMP")), "is no picture"),
        (_written(picture()[:40]), "a damaged one"),
        (_written(picture("JPEG", (400, 300))[:600]), "a damaged one"),
        (_written(picture("JPEG")), "is not what its name says but image/jpeg"),
        (_written(moving("GIF")), "moves"),
        (_written(moving("PNG")), "moves"),
        (_written(moving("WEBP")), "moves"),
        (_written(claiming(5_000, 4_000)), "has 5,000 × 4,000 pixels, of which 16,000,000 are allowed"),
        (_written(claiming(12_000, 12_000)), "pixels"),
        (_written(claiming(60_000, 60_000)), "has more pixels than the 16,000,000"),
        (_written(picture() + b"\0" * LARGEST), "it is larger than 8,388,608 bytes"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "card.png")
    with pytest.raises(UnusablePicture, match=says):
        read_picture(Picture(name="card", file="card.png", alt="A card."), tmp_path)


def test_a_link_to_another_folder_leads_nowhere(tmp_path: Path) -> None:
    outside, scenes = tmp_path / "outside", tmp_path / "scenes"
    outside.mkdir()
    scenes.mkdir()
    (outside / "card.png").write_bytes(picture())
    (scenes / "cards").symlink_to(outside)
    with pytest.raises(UnusablePicture, match="is a link"):
        read_picture(Picture(name="card", file="cards/card.png", alt="A card."), scenes)


_REAL = [picture(kind) for kind in ("PNG", "JPEG", "GIF", "WEBP")]
_DAMAGED = st.builds(
    lambda real, at, put: real[:at] + put + real[at + len(put) :],
    st.sampled_from(_REAL), st.integers(0, 60), st.binary(max_size=12),
)  # fmt: skip


@given(st.one_of(st.binary(max_size=200), _DAMAGED, st.builds(claiming, st.integers(0, 2**31), st.integers(0, 2**31))))
def test_any_bytes_are_a_known_kind_of_picture_or_refused(content: bytes) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a program they are lines, and no errors
            assert look_at(content) in MEDIA_TYPES.values()
    except UnusablePicture as error:
        assert str(error)


# ── of a scene ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _beside(folder: Path) -> None:
    (folder / "cards").mkdir(exist_ok=True)
    (folder / "table.png").write_bytes(picture())
    (folder / "cards" / "first.jpg").write_bytes(picture("JPEG"))
    (folder / "second.webp").write_bytes(picture("WEBP"))


def test_a_scene_takes_the_bytes_beside_it_into_what_it_is(tmp_path: Path) -> None:
    _beside(tmp_path)
    scene = canonical.read(SCENE)
    before = with_pictures(scene, tmp_path, SCENE)
    (tmp_path / "table.png").write_bytes(picture(colour="orange"))
    after = with_pictures(scene, tmp_path, SCENE)
    assert all(one.sha256 for one in before.pictures)
    assert before != after
    assert canonical.write(before) == canonical.write(scene), "what was read stands in no text"


def test_what_is_wrong_with_a_file_is_told_on_the_line_of_its_picture(tmp_path: Path) -> None:
    _beside(tmp_path)
    (tmp_path / "second.webp").unlink()
    with pytest.raises(FaultyScene, match=r"line 34: the picture second\.webp cannot be read"):
        with_pictures(canonical.read(SCENE), tmp_path, SCENE)
    found = check_any(SCENE, beside_its_pictures(tmp_path))
    assert [(finding.line, finding.grave) for finding in found if "second.webp" in finding.what] == [(34, True)]


def test_what_is_kept_is_what_was_read_or_nothing(tmp_path: Path) -> None:
    _beside(tmp_path)
    scene = with_pictures(canonical.read(SCENE), tmp_path, SCENE)
    store = PictureStore(tmp_path / "home")
    keep(scene, tmp_path, store)
    assert {path.stem for path in store.folder.iterdir()} == {one.sha256 for one in scene.pictures}
    (tmp_path / "table.png").write_bytes(picture(colour="orange"))
    with pytest.raises(UsageError, match=r"table\.png was changed at this moment"):
        keep(scene, tmp_path, PictureStore(tmp_path / "other"))
    (tmp_path / "table.png").unlink()
    with pytest.raises(UsageError, match=r"table\.png cannot be read"):
        keep(scene, tmp_path, PictureStore(tmp_path / "other"))
    assert not (tmp_path / "other").exists()
