"""A mind to be: what may be said of it, what it is called and where, and the settings that it becomes."""

from __future__ import annotations

import re
import unicodedata
from base64 import b32encode
from hashlib import blake2b
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator

from elenchus.config.validation import fault_told
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.text import whole
from elenchus.debate_engine.printable import is_blank, one_line, printable
from elenchus.debate_engine.protocols.cognition.config import MindConfig, MindSettings
from elenchus.debate_engine.protocols.cognition.profile import Profile, profile_of
from elenchus.debate_engine.protocols.cognition.schemas import LONGEST_FLOW, LONGEST_OPINION, Flow
from elenchus.service.lab.options import Line, RunOptions

LONGEST_NAME = 60
SETTINGS = tuple(name for name in MindSettings.model_fields if name not in ("language", "small"))
"""What `settings` may hold: the language is an option of its own, and its model says whether it is small."""


def _name(text: str) -> str:
    text = " ".join(text.split())
    unfit = (
        is_blank(text) or len(text) > LONGEST_NAME or text[0] in "-@" or set(text) & set(":@/") or set(text) <= {"."}
    )
    if unfit or printable(text) != text or is_id_in("", text):
        raise ValueError(
            f"{{name}} is what the mind is called: 1 to {LONGEST_NAME} characters, such as greta, without : @ and /."
        )
    return text


class MindOptions(RunOptions):
    """A mind to be: a whole `profile` (JSON), or a line that says who it is (`character`).

    `person` is stated by whoever makes it: it is invented, it is themselves, or it is somebody who has died. Of a real
    person who lives nobody else makes a mind. `model` is who it is (`provider:model`); `opinions` are rated where
    nobody says which; `settings` are those of `MindSettings`.
    """

    name: Annotated[str, AfterValidator(_name)]
    person: Literal["invented", "myself", "dead"]
    character: str = Field(default="", max_length=2_000)
    profile: dict[str, Any] | None = None
    model: str = ""
    opinions: tuple[str, ...] = ()
    language: Line = Field(default="", max_length=60)
    settings: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_somebody(self) -> MindOptions:
        if (self.profile is None) is is_blank(self.character):
            raise ValueError("Say who it is to be: give either {character}, a line, or {profile}.")
        if self.temperature is not None:
            raise ValueError("{temperature} cannot be set for a mind: its prompts set their own, 0 for most.")
        return self


def mind_id(name: str, place: str = "") -> str:
    """The id of the session of a mind; those of one place begin alike. Case and ways of writing make no other name.

    An id of this place is its own: it is a name that no mind can have.
    """
    if is_id_in(place, name):
        return name
    plain = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    return f"{of_place(place)}{_hashed(f'{place}/{plain}')}"


def of_place(place: str) -> str:
    """How the ids of a place's minds begin; "" has the others, whose ids have nothing between this and the name."""
    return f"mind-{_hashed(place)}-" if place else "mind-"


def is_id_in(place: str, text: str) -> bool:
    """Whether this is the id of a mind of this place, or could be one."""
    begins = of_place(place)
    return text.startswith(begins) and _HASH.fullmatch(text, len(begins)) is not None


_HASH = re.compile("[a-z2-7]{8}")


def _hashed(text: str) -> str:
    return b32encode(blake2b(text.encode(), digest_size=5).digest()).decode().lower()


def typed(text: str, title: str = "", source: str = "") -> Flow:
    """A text that somebody wrote or pasted, as something to read. Raises UsageError."""
    if is_blank(text):
        raise UsageError("There is nothing to read: give a text.")
    if len(text) > LONGEST_FLOW:
        raise UsageError(f"The text has {len(text):,} characters, and a persona reads {LONGEST_FLOW:,} at once.")
    return Flow(texts=(whole(text),), title=" ".join(whole(title).split())[:200], source=source)


def config_of(options: MindOptions, by: str, place: str) -> MindConfig:
    """The settings of a mind. Raises UsageError."""
    profile: Profile | None = None if options.profile is None else profile_of(options.profile)
    for n, opinion in enumerate(options.opinions, 1):
        if len(opinion) > LONGEST_OPINION:
            raise UsageError(
                f"Opinion {n} has {len(opinion):,} characters, and {LONGEST_OPINION} are the most: shorten it."
            )
    if odd := next((one for one in options.settings if one not in SETTINGS), None):
        raise UsageError(f"There is no setting {printable(odd)[:40]!r}; there are: {', '.join(SETTINGS)}.")
    try:
        more = MindSettings.model_validate({**options.settings, "language": options.language})
        return MindConfig.model_validate(
            {
                **more.model_dump(),
                "profile": profile,
                "character": {"text": options.character, "by": by},
                "person": options.person,
                "called": options.name,
                "opinions": tuple(dict.fromkeys(map(one_line, options.opinions))),
                "place": place,
            }
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = " ".join(str(part) for part in first["loc"])
        raise UsageError(f"{where}: {fault_told(first)}.") from None
