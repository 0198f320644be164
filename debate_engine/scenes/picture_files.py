"""The files of a scene's pictures: looked at whole before anything is spent, and never believed by their names.

A picture that cannot be shown everywhere, or costs more memory than it is worth, is refused in one sentence. Reading
and decoding block: do it off the event loop.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from elenchus.config.documents import UnreadableDocument, read_bytes
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import ShownPicture
from elenchus.debate_engine.pictures import LARGEST, PictureStore
from elenchus.debate_engine.scenes.canonical import Check, located
from elenchus.debate_engine.scenes.faults import Fault, FaultyScene, Place
from elenchus.debate_engine.scenes.pictures import MEDIA_TYPES, Picture
from elenchus.debate_engine.scenes.scene import Scene

MOST_PIXELS = 16_000_000
"""Pixels of a picture: decoded they take 64 MB of whoever looks at it."""

_REMEDY = "save it as a PNG, JPEG, GIF or WebP of moderate size beside the scene's file"


class UnusablePicture(ValueError):
    """Why a file is no picture that can be shown, in words that follow its name."""


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """A picture with what its file holds, and the very bytes of it."""

    picture: Picture
    content: bytes


def read_picture(picture: Picture, folder: Path) -> ReadPicture:
    """The picture from its file in the scene's folder. Blocks. Raises UnusablePicture."""
    content = _content(PurePosixPath(picture.file), folder)
    media_type = look_at(content)
    if media_type != MEDIA_TYPES[PurePosixPath(picture.file).suffix.casefold()]:
        raise UnusablePicture(f"is not what its name says but {media_type}: name it after what it is")
    update = {"sha256": hashlib.sha256(content).hexdigest(), "media_type": media_type, "size": len(content)}
    return ReadPicture(picture.model_copy(update=update), content)


def _content(file: PurePosixPath, folder: Path) -> bytes:
    """The bytes of a file below the folder, to which no link leads."""
    path = folder
    try:
        for part in file.parts:
            path /= part
            if path.is_symlink():
                raise UnusablePicture("is a link: put the picture itself beside the scene's file")
        return read_bytes(path, LARGEST, "picture")
    except UnreadableDocument as error:
        raise UnusablePicture(f"cannot be read ({error.problem})") from error
    except OSError as error:
        raise UnusablePicture(f"cannot be read ({(error.strerror or str(error)).lower()})") from error


def look_at(content: bytes) -> str:
    """The media type of a picture that can be shown: it is decoded once, whole. Raises UnusablePicture."""
    from PIL import Image  # it takes a while, and most scenes have no pictures

    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "GIF", "WEBP")) as image:
            if image.width * image.height > MOST_PIXELS:
                size = f"{image.width:,} × {image.height:,}"
                raise UnusablePicture(f"has {size} pixels, of which {MOST_PIXELS:,} are allowed: make it smaller")
            if getattr(image, "is_animated", False):
                raise UnusablePicture("moves: everybody is to see the same, so save one frame of it")
            image.load()
            return Image.MIME[str(image.format)]
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UnusablePicture(f"has more pixels than the {MOST_PIXELS:,} that are allowed: make it smaller") from error
    except UnusablePicture:
        raise
    except Exception as error:  # what Pillow raises for what is broken, or no picture, has no common base
        raise UnusablePicture("is no picture, or a damaged one: save it once more as a PNG") from error


# ── of a scene ───────────────────────────────────────────────────────────────────────────────────────────────────────


def beside_its_pictures(folder: Path) -> Check:
    """A look at the files of a scene's pictures in this folder: whatever is wrong with one keeps it from being used."""
    return lambda scene: iter(_examined(scene, folder)[1])


def with_pictures(scene: Scene, folder: Path, text: str) -> Scene:
    """The scene with what is in the files of its pictures. Blocks. Raises FaultyScene with the lines of its `text`."""
    pictures, faults = _examined(scene, folder)
    if faults:
        raise FaultyScene(located(text, faults))
    return scene.model_copy(update={"pictures": tuple(pictures)}) if pictures else scene


def keep(scene: Scene, folder: Path, store: PictureStore) -> None:
    """Put the pictures of the scene, as it was read from this folder, where sessions find them. Blocks.

    Raises UsageError where one has changed since, StorageError.
    """
    for picture in scene.pictures:
        try:
            read = read_picture(picture, folder)
        except UnusablePicture as error:
            raise UsageError(f"The picture {picture.file} {error}.") from error
        if read.picture.sha256 != picture.sha256:
            raise UsageError(f"The picture {picture.file} was changed at this moment: try again.")
        store.put(ShownPicture(sha256=picture.sha256, media_type=picture.media_type), read.content)


def _examined(scene: Scene, folder: Path) -> tuple[list[Picture], list[Fault]]:
    """The pictures as their files are, and what is wrong with the others."""
    pictures, faults = list[Picture](), list[Fault]()
    for index, picture in enumerate(scene.pictures):
        try:
            pictures.append(read_picture(picture, folder).picture)
        except UnusablePicture as error:
            what = f"the picture {picture.file} {error}"
            faults.append(Fault(Place("picture", index), what, _REMEDY, grave=True))
    return pictures, faults
