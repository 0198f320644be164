"""Every option that takes a number: what is no number, or an absurd one, is refused before a session exists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest
import typer

from service.cli.program import app
from tests.service.cli.program import Program, Result

ABSURD = ("inf", "-inf", "nan", "1e400", "-1e400", "9" * 30, "-" + "9" * 30, "9" * 400, "9" * 5000, "0x10", "١e999", "")

COMMANDS = {
    "debate": ("debate", "Homework should end", "--pro", "scripted:demo", "--con", "scripted:demo"),
    "crit": ("crit", "text.txt"),
    "sweep": ("sweep", "Homework should end"),
    "detect": ("detect", "text.txt"),
    "sessions heat": ("sessions", "heat", "none"),
    "sessions budget": ("sessions", "budget", "none"),
    "scene run": ("scene", "run", "bandwagon"),
    "scene resume": ("scene", "resume", "none"),
    "scene new": ("scene", "new", "--bias", "bandwagon effect", "--topic", "tea"),
    "decision train": ("decision", "train"),
    "decision evaluate": ("decision", "evaluate"),
    "doctor": ("doctor",),
    "bench static": ("bench", "static"),
    "bench unlabelled": ("bench", "unlabelled"),
    "bench evaluator": ("bench", "evaluator", "labels.csv"),
    "bench questions": ("bench", "questions", "--bias", "reactance", "--out", "out"),
}


def numeric(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """The commands under one, each with an option (or "" for an argument) that takes a number."""
    for name, below in getattr(command, "commands", {}).items():
        yield from numeric(below, (*path, name))
    for parameter in getattr(command, "params", ()):
        annotation = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
        if {int, float} & {annotation, *get_args(annotation)}:
            yield " ".join(path), parameter.opts[-1] if parameter.param_type_name == "option" else ""


OPTIONS = list(numeric(typer.main.get_command(app)))


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_a_number_that_is_none_or_absurd_is_a_usage_error_and_makes_no_session(
    elenchus: Program, inside: Callable[..., Result], command: str, option: str
) -> None:
    (elenchus.folder / "text.txt").write_text("Everybody does it, so it must be right.")
    (elenchus.folder / "labels.csv").write_text("answer,bias,human\nwords,reactance,yes\n")
    for value in ABSURD:
        result = inside(*COMMANDS[command], *([f"{option}={value}"] if option else ["--", value]))
        assert result.code == 2, (value, result)
        assert "Traceback" not in result.err
        assert len(result.err) < 1_000
    assert not (elenchus.home / "elenchus.db").exists() or inside("sessions", "list", "--json").json == []


def test_the_options_of_all_commands_are_looked_at() -> None:
    assert {command for command, _ in OPTIONS} == set(COMMANDS)
    assert len(OPTIONS) > 30
