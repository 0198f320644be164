"""Step 4, a debate between two candidates: four stages, both sides side by side, having heard all earlier stages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, fenced
from elenchus.debate_engine.protocols.crit.quotes import missing, normalised, quotes_in
from elenchus.debate_engine.protocols.withholding import ask_in_public
from elenchus.debate_engine.session import Session, together
from elenchus.detectors.context import Desk, prompts
from elenchus.detectors.examined_text import clipped
from elenchus.detectors.library import Knowledge
from elenchus.detectors.schemas import Speech

SEAT = "debater"
STAGES: Mapping[str, int] = {"introduction": 100, "argument": 100, "refutation": 150, "summary": 200}
"""The stages in their order, each with the words that a side may use."""

_TOKENS_A_WORD = 3
NOTHING = "(nothing)"


async def debate(s: Session, desk: Desk, first: Knowledge, second: Knowledge) -> tuple[Speech, ...]:
    """All speeches, stage by stage, the first side's before the second's. Step keys: `introduction/ID` and so on."""
    said: tuple[Speech, ...] = ()
    for stage in STAGES:
        said += await together(speak(s, desk, stage, first, second, said), speak(s, desk, stage, second, first, said))
    return said


async def speak(s: Session, desk: Desk, stage: str, own: Knowledge, rival: Knowledge, said: Sequence[Speech]) -> Speech:
    """One side's speech in one stage, held to its length, its quotes checked."""
    prompt, words = _prompts()[stage], STAGES[stage]
    answer = await ask_in_public(
        s,
        f"{stage}/{own.bias}",
        SEAT,
        prompt,
        max_tokens=words * _TOKENS_A_WORD,
        **_given(
            prompt,
            own=own.name,
            rival=rival.name,
            knowledge=own.shown,
            signs=own.signs,
            rival_knowledge=rival.shown,
            text=desk.material.shown,
            heard=shown(said, {own.bias: "You", rival.bias: "Your rival"}),
            words=words,
        ),
    )
    if isinstance(answer, Declined):
        return Speech(bias=own.bias, stage=stage, text="", declined=answer.reason)
    text, shortened = clipped(answer, words)
    known = [own.shown, own.signs, rival.shown, *(speech.text for speech in said if speech.bias == rival.bias)]
    unfound = missing([quote for quote in quotes_in(text) if not desk.material.holds(quote)], *map(normalised, known))
    return Speech(bias=own.bias, stage=stage, text=text, missing_quotes=unfound, shortened=shortened)


def shown(said: Iterable[Speech], who: Mapping[str, str]) -> str:
    """Speeches as an agent reads them, under what each side is called; quotes that were not found are told."""
    return "\n\n".join(
        f"{who[speech.bias]}, {speech.stage}:\n{fenced(speech.text or NOTHING)}{_flag(speech)}" for speech in said
    )


def _flag(speech: Speech) -> str:
    if not speech.missing_quotes:
        return ""
    quotes = "\n".join(f"“{quote}”" for quote in speech.missing_quotes)
    return f"\nChecked: these words are put in quotation marks above, but do not stand in the text:\n{fenced(quotes)}"


def _prompts() -> dict[str, Prompt]:
    return {
        "introduction": prompts.introduction,
        "argument": prompts.argument,
        "refutation": prompts.refutation,
        "summary": prompts.summary,
    }


def _given(prompt: Prompt, **known: Any) -> dict[str, Any]:
    """Of all that a side knows, what this stage's prompt asks for."""
    return {name: known[name] for name in prompt.variables}
