"""`elenchus mind create`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli import checks, context, failures
from elenchus.service.cli.launch import detached
from elenchus.service.cli.mind.shown import tell
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.preflight import checked_models, prepare, tell_before, tell_plan
from elenchus.service.lab.mind_options import MindOptions, mind_id
from elenchus.service.lab.options import options_of

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

LARGEST = 1_000_000
"""Bytes of a profile, and of a file of opinions."""


def options_typed(given: dict[str, Any], how: Options) -> MindOptions:
    """What was typed, checked. Raises UsageError, UnreadableDocument."""
    return options_of(
        MindOptions,
        {
            **given,
            "profile": _profile_in(given["profile"]) if given["profile"] else None,
            "opinions": opinions_in(given["opinions"]),
            "settings": _parted(given["settings"]),
            **{name: value for name, value in how.run if value is not None},
        },
        checks.option,
    )


def _profile_in(file: Path) -> dict[str, Any]:
    from elenchus.config.json_and_yaml import read_yaml

    read = read_yaml(file, LARGEST, "profile")
    if not isinstance(read, dict):
        raise UsageError(
            f"The profile {file} is no list of attributes with values: write ATTRIBUTE: VALUE on each line."
        )
    return read


def opinions_in(file: Path | None) -> tuple[str, ...]:
    """Opinions, one a line. Raises UsageError, UnreadableDocument."""
    from elenchus.service.cli.text_file import text_of_file_or_input

    if file is None:
        return ()
    found = tuple(line.strip() for line in clean(text_of_file_or_input(str(file), LARGEST, "opinion")).splitlines())
    if not (kept := tuple(line for line in found if line)):
        raise UsageError(f"{file} holds no opinion: write one on each line.")
    return kept


def _parted(typed: list[str]) -> dict[str, str]:
    parts = [one.partition("=") for one in typed]
    if odd := next((key for key, sign, _ in parts if not (key.strip() and sign)), None):
        raise UsageError(f"--set {clean(odd)!r} gives no value: write --set NAME=VALUE.")
    return {clean(key).strip(): clean(value).strip() for key, _, value in parts}


async def create_mind(wanted: MindOptions, by: str, how: Options) -> int:
    """Plan it, or make it and show it; the exit code. Raises UsageError, MissingKey, ElenchusError."""
    settings, out, who = context.settings(), how.out, context.name_of(by)
    async with context.opened(settings) as app:
        made = await app.minds.prepared(wanted, by=who)
        async with checked_models(settings, made.started.seats, dry_run=how.dry_run) as registry:
            if how.dry_run:
                await tell_plan(settings, registry, made.started, out, made.unnamed)
                return failures.OK
        prepare(None, settings)
        tell_before(out, made.started.seats, made.unnamed)
        if how.detach:
            await app.minds.begin(wanted.name, made.started)
            return await detached(app, mind_id(wanted.name), out)
        out.tell("its profile is being written …" if wanted.character else "its profile is being looked at …")
        mind = await app.minds.create(wanted, by=who)
    tell(mind, wanted.name, out)
    _invite(wanted, out)
    return failures.OK


def _invite(made: MindOptions, out: CommandOutput) -> None:
    from shlex import quote

    if not out.json:
        name = quote(made.name)
        first = f"elenchus mind survey {name} (its ratings before it reads anything), then " if made.opinions else ""
        out.tell(f"next: {first}elenchus mind feed {name} FILE, or elenchus mind ask {name} TEXT")
