"""What the parts of a scene are made of: frozen values whose texts are tidied as they come in. Pure."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from elenchus.debate_engine.printable import one_line, printable
from elenchus.debate_engine.scenes.quotation import straight_in_rule


def paragraphs(text: str) -> str:
    """The text with its line breaks: nothing in it that does not print, no space at a line's ends, no blank lines
    around it.
    """
    lines = [" ".join(line.split()) for line in printable(text).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


Line = Annotated[str, AfterValidator(one_line)]
Formula = Annotated[str, AfterValidator(one_line), AfterValidator(straight_in_rule)]
"""A rule over measures (`outcome`)."""
Text = Annotated[str, AfterValidator(paragraphs)]


class Value(BaseModel):
    """A part of a scene, without what it does not know."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
