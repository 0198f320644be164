"""Of a real person who lives no mind is made by others, neither of a line nor of a whole profile."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.cognition.creation import TOO_SMALL, UNFOUNDED
from elenchus.debate_engine.protocols.cognition.projection import MindProjection, mind_of
from tests.debate_engine.protocols.cognition.living import Living, real
from tests.debate_engine.protocols.cognition.profiles import GRETA, changed_profile
from tests.debate_engine.scripted_session import GARBLED

WHOLE = {"profile": GRETA}
MINISTER = {"profile": changed_profile(Name="G. L.", Occupation="minister of fisheries")}


async def checked(living: Living) -> MindProjection:
    ended = await living.run()
    assert ended.state == "paused", ended.reason
    return mind_of(await living.recorded())


@pytest.mark.parametrize("stated", ["invented", "dead"])
@pytest.mark.parametrize(
    ("settings", "answer"),
    [
        (WHOLE, real("living", "Greta Lund")),
        (WHOLE, real("living", "Greta LUND", "no such words")),
        (MINISTER, real("living", "Greta Lund", "minister of fisheries")),
        (WHOLE, real("living", "", "retired ship's cook")),
    ],
)
async def test_a_whole_profile_of_somebody_who_lives_is_refused_by_name_or_by_the_words_that_tell(
    stated: str, settings: dict[str, Any], answer: dict[str, Any]
) -> None:
    refused = await Living(settings={**settings, "person": stated}, person=answer).run()
    assert (refused.state, refused.error) == ("failed", "LivingPerson")
    assert f"a real person who lives ({answer['who'] or 'says the model'})" in refused.reason


async def test_the_question_has_the_whole_profile_and_is_asked_once_in_a_life() -> None:
    greta = Living(person=real("dead", "Edvard Grieg"))
    found = await checked(greta)
    assert found.checked is not None
    assert (found.checked.real_person, found.checked.who, found.checked.why_not) == ("dead", "Edvard Grieg", "")
    assert GRETA.text in greta.words("person")
    await greta.surveyed()
    assert [call.prompt_id for call in greta.client.asked].count("cognition/person") == 1


async def test_of_themselves_whoever_makes_it_is_asked_nothing() -> None:
    greta = Living(settings={**WHOLE, "person": "myself"}, person=real("living", "Greta Lund"))
    assert (await checked(greta)).checked is None
    assert not greta.client.asked


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (GARBLED, "the reply"),
        (real("perhaps", "Greta Lund"), "real_person"),
        (real("living", "somebody else"), UNFOUNDED),
        (real("living", "no", "…"), UNFOUNDED),
        (real("living"), UNFOUNDED),
    ],
)
async def test_where_the_answer_tells_nothing_the_mind_is_made_and_it_is_said(answer: Any, why: str) -> None:
    found = await checked(Living(person=answer))
    assert found.mind is not None
    assert found.checked is not None
    assert why in found.checked.why_not
    assert found.checked.real_person == "no"


@pytest.mark.parametrize("settings", [WHOLE, {"character": {"text": "a cook", "by": "anna"}}])
async def test_a_small_model_is_not_asked_and_that_is_said(settings: dict[str, Any]) -> None:
    greta = Living(settings={**settings, "small": True}, person=real("living", "Greta Lund"))
    found = await checked(greta)
    assert found.checked is not None
    assert found.checked.why_not == TOO_SMALL
    assert "cognition/person" not in {call.prompt_id for call in greta.client.asked}


async def test_a_mind_that_was_made_before_anybody_asked_goes_on_as_it_is() -> None:
    greta = Living()
    await greta.run()
    made = [r for r in await greta.recorded() if not getattr(r.event, "step", "").startswith("person")]
    old = Living(log=MemoryLog(), person=real("living", "Greta Lund"))
    await old.log.restore("s", [r.model_copy(update={"seq": n}) for n, r in enumerate(made, 1)])
    found = await old.surveyed()
    assert len(found.surveys) == 1
    assert (found.checked, "cognition/person" in {call.prompt_id for call in old.client.asked}) == (None, False)
