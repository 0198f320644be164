"""`elenchus run`: a session of any protocol that an installed package brings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli import context, options
from elenchus.service.cli.options import DefaultModel
from elenchus.service.cli.output import clean

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options
    from elenchus.service.lab.protocol_session import ProtocolOptions

LARGEST_CONFIG = 1_000_000
"""Bytes of a file of settings."""


@options.with_run_options("temperature", "seed", "dry_run", "export")
def run(
    how: Options,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The protocol's name.", autocompletion=options.protocols)],
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="Its settings, as YAML or JSON.")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One setting; give it once for each.")
    ] = None,
    seat: Annotated[
        list[str] | None,
        options.seating(
            "--seat",
            metavar="SEAT=SPEC",
            autocompletion=None,
            help="Who takes a seat: provider:model, a persona, or human.",
        ),
    ] = None,
    model: DefaultModel = "",
    title: Annotated[str, typer.Option("--title", metavar="T", help="What the session is about.")] = "",
) -> None:
    """Run a protocol that an installed package brings (see CONTRIBUTING.md)."""
    from elenchus.service.cli.launch import launch_from

    given = {
        "protocol": clean(name).strip(),
        "config": (_read(config) if config else {}, parted(setting or [], "--set")),
        "seats": parted(seat or [], "--seat"),
        "title": clean(title),
    }
    raise typer.Exit(context.run(launch_from(_options(given), how, model)))


def parted(given: list[str], option: str) -> dict[str, str]:
    """What was typed as NAME=VALUE, once for each. Raises UsageError for one without a value."""
    parts = {key.strip(): (sign, value) for key, sign, value in (one.partition("=") for one in given)}
    for key, (sign, _) in parts.items():
        if not (key and sign):
            raise UsageError(f"{option} {clean(key)!r} gives no value: write {option} NAME=VALUE.")
    return {clean(key): clean(value) for key, (_, value) in parts.items()}


def _read(file: Path) -> dict[str, Any]:
    from elenchus.config.json_and_yaml import read_yaml

    read = read_yaml(file, LARGEST_CONFIG, "settings")
    if not isinstance(read, dict | None):
        raise UsageError(f"The settings {file} are no list of names with values: write NAME: VALUE on each line.")
    return read or {}


def _options(given: dict[str, Any]) -> ProtocolOptions:
    from elenchus.service.cli import checks
    from elenchus.service.lab.options import options_of
    from elenchus.service.lab.protocol_session import ProtocolOptions, settings_typed

    read, typed = given["config"]
    config = {**read, **settings_typed(given["protocol"], typed)}
    return options_of(ProtocolOptions, {**given, "config": config}, checks.option)
