"""Pictures of a scene: what the scene's file says of each. What stands in their files is read in `picture_files`. Pure.

A picture is shown with an item of trials, or with a message of the system. Its alt text says in words what is on it:
models read nothing else, and people who cannot see it neither. Nobody who plays is told what its file is called.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated

from pydantic import Field, model_validator

from elenchus.debate_engine.scenes.factors import NAME
from elenchus.debate_engine.scenes.values import Line, Text, Value

MEDIA_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
"""What a picture may be, by the end of its file's name."""

READ_IN_WORDS = "Models read what is on a picture in words (its alt text), and saw none."
"""What a reader of the results should know."""

LONGEST_ALT = 1_000
"""Characters of an alt text: Discord takes 1,024."""

_SVG = (
    "is an SVG, which is a document that can load and run other things, and which Discord does not show: save it as PNG"
)


class Picture(Value):
    """A picture by the `name` that trials and rules call it, its `file` beside the scene's, and its `alt` text.

    `sha256` (hexadecimal), `media_type` and `size` (bytes) are those of the file once it was read, empty before it.
    """

    name: Annotated[Line, Field(pattern=f"^{NAME}$")]
    file: Line
    alt: Text = ""
    sha256: str = ""
    media_type: str = ""
    size: int = 0

    @model_validator(mode="after")
    def _can_be_shown_to_everybody(self) -> Picture:
        if not self.alt:
            raise ValueError("it has no alt text; say in words what is on it")
        if len(self.alt) > LONGEST_ALT:
            raise ValueError(f"its alt text has {len(self.alt)} characters; leave at most {LONGEST_ALT}")
        if problem := wrong_name(self.file):
            raise ValueError(f"{self.file or 'its file'} {problem}")
        return self


def wrong_name(file: str) -> str:
    """Why no picture beside a scene can be in a file of this name, "" where it can."""
    path = PurePosixPath(file)
    if path.suffix.casefold() == ".svg":
        return _SVG
    if path.suffix.casefold() not in MEDIA_TYPES:
        return f"is no picture by its name: give a file that ends in {', '.join(MEDIA_TYPES)}"
    if path.is_absolute() or ".." in path.parts or any(mark in file for mark in "\\:\0"):
        return "is not in the scene's folder: put it beside the scene's file, and write its name alone"
    return ""
