"""The fields of an ask within what Discord takes."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from elenchus.bot.modal_forms import label_of, steps_of
from elenchus.debate_engine.llm.schema import at_most, json_schema_of
from elenchus.debate_engine.protocols.judging.schemas import Preference, Ruling
from elenchus.debate_engine.protocols.socrasynth.schemas import (
    AgendaChoice,
    AgendaReview,
    FurtherArguments,
    OpenAnswer,
    Position,
    ProposalDraft,
    ProposalReviews,
    Proposals,
    Recommendations,
)
from elenchus.service.lab.forms import fields_of

ASKED = (
    Ruling, Preference, AgendaChoice, AgendaReview, FurtherArguments, OpenAnswer, Position, ProposalDraft,
    ProposalReviews,
    Proposals, Recommendations,
)  # fmt: skip


def rendered(schema: dict[str, Any] | None) -> list[dict[str, Any]]:
    """What is sent to Discord of each field."""
    return [dict(label_of(field).to_component_dict()) for field in fields_of(schema)]


@pytest.mark.parametrize("schema", [*(json_schema_of(s) for s in ASKED), None])
def test_every_form_of_every_ask_is_within_discords_limits(schema: dict[str, Any] | None) -> None:
    assert all(1 <= len(step) <= 5 for step in steps_of(fields_of(schema)))
    shown = rendered(schema)
    for label in shown:
        assert 1 <= len(label["label"]) <= 45
        assert len(label.get("description") or "") <= 100
        field = label["component"]
        assert 1 <= len(field["custom_id"]) <= 100
        if field["type"] == discord.ComponentType.text_input.value:
            assert 0 <= field.get("min_length", 0) <= field["max_length"] <= 4_000
        else:
            assert 1 <= len(field["options"]) <= 25
    assert len({label["component"]["custom_id"] for label in shown}) == len(shown)


def test_a_ruling_comes_in_two_steps() -> None:
    assert [[field.name for field in step] for step in steps_of(fields_of(json_schema_of(Ruling)))] == [
        ["rationale", "a_validity", "a_credibility", "b_validity", "b_credibility"],
        ["winner"],
    ]


def test_a_free_text_is_a_paragraph_of_up_to_4000_characters() -> None:
    (label,) = rendered(None)
    field = label["component"]
    assert (label["label"], field["style"], field["max_length"]) == ("Your words", 2, 4_000)
    assert field["required"]


def test_a_text_whose_words_count_may_have_as_many_characters_as_a_form_takes() -> None:
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", **at_most(9, characters=n)} for name, n in (("a", 80), ("b", 600))},
    }
    fields = [label["component"] for label in rendered(schema)]
    assert [(field["style"], field["max_length"]) for field in fields] == [(1, 4_000), (2, 4_000)]


def test_more_choices_than_a_menu_takes_are_typed() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "string", "enum": [str(n) for n in range(26)]}}}
    (label,) = rendered(schema)
    assert label["component"]["type"] == discord.ComponentType.text_input.value
