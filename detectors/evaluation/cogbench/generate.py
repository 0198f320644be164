"""Topics to opinions to profiles, as CogBench was made (Lv et al. 2024, section 3), each opinion checked.

An opinion must be relevant, distinct, clear and assertive, and true in some contexts but not in all: our own rules look
first, then the seat `checker` is asked of each by itself. What fails is asked for once more. Profiles are made of those
who were named most often as supporters. People review all of it (`reviewing`) before it is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.cognition.creation import LivingPerson, profile_of_character
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.evaluation.cogbench.generate_schemas import (
    CHECKER,
    WRITER,
    CheckedOpinion,
    GenerateConfig,
    GeneratedOpinion,
    GeneratedProfile,
    GeneratedTopic,
    GenerateResult,
    RefusedOpinion,
    WrittenOpinion,
    WrittenOpinions,
)

prompts = prompts_of("elenchus.detectors.evaluation.cogbench")

ROUNDS = 2
LONGEST = 200
"""Characters of an opinion."""
ALIKE = 0.8
"""Share of words in common from which on two opinions say the same."""
_HEDGES = re.compile(
    r"\b(probably|possibly|perhaps|maybe|might|may|could|seems?|likely|arguably|somewhat)\b", re.IGNORECASE
)


async def generate(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """A dumped `GenerateConfig` in, a dumped `GenerateResult` out. Step keys: under `topic/N/`: `write/1`, `write/2`,
    `check/1/1` and so on; `profile/N`.
    """
    cfg = GenerateConfig.model_validate(config)
    topics = await together(
        *(_topic(s.under(f"topic/{n}"), cfg, name, category) for n, (name, category) in enumerate(cfg.topics, 1))
    )
    named = supporters_of(topics)[: cfg.profiles]
    profiles = await together(*(_profile(s, n, who, times, cfg) for n, (who, times) in enumerate(named, 1)))
    return GenerateResult(model=cfg.model, topics=topics, profiles=profiles).model_dump(mode="json")


# ── opinions ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _topic(s: Session, cfg: GenerateConfig, name: str, category: str) -> GeneratedTopic:
    kept: list[GeneratedOpinion] = []
    refused: list[RefusedOpinion] = []
    for n in range(1, ROUNDS + 1):
        if len(kept) == cfg.opinions:
            break
        taken = [*(one.opinion for one in kept), *(one.opinion for one in refused)]
        written = await s.ask(
            f"write/{n}", WRITER, prompts.opinions, WrittenOpinions,
            topic=name, count=cfg.opinions - len(kept), taken=taken, language=cfg.language,
        )  # fmt: skip
        if isinstance(written, Declined):
            refused.append(RefusedOpinion(opinion="", why=written.reason))
            continue
        for one in await _checked(s, n, name, written.opinions[: cfg.opinions - len(kept)], kept):
            (kept if isinstance(one, GeneratedOpinion) else refused).append(one)  # type: ignore[arg-type]
    return GeneratedTopic(topic=name, category=category, opinions=tuple(kept), refused=tuple(refused))


async def _checked(
    s: Session, n: int, topic: str, written: Sequence[WrittenOpinion], kept: Sequence[GeneratedOpinion]
) -> list[GeneratedOpinion | RefusedOpinion]:
    """Each as it is kept or refused. What our rules let pass, the checker sees beside all before it."""
    before = [one.opinion for one in kept]
    passed: list[tuple[WrittenOpinion, str]] = []
    for one in written:
        fault = fault_of(one.opinion, [*before, *(other.opinion for other, why in passed if not why)])
        passed.append((one, fault))
    earlier = [[*before, *(other.opinion for other, w in passed[:place] if not w)] for place in range(len(passed))]
    said = await together(
        *(
            _said(s, f"check/{n}/{place}", topic, one, why, others)
            for place, ((one, why), others) in enumerate(zip(passed, earlier, strict=True), 1)
        )
    )
    return list(said)


async def _said(
    s: Session, key: str, topic: str, written: WrittenOpinion, fault: str, others: Sequence[str]
) -> GeneratedOpinion | RefusedOpinion:
    if fault:
        return RefusedOpinion(opinion=written.opinion, why=fault)
    checked = await s.ask(
        key, CHECKER, prompts.check_opinion, CheckedOpinion, topic=topic, opinion=written.opinion, others=list(others)
    )
    unchecked = checked.reason if isinstance(checked, Declined) else ""
    if not isinstance(checked, Declined) and (why := _refusal(checked, others)):
        return RefusedOpinion(opinion=written.opinion, why=why)
    return GeneratedOpinion(
        opinion=" ".join(written.opinion.split()),
        perspective=" ".join(written.perspective.split()),
        supporters=tuple(map(_noun, written.supporters)),
        reasons=tuple(" ".join(reason.split()) for reason in written.reasons),
        unchecked=unchecked,
    )


def fault_of(opinion: str, others: Sequence[str]) -> str:
    """What keeps an opinion out by our own rules, "" for nothing. The words for hedging are English ones. Pure."""
    text = " ".join(opinion.split())
    if not text or len(text) > LONGEST:
        return f"it is empty, or has more than {LONGEST} characters"
    if "?" in text:
        return "it is a question"
    if found := _HEDGES.search(text):
        return f"it hedges (“{found[0]}”)"
    words = _words(text)
    for other in others:
        both = words | _words(other)
        if both and len(words & _words(other)) / len(both) >= ALIKE:
            return f"it says the same as “{other}”"
    return ""


def _refusal(checked: CheckedOpinion, others: Sequence[str]) -> str:
    """What the checker has against it, with its reason."""
    against = [
        ("it is not about the topic", checked.relevant == "no"),
        ("it is no one clear claim", checked.assertive == "no"),
        ("it is true in no context", checked.sometimes_true == "no"),
        ("it is true in all contexts", checked.sometimes_false == "no"),
        ("it says the same as another, or the opposite", 1 <= checked.same_as <= len(others)),
    ]
    faults = "; ".join(what for what, found in against if found)
    return f"{faults}: {' '.join(checked.why.split())}" if faults else ""


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


# ── profiles ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def supporters_of(topics: Sequence[GeneratedTopic]) -> list[tuple[str, int]]:
    """Who was named how often, the most often first, those of equal number in the order of their naming. Pure."""
    named = Counter(who for topic in topics for one in topic.opinions for who in one.supporters if who)
    return named.most_common()


def _noun(supporter: str) -> str:
    """A supporter in one form: `A Nurse.` and `nurse` are the same."""
    return re.sub(r"^(?:an?|the)\s+", "", " ".join(supporter.split()).casefold()).rstrip(".")


async def _profile(s: Session, n: int, supporter: str, times: int, cfg: GenerateConfig) -> GeneratedProfile:
    try:
        made = await profile_of_character(s, f"profile/{n}", WRITER, supporter, cfg.language)
    except LivingPerson as error:
        made = Declined(f"it means a real person who lives ({error.who})")
    if isinstance(made, Declined):
        return GeneratedProfile(supporter=supporter, times=times, why_not=made.reason)
    return GeneratedProfile(supporter=supporter, times=times, profile=made)
