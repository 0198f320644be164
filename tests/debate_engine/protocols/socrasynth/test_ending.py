"""How the rounds end (SocraSynth, table 2), and what comes after them."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.events import CloseAsked, HeatSet, RoundAsked, SessionStopped, StopAsked
from elenchus.debate_engine.llm.client import Call
from tests.debate_engine.protocols.socrasynth.scripted_debate import GARBLED, Answer, ScriptedDebate


def validity(by_round: dict[str, int]) -> dict[str, Answer]:
    """A crit seat that scores a speech's reasons by the round in whose CRIT they are scored."""

    def score(call: Call) -> dict[str, Any]:
        value = next((v for key, v in by_round.items() if call.step.startswith(key)), 5)
        return {"justification": "It bears on the claim.", "quotes": [], "validity": value, "credibility": 5}

    return {"crit/validate": score}


NOTHING_MORE: dict[str, Answer] = {"socrasynth/anything-more": {"more": False, "what": ""}}


async def test_the_rounds_end_at_the_cap() -> None:
    debate = await ScriptedDebate(max_rounds=2, judges=()).debate()
    assert (len(debate.rounds), debate.ended) == (2, "the limit of 2 rounds was reached")


async def test_the_rounds_end_at_the_floor_and_closings_are_spoken_at_the_heat_that_failed() -> None:
    debate = await ScriptedDebate(heat=0.3, decay=2.0, floor=0.1, max_rounds=0, judges=()).debate()
    assert [r.heat for r in debate.rounds] == pytest.approx([0.15])
    assert debate.ended == "contentiousness reached the floor of 0.1"
    assert debate.closing_heat == pytest.approx(0.075)


async def test_the_rounds_end_when_argument_quality_falls() -> None:
    debate = await ScriptedDebate(validity({"round/1": 8, "round/2": 3}), max_rounds=5, judges=()).debate()
    assert (len(debate.rounds), debate.ended) == (2, "argument quality fell by more than its noise")
    first, second = (r.gamma for r in debate.rounds)
    assert first == pytest.approx(8.0)
    assert second is not None
    assert second < 8.0


async def test_they_go_on_while_quality_stays_or_rises() -> None:
    debate = await ScriptedDebate(
        validity({"round/1": 4, "round/2": 4, "round/3": 9}), max_rounds=3, judges=()
    ).debate()
    assert (len(debate.rounds), debate.ended) == (3, "the limit of 3 rounds was reached")


async def test_they_end_only_when_both_sides_have_nothing_more() -> None:
    both = await ScriptedDebate(NOTHING_MORE, max_rounds=4, judges=()).debate()
    assert (len(both.rounds), both.ended) == (1, "both sides have nothing more to add")

    def pro_has_more(call: Call) -> dict[str, Any]:
        return {"more": call.step.endswith("/pro"), "what": ""}

    one = await ScriptedDebate({"socrasynth/anything-more": pro_has_more}, max_rounds=2, judges=()).debate()
    assert len(one.rounds) == 2


async def test_a_side_whose_answer_could_not_be_read_does_not_end_the_debate() -> None:
    debate = await ScriptedDebate({"socrasynth/anything-more": GARBLED}, max_rounds=2, judges=()).debate()
    assert len(debate.rounds) == 2


@pytest.mark.parametrize(
    "why",
    [NOTHING_MORE, validity({"round/1": 8, "round/2": 3})],
    ids=["nothing more", "quality fell"],
)
async def test_the_moderator_may_ask_for_one_more_round_where_the_loop_would_stop(why: dict[str, Answer]) -> None:
    alone = await ScriptedDebate(why, max_rounds=4, judges=()).debate()
    room = ScriptedDebate(why, max_rounds=4, judges=())
    room.at(f"round/{len(alone.rounds)}/con", RoundAsked(by="mia"))
    assert len((await room.debate()).rounds) == len(alone.rounds) + 1


async def test_one_more_round_than_the_cap_can_be_asked_for() -> None:
    room = ScriptedDebate(max_rounds=1, judges=())
    room.at("round/1/con", RoundAsked(by="mia"))
    debate = await room.debate()
    assert len(debate.rounds) == 2
    assert debate.rounds[1].heat == pytest.approx(0.625)


async def test_the_moderator_calls_for_the_closings() -> None:
    room = ScriptedDebate(max_rounds=5, judges=())
    room.at("round/2/pro", CloseAsked(by="mia"))
    debate = await room.debate()
    assert (len(debate.rounds), debate.ended) == (2, "the moderator called for the closings")
    assert room.counted["closing/pro"] == 1


