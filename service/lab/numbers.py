"""Numbers as people type and read them.

Some write 1.200 for what others write 1,200: whatever may be either is asked for once more, in every locale; what was
understood is told back as the reader's locale writes it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from elenchus.debate_engine.errors import UnreadableReply

_GROUPS = r"(?P<groups>(?!0)\d{1,3}(?P<mark>[.,'’\s])\d{3}(?:(?P=mark)\d{3})*)"
_ARABIC = str.maketrans("٬٫", "’.")
_READINGS = tuple(
    re.compile(form)
    for form in (
        r"(?P<plain>\d+)",
        r"(?P<plain>\d*)[.,](?P<part>\d+)",
        _GROUPS,
        r"(?P<groups>\d{1,2}(?:,\d{2})+,\d{3})(?:\.(?P<part>\d+))?",
        rf"{_GROUPS}(?!(?P=mark))[.,](?P<part>\d+)",
        r"(?P<plain>\d+)(?:\.(?P<part>\d+))?[eE](?P<exponent>[-+]?\d+)",
    )
)
"""What a number may look like without its sign; 1.200 looks like two of them."""


def read_number(
    text: str, name: str, *, whole: bool = False, low: float | None = None, high: float | None = None
) -> float:
    """The number that was typed, an int where it is `whole`. The bounds say only which of two readings can be meant.

    Raises UnreadableReply where it is no number, or may be two.
    """
    found = [value for value in _readings(text.strip().translate(_ARABIC)) if not whole or value == int(value)]
    if not found:
        kind = "a whole number" if whole else "a number"
        raise UnreadableReply(f"{name} must be {kind}, in digits alone, such as {'250' if whole else '250 or 2.5'}")
    within = [value for value in found if (low is None or value >= low) and (high is None or value <= high)]
    if len(meant := within or found) > 1:
        raise UnreadableReply(f"{name}: {text} may be {' or '.join(written(value) for value in meant)}, write which")
    return int(meant[0]) if whole else float(meant[0])


def _readings(text: str) -> Iterator[float]:
    sign = -1 if text[:1] in ("-", "−") else 1
    bare = text[1:].strip() if text[:1] in ("-", "−", "+") else text
    for form in reversed(_READINGS):
        if found := form.fullmatch(bare):
            parts = found.groupdict()
            digits = re.sub(r"\D", "", parts.get("groups") or "") or parts.get("plain") or "0"
            try:
                value = float(f"{digits}.{parts.get('part') or 0}e{parts.get('exponent') or 0}")
                if math.isfinite(value):
                    yield sign * (value if parts.get("part") or parts.get("exponent") else int(digits))
            except ValueError:  # more digits than Python reads
                return


def written(value: float) -> str:
    """A number so that `read_number` has it again without a question: 1.2, 1200, and 12.3450 for 12.345."""
    text = str(int(value) if abs(value) < 1e15 and value == int(value) else value)
    return f"{text}0" if re.fullmatch(r"-?[1-9]\d{0,2}\.\d{3}", text) else text


def as_read(value: float, locale: str | None = None) -> str:
    """A number as people of this locale read it ("de", "en-US"; None: the environment's): 1.200,5 or 1,200.5."""
    from babel import Locale, UnknownLocaleError, default_locale
    from babel.numbers import format_decimal

    try:
        known = Locale.parse((locale or default_locale("LC_NUMERIC") or "en").replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        known = Locale("en")
    return format_decimal(value, locale=known, decimal_quantization=False)


def misread(value: float) -> bool:
    """Whether another locale writes the number otherwise, so that it is worth telling back."""
    return abs(value) >= 1000 or value != int(value)
