"""What a person may say: what is refused before anything is spent, and where each default and limit stands."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events.values import FrozenModel
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig
from elenchus.service.cli import checks
from elenchus.service.cli.crit import crit
from elenchus.service.cli.debate import debate
from elenchus.service.cli.sweep import sweep
from elenchus.service.lab.grid import conditions_of, versions_of
from elenchus.service.lab.options import (
    CritOptions,
    DebateOptions,
    RunOptions,
    SweepOptions,
    options_of,
)


@pytest.mark.parametrize("text", ["", " \n", "\u3164", "\u200b\u2800 \u00ad", "\uffa0"])
def test_a_motion_of_nothing_that_can_be_seen_is_empty(text: str) -> None:
    for model in (DebateOptions, SweepOptions):
        with pytest.raises(UsageError, match="motion is empty"):
            options_of(model, {"motion": text})


def test_a_motion_is_trimmed() -> None:
    assert DebateOptions(motion="  Homework \n should end. ").motion == "Homework should end."


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"heat": 1.5}, "--heat must be between 0 and 1, not 1.5: give --heat 0.9."),
        ({"heat": float("nan")}, "--heat must be between 0 and 1, not nan: give --heat 0.9."),
        ({"max_rounds": -1}, "--max-rounds must be between 0 and 1000, not -1: give --max-rounds 5."),
        ({"temperature": 9.0}, "--temperature must be between 0 and 2, not 9: give --temperature 0.7."),
        ({"budget_usd": -2.0}, "A budget of -2 dollars pays for nothing: give --budget-usd a larger amount."),
        ({"budget_tokens": 0}, "A budget of 0 tokens pays for nothing: give --budget-tokens a larger number."),
        ({"price": "cheap {motion}"}, "as in --price 0.10,0.40."),
        ({"stop": "never"}, "--stop cannot be 'never': give --stop noise or --stop paper."),
        ({"judges": ["none"]}, "give --judge SPEC, or leave --judge out for the default."),
        ({"max_rounds": 0, "decay": 1.0}, "With --decay 1 the debate never cools and without --max-rounds it "),
        ({"brief": "x" * 60_001}, "--brief has 60,001 characters, of which 60,000 are allowed: shorten it."),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_in_the_words_of_the_front_end(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        options_of(DebateOptions, {"motion": "M", **given}, checks.option)
    assert said in str(refused.value)


def test_a_number_of_a_list_out_of_its_range_is_told_with_that_range() -> None:
    with pytest.raises(UsageError, match=r"^--heat must be between 0 and 1, not 3: give --heat 0\.5\.$"):
        options_of(SweepOptions, {"motion": "M", "heats": [0.1, 3.0]}, checks.option)


def test_an_option_that_there_is_not_is_named() -> None:
    with pytest.raises(UsageError, match=r"^There is no option 'rounds'; near it: max_rounds\.$"):
        options_of(DebateOptions, {"motion": "M", "rounds": 3})


@pytest.mark.parametrize(
    ("model", "config"), [(DebateOptions, DebateConfig), (SweepOptions, SweepConfig)], ids=["debate", "sweep"]
)
def test_what_a_protocol_takes_by_default_is_what_a_person_gets(
    model: type[FrozenModel], config: type[FrozenModel]
) -> None:
    same = set(model.model_fields) & set(config.model_fields) - {"motion", "judges"}
    assert len(same) > 4
    assert {name: model.model_fields[name].default for name in same} == {
        name: config.model_fields[name].default for name in same
    }


@pytest.mark.parametrize(
    ("command", "model", "others"),
    [
        (debate, DebateOptions, {"model", "dry_run", "export", "detach", "json"}),
        (crit, CritOptions, {"dry_run", "export", "detach", "json", "file"}),
        (sweep, SweepOptions, {"model", "dry_run", "export", "detach", "json"}),
    ],
)
def test_the_terminal_has_every_option_with_its_default(
    command: Any, model: type[RunOptions], others: set[str]
) -> None:
    called = {"judge": "judges", "heat": "heats" if model is SweepOptions else "heat", "source": "sources"}
    typed = {called.get(name, name): p.default for name, p in inspect.signature(command).parameters.items()}
    missing = {"document", "title", "seed"} if model is CritOptions else set()  # a file has both; CRIT draws nothing
    assert set(typed) - others == set(model.model_fields) - missing
    for name in set(typed) - others - {"motion", "price"}:
        assert typed[name] in (model.model_fields[name].default, None), name


@pytest.mark.parametrize("given", ["low", "nonsense"])
def test_a_condition_that_is_none_is_told_with_those_there_are_and_no_option_of_a_front_end(
    tmp_path: Path, given: str
) -> None:
    _, versions = versions_of("anchoring", tmp_path)
    with pytest.raises(UsageError) as caught:
        conditions_of(("low/quiet", given), versions)
    assert str(caught.value).startswith(f"{given!r} is no condition of the scene: there are none/pressed, none/quiet, ")
    assert "--" not in str(caught.value)
