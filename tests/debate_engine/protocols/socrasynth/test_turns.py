"""Who speaks when, and who sees what."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.events import EVERYONE, Guidance, Question
from elenchus.debate_engine.llm.client import Call
from tests.debate_engine.protocols.socrasynth.scripted_debate import (
    GARBLED,
    MOTION,
    TOPICS,
    Answer,
    ScriptedDebate,
    speech_of,
)

SPEECHES = {"socrasynth/opening", "socrasynth/refutation", "socrasynth/closing"}


def side_of(call: Call) -> str:
    return call.step.rsplit("/", 1)[-1]


async def test_openings_and_closings_are_spoken_side_by_side_and_rebuttals_in_turn() -> None:
    room = ScriptedDebate(seconds=0.01, judges=())
    await room.debate()
    assert room.flew_together("opening/pro", "opening/con")
    assert room.flew_together("closing/pro", "closing/con")
    assert not room.flew_together("round/1/pro", "round/1/con")


async def test_con_answers_a_rebuttal_that_it_has_heard_unless_both_speak_at_once() -> None:
    turns, at_once = ScriptedDebate(judges=()), ScriptedDebate(simultaneous=True, seconds=0.01, judges=())
    await turns.debate()
    await at_once.debate()
    assert "[round/1/pro]" in turns.words("round/1/con")
    assert at_once.flew_together("round/1/pro", "round/1/con")
    assert "[round/1/pro]" not in at_once.words("round/1/con")
    assert "[round/1/pro]" in at_once.words("closing/con")


async def test_a_side_sees_its_stance_the_agenda_the_heat_its_own_speeches_and_its_opponents() -> None:
    room = ScriptedDebate(brief="Pupils sleep seven hours.", judges=())
    await room.debate()
    shown = room.words("round/1/con")
    for part in (
        MOTION, "you argue against the motion", "1. rest vs. practice - What evenings are for.",
        "Contentiousness is 0.75", "Pupils sleep seven hours.", "[opening/con]", "[opening/pro]", "about 80 words",
    ):  # fmt: skip
        assert part in shown, part
    assert "[round/1/con]" in room.words("closing/con")


async def test_no_side_ever_sees_a_score_a_judges_word_or_the_other_sides_guidance() -> None:
    secret: dict[str, Answer] = {
        "crit/validate": {"justification": "SCORESECRET it bears on the claim.", "quotes": [], "validity": 3,
                          "credibility": 4},
        "judging/ruling": {"rationale": "JUDGESECRET", "a_validity": 7, "a_credibility": 7, "b_validity": 6,
                           "b_credibility": 6, "winner": "A"},
    }  # fmt: skip
    room = ScriptedDebate(secret, max_rounds=2)
    room.at("opening/pro", Guidance(by="mia", to=("con",), text="GUIDANCE for con"))
    room.at("round/1/pro", Question(by="mia", to="pro", text="QUESTION to pro"))
    await room.debate()
    sides = [c for c in room.client.asked if c.prompt_id.startswith("socrasynth/")]
    shown = {call.step: "\n".join(m.content for m in call.messages) for call in sides}
    assert not [s for s, text in shown.items() if "SCORESECRET" in text or "JUDGESECRET" in text or "weakest" in text]
    assert {s.rsplit("/", 1)[-1] for s, text in shown.items() if "GUIDANCE for con" in text} == {"con"}
    assert {s.rsplit("/", 1)[-1] for s, text in shown.items() if "QUESTION to pro" in text} == {"pro"}
    judges = [c for c in room.client.asked if c.prompt_id == "judging/ruling"]
    assert judges
    assert not [c for c in judges if any("GUIDANCE" in m.content or "QUESTION" in m.content for m in c.messages)]


async def test_guidance_to_both_sides_reaches_both_and_is_told_once() -> None:
    room = ScriptedDebate(max_rounds=2, judges=())
    room.at("opening/pro", Guidance(by="mia", to=("pro", "con"), text="Be BRIEF now."))
    await room.debate()
    assert "Be BRIEF now." in room.words("round/1/pro")
    assert "Be BRIEF now." in room.words("round/1/con")
    assert "Be BRIEF now." not in room.words("round/2/pro")


async def test_a_turn_is_one_text_with_a_heading_a_topic_and_a_small_question_after_it() -> None:
    room = ScriptedDebate(judges=())
    await room.debate()
    spoken = [c for c in room.client.asked if c.prompt_id in SPEECHES]
    assert len(spoken) == 6
    assert all(c.schema is None for c in spoken)
    assert room.counted["round/1/done/pro"] == room.counted["round/1/done/con"] == 1
    assert all(c.schema is not None for c in room.of("anything-more"))


async def test_speeches_ask_for_sources_that_are_known_and_for_doubts_about_the_others() -> None:
    room = ScriptedDebate(judges=())
    await room.debate()
    assert "evidence" in room.words("opening/pro")
    for step in ("opening/con", "round/1/pro"):
        assert "name a source where you know it, do not invent one, and say so where you are unsure" in room.words(step)
    assert "Challenge those of your opponent's facts and sources that you doubt" in room.words("round/1/con")
    assert "lean on no fact that was doubted and not backed up" in room.words("closing/con")


async def test_everyone_hears_a_speech_and_judges_read_a_topics_exchange_and_both_whole_closings() -> None:
    room = ScriptedDebate(judges=())
    await room.debate()
    speeches = [s for s in await room.said() if s.about in ("opening", "round 1", "closing")]
    assert [(s.speaker, s.about) for s in speeches] == [
        ("pro", "opening"), ("con", "opening"), ("pro", "round 1"), ("con", "round 1"), ("pro", "closing"),
        ("con", "closing"),
    ]  # fmt: skip
    assert {s.to for s in speeches} == {(EVERYONE,)}
    judged = ScriptedDebate()
    await judged.debate()
    first = judged.words("judging/judge-1/A-claims/topic/1")
    assert f"[opening/pro] on {TOPICS[0].pro_concern}." in first
    assert f"[opening/pro] on {TOPICS[1].pro_concern}." not in first
    assert f"[closing/con] on {TOPICS[1].pro_concern}." in first


async def test_a_side_without_a_readable_speech_is_heard_as_silent_and_the_debate_goes_on() -> None:
    def speak(call: Call) -> object:
        return GARBLED.model_copy(update={"fault": "empty"}) if call.step == "round/1/con" else speech_of(call)

    room = ScriptedDebate({"socrasynth/refutation": speak}, max_rounds=2, judges=())
    debate = await room.debate()
    (silent,) = [s for s in await room.said() if s.speaker == "con" and s.about == "round 1"]
    assert silent.text.startswith("(gave no speech)")
    assert len(debate.rounds) == 2


@pytest.mark.parametrize(
    ("language", "sentence"), [("", "in the language of the motion"), ("Greek", "Write in Greek.")]
)
async def test_speeches_are_in_the_motions_language_or_the_one_that_was_set(language: str, sentence: str) -> None:
    room = ScriptedDebate(language=language, judges=())
    await room.debate()
    for step in ("opening/pro", "round/1/con", "closing/pro", "conciliation/draft"):
        assert sentence in room.words(step), step
