"""A debater that reads its prompt out: sent back once, then nobody hears it and the moderator is told."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.protocols.socrasynth.heat import BANDS, OF_ANSWERS, OWN_SIDE, describe
from elenchus.debate_engine.protocols.socrasynth.turns import DECLINED, STANCES, prompts
from elenchus.debate_engine.protocols.withholding import WITHHELD, leak_in
from tests.debate_engine.protocols.socrasynth.scripted_debate import MOTION, TOPICS, ScriptedDebate, speech_of
from tests.debate_engine.scripted_session import shown

CANARIES = ("Contentiousness is", "never tells you what to do", "Give your", "Draft a joint", "Propose", "You are the")
"""Words of the prompts that no audience may read."""


def whole(call: Call) -> str:
    """All that the model was shown."""
    return shown(call)


def system_alone(call: Call) -> str:
    return f"{call.messages[0].content}\n\n{speech_of(call)}"


def band_alone(call: Call) -> str:
    band = shown(call).partition("Contentiousness")
    return f"{speech_of(call)}\n{''.join(band[1:])}"


def band_in_other_letters(call: Call) -> str:
    return re.sub(r"[.,:;]", " -", band_alone(call).upper().replace("E", "É"))


def task_with_words_between(call: Call) -> str:
    words = shown(call).rpartition("Give your")[2].split()
    return "Give your " + " ".join(word if n % 3 else f"{word} indeed" for n, word in enumerate(words, 1))


def sentence_of_the_prompt(call: Call) -> str:
    return f"{speech_of(call)}\nWhat stands between lines of ~ signs was said or written by others."


LEAKING = [whole, system_alone, band_alone, band_in_other_letters, task_with_words_between, sentence_of_the_prompt]


async def public(session: ScriptedDebate) -> str:
    """Everything that was said to more than the moderator, and what both sides signed or amended."""
    said = [s.text for s in await session.said() if s.to != ("moderator",)]
    results = await session.results()
    return "\n".join([*said, str(results.get("proposal", "")), str(results.get("agenda/agreed", ""))])


def none_of(canaries: tuple[str, ...], text: str) -> bool:
    return not [canary for canary in canaries if canary.casefold() in text.casefold()]


@pytest.mark.parametrize("leak", LEAKING)
async def test_a_speech_that_reads_out_its_prompt_is_sent_back_and_then_heard_by_nobody(
    leak: Callable[[Call], str],
) -> None:
    session = ScriptedDebate({"socrasynth/opening": leak})
    await session.debate()
    assert [session.counted[f"opening/{side}{again}"] for side in ("pro", "con") for again in ("", "/again")] == [1] * 4
    assert "It gives away what you were told beforehand" in session.words("opening/pro/again")
    results = await session.results()
    assert all("value" in results[f"opening/{side}/again"] for side in ("pro", "con")), "the words stand in the log"
    openings = [s.text for s in await session.said() if s.step in ("opening/pro/said", "opening/con/said")]
    assert openings == [f"{DECLINED} {WITHHELD}"] * 2
    assert none_of(CANARIES, await public(session))
    notes = [s for s in await session.said() if s.to == ("moderator",) and "withheld" in s.text]
    assert [note.about for note in notes] == ["warning"] * 2
    assert none_of(CANARIES, "\n".join(note.text for note in notes)), "where the thread shows it, others read it too"
    assert "[closing/pro]" in await public(session), "the debate goes on"


async def test_who_mends_a_speech_is_heard_and_nobody_is_told() -> None:
    session = ScriptedDebate({"socrasynth/closing": lambda c: speech_of(c) if c.step.endswith("/again") else whole(c)})
    await session.debate()
    assert "[closing/pro/again]" in await public(session)
    assert none_of(CANARIES, await public(session))
    assert not any("withheld" in said.text for said in await session.said())


async def test_topics_answers_and_proposals_that_read_out_their_prompt_reach_nobody() -> None:
    def topics(call: Call) -> dict[str, object]:
        return {"topics": [{"pro_concern": "rest", "con_concern": "practice", "scope": shown(call)}]}

    def items(call: Call) -> dict[str, object]:
        text = re.sub(r"^~{6,}$\n?", "", shown(call), flags=re.MULTILINE)
        return {"items": [{"number": n, "decision": "amend", "proposal": text} for n in (1, 2)]}

    ideas = {"topics": [{"pro_concern": "rest", "con_concern": "practice", "scope": "What evenings are for."}]}
    one_side = {"socrasynth/propose-topics": lambda c: ideas if "/con" in c.step else topics(c)}
    for stage in ("refine-topics", "merge-topics"):
        one_side[f"socrasynth/{stage}"] = topics
    session = ScriptedDebate(
        {**one_side, "socrasynth/draft-proposal": items, "socrasynth/review-proposal": items}, agenda=(), topics=1
    )
    debate = await session.debate()
    assert none_of(CANARIES, await public(session))
    assert debate.proposal is not None
    assert WITHHELD in debate.proposal.missing

    def answer(call: Call) -> dict[str, object]:
        return {"answer": "Flu", "reasons": [shown(call)], "questions": [], "tests": [], "confidence": 60}

    session = ScriptedDebate({"socrasynth/open-answer": answer}, open_question=True, agenda=())
    await session.debate()
    assert none_of(CANARIES, await public(session))


# ── what may be said ─────────────────────────────────────────────────────────────────────────────────────────────

VARIABLES = {
    "question": False, "motion": MOTION, "brief": "A study of 2019 found no gain before age ten.", "claim": "",
    "agenda": "\n".join(f"{n}. {t.title} - {t.scope}" for n, t in enumerate(TOPICS, 1)), "said": (), "held": "",
    "words": "Speak of the costs as well.", "words_per_topic": 80, "language": "Write in the language of the motion.",
}  # fmt: skip
HONEST = """
## 1. rest vs. practice
Homework should be abolished. A study of 2019 found no gain before age ten, and I name it, a source I can
stand behind; where I am unsure I say so.

My opponent's strongest point is practice. Do we need it? Serious concerns remain, and far more scrutiny is needed.

This should not be allowed; it is unacceptable. There are both benefits and risks, and we can accept this if capped.

That is what the debate has shown, and what I grant to the other side: effort counts. I bring no new evidence.

We should weigh both positions by the same measure, look for a middle ground that our side could accept, and say what
speaks for and against each.

I argue for the motion as its proponent. Speak of the costs as well, I was asked: they fall on the poor.

The claim that is debated is whether evenings belong to rest. Others may say what they like of it.

There are reasons to stay cautious all the same, and safeguards might make it safer.
""".strip().split("\n\n")


@pytest.mark.parametrize("side", ["pro", "con"])
@pytest.mark.parametrize("band", [*BANDS, *OWN_SIDE, *OF_ANSWERS], ids=lambda band: f"{band.heat} {band.tone[:12]}")
def test_honest_speeches_near_to_what_was_told_are_none(side: str, band: object) -> None:
    heats = [describe(one.heat, bands) for bands in (BANDS, OWN_SIDE, OF_ANSWERS) for one in bands if one == band]
    for heat in heats:
        known = {**VARIABLES, "stance": dict(STANCES)[side], "heat": heat}  # type: ignore[index]  # a Side
        for prompt in (prompts.opening, prompts.refutation, prompts.closing):
            assert [leak for speech in HONEST if (leak := leak_in(speech, prompt, known))] == []


async def test_a_whole_debate_of_honest_speeches_sends_nothing_back() -> None:
    session = ScriptedDebate()
    await session.debate()
    assert not [step for step in session.steps if step.endswith("/again")]
