"""Whoever fed a mind, spoke with it, or was heard by it elsewhere, can have their words taken out of it."""

from __future__ import annotations

import json

from elenchus.debate_engine.events import Attended, Fed, HeardLine, Surveyed, Talked
from elenchus.debate_engine.log import state_of
from elenchus.debate_engine.privacy.authorship import people_in
from elenchus.debate_engine.protocols.cognition.projection import mind_of
from elenchus.service.lab.personal_data import held_in
from tests.debate_engine.protocols.cognition.living import Living
from tests.debate_engine.protocols.cognition.minds import FERRY, SHIPYARD

PLEA = "Please never sell the blue lighthouse on the northern cape"
HEARD = Attended(
    by="moderator", session="x7", title="Should the ferry be free?",
    lines=(
        HeardLine(speaker="otto", text=PLEA, by="x7/con", person="otto"),
        HeardLine(speaker="Ada", text="The crew wants to be paid on Fridays.", by="x7/pro"),
        HeardLine(speaker="Greta", text="Somebody has to pay the crew.", own=True),
    ),
)  # fmt: skip


async def fed() -> Living:
    """A mind that two people have fed and spoken with, and that has heard two others."""
    greta = Living()
    await greta.given(
        Fed(by="anna", texts=(FERRY,), title="Of anna"), Fed(by="ben", texts=(SHIPYARD,)), HEARD,
        Talked(by="anna", text="My own garden has seventeen crooked apple trees."),
        Surveyed(by="anna", questions=("Crooked apple trees deserve some public money.",)),
    )  # fmt: skip
    return greta


async def whole(greta: Living) -> str:
    return json.dumps([r.line() for r in await greta.recorded()])


async def test_all_who_gave_something_or_were_heard_are_known() -> None:
    greta = await fed()
    assert {"anna", "ben", "otto", "x7/con", "x7/pro"} <= people_in(await greta.recorded())
    held = held_in("s", await greta.recorded(), "otto")
    assert held is not None
    assert held.texts == 1


async def test_what_a_person_fed_said_and_asked_is_gone_and_the_mind_goes_on() -> None:
    greta = await fed()
    await greta.runner.forget("s", "anna")
    text = await whole(greta)
    assert "electric ferries" not in text
    assert "apple trees" not in text
    assert "anna" not in text
    assert "boatbuilders" in text
    assert state_of(await greta.recorded()) == "paused"
    found = await greta.fed("A new text about the quay. It is long enough to be noted.")
    assert found.iteration == 4


async def test_what_a_person_said_elsewhere_is_gone_by_name() -> None:
    greta = await fed()
    await greta.runner.forget("s", "otto")
    text = await whole(greta)
    assert "lighthouse" not in text
    assert "otto" not in text.casefold()
    assert "The crew wants to be paid" in text


async def test_what_a_person_without_a_name_said_elsewhere_is_gone_by_their_seat_there() -> None:
    greta = await fed()
    await greta.runner.forget("s", "x7/pro")
    text = await whole(greta)
    assert "paid on Fridays" not in text
    assert "lighthouse" in text


async def test_after_forgetting_the_log_gives_a_mind_of_the_same_shape() -> None:
    greta = await fed()
    before = mind_of(await greta.recorded())
    await greta.runner.forget("s", "anna")
    after = mind_of(await greta.recorded())
    assert (after.iteration, len(after.readings), len(after.surveys)) == (3, 3, 1)
    assert after.mind is not None
    assert before.mind is not None
    assert len(after.mind.memories) == len(before.mind.memories)
    assert after.surveys[0].answers[0].rating == before.surveys[0].answers[0].rating