async def test_a_stop_ends_the_debate_with_its_reason_and_without_closings() -> None:
    room = ScriptedDebate(max_rounds=5)
    room.at("round/1/con", StopAsked(by="mia", reason="the bell rang"))
    run = await room.run()
    assert run.state == "stopped"
    (stopped,) = [r.event for r in await room.log.read("s") if isinstance(r.event, SessionStopped)]
    assert stopped.reason == "the bell rang"
    assert not room.counted["closing/pro"]


async def test_a_heat_set_below_the_floor_ends_the_rounds() -> None:
    room = ScriptedDebate(max_rounds=5, judges=())
    room.at("round/1/con", HeatSet(by="mia", heat=0.05))
    debate = await room.debate()
    assert (len(debate.rounds), debate.closing_heat) == (1, 0.05)


async def test_an_unreadable_quality_is_skipped_and_two_running_are_told_to_the_moderator_alone() -> None:
    room = ScriptedDebate({"crit/validate": GARBLED}, max_rounds=3, judges=())
    debate = await room.debate()
    assert [r.gamma for r in debate.rounds] == [None, None, None]
    assert debate.ended == "the limit of 3 rounds was reached"
    warnings = [said for said in await room.said() if said.about == "warning"]
    assert [(said.speaker, said.to) for said in warnings] == [("crit", ("moderator",))] * 2


async def test_quality_is_compared_with_the_last_readable_one() -> None:
    def score(call: Call) -> Any:
        if call.step.startswith("round/2"):
            return GARBLED
        value = 8 if call.step.startswith("round/1") else 2
        return {"justification": "It bears on the claim.", "quotes": [], "validity": value, "credibility": 5}

    debate = await ScriptedDebate({"crit/validate": score}, max_rounds=5, judges=()).debate()
    assert [r.gamma is None for r in debate.rounds] == [False, True, False]
    assert debate.ended == "argument quality fell by more than its noise"


async def test_after_the_closings_everything_that_does_not_depend_on_each_other_runs_side_by_side() -> None:
    room = ScriptedDebate(seconds=0.02, judges=("judge-1", "judge-2"), compare_qa=True)
    debate = await room.debate()
    rulings = [f"judging/{j}/{c}-claims/topic/{n}" for j in room.cfg.judges for c in "AB" for n in (1, 2)]
    assert room.flew_together(*rulings, "conciliation/draft", "closing/crit/pro/closing/reasons") or room.flew_together(
        *rulings, "conciliation/draft"
    )
    assert debate.judgement is not None
    assert debate.comparison is not None
    assert debate.analysis is not None


async def test_crit_runs_once_a_round_and_once_more_after_the_closings() -> None:
    room = ScriptedDebate(max_rounds=2, judges=())
    await room.debate()
    results = await room.results()
    new = {key: len(result["new"]) for key, result in results.items() if key.endswith("crit/quality")}
    # Openings and rebuttals, then rebuttals, then closings: two reasons a speech, each scored once.
    assert new == {"round/1/crit/quality": 8, "round/2/crit/quality": 4, "closing/crit/quality": 4}


async def test_a_fall_within_the_noise_goes_on_and_the_papers_bare_rule_ends_at_any() -> None:
    """A speech's reasons have γ 3 and 9, in round 2 one point less, in round 3 one more: Γ falls by little, once."""

    def score(call: Call) -> dict[str, Any]:
        value = (
            (3 if "/1/score" in call.step else 9) - call.step.startswith("round/2") + call.step.startswith("round/3")
        )
        return {"justification": "It bears on the claim.", "quotes": [], "validity": value, "credibility": 5}

    ends = {}
    for stop in ("noise", "paper"):
        debate = await ScriptedDebate({"crit/validate": score}, max_rounds=3, judges=(), stop=stop).debate()
        ends[stop] = (len(debate.rounds), debate.ended)
        fall = (debate.rounds[0].gamma or 0) - (debate.rounds[1].gamma or 0)
        assert 0 < fall < (debate.rounds[1].noise or 0)
    assert ends == {"noise": (3, "the limit of 3 rounds was reached"), "paper": (2, "argument quality fell")}


async def test_two_falls_running_end_the_rounds_however_small() -> None:
    falling = {f"round/{n}": 8 - n for n in range(1, 6)}

    def score(call: Call) -> dict[str, Any]:
        value = next((v for key, v in falling.items() if call.step.startswith(key)), 5) + (
            2 if "/1/score" in call.step else -2
        )
        return {"justification": "It bears on the claim.", "quotes": [], "validity": max(1, value), "credibility": 5}

    debate = await ScriptedDebate({"crit/validate": score}, max_rounds=5, judges=()).debate()
    assert (len(debate.rounds), debate.ended) == (3, "argument quality fell twice running")
    assert debate.rounds[0].noise is None, "there is nothing before the first round"
