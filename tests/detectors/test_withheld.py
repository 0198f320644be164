"""An agent of a detection that reads its prompt out is sent back once; then its words are in no debate and no talk."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.withholding import WITHHELD, leak_in
from elenchus.detectors.context import prompts
from tests.debate_engine.scripted_session import shown
from tests.detectors.scripted_detection import LOSS, NAMES, SUNK, TEXT, DetectionSession

CANARIES = ("your rival holds that", "never tells you what to do", "You talk with colleagues", "Say what you think, in")


def none_of(text: str) -> bool:
    return not [canary for canary in CANARIES if canary.casefold() in text.casefold()]


async def test_a_debater_that_reads_out_its_prompt_gives_no_speech_and_the_referees_are_not_shown_it() -> None:
    detection = DetectionSession({"detectors/argument": shown}, {"labels": (SUNK, LOSS)})
    found = await detection.found()
    (match,) = found.matches
    declined = [speech.declined for speech in match.speeches if speech.stage == "argument"]
    assert declined == [WITHHELD] * 2
    assert none_of(found.model_dump_json())
    marked = [shown(call).partition("%%")[0] for call in detection.of("marks")]
    assert marked
    assert all("your rival holds that" not in text.casefold() for text in marked)
    notes = [s.text for s in await detection.said() if s.to == ("moderator",) and "withheld" in s.text]
    assert len(notes) == 2
    assert none_of("\n".join(notes))


@pytest.mark.parametrize("method", ["dialogue", "group"])
async def test_a_talker_that_reads_out_its_prompt_says_nothing(method: str) -> None:
    detection = DetectionSession({"detectors/talk": lambda call: shown(call).upper()}, {"method": method})
    found = await detection.found()
    talk = [remark.text for remark in found.talk if remark.agent in ("expert", "psychologist")]
    assert talk
    assert set(talk) == {""}
    assert none_of(found.model_dump_json())


async def test_who_argues_from_the_text_and_the_signs_is_not_sent_back() -> None:
    honest = (
        f"I hold that it is sunk cost fallacy; my rival says loss aversion. The text says “{TEXT[:40]}”. Refuting my "
        "rival: the case for loss aversion fails. The text shows the sunk cost fallacy rather than the other."
    )
    known = {"own": NAMES[SUNK], "rival": NAMES[LOSS], "signs": "Money that is gone.", "text": TEXT, "heard": ""}
    more = {"knowledge": "What it is.", "rival_knowledge": "What the other is.", "words": 100}
    for prompt in (prompts.introduction, prompts.argument, prompts.refutation, prompts.summary):
        given = {name: value for name, value in (known | more).items() if name in prompt.variables}
        assert leak_in(honest, prompt, given) == ""
    detection = DetectionSession({}, {"labels": (SUNK, LOSS)})
    await detection.found()
    assert not [step for step in detection.steps if step.endswith("/again")]
