"""What a mind is compared with: each baseline is told what the paper says, and no more."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from elenchus.debate_engine.protocols.cognition.schemas import MethodName
from tests.debate_engine.protocols.cognition.minds import FERRY, SHIPYARD, Reader, in_turn, rated
from tests.debate_engine.protocols.cognition.profiles import GRETA
from tests.debate_engine.scripted_session import GARBLED

METHODS = tuple(method for method in get_args(MethodName) if method != "coggpt")
FEEDBACK = [[{"human_rating": 2, "rationality": 3.5}, {"human_rating": None}]]


def reader(method: str, **more: Any) -> Reader:
    settings = {"method": method, **more.pop("settings", {})}
    return Reader(flows=(FERRY, SHIPYARD), settings=settings, **more)


@pytest.mark.parametrize("method", METHODS)
async def test_the_profile_stays_the_initial_one_and_nothing_is_remembered(method: str) -> None:
    run = reader(method)
    result = await run.result()
    assert result.method == method
    assert all(one.profile == GRETA and one.taken is None for one in result.iterations)
    assert all(answer.rating == 4 for one in result.iterations for answer in one.answers)
    assert run.of("refine") == run.of("distil") == []


@pytest.mark.parametrize(
    ("method", "first", "second"),
    [("cot", False, True), ("react", False, True), ("reflexion", False, True), ("no_information", False, False),
     ("everything_in_prompt", True, True)],
)  # fmt: skip
async def test_in_the_second_iteration_a_method_sees_its_own_texts(method: str, first: bool, second: bool) -> None:
    run = reader(method)
    await run.result()
    shown = run.words("iteration/2/answer/1")
    assert ("electric ferries" in shown, "boatbuilders" in shown) == (first, second)


async def test_react_observes_what_people_said_of_its_last_answer() -> None:
    run = reader("react", settings={"feedback": FEEDBACK})
    await run.result()
    shown = run.words("iteration/1/answer/1")
    assert "You rated it 4: I like quiet mornings." in shown
    assert "People who know this person rated it 2." in shown
    assert "They gave your reason 3.5 of 5." in shown
    assert "rated it" not in run.words("iteration/1/answer/2")
    assert "rated it" not in run.words("iteration/2/answer/1")


async def test_what_people_said_of_a_reason_is_told_also_where_they_have_not_rated_the_opinion() -> None:
    run = reader("react", settings={"feedback": [[{"rationality": 2}, {}]]})
    await run.result()
    shown = run.words("iteration/1/answer/1")
    assert "You rated it 4: I like quiet mornings." in shown
    assert "People who know this person gave your reason 2 of 5." in shown


async def test_what_people_said_of_an_answer_of_an_earlier_run_is_told_along_with_that_answer() -> None:
    said = {"human_rating": 2, "rationality": 3.5, "rating": 5, "reason": "I fear the noise."}
    run = reader("react", settings={"feedback": [[said, {}]]})
    await run.result()
    shown = run.words("iteration/1/answer/1")
    assert "You rated it 5: I fear the noise." in shown
    assert "They gave your reason 3.5 of 5." in shown
    assert "I like quiet mornings." not in shown


async def test_reflexion_reflects_before_it_answers_where_there_is_anything_to_reflect_on() -> None:
    run = reader("reflexion", settings={"feedback": FEEDBACK})
    await run.result()
    assert [step for step in run.steps if "reflect" in step] == ["iteration/1/reflect/1"]
    assert "I will look at what people say." in run.words("iteration/1/answer/1")


async def test_a_reflection_that_does_not_come_leaves_the_answer() -> None:
    run = reader("reflexion", reflect=GARBLED, settings={"feedback": FEEDBACK})
    result = await run.result()
    assert all(answer.rating == 4 for answer in result.iterations[1].answers)


async def test_a_last_answer_that_was_not_read_is_not_told() -> None:
    run = reader(
        "react", rate=in_turn(rated(9), rated(9), rated(9), rated(9), rated(4)), settings={"feedback": FEEDBACK}
    )
    await run.result()
    shown = run.words("iteration/1/answer/1")
    assert "You rated it" not in shown
    assert "People who know this person rated it 2." in shown


def test_feedback_is_on_every_question() -> None:
    with pytest.raises(ValidationError, match="the feedback on iteration 0 is on 1 answers, and there are 2 questions"):
        _ = reader("react", settings={"feedback": [[{"human_rating": 2}]]}).config
