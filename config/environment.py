"""The only reader of the environment and of `.env`, on behalf of `config.settings`."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path

from elenchus.config.documents import read_text

ENV_FILE = Path(".env")
LARGEST_ENV = 1_000_000
"""Bytes of a `.env`."""


def environment_with(env_file: Path | None) -> Mapping[str, str]:
    """The variables that are set and not empty; the environment wins over the file."""
    from dotenv import dotenv_values

    merged = {**dotenv_values(stream=io.StringIO(_text_of(env_file))), **os.environ}
    return {name: value for name, value in merged.items() if value}


def names_set(beginning: str) -> list[str]:
    """The variables of the environment whose names begin like that."""
    return [name for name in os.environ if name.startswith(beginning)]


def names_in(env_file: Path | None) -> tuple[list[str], list[str]]:
    """The names in a `.env`, and what is wrong with its lines."""
    from dotenv.parser import parse_stream

    bindings = list(parse_stream(io.StringIO(_text_of(env_file))))
    broken = [b.original.line for b in bindings if b.error or (b.key and b.value is None)]
    return [b.key for b in bindings if b.key], [f"line {n} of {env_file} is no NAME=VALUE" for n in broken]


def prefer(variable: str, value: str, *, unless: tuple[str, ...] = ()) -> None:
    """Set a variable for a library that reads the environment itself, where neither it nor one of `unless` is set.

    Call it before the library is loaded.
    """
    if not any(os.environ.get(name) for name in (variable, *unless)):
        os.environ[variable] = value


def _text_of(env_file: Path | None) -> str:
    """The text of a `.env`, "" where there is none; a folder of that name is somebody's virtual environment."""
    try:
        if env_file is None or not env_file.exists() or env_file.is_dir():
            return ""
    except PermissionError:  # the working folder is somebody else's
        return ""
    return read_text(env_file, LARGEST_ENV)
