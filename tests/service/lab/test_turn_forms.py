"""Forms of turns: in a scene no name of a measure is in what a subject is shown, or told of a wrong answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import now
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.scenes.measures import AGREEMENT, Choice, Measure, Number, Rating, Scale, form
from elenchus.service.lab import turn_forms

MEASURES: tuple[Measure, ...] = (
    Number(name="anchored_guess", ask="How many?", low=0, high=100, whole=True),
    Choice(name="follows_crowd", ask="Which lamp?", options=("Lumo", "Vega")),
    Rating(name="overconfidence", ask="How sure?", optional=True),
    Scale(name="hindsight_scale", ask="Did you know?", points=AGREEMENT[7]),
)
RIGHT = {"f1": "40", "f2": "lumo", "f3": "", "f4": AGREEMENT[7][0]}


def turn(*measures: Measure, rejected: tuple[str, ...] = ()) -> OpenTurn:
    return OpenTurn("rule/1/stated", "Noor", {}, json_schema_of(form(measures)), now(), None, rejected=rejected)


def told(one: OpenTurn, typed: dict[str, str]) -> str:
    with pytest.raises(UsageError) as caught:
        turn_forms.typed_value(one, typed, subjects=True)
    return str(caught.value)


def names_in(text: str) -> list[str]:
    return [one.name for one in MEASURES if one.name.replace("_", " ") in text.casefold().replace("_", " ")]


def test_a_scenes_fields_are_numbered_and_what_is_typed_becomes_the_answer() -> None:
    assert [name for name, _ in turn_forms.form_of(turn(*MEASURES), subjects=True)] == ["f1", "f2", "f3", "f4"]
    assert turn_forms.typed_value(turn(*MEASURES), RIGHT, subjects=True) == {
        "anchored_guess": 40, "follows_crowd": "Lumo", "overconfidence": None, "hindsight_scale": AGREEMENT[7][0],
    }  # fmt: skip


def test_a_field_that_cannot_be_read_is_told_by_its_number_or_where_it_stands_alone_as_this() -> None:
    assert told(turn(*MEASURES), RIGHT | {"f1": "many"}).startswith("f1: this must be a whole number")
    assert told(turn(MEASURES[0]), {"f1": "700"}) == "This must be from 0 to 100."
    assert told(turn(MEASURES[1]), {"f1": "Nova"}) == "This must be one of Lumo, Vega."
    assert told(turn(MEASURES[1]), {"anchored_guess": "1"}).endswith("its fields are f1.")


@given(typed=st.dictionaries(st.sampled_from(["f1", "f2", "f3", "f4"]), st.text(max_size=8)))
def test_whatever_is_typed_no_name_of_a_measure_is_told(typed: dict[str, str]) -> None:
    try:
        turn_forms.typed_value(turn(*MEASURES), typed, subjects=True)
    except UsageError as error:
        assert names_in(str(error)) == []


def test_why_an_earlier_answer_was_rejected_names_no_measure() -> None:
    one = turn(*MEASURES, rejected=("anchored_guess must be a number",))
    assert names_in(" ".join(turn_forms.rejections(one, subjects=True))) == []
    assert turn_forms.rejections(one, subjects=False) == one.rejected


def test_in_a_debate_fields_have_their_own_names() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"more": {"type": "boolean"}, "what": {"type": "string"}},
    }
    one = OpenTurn("round/1/done/pro", "pro", {}, schema, now(), None)
    assert turn_forms.typed_value(one, {"more": "yes", "what": ""}, subjects=False) == {"more": True, "what": ""}
    with pytest.raises(UsageError, match=r"^More must be one of Yes, No\.$"):
        turn_forms.typed_value(one, {"more": "perhaps"}, subjects=False)
