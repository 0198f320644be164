"""What a side reads: the debate in its order, so that prompts grow at their end; a tone that fits; its language."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from elenchus.debate_engine.llm.anthropic import request_body
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.protocols.socrasynth import heat as heats
from elenchus.debate_engine.protocols.socrasynth.claim import is_question
from tests.debate_engine.protocols.socrasynth.scripted_debate import GARBLED, ScriptedDebate

BRIEF = "Pupils sleep seven hours."


def asked(room: ScriptedDebate, side: str) -> list[Call]:
    """What a side was asked about the debate itself, in order."""
    ids = {f"socrasynth/{name}" for name in ("opening", "refutation", "closing", "anything-more", "review-proposal")}
    return [call for call in room.client.asked if call.prompt_id in ids and call.step.endswith(side)]


def material(call: Call) -> str:
    """The part of a prompt before what is asked now: up to the end of the last speech."""
    body = call.messages[-1].content
    speech = re.compile(r"^### (?:You|Your opponent), .+\n~{6,}\n(?:.|\n)*?\n~{6,}$", re.MULTILINE)
    ends = [found.end() for found in speech.finditer(body)]
    return body[: ends[-1]] if ends else body[: body.index("Give your opening speech")]


async def test_each_prompt_of_a_side_begins_with_the_material_of_the_one_before_it() -> None:
    """Prefix caching: role, brief, agenda and all that was said so far are the same to the letter."""
    room = ScriptedDebate(max_rounds=4, judges=(), brief=BRIEF)
    room.at("round/1/pro")
    await room.debate()
    for side in ("pro", "con"):
        calls = asked(room, side)
        assert len(calls) >= 9
        for before, after in pairwise(calls):
            assert after.messages[0] == before.messages[0]
            assert after.messages[-1].content.startswith(material(before)), (before.step, after.step)
        shares = [len(material(a)) / len(b.messages[-1].content) for a, b in pairwise(calls[1:])]
        assert min(shares[2:]) > 0.5, "most of a prompt has been read before"


async def test_speeches_stand_in_their_order_each_under_its_speaker_and_turn_and_the_heat_stands_last() -> None:
    room = ScriptedDebate(max_rounds=2, judges=())
    await room.debate()
    shown = room.words("closing/con")
    headings = re.findall(r"^### (.+)$", shown, re.MULTILINE)
    assert headings == [
        "The agenda", "Your opponent, opening", "You, opening", "Your opponent, round 1", "You, round 1",
        "Your opponent, round 2", "You, round 2",
    ]  # fmt: skip
    task = shown.rsplit("~~~~~~", 1)[1]
    assert task.index("Give your closing speech") < task.index("Contentiousness is")


async def test_a_small_context_digests_the_oldest_speeches_first_and_the_opponents_last_one_last() -> None:
    from elenchus.debate_engine.events import Said
    from elenchus.debate_engine.llm.budget import estimate_tokens
    from elenchus.debate_engine.prompts import Section, fenced
    from elenchus.debate_engine.protocols.socrasynth.turns import spoken
    from elenchus.debate_engine.truncation import truncated

    words = "Sleep matters. " + "It does so very much indeed. " * 40
    said = [Said(step=f"{n}", input_hash="", speaker=who, to=("*",), text=words, about=f"round {n}") for n, who in
            enumerate(("pro", "con", "pro", "con"))]  # fmt: skip
    sections: tuple[Section, ...] = spoken("pro", said)
    full = sum(estimate_tokens(s.text) + estimate_tokens(s.title) for s in sections)
    fitted = truncated(sections, full - 10, estimate_tokens)
    assert fitted.left_out == ("You, round 0 (summarised)",)
    fitted = truncated(sections, full // 2, estimate_tokens)
    assert fitted.material[-1] == sections[-1], "the opponent's last speech is whole"
    assert all(s.text.endswith("\n~~~~~~") for s in fitted.material)
    assert fitted.material[0].text == fenced("Sleep matters.")


async def test_anthropic_is_told_what_to_keep_and_each_longer_prompt_begins_with_the_blocks_of_the_last() -> None:
    room = ScriptedDebate(max_rounds=3, judges=(), brief=BRIEF)
    await room.debate()
    bodies = [request_body(call, frozenset(), 0, stream=False) for call in asked(room, "pro")]
    contents = [body["messages"][0]["content"] for body in bodies]
    assert isinstance(contents[0], str), "nothing was said yet: there is nothing that comes again"
    for call, blocks in zip(asked(room, "pro")[1:], contents[1:], strict=True):
        assert "".join(block["text"] for block in blocks) == call.messages[-1].content
        marks = [n for n, block in enumerate(blocks) if "cache_control" in block]
        assert marks == [len(blocks) - 2], "one mark, before what is asked now"
    for before, after in pairwise(contents[1:]):
        texts = [[block["text"] for block in blocks[:-1]] for blocks in (before, after)]
        assert texts[1][: len(texts[0])] == texts[0]


# ── tone ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("heat", [0.5, 0.45, 0.3, 0.1, 0.05, 0.0])
async def test_at_a_low_heat_a_side_concedes_within_its_side_and_argues_for_no_other(heat: float) -> None:
    room = ScriptedDebate(judges=(), heat=heat, floor=0.0, decay=1.1)
    await room.debate()
    steps = ("opening/pro", "opening/con", "closing/pro", *(["round/1/con"] if heat else []))
    for step in steps:
        shown = room.words(step)
        assert "for neither side" not in shown
        assert "support for the other position" not in shown
        assert "your side" in shown.split("Tone:")[1] or "where you stand" in shown.split("Tone:")[1]


def test_the_sweep_still_measures_the_papers_table() -> None:
    assert "for neither side" in heats.describe(0.5)
    assert heats.describe(0.9, heats.OWN_SIDE) == heats.describe(0.9)


# ── a motion put as a question ───────────────────────────────────────────────────────────────────────────────────

CLAIM = "Homework should be abolished."


async def test_a_motion_put_as_a_question_becomes_a_claim_in_one_step_that_everyone_is_shown() -> None:
    room = ScriptedDebate({"socrasynth/claim": {"claim": f" {CLAIM}\n"}}, motion="Should homework be abolished?")
    debate = await room.debate()
    assert debate.claim == CLAIM
    assert room.counted["claim"] == 1
    (told,) = [said for said in await room.said() if said.about == "claim"]
    assert (told.speaker, told.to, told.text) == ("moderator", ("*",), CLAIM)
    weighed = [
        call for call in room.client.asked if call.prompt_id in ("crit/reasons", "crit/validate", "crit/analyse")
    ]
    assert len(weighed) > 5
    assert all(f"### The claim\n~~~~~~\n{CLAIM}\n~~~~~~" in call.messages[-1].content for call in weighed)
    assert "you argue for the claim that stands for this question" in room.words("opening/pro")
    assert f"### The claim that is debated\n~~~~~~\n{CLAIM}\n~~~~~~" in room.words("round/1/con")
    ruling = room.words("judging/judge-1/A-claims/topic/1")
    assert f"The claim that stands for it: {CLAIM}" in ruling
    assert "Side A makes this claim: the claim should be accepted" in ruling


async def test_a_motion_that_is_a_claim_needs_no_step_and_an_unreadable_claim_leaves_the_motion() -> None:
    plain = ScriptedDebate(judges=())
    assert (await plain.debate()).claim == ""
    assert not plain.counted["claim"]
    lost = ScriptedDebate({"socrasynth/claim": GARBLED}, judges=(), motion="Should homework be abolished?")
    assert (await lost.debate()).claim == ""
    assert "you argue for the motion" in lost.words("opening/pro")


@pytest.mark.parametrize(
    ("motion", "asks"),
    [("Should it end?", True), ("“Should it end?”", True), ("它应该结束吗？", True), ("هل يجب؟", True),
     ("It should end.", False), ("It should end; now;", False), ("Whether? It should.", False)],
)  # fmt: skip
def test_a_question_is_told_by_its_mark(motion: str, asks: bool) -> None:
    assert is_question(motion) is asks


# ── language ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_language_reaches_every_seat_that_writes() -> None:
    settings: dict[str, Any] = {"language": "German", "coach": True, "compare_qa": True, "max_rounds": 2}
    room = ScriptedDebate(motion="Should homework end?", **settings)
    await room.debate()
    silent = {"socrasynth/anything-more"}
    told = {call.prompt_id for call in room.client.asked if "German" in call.messages[-1].content}
    assert {call.prompt_id for call in room.client.asked} - told == silent
    assert {"crit/reasons", "crit/validate", "crit/analyse", "judging/ruling", "judging/preference",
            "judging/plain_answer", "socrasynth/claim"} <= told  # fmt: skip
    for call in room.client.asked:
        if "Deepen this reason of yours" in call.messages[-1].content:
            assert call.messages[-1].content.count("Write in German.") == 1
