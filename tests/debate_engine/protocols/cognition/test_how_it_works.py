"""A mind's report says how it was set: every setting that what it did depends on, in words."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from elenchus.debate_engine.protocols.cognition.config import MindConfig, MindSettings, Policy
from elenchus.debate_engine.protocols.cognition.creation import TOO_SMALL
from elenchus.debate_engine.protocols.cognition.how_it_works import how_it_works
from elenchus.debate_engine.protocols.cognition.schemas import PersonCheck
from elenchus.debate_engine.reports.export import contents_of
from tests.debate_engine.protocols.cognition.living import Living
from tests.debate_engine.protocols.cognition.profiles import GRETA

PARK: dict[str, Any] = {"policy": "park"}


def told(checked: PersonCheck | None = None, compared: tuple[str, ...] = (), **settings: Any) -> str:
    config = MindConfig.model_validate({"profile": GRETA, **settings})
    return "\n".join(how_it_works(config, "scripted:m", checked, compared))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"capacity_words": 500}, "room for 500 words"),
        ({"wait_until_full": True}, "once that is full."),
        ({"order": "refine first"}, "sees the profile as it was refined"),
        ({"most_changes": 1}, "At most 1 attribute may change at once"),
        ({"most_statements": 7}, "At most 7 statements"),
        ({"forget_share": 0.25}, "the 25% with the lowest"),
        ({"recall": 5}, "for each question 5 memories"),
        ({"least_similar": True}, "of the 4 most alike those that are least so"),
        (PARK, "importance, recency (0.9 with each iteration"),
        ({**PARK, "decay": 0.8}, "recency (0.8 with"),
        ({**PARK, "spaced": True}, "fades slower"),
        ({"alike": 0.95}, "from a likeness of 0.95 on"),
        ({"language": "Norwegian"}, "are in Norwegian"),
        ({"small": True}, "At most 4 statements are noted"),
        ({"person": "dead"}, "that it is somebody who has died"),
    ],
)
def test_a_setting_that_is_another_is_told(given: dict[str, Any], says: str) -> None:
    assert says in told(**given)
    assert says not in told(**(PARK if given.get("policy") and given != PARK else {}))


def test_each_policy_of_recall_is_told_in_words_of_its_own() -> None:
    policies = get_args(Policy)
    assert len({told(policy=policy) for policy in policies}) == len(policies)


def test_no_setting_is_left_out() -> None:
    (mark,) = test_a_setting_that_is_another_is_told.pytestmark
    assert set(MindSettings.model_fields) <= {name for given, _ in mark.args[1] for name in given}


@pytest.mark.parametrize(
    ("checked", "says"),
    [
        (PersonCheck(), "its model said that the profile is of nobody real"),
        (
            PersonCheck(real_person="dead", who="Edvard Grieg"),
            "its model said that the profile is of somebody who has died",
        ),
        (PersonCheck(why_not=TOO_SMALL), f"nobody could tell: {TOO_SMALL}"),
        (None, "nobody was asked whether that is so"),
    ],
)
def test_who_was_asked_whether_it_is_a_real_person_is_told(checked: PersonCheck | None, says: str) -> None:
    assert says in told(checked)


@pytest.mark.parametrize(
    ("compared", "says"),
    [
        (("wordllama-0.3.9 (cosine)",), "Likeness is by wordllama-0.3.9 (cosine)."),
        (("words in common", "wordllama-0.3.9 (cosine)"), "by words in common, later by wordllama-0.3.9 (cosine)."),
        ((), "Likeness: nothing was compared, or it is not on record by what."),
    ],
)
def test_what_texts_were_compared_by_is_told(compared: tuple[str, ...], says: str) -> None:
    assert says in told(compared=compared)


def test_temperatures_and_what_is_sent_back_are_told() -> None:
    methods = told()
    assert "at temperature 0, what it says itself at 0.7" in methods
    assert "under 30 characters" in methods
    assert "sent back once; where that does not mend it, the profile stays" in methods
    assert "each opinion alone" in methods


async def test_report_and_json_have_the_settings_the_model_and_the_temperature() -> None:
    greta = Living()
    await greta.surveyed()
    files = contents_of("s", await greta.recorded())
    methods = files["report.md"].decode().partition("## Methods")[2].replace("\\", "")
    for sentence in how_it_works(greta_config(greta), "scripted:m", PersonCheck()):
        assert f"- {sentence}" in methods
    assert "Temperature: each model's own default" in methods


async def test_report_names_what_its_memories_were_compared_by() -> None:
    greta = Living()
    await greta.fed("The council orders two electric ferries.")
    methods = contents_of("s", await greta.recorded())["report.md"].decode().partition("## Methods")[2]
    assert "Likeness is by words in common" in methods


def greta_config(greta: Living) -> MindConfig:
    return MindConfig.model_validate(greta.settings)
