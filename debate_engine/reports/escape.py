"""Other people's and models' words inside our Markdown: shown as they are, never acting as Markdown or HTML."""

from __future__ import annotations

import re

from elenchus.debate_engine.printable import one_line, printable

_SPECIAL = re.compile(r"([\\`*_|<>\[\]~#&$!])")
_IN_SPEECH = re.compile(r"([\\`|<>\[\]~&$!])")  # emphasis and lists may stay
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_RULE = re.compile(r"^(?:=+|[-*_](?:\s*[-*_])*)$")  # a rule, or the underline of a heading


def inline(text: str) -> str:
    """Words on one line without any effect; for lists, headings and cells of tables."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def speech(text: str) -> str:
    """A speech: paragraphs, lists and emphasis stay, headings become bold, all else has no effect."""
    return "\n".join(_line(line.strip()) for line in printable(text).strip().split("\n"))


def _line(line: str) -> str:
    if heading := _HEADING.match(line):
        return f"**{inline(heading[1].strip('* '))}**\n" if heading[1].strip("* ") else ""
    harmless = _IN_SPEECH.sub(r"\\\1", line)
    return f"\\{harmless}" if _RULE.match(line) or line.startswith(("#", "+")) else harmless


def quoted(markdown: str) -> str:
    """Markdown as a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in markdown.split("\n"))
