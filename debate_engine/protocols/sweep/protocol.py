"""Sweep: both sides speak on the same motion and agenda at several heats, all side by side, and are read blind.

The paper's table of heats (SocraSynth, section 3) made into a measurement. NOTES.md says what differs.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.crit.quotes import normalised, stands_in
from elenchus.debate_engine.protocols.socrasynth import heat as heats
from elenchus.debate_engine.protocols.socrasynth.agenda import agree_agenda
from elenchus.debate_engine.protocols.socrasynth.turns import STANCES, language_of, listed, speech_tokens
from elenchus.debate_engine.protocols.speech import SIDES, Side, Topic, other
from elenchus.debate_engine.protocols.sweep.measures import measure
from elenchus.debate_engine.protocols.sweep.schemas import (
    Impression,
    Impressions,
    Phrase,
    Reading,
    Support,
    SweepConfig,
    Take,
)
from elenchus.debate_engine.protocols.sweep.summary import sweep_of
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

EVALUATOR = "crit"
POSITIONS: Mapping[Side, str] = {"pro": "to be adopted", "con": "to be rejected"}
ONLY_INSTRUCTION = "the speech only repeats its instruction"

prompts = prompts_of("elenchus.debate_engine.protocols.sweep")


async def sweep(s: Session, config: dict[str, Any]) -> dict[str, Any]:
    """Run a sweep on the seats `pro`, `con` and `crit` (the evaluator). The outcome is a dumped `Sweep`.

    `config` is a dumped `SweepConfig`. Its keys:

    - `motion`: 1 to 2,000 characters; the only one without a default.
    - `heats`: 1 to 21 numbers in [0, 1], 0.01 or more apart; default 0.9, 0.7, 0.5, 0.3, 0.0.
    - `topics`: how many topics the sides agree on, once, for all speeches; 1 to 10, default 2.
    - `agenda`: the topics by hand, each {pro_concern, con_concern, scope}; default none.
    - `words_per_topic`: 20 to 400, default 80.
    - `samples`: speeches of each side at each heat; 1 to 50, default 1; from 2 on there are means with deviations.
    - `language`: of the speeches; default the motion's. The word counts exist for English only.

    A heat that the moderator sets meanwhile does not count here: the heats are what is compared.
    Raises pydantic.ValidationError, NoAgenda.
    """
    cfg = SweepConfig.model_validate(config)
    agenda = await agree_agenda(s, cfg.debate, {})
    places = product(cfg.heats, SIDES, range(1, cfg.samples + 1))
    takes = await together(
        *(take(s.under(f"heat/{h:.2f}/{side}/{n}"), cfg, agenda, h, side, n) for h, side, n in places)
    )
    outcome = await asyncio.to_thread(sweep_of, cfg, agenda, takes)
    return outcome.model_dump(mode="json")


async def take(s: Session, cfg: SweepConfig, agenda: Sequence[Topic], heat: float, side: Side, sample: int) -> Take:
    """One speech, heard by the moderator alone; then read by the evaluator, who is not told the heat."""
    text = await s.ask(
        "speech",
        side,
        prompts.speak,
        max_tokens=speech_tokens(cfg.words_per_topic, len(agenda)),
        motion=cfg.motion,
        stance=STANCES[side],
        position=POSITIONS[other(side)],
        agenda=listed(agenda),
        heat=heats.describe(heat),
        words_per_topic=cfg.words_per_topic,
        language=language_of(cfg.debate),
    )
    if isinstance(text, Declined):
        return Take(heat=heat, side=side, sample=sample, text="", declined=text.reason)
    await s.say("said", side, ["moderator"], text, f"heat {heat:g}, speech {sample}")
    kept, withheld = withheld_from(text, heat)
    spoken = Take(heat=heat, side=side, sample=sample, text=text, withheld=withheld)
    if not any(map(str.isalnum, kept)):
        return spoken.model_copy(update={"reading_unread": ONLY_INSTRUCTION, "support_unread": ONLY_INSTRUCTION})
    read = await _read(s, cfg.motion, side, kept)
    done = spoken.model_copy(update={"echoed": echoed_in(kept, heat), "measures": measure(kept), **read})
    await s.record("measured", done.model_dump(mode="json", exclude={"text"}))
    return done


async def _read(s: Session, motion: str, side: Side, speech: str) -> dict[str, Any]:
    """The evaluator's two answers on a speech, each by a step of its own so that neither colours the other."""
    known: dict[str, Any] = {"motion": motion, "position": POSITIONS[other(side)], "speech": speech}
    impressions, support = await together(
        s.ask("read", EVALUATOR, prompts.read, Impressions, optional=True, **known),
        s.ask("support", EVALUATOR, prompts.support, Support, optional=True, **known),
    )
    read: dict[str, Any] = {}
    if isinstance(impressions, Declined):
        read["reading_unread"] = impressions.reason
    else:
        read["reading"] = reading_of(impressions, speech)
    if isinstance(support, Declined):
        read["support_unread"] = support.reason
    else:
        read |= {"support": support.support, "support_reason": support.reason.strip()}
    return read


def reading_of(impressions: Impressions, speech: str) -> Reading:
    """What the evaluator found, its quotes checked against the speech."""
    normal = normalised(speech)
    return Reading(
        tone=_phrase(impressions.tone, normal),
        emphasis=_phrase(impressions.emphasis, normal),
        language=_phrase(impressions.language, normal),
    )


def _phrase(impression: Impression, normal: str) -> Phrase:
    words, quote = impression.words.strip(), impression.quote.strip()
    if not any(map(str.isalnum, quote)):
        return Phrase(words=words, quote="", quoted="none")
    return Phrase(words=words, quote=quote, quoted="found" if stands_in(quote, normal) else "missing")


_SENTENCE = re.compile(r"[^.!?\n]*(?:\.\d[^.!?\n]*)*(?:[.!?]+|\n|$)")
_TELLS = re.compile(r"\bcontentious(?:ness)?\b|scale (?:from|of) 0\b|\bdevil['’]s advocate\b", re.IGNORECASE)
_EXAMPLE = re.compile(r"(?<!\w)'([^']+)'(?!\w)")


def withheld_from(text: str, heat: float) -> tuple[str, tuple[str, ...]]:
    """The text without what tells its heat, and what was taken out, in order.

    Taken out are copies of the lines of `heats.describe`, and sentences that name the scale.
    """
    kept, withheld = text, list[str]()
    for line in heats.describe(heat).splitlines():
        copies = re.compile(r"\s+".join(map(re.escape, line.split())), re.IGNORECASE)
        withheld += copies.findall(kept)
        kept = copies.sub("", kept)
    withheld += [found[0].strip() for found in _SENTENCE.finditer(kept) if _TELLS.search(found[0])]
    kept = _SENTENCE.sub(lambda found: "\n" if _TELLS.search(found[0]) else found[0], kept)
    return kept.strip(), tuple(withheld)


def echoed_in(text: str, heat: float) -> tuple[str, ...]:
    """The example phrases of the heat's instruction that stand in the text: they are not the speaker's own words."""
    examples = _EXAMPLE.findall(heats.band_of(heat).language)
    return tuple(example for example in examples if example.casefold() in text.casefold())
