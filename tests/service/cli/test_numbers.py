"""Every option that takes a number: what is no number, or an absurd one, is refused before a session exists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest

from elenchus.service.cli.program import whole_tree
from tests.service.cli.program import Program, Result

ABSURD = ("inf", "-inf", "nan", "1e400", "-1e400", "9" * 30, "-" + "9" * 30, "9" * 400, "9" * 5000, "0x10", "١e999", "")

COMMANDS = {
    "debate": ("debate", "Homework should end", "--pro", "scripted:demo", "--con", "scripted:demo"),
    "crit": ("crit", "text.txt"),
    "sweep": ("sweep", "Homework should end"),
    "detect": ("detect", "text.txt"),
    "run": ("run", "none"),
    "sessions heat": ("sessions", "heat", "none"),
    "sessions budget": ("sessions", "budget", "none"),
    "scene run": ("scene", "run", "bandwagon"),
    "scene resume": ("scene", "resume", "none"),
    "scene new": ("scene", "new", "--bias", "bandwagon effect", "--about", "tea"),
    "decision train": ("decision", "train"),
    "decision evaluate": ("decision", "evaluate"),
    "doctor": ("doctor",),
    "class": ("class", "bandwagon", "--port", "0"),
    "serve": ("serve",),
    "up": ("up",),
    "bench static": ("bench", "static"),
    "bench unlabelled": ("bench", "unlabelled"),
    "bench evaluator": ("bench", "evaluator", "labels.csv"),
    "cogbench score": ("cogbench", "score", "results.json", "--method", "CoT"),
    "cogbench sheet": ("cogbench", "sheet", "results.json", "--out", "out"),
    "cogbench generate": ("cogbench", "generate", "--topic", "tea", "--out", "out"),
    "cogbench run": ("cogbench", "run"),
    "cogbench resume": ("cogbench", "resume", "none"),
    "cogbench judge": ("cogbench", "judge", "results.json", "--method", "CoT"),
    "rldf debate": ("rldf", "debate"),
    "rldf resume": ("rldf", "resume", "none"),
    "rldf topics": ("rldf", "topics", "--out", "topics.txt"),
    "rldf gate": ("rldf", "gate"),
    "rldf export": ("rldf", "export", "none", "--out", "out"),
    "rldf bbq": ("rldf", "bbq", "--data", "questions.jsonl"),
    "rldf compare": ("rldf", "compare", "one.json", "two.json"),
    "rldf sample": ("rldf", "sample", "--out", "sample.jsonl"),
    "rldf answers": ("rldf", "answers", "--out", "answers.jsonl"),
    "rldf rate": ("rldf", "rate", "answers.jsonl", "--judge", "scripted:demo", "--out", "rated.json"),
    "rldf sheet": ("rldf", "sheet", "answers.jsonl", "--out", "sheets"),
    "rldf collect": ("rldf", "collect", "answers.jsonl", "--key", "key.json", "--sheet", "sheet.csv"),
    "rldf rlaif": ("rldf", "rlaif", "answers.jsonl", "--out", "pairs"),
    "rldf probe": ("rldf", "probe"),
    "rldf train": ("rldf", "train", "sft", "--base", "base", "--data", "data.jsonl", "--out", "trained"),
    "rldf experiment": ("rldf", "experiment", "--method", "default", "--out", "experiment"),
    "rldf ablate": ("rldf", "ablate", "--out", "ablation"),
    "worker": ("worker",),
    "mind create": ("mind", "create", "greta", "--person", "invented", "--character", "a cook"),
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


OPTIONS = list(numeric(whole_tree()))


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


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_a_refusal_names_the_option_that_was_given_and_none_that_the_command_lacks(
    elenchus: Program, inside: Callable[..., Result], command: str, option: str
) -> None:
    (elenchus.folder / "text.txt").write_text("Everybody does it, so it must be right.")
    (elenchus.folder / "labels.csv").write_text("answer,bias,human\nwords,reactance,yes\n")
    known = {name for names in typer_options(command) for name in names}
    for value in ("9" * 30, "0,7", "warm"):
        refused = inside(*COMMANDS[command], *([f"{option}={value}"] if option else ["--", value]))
        if refused.code == 2 and "No session's id" not in refused.err:
            said = refused.err.partition("hint:")[0]
            assert set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", said)) <= known, said
            assert not option or option in said
            assert "parse string" not in said
            assert "give The" not in said


def typer_options(command: str) -> Iterator[list[str]]:
    """What the options of a command are called."""
    below: Any = whole_tree()
    for name in command.split():
        below = below.commands[name]
    yield from (parameter.opts for parameter in below.params)


@pytest.mark.parametrize(
    ("line", "write"),
    [
        ("debate M --heat 0,7", "“0,7” is not a number: write 0.7"),
        ("debate M --decay=1,2", "“1,2” is not a number: write 1.2"),
        ("sessions heat none 0,7", "“0,7” is not a number: write 0.7"),
        ("sessions budget none --usd 1.000,50", "“1.000,50” is not a number: write 1000.50"),
        ("debate M --budget-usd 1,000", "“1,000” is not a number: write 1.000 or 1000"),
        ("debate M --budget-tokens 100,000", "“100,000” is not a whole number: write 100000"),
        ("debate M --max-rounds 1,5", "“1,5” is not a whole number"),
        ("sessions heat none 7", "HEAT must be between 0 and 1, not 7: give 0.5"),
        ("debate M --budget-usd nan", "--budget-usd must be between 0 and 1e+09, not nan: give --budget-usd 5"),
        ("debate M --budget-tokens 9999999999999", "--budget-tokens must be between 1 and 1e+12, not 9999999999999"),
        ("sessions budget none --usd=-4", "A budget of -4 dollars pays for nothing: give --usd a larger amount"),
        ("sessions budget none --tokens=-4", "A budget of -4 tokens pays for nothing: give --tokens a larger number"),
    ],
)
def test_a_number_that_cannot_be_taken_comes_with_what_to_write(
    inside: Callable[..., Result], line: str, write: str
) -> None:
    refused = inside(*line.split())
    assert refused.code == 2
    assert write in refused.err


@pytest.mark.parametrize(
    ("price", "write"),
    [
        ("{input: 1,0, output: 2,0}", "“1,0” has a decimal comma: write 1.0"),
        ("{input: 0,15, output: 2}", "“0,15” has a decimal comma: write 0.15"),
        ("\n      input: 1,5\n      output: 2", "“1,5” is not a number: write 1.5"),
    ],
)
def test_a_decimal_comma_in_a_file_of_models_is_named(
    elenchus: Program, inside: Callable[..., Result], price: str, write: str
) -> None:
    elenchus.home.mkdir()
    own = f"servers:\n  lab:\n    speaks: openai\n    url: http://localhost:1/v1\n    usd: {price}\n"
    (elenchus.home / "models.yaml").write_text(own)
    refused = inside("debate", "Homework should end", "--dry-run")
    assert refused.code == 2
    assert write in refused.err
    assert "line 5" in refused.err or "usd → input" in refused.err
