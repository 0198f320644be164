"""What a model or a person wrote, made harmless for Discord: it pings nobody, shows where it links, fakes nothing.

Tricks are broken by a zero-width space inside them, not by a backslash, which the writer could have escaped before; in
code blocks too, as only Discord's clients know for sure where one ends. The words stay readable as they were written.
That nothing pings does not rest on this file alone: every message is sent with `AllowedMentions.none()`, or with the
one member whose turn it is.
"""

from __future__ import annotations

import re
import unicodedata

import regex

from elenchus.debate_engine.printable import one_line, printable

ZERO_WIDTH_SPACE = "\u200b"
FENCE = "```"
LONGEST_NAME = 80
"""Of a webhook's username, in UTF-16 units."""

_TOKEN = re.compile(r"<(?=@|#|/|:|a:|t:|id:|sound:)", re.IGNORECASE)  # mentions, channels, commands, emoji, times
_EVERYONE = re.compile(r"@(?=everyone|here|[!&]?\d)", re.IGNORECASE)
_MASKED_LINK = re.compile(r"\](?=\()")
_INVITE = re.compile(
    r"(discord(?:app)?\s*\.\s*(?:gg|com|io|li|me)|dsc\s*\.\s*gg|invite\s*\.\s*gg)(?=\s*/)", re.IGNORECASE
)
_SCHEME = re.compile(r"(?<=:/)(?=/)")
_FENCE = re.compile(r"`{3,}")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(?=\S)", re.MULTILINE)
_QUOTE = re.compile(r"^[ \t]*> .*", re.MULTILINE)
_SMALL_PRINT = re.compile(r"^(?=[ \t]*-#)", re.MULTILINE)
_LONG_QUOTE = re.compile(r"^([ \t]*)>>>(?=\s|$)", re.MULTILINE)
_MARKDOWN = re.compile(r"([\\`*_~|<>\[\]()]|^[#+-])")
_RESERVED = re.compile(r"(dis)(cord)|(cly)(de)", re.IGNORECASE)
_IN_NAMES = str.maketrans({"@": "＠", "#": "＃", ":": "꞉", "`": "'"})


def speech(text: str) -> str:
    """A whole speech: paragraphs, lists, emphasis and code stay; headings get one size; nothing else has an effect.

    Every code block in it is closed and holds something; none begins in a quotation, which it would not end with.
    """
    text = _QUOTE.sub(lambda row: _FENCE.sub(f"`{ZERO_WIDTH_SPACE}``", row[0]), printable(text).strip())
    prose, *rest = unlinked(_FENCE.sub(FENCE, text)).split(FENCE)
    out = [_lines(prose)]
    for i, part in enumerate(rest):
        out.append(_lines(part) if i % 2 else f"{FENCE}{part.rstrip()}\n{FENCE}" if part.strip() else "")
    return "".join(out)


def _lines(text: str) -> str:
    """Prose without the marks at the start of a line that are ours alone, or that reach past the line."""
    return _SMALL_PRINT.sub(ZERO_WIDTH_SPACE, _HEADING.sub("### ", _LONG_QUOTE.sub(r"\1>", text)))


def unlinked(text: str) -> str:
    """The text with mentions, invites, masked links and Discord's own `<…>` forms broken."""
    text = _TOKEN.sub(f"<{ZERO_WIDTH_SPACE}", text)
    text = _EVERYONE.sub(f"@{ZERO_WIDTH_SPACE}", text)
    text = _MASKED_LINK.sub(f"]{ZERO_WIDTH_SPACE}", text)
    return _INVITE.sub(rf"\1{ZERO_WIDTH_SPACE}", text)


def inline(text: str) -> str:
    """Words on one line without any effect: for names, titles and cells. Links in it are broken as well."""
    line = one_line(text)
    return _MARKDOWN.sub(r"\\\1", _SCHEME.sub(ZERO_WIDTH_SPACE, unlinked(line)))


def plain(text: str) -> str:
    """Words on one line for places that show no markdown (button labels, modal titles, thread names, alt texts)."""
    return " ".join(unlinked(printable(text)).split())


def persona_name(name: str, otherwise: str = "Speaker") -> str:
    """A legal username for a webhook's message: 1–80, without the words and signs that Discord refuses there."""
    kept = (
        c for c in unicodedata.normalize("NFKC", printable(name)) if unicodedata.category(c) not in ("Cf", "Cs", "Co")
    )
    line = " ".join("".join(kept).translate(_IN_NAMES).split())
    line = _RESERVED.sub(lambda found: "-".join(part for part in found.groups() if part), line)
    line = shortened(f"“{line}”" if line.casefold() in ("everyone", "here") else line, LONGEST_NAME)
    return line or persona_name(otherwise or "Speaker")


def units(text: str) -> int:
    """The length as Discord's clients count it: UTF-16 units, never less than characters."""
    return len(text) + sum(c > "\uffff" for c in text)


def graphemes(text: str) -> list[str]:
    """The characters as a reader counts them: an emoji of several code points, a letter with its accents is one."""
    return regex.findall(r"\X", text)


def shortened(text: str, most: int) -> str:
    """The text with at most so many units, cut between characters, ending in “…” where something was cut."""
    if units(text) <= most:
        return text
    kept, room = [], most - 1
    for grapheme in graphemes(text):
        room -= units(grapheme)
        if room < 0:
            break
        kept.append(grapheme)
    return f"{''.join(kept).rstrip().rstrip(_BACKSLASH)}…"


_BACKSLASH = "\\"
"""A cut may not leave a backslash behind that escapes what follows."""
