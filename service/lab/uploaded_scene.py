"""A scene that comes as text from elsewhere, with the files that stand beside it: read like any other, and not kept.

Its files lie in a folder of their own for as long as the scene is read and its pictures are taken over.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import Base64Bytes, Discriminator, Field, Tag, field_validator

from elenchus.config.documents import UnreadableDocument, read_bytes
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.pictures import LARGEST
from elenchus.service.lab.scene_files import named
from elenchus.service.lab.scene_session import in_catalogue

LONGEST_SCENE, LONGEST_NAME, MOST_FILES, MOST_BYTES = 200_000, 100, 200, 20_000_000
"""Characters of a scene's text and of a file's name; files beside it, and the bytes of all of them."""


def _plain(name: str) -> str:
    path = PurePosixPath(name)
    odd = path.is_absolute() or not path.parts or any(part.startswith(".") for part in path.parts)
    if odd or any(mark in name for mark in "\\:\0") or not name.isprintable() or len(name) > LONGEST_NAME:
        raise ValueError("a file that comes with a scene has a plain name, such as jar.png or pictures/jar.png")
    return str(path)


class SentScene(FrozenModel):
    """A scene's text under the `name` of its file without its ending; `files` are its twin and its pictures by the
    names that the scene calls them.
    """

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    text: Annotated[str, Field(max_length=LONGEST_SCENE)]
    files: Annotated[dict[str, Base64Bytes], Field(max_length=MOST_FILES)] = Field(default_factory=dict)

    @field_validator("name")
    @classmethod
    def _is_no_path(cls, name: str) -> str:
        if "/" in _plain(name):
            raise ValueError("a scene is called by a plain name, such as coffee")
        return name

    @field_validator("files")
    @classmethod
    def _lie_beside_it(cls, files: dict[str, bytes]) -> dict[str, bytes]:
        return {_plain(name): content for name, content in files.items()}


GivenScene = Annotated[
    Annotated[str, Field(min_length=1, max_length=200), Tag("name")] | Annotated[SentScene, Tag("text")],
    Discriminator(lambda given: "name" if isinstance(given, str) else "text"),
]
"""A scene of the catalogue by its name, or one as text."""


@asynccontextmanager
async def scene_given(given: str | SentScene, own: Path) -> AsyncIterator[str]:
    """What `GridOptions.scene` is for it, good inside. A name is one of the catalogue. Raises UsageError."""
    if isinstance(given, str):
        yield await asyncio.to_thread(in_catalogue, given, own)
        return
    with ExitStack() as stack:
        folder = Path(await asyncio.to_thread(stack.enter_context, tempfile.TemporaryDirectory(prefix="scene-")))
        await asyncio.to_thread(_write, given, folder)
        path = folder / f"{given.name}.md"
        try:
            yield str(path)
        except UsageError as error:
            if str(folder) not in str(error):
                raise
            raise UsageError(told_of(given, str(error), path)) from None
        finally:
            await asyncio.to_thread(stack.close)


def told_of(given: str | SentScene, sentence: str, path: str | Path) -> str:
    """A sentence on it without the folder of this machine in which it lay."""
    if isinstance(given, str):
        return sentence
    return sentence.replace(str(path), f"{given.name}.md").replace(f"{Path(path).parent}/", "")


def _write(sent: SentScene, folder: Path) -> None:
    for name, content in {**sent.files, f"{sent.name}.md": sent.text.encode()}.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise UsageError(f"The file {name} beside the scene has no name that can be kept.") from error


# ── where it is sent from ────────────────────────────────────────────────────────────────────────────────────────


def to_be_sent(scene: str | Path) -> str | SentScene:
    """A name stays one; a file becomes what is sent of it. Blocks. Raises UsageError, FaultyScene."""
    path = Path(scene)
    if not path.is_file():
        if isinstance(scene, Path) or path.name != scene:
            raise UsageError(f"There is no file {scene}: give one, or the name of a scene that the service has.")
        return scene
    _, read, folder = named(str(path), path.parent)
    files = {picture.file: folder / picture.file for picture in read.pictures}
    if read.twin:
        twin = folder / read.twin
        files[read.twin] = twin
        files |= {picture.file: folder / picture.file for picture in named(str(twin), folder)[1].pictures}
    try:
        contents = dict(_contents(files))
        text = read_bytes(path, LONGEST_SCENE, "scene").decode("utf-8-sig")
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    return SentScene.model_construct(name=path.stem, text=text, files=contents)


def _contents(files: dict[str, Path]) -> Iterator[tuple[str, bytes]]:
    left = MOST_BYTES
    for name, path in files.items():
        content = read_bytes(path, LARGEST, "file")
        if (left := left - len(content)) < 0:
            raise UsageError(f"The pictures of the scene have more than the {MOST_BYTES:,} bytes that can be sent.")
        yield name, content
