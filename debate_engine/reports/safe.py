"""What may leave the machine: specs without folders, texts without home folders and without anything like a key."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from elenchus.config.addresses import without_secrets

_WITH_FILES = ("local:", "scripted:")
_HOME = re.compile(r"(?:/home/[^/\s'\"]+|/Users/[^/\s'\"]+|/root(?![\w-])|[A-Za-z]:\\+Users\\+[^\\\s'\"]+)")
_KEY = re.compile(
    r"\b(?:sk|pk|rk)-[\w*-]{6,}"  # OpenAI, Anthropic and those that copied the form, masked or not
    r"|\bAIza[\w-]{10,}"  # Google
    r"|\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}"
    r"|(?<=key=)[\w.~+/=-]{8,}",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(r"^(?:~?/|[A-Za-z]:[\\/]|\\\\)")


def spec(name: str) -> str:
    """A model's name as asked for; of a model or script that is a file, the file's name without its folder."""
    provider = next((p for p in _WITH_FILES if name.startswith(p)), "")
    rest = name.removeprefix(provider)
    if provider or _ABSOLUTE.match(rest):
        rest = re.split(r"[\\/]", rest.rstrip("\\/"))[-1]
    return text(provider + rest)


def text(words: str) -> str:
    """Free text without the reader's way home: home folders become `~`, what looks like a key `[key]`."""
    home = str(Path.home())
    if len(home) > 1:
        words = re.sub(rf"{re.escape(home)}(?![\w-])", "~", words)
    return _KEY.sub("[key]", _HOME.sub("~", without_secrets(words)))


def value(json: Any) -> Any:
    """A JSON value with every text in it made safe."""
    match json:
        case str():
            return text(json)
        case list() | tuple():
            return [value(item) for item in json]
        case dict():
            return {key: value(item) for key, item in json.items()}
    return json
