"""A debate in which small models sit: the same course, asked in another way; mixed with others; cut off anywhere."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import Any

import pytest

from elenchus.debate_engine.events import Guidance, Question, Seat, SessionStarted, StepDone, TurnAnswered, TurnOpened
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.crit.report import of_quality
from elenchus.debate_engine.protocols.judging.marks import First
from elenchus.debate_engine.protocols.judging.report import of_judgement
from elenchus.debate_engine.protocols.judging.rubric import RULING
from elenchus.debate_engine.protocols.judging.schemas import NO_REASONS, PlainRuling
from elenchus.debate_engine.protocols.socrasynth.turns import DEEPEN
from elenchus.debate_engine.protocols.speech import SIDES, Topic
from tests.debate_engine.dry_run.planned import planned as plan
from tests.debate_engine.protocols.socrasynth.scripted_debate import Answer, ScriptedDebate
from tests.debate_engine.scripted_session import shown

QUESTION = "Should a city ban private cars from its centre?"
CLAIM = "A city should ban private cars from its centre."
TOPICS = (
    Topic(pro_concern="clean air", con_concern="local shops", scope="Trade and health."),
    Topic(pro_concern="quiet streets", con_concern="free movement", scope="Daily life."),
)
ALL = ("pro", "con", "crit", "judge-1")
BEGIN = re.compile(r"go on from them: (.*)$", re.DOTALL)
SCAFFOLD = re.compile(r"#|\*\*|\b(topic|motion|proponent|opponent|heat|contentiousness)\b", re.IGNORECASE)


def words_of(call: Call) -> str:
    """What the model was asked to go on from, and a sentence or two, different for each step."""
    found = BEGIN.search(shown(call))
    assert found, shown(call)
    step = call.step.translate(str.maketrans("/123", " abc"))
    return f"{found[1]} counts for people in {step}. Private cars fill the centre. Cut of"


def concern(call: Call) -> str:
    named = {"agree": ("clean air", "safety", "health"), "disagree": ("local shops", "trade", "free movement")}
    verb = "disagree" if "that would be bad for" in shown(call) else "agree"
    assert "that would be good for" in shown(call) or verb == "disagree"
    return f"the importance of {named[verb][int(call.step[-1]) % 3]} in general."


SMALL: dict[str, Answer] = {
    "socrasynth/small/speak": words_of,
    "socrasynth/small/answer": words_of,
    "socrasynth/small/compromise": words_of,
    "socrasynth/small/concern": concern,
    "socrasynth/small/statement": {"statement": CLAIM},
    "socrasynth/small/sign": {"sign": True},
    "crit/small_validate": {"validity": 6, "credibility": 4},
    "judging/small_ruling": {"first": 7, "second": 3, "better": "first"},
}


def cars_debate(answers: dict[str, Answer] | None = None, **settings: Any) -> ScriptedDebate:
    """A debate on the question about cars; every seat is small unless `small` says otherwise."""

    class Cars(ScriptedDebate):
        def started(self) -> SessionStarted:
            return super().started().model_copy(update={"title": QUESTION})

    given: dict[str, Any] = {"motion": QUESTION, "agenda": TOPICS, "small": ALL} | settings
    return Cars({**SMALL, **(answers or {})}, **given)


async def test_small_models_debate_topic_by_topic_and_nothing_of_the_prompts_is_in_a_speech() -> None:
    played = cars_debate(max_rounds=2)
    outcome = await played.debate()
    speeches = [s for s in await played.said() if s.speaker in SIDES]
    assert [(s.speaker, s.about) for s in speeches] == [
        (side, about) for about in ("opening", "round 1", "round 2", "closing") for side in SIDES
    ]
    for speech in speeches:
        assert len(speech.text.split("\n\n")) == len(TOPICS)
        assert not SCAFFOLD.search(re.sub(r"topic [ab] sample", "", speech.text)), speech.text
        assert speech.text.endswith(".")
        assert ("should not ban" in speech.text) == (speech.speaker == "con")
    assert outcome.winner == "tie", "a judge that always likes the first speaker decides nothing"
    assert outcome.judgement
    assert outcome.judgement.swap.flipped == len(TOPICS)
    assert outcome.analysis is None
    assert outcome.proposal
    assert [row.signed_by for row in outcome.proposal.topics] == [("pro", "con")] * 2


async def test_its_steps_are_named_by_turn_side_topic_and_sample() -> None:
    played = cars_debate()
    await played.debate()
    turns = [f"{turn}/{side}" for turn in ("opening", "round/1", "closing") for side in SIDES]
    wanted = {f"{turn}/topic/{n}/sample/{k}" for turn in turns for n in (1, 2) for k in (1, 2, 3)}
    assert {step for step in played.steps if "/sample/" in step and "draft" not in step} == wanted


async def test_its_prompts_hold_no_headings_no_bands_and_only_the_opponents_words_on_the_topic() -> None:
    played = cars_debate()
    await played.debate()
    for call in played.client.asked:
        if call.prompt_id.startswith("socrasynth/small/"):
            assert "#" not in shown(call)
            assert "ontentiousness" not in shown(call)
            assert call.schema is not None or call.temperature in {0.3, 0.35, 0.7}
    (reply,) = [shown(c) for c in played.client.asked if c.step == "round/1/con/topic/2/sample/1"]
    assert "round a pro topic b sample" in reply
    assert "topic a" not in reply
    assert "I disagree about quiet streets as well. That would also harm free movement: it would" in reply
    (first,) = [shown(c) for c in played.client.asked if c.step == "round/1/con/topic/1/sample/1"]
    assert "A city should not ban private cars from its centre, because that would harm local shops: it would" in first


async def test_the_agenda_is_made_of_the_concerns_that_each_side_names() -> None:
    played = cars_debate(agenda=(), topics=2)
    outcome = await played.debate()
    named = {"clean air", "safety", "health"}, {"local shops", "trade", "free movement"}
    assert all(t.pro_concern in named[0] and t.con_concern in named[1] for t in outcome.agenda)
    assert len({t.title for t in outcome.agenda}) == 2


async def test_the_one_concern_that_both_sides_name_is_the_agenda() -> None:
    played = cars_debate({"socrasynth/small/concern": "clean air"}, agenda=(), topics=2)
    assert [topic.title for topic in (await played.debate()).agenda] == ["clean air"]


async def test_small_models_that_named_no_concern_are_asked_again_when_the_debate_is_resumed() -> None:
    played = cars_debate({"socrasynth/small/concern": "1.2.2.1 vs"}, agenda=(), topics=2)
    assert (await played.run()).reason == "neither side named a readable concern"
    played.answers["socrasynth/small/concern"] = concern
    assert len((await played.debate()).agenda) == 2


async def test_the_most_frequent_concern_is_the_first_topic_and_nonsense_is_none() -> None:
    def one(call: Call) -> str:
        return "1.2.2.1 vs" if int(call.step.rsplit("/", 1)[1]) % 2 else concern(call)

    outcome = await cars_debate({"socrasynth/small/concern": one}, agenda=(), topics=3).debate()
    assert outcome.agenda
    assert not any(re.search(r"\d", t.title) for t in outcome.agenda)


async def test_sides_that_name_the_same_concern_first_find_a_topic_in_what_they_name_with_it() -> None:
    same = "the environment and human health."
    outcome = await cars_debate({"socrasynth/small/concern": same}, agenda=(), topics=1).debate()
    assert [topic.title for topic in outcome.agenda] == ["the environment vs. human health"]


async def test_a_concern_that_is_cut_short_by_the_limit_of_tokens_is_read() -> None:
    played = cars_debate(agenda=(), topics=1)
    await played.debate()
    for call in played.client.asked:
        if call.prompt_id == "socrasynth/small/concern":
            assert "." not in BEGIN.findall(shown(call))[0], "what is cut is cut after the last full stop"


@pytest.mark.parametrize("small", ["pro", "con"])
async def test_a_small_model_debates_against_a_standard_one(small: str) -> None:
    one = {"items": [{"number": 1, "proposal": "Close some streets."}]}
    signed = {"items": [{"number": 1, "decision": "sign", "proposal": ""}]}
    answers: dict[str, Answer] = {"socrasynth/draft-proposal": one, "socrasynth/review-proposal": signed}
    played = cars_debate(answers, small=(small,), agenda=(), topics=1, max_rounds=1)
    outcome = await played.debate()
    asked = {c.prompt_id for c in played.client.asked if c.step.startswith(("opening", "round/1", "closing"))}
    assert {"socrasynth/small/speak", "socrasynth/small/answer", "socrasynth/opening", "socrasynth/refutation"} <= asked
    by = {call.prompt_id.startswith("socrasynth/small") for call in played.client.asked if f"/{small}" in call.step}
    assert True in by
    assert len(outcome.agenda) == 1
    assert "crit/validate" in {c.prompt_id for c in played.client.asked}, "crit is a standard model here"
    assert outcome.proposal
    assert not outcome.proposal.missing


async def test_topics_that_a_person_has_written_stand_as_they_are_against_a_small_model() -> None:
    played = cars_debate(small=("con", "crit", "judge-1"), agenda=(), topics=2)
    own = [Topic(pro_concern="health and sleep", con_concern="working parents", scope="When lessons begin.")]
    whole = played.started

    def with_a_person() -> SessionStarted:
        event = whole()
        seats = [seat.model_copy(update={"spec": HUMAN}) if seat.name == "pro" else seat for seat in event.seats]
        return event.model_copy(update={"seats": tuple(seats)})

    played.started = with_a_person  # type: ignore[method-assign]
    running = asyncio.create_task(played.run())
    try:
        turn = await _event(played.log, TurnOpened)
        answer = {"topics": [topic.model_dump() for topic in own]}
        await played.log.send("s", TurnAnswered(step=turn.step, seat="pro", by="Rosa", answer=answer))
        agreed = await _event(played.log, StepDone, step="agenda/agreed")
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert [Topic.model_validate(one) for one in agreed.result] == own
    assert not [call for call in played.client.asked if call.prompt_id == "socrasynth/small/concern"]


async def _event(log: MemoryLog, kind: type[Any], **wanted: str) -> Any:
    """The first event of this kind in which these stand, once it is there."""
    async with asyncio.timeout(10):
        while True:
            events = [r.event for r in await log.read("s")] if await log.sessions() else []
            found = [e for e in events if isinstance(e, kind) and all(getattr(e, k) == v for k, v in wanted.items())]
            if found:
                return found[0]
            await asyncio.sleep(0.01)


async def test_a_speech_without_a_usable_sentence_is_no_speech_and_a_score_that_cannot_be_read_is_none() -> None:
    played = cars_debate(
        {"socrasynth/small/speak": "I cannot", "crit/small_validate": "many", "judging/small_ruling": "A!"}
    )
    outcome = await played.debate()
    (opening, *_) = [s for s in await played.said() if s.speaker == "pro"]
    assert opening.text.startswith("(gave no speech)")
    assert outcome.quality
    assert outcome.quality.gamma is None
    assert outcome.winner == "undecided"


async def test_a_debate_of_small_models_cut_off_anywhere_ends_as_if_undisturbed() -> None:
    whole = cars_debate(agenda=(), topics=2)
    outcome = await whole.debate()
    events = await whole.log.read("s")
    for cut in range(1, len(events), 17):
        resumed = cars_debate(agenda=(), topics=2)
        resumed.log = MemoryLog()
        await resumed.log.restore("s", events[:cut])
        assert await resumed.debate() == outcome, cut
        recorded = {r.event.step for r in events[:cut] if isinstance(r.event, StepDone)}
        assert not recorded & set(resumed.steps), cut


async def test_the_plan_counts_what_small_models_are_asked() -> None:
    played = cars_debate(agenda=TOPICS)
    await played.debate()
    seats = [Seat(name=name, spec="scripted:debate") for name in (*ALL, "answerer")]
    planned = await asyncio.to_thread(plan, "socrasynth", played.cfg, seats, seed=1)
    asked = Counter(call.prompt_id for call in played.client.asked)
    most = Counter[str]()
    for row in planned.calls:
        most[row.what] += row.count
    signing = "socrasynth/small/sign"  # asked once more where somebody amends
    assert most.pop(signing) == 2 * asked.pop(signing)
    assert most == asked


async def test_guidance_and_facts_reach_a_small_model_before_its_question() -> None:
    played = cars_debate(brief="The centre has forty shops.")
    played.at("agenda/announced", Guidance(by="m", to=("pro",), text="Speak of children"))
    played.at("opening/pro/topic/1/sample/1", Guidance(by="m", to=("con",), text="Speak of money"))
    await played.debate()
    by_step = {call.step: shown(call) for call in played.client.asked}
    assert "The centre has forty shops. A city should ban" in by_step["opening/pro/topic/1/sample/1"]
    assert "Speak of money. " in by_step["round/1/con/topic/1/sample/1"]
    assert "Speak of money" not in by_step["round/1/pro/topic/1/sample/1"]


async def test_a_question_and_a_reason_to_deepen_reach_a_small_model_as_one_line_without_a_fence() -> None:
    played = cars_debate(max_rounds=2, coach=True)
    question = Question(by="mia", to="con", text="Who pays?\n### The claim\nTell us")
    played.at("opening/pro/topic/1/sample/1", question)
    await played.debate()
    speeches = [c for c in played.client.asked if c.prompt_id in {"socrasynth/small/speak", "socrasynth/small/answer"}]
    by_step = {call.step: shown(call) for call in speeches}
    assert "Who pays? ### The claim Tell us." in by_step["round/1/con/topic/1/sample/1"]
    (deepen, *_) = [said for said in await played.said() if said.about == "deepen"]
    reason = " ".join(deepen.text.removeprefix(DEEPEN).split()[:5])
    assert any(text.startswith(reason) for step, text in by_step.items() if f"/{deepen.to[0]}/" in step)
    assert not [text for text in by_step.values() if "~~~" in text or "put to you" in text or DEEPEN in text]


async def test_the_report_says_once_that_a_small_judge_gave_no_reasons_and_shows_no_empty_list() -> None:
    outcome = await cars_debate().debate()
    assert outcome.judgement
    assert "\n".join(of_judgement(outcome.judgement, str)).count(NO_REASONS) == 1
    assert outcome.quality
    report = "\n".join(of_quality(CLAIM, TOPICS, outcome.quality))
    assert "Reasons" in report
    assert "Why these scores" not in report


@pytest.mark.parametrize("claimant, points, winner", [("A", (7, 3), "A"), ("B", (3, 7), "B")])
def test_a_small_judge_knows_the_sides_by_their_place(claimant: First, points: tuple[int, int], winner: str) -> None:
    ruling = PlainRuling(first=7, second=3, better="first").ruling(claimant)
    assert tuple(RULING.points(ruling, side) for side in ("a", "b")) == points
    assert ruling.winner == winner
