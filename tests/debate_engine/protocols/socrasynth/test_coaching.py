"""After each round the moderator sees each side's weakest reasons, and can have them deepened."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.events import DeepenAsked
from elenchus.debate_engine.llm.client import Call
from tests.debate_engine.protocols.socrasynth.scripted_debate import GARBLED, Answer, ScriptedDebate

ASKED = "Deepen this reason of yours"


def score(call: Call) -> dict[str, Any]:
    """The second topic's reasons are the weaker ones."""
    weak = any("opening/reasons 2" in m.content or "reasons 2" in m.content for m in call.messages)
    return {"justification": "It bears on the claim.", "quotes": [], "validity": 2 if weak else 7, "credibility": 5}


def found(call: Call) -> dict[str, Any]:
    side = "pro" if "pro" in call.step else "con"
    return {"reasons": [{"topic": n, "quote": "", "reason": f"{side} reasons {n}", "source": ""} for n in (1, 2)]}


SCORED: dict[str, Answer] = {"crit/validate": score, "crit/reasons": found}


async def test_the_moderator_alone_hears_each_sides_weakest_reason() -> None:
    room = ScriptedDebate(SCORED, judges=())
    await room.debate()
    weakest = [said for said in await room.said() if said.about == "weakest"]
    assert [(said.speaker, said.to) for said in weakest] == [("crit", ("moderator",))] * 2
    assert [said.text for said in weakest] == [
        "pro's weakest reason (validity 2.0, source 5.0): pro reasons 2",
        "con's weakest reason (validity 2.0, source 5.0): con reasons 2",
    ]


async def test_one_action_asks_one_side_to_deepen_its_weakest_reason_in_the_next_round() -> None:
    room = ScriptedDebate(SCORED, max_rounds=3, judges=())
    room.at("round/1/done/pro", DeepenAsked(by="mia", to="con"))
    await room.debate()
    told = [s for s in room.steps if s.startswith(("round", "closing")) and ASKED in room.words(s)]
    assert told == ["round/2/con"]
    assert "con reasons 2" in room.words("round/2/con").split(ASKED)[1]


@pytest.mark.parametrize(("rounds", "moment"), [(2, "round/2/con"), (1, "closing/con")])
async def test_a_wish_before_the_first_scores_is_heard_as_soon_as_there_are_some(rounds: int, moment: str) -> None:
    room = ScriptedDebate(SCORED, max_rounds=rounds, judges=())
    room.at("opening/pro", DeepenAsked(by="mia", to="con"))
    await room.debate()
    assert [s for s in room.steps if ASKED in room.words(s) and s.startswith(("round", "closing"))][:1] == [moment]
    (asked,) = [said for said in await room.said() if said.about == "deepen"]
    assert asked.to == ("con",)
    assert asked.text.endswith("con reasons 2")


async def test_a_wish_during_the_last_round_is_heard_before_the_closings() -> None:
    room = ScriptedDebate(SCORED, judges=())
    room.at("round/1/done/pro", DeepenAsked(by="mia", to="pro"))
    await room.debate()
    assert ASKED in room.words("closing/pro")
    assert ASKED not in room.words("closing/con")


async def test_the_moderator_is_told_of_a_wish_that_could_not_be_met() -> None:
    room = ScriptedDebate({"crit/validate": GARBLED}, judges=())
    room.at("opening/pro", DeepenAsked(by="mia", to="con"))
    await room.debate()
    told = [said.text for said in await room.said() if said.to == ("moderator",)]
    assert told == ["con was not asked to deepen a reason: none of its reasons has a score"]


async def test_a_coached_debate_asks_both_sides_after_every_scored_round_by_itself() -> None:
    room = ScriptedDebate(SCORED, max_rounds=2, coach=True, judges=())
    await room.debate()
    asked = {s for s in room.steps if ASKED in room.words(s)}
    assert asked == {"round/2/pro", "round/2/con"}


async def test_nothing_is_deepened_where_no_reason_could_be_read() -> None:
    room = ScriptedDebate({"crit/validate": GARBLED}, max_rounds=2, coach=True, judges=())
    await room.debate()
    assert not [said for said in await room.said() if said.about in ("weakest", "deepen")]
