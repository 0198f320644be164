"""Every word of ours that a person reads on a page: catalogues in `LANGUAGE/*.po`, and what fills them in.

Templates hold no prose, the scripts of the pages neither: those are given the group `js` with the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from importlib.resources import files
from io import BytesIO
from types import MappingProxyType
from typing import Literal, get_args

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
NAMES: Mapping[Language, str] = MappingProxyType({"en": "English", "de": "Deutsch"})
"""Each language in its own words."""


@cache
def catalogue(language: Language) -> Mapping[str, str | tuple[str, ...]]:
    """All messages by id; one with plural forms as a tuple. Raises ValueError where an id is there twice."""
    from babel.messages.pofile import read_po

    found: dict[str, str | tuple[str, ...]] = {}
    for path in sorted(files(__name__).joinpath(language).iterdir(), key=lambda path: path.name):
        room = read_po(BytesIO(path.read_bytes()), locale=language, abort_invalid=True)
        for message in filter(lambda message: message.id, room):
            name = message.id if isinstance(message.id, str) else message.id[0]
            if name in found:
                raise ValueError(f"The message {name} is there twice")
            text = message.string or ""
            found[name] = text if isinstance(text, str) else tuple(text)
    return MappingProxyType(found)


@cache
def _plural(language: Language) -> Callable[[int], int]:
    """Which of a message's forms goes with a number."""
    from babel.messages.plurals import get_plural

    return c2py(get_plural(language).plural_expr)


@dataclass(frozen=True, slots=True)
class Words:
    """The messages in one language: `words("seat-left", name=…)`."""

    language: Language

    def __call__(self, name: str, /, **arguments: object) -> str:
        """The message of this id with its arguments, in Python's format syntax; `n`, an int, chooses among plurals.

        Arguments are put in as they are. KeyError where there is no such message, or an argument of it is missing.
        """
        text = catalogue(self.language)[name]
        if isinstance(text, tuple):
            number = arguments["n"]
            assert isinstance(number, int), f"{name} has plural forms"
            text = text[_plural(self.language)(number)]
        return text.format(**arguments)

    def group(self, group: str) -> Mapping[str, str]:
        """The messages whose ids are the group's, a full stop and a key: by that key, with nothing filled in."""
        start = f"{group}."
        known = catalogue(self.language).items()
        found = {name.removeprefix(start): str(text) for name, text in known if name.startswith(start)}
        if not found:
            raise KeyError(group)
        return MappingProxyType(found)

    def of(self, group: str, key: str) -> str:
        """The message of a group for this key, as it was said by a session's protocol; the key where there is none."""
        text = catalogue(self.language).get(f"{group}.{key}", key)
        return text if isinstance(text, str) else text[0]

    def number(self, value: float, places: int | None = None) -> str:
        """A number as it is written in this language; `places` after the point, None: as many as it has."""
        from babel.numbers import format_decimal

        pattern = None if places is None else f"#,##0.{'0' * places}" if places else "#,##0"
        return format_decimal(value, format=pattern, locale=self.language).replace("-", "−")

    def dollars(self, value: float) -> str:
        """An amount of US dollars; of less than a cent what it takes to see it."""
        from babel.numbers import format_currency

        places = 2 if value >= 0.01 or not value else 4
        pattern = f"¤#,##0.{'0' * places}" if self.language == "en" else f"#,##0.{'0' * places} ¤"
        return format_currency(value, "USD", format=pattern, locale=self.language, currency_digits=False)


def preferred(accepted: str) -> Language:
    """The language of ours that a browser asks for first (its header Accept-Language); English for none of them."""
    ranked: list[tuple[float, Language]] = []
    for part in accepted[:500].split(","):
        tag, _, weight = part.partition(";q=")
        name = tag.strip().casefold().partition("-")[0]
        if name in LANGUAGES:
            ranked.append((_weight(weight), LANGUAGES[LANGUAGES.index(name)]))
    best = max(ranked, key=lambda one: one[0], default=(0.0, "en"))
    return best[1] if best[0] > 0 else "en"


def _weight(text: str) -> float:
    try:
        return float(text) if text.strip() else 1.0
    except ValueError:
        return 0.0
