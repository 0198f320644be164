"""A mind's report says how it was set: every setting that what it did depends on, in words."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.protocols.cognition.config import MindConfig, MindSettings
from elenchus.debate_engine.protocols.cognition.creation import TOO_SMALL
from elenchus.debate_engine.protocols.cognition.how_it_works import how_it_works
from elenchus.debate_engine.protocols.cognition.schemas import PersonCheck
from elenchus.debate_engine.reports.export import contents_of
from tests.debate_engine.protocols.cognition.living import Living
from tests.debate_engine.protocols.cognition.profiles import GRETA

PARK: dict[str, Any] = {"policy": "park"}


def told(checked: PersonCheck | None = None, **settings: Any) -> str:
    config = MindConfig.model_validate({"profile": GRETA, **settings})
    return "\n".join(how_it_works(config, "scripted:m", checked))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"capacity_words": 500}, "room for 500 words"),
        ({"wait_until_full": True}, "once that is full."),
        ({"order": "refine first"}, "sees the profile as it was refined"),
        ({"most_changes": 1}, "At most 1 attribute may change at once"),
        ({"most_statements": 7}, "at most 7 statements"),
        ({"forget_share": 0.25}, "the 25% with the lowest"),
        ({"recall": 5}, "for each question 5 memories"),
        ({"least_similar": True}, "of the 4 most alike those that are least so"),
        (PARK, "importance, recency (0.9 with each iteration"),
        ({**PARK, "decay": 0.8}, "recency (0.8 with"),
        ({**PARK, "spaced": True}, "fades slower"),
        ({"alike": 0.95}, "a cosine of 0.95"),
        ({"language": "Norwegian"}, "are in Norwegian"),
        ({"small": True}, "at most 4 statements are noted"),
        ({"person": "dead"}, "that it is somebody who has died"),
    ],
)
def test_a_setting_that_is_another_is_told(given: dict[str, Any], says: str) -> None:
    assert says in told(**given)
    assert says not in told(**(PARK if given.get("policy") and given != PARK else {}))


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


async def test_report_and_json_have_the_settings_the_model_and_the_temperature() -> None:
    greta = Living()
    await greta.surveyed()
    files = contents_of("s", await greta.recorded())
    methods = files["report.md"].decode().partition("## Methods")[2].replace("\\", "")
    for sentence in how_it_works(greta_config(greta), "scripted:m", PersonCheck()):
        assert f"- {sentence}" in methods
    assert "Temperature: each model's own default" in methods


def greta_config(greta: Living) -> MindConfig:
    return MindConfig.model_validate(greta.settings)
