"""Of a real person who lives no mind is made by others, neither of a line nor of a whole profile."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.cognition.creation import TOO_SMALL, UNFOUNDED
from elenchus.debate_engine.protocols.cognition.projection import MindProjection, mind_of
from tests.debate_engine.protocols.cognition.living import Living, described, real
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


HIDDEN = changed_profile(Name="Gre\u200bta Lu\u00adnd")


@pytest.mark.parametrize(
    "name",
    [
        "Gre\u200bta Lu\u00adnd",
        "Gréta Lùnd",
        "Lund, Greta",
        "LUND Greta Marie",
        "Ｇｒｅｔａ Lund",
        "Gre\ufe0fta\u2060 Lund",
        "G r e t a  L u n d",
        "GretaLund",
        "Gr\u0435ta Lund",
    ],
)
async def test_no_way_of_writing_a_name_hides_who_it_is(name: str) -> None:
    """Signs that nobody sees, accents, the order of names, wide letters, blanks, letters that look alike."""
    settings = {"profile": changed_profile(Name=name), "person": "invented"}
    refused = await Living(settings=settings, person=real("living", "Greta Lund", "Greta Lund")).run()
    assert (refused.state, refused.error) == ("failed", "LivingPerson"), name


async def test_the_words_of_a_name_that_stand_apart_name_nobody() -> None:
    settings = {"profile": changed_profile(Name="Greta Berg", Hobbies=["trips to Lund"]), "person": "invented"}
    found = await checked(Living(settings=settings, person=real("living", "Greta Lund")))
    assert found.checked is not None
    assert found.checked.why_not == UNFOUNDED


async def test_its_model_reads_a_name_as_people_see_it() -> None:
    greta = Living(settings={"profile": HIDDEN, "person": "invented", "called": "Gr\u200beta"})
    await checked(greta)
    assert "Name: Greta Lund\n" in greta.words("person")
    assert "\nGreta\n" in greta.words("person")
    line = Living(settings={"character": {"text": "Greta L\u200bund, the minister"}, "called": "gre\u200bta"})
    await checked(line)
    assert "Greta Lund, the minister" in line.words("create")
    assert "\ngreta\n" in line.words("create")


async def test_of_the_name_under_which_it_is_to_speak_the_same_is_asked() -> None:
    """Else anybody would speak on a stage under the name of somebody who lives, whatever the profile says."""
    settings: dict[str, Any] = {"profile": changed_profile(Name="Ida Berg"), "person": "invented"}
    answer = real("living", "Greta Lund", "Greta Lund")
    named = await Living(settings={**settings, "called": "lund greta"}, person=answer).run()
    assert (named.state, named.error) == ("failed", "LivingPerson")
    assert (await checked(Living(settings={**settings, "called": "ida"}, person=answer))).mind is not None
    line = {"character": {"text": "a cook"}, "called": "Greta Lund", "person": "invented"}
    refused = await Living(settings=line, create=described("living", "Greta Lund")).run()
    assert (refused.state, refused.error) == ("failed", "LivingPerson")


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
