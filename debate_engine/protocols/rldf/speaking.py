"""A role's turn: what it has heard, what it says, and which sentence led to which idea."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.crit.quotes import normalised, stands_in
from elenchus.debate_engine.protocols.rldf.schemas import REFEREE, Idea, RldfConfig, Speech, Statement, Traced
from elenchus.debate_engine.session import Session

prompts = prompts_of("elenchus.debate_engine.protocols.rldf")

_NOTHING = "the statement has no word"
_MOST_HEARD = 800
"""Characters of what a small model is shown of others, the last ones."""


async def speak(s: Session, cfg: RldfConfig, number: int, place: int, seat: str) -> Statement:
    """A role's statement, without a score. From the second round on it knows the score of its last one."""
    said = Statement(
        seat=seat, identity=cfg.called(seat), round=number, place=place, step=f"{s.prefix}statement", text=""
    )  # fmt: skip
    if s.is_small(seat):
        answer: Any = await s.ask(
            "statement", seat, prompts.small_speak, max_tokens=4 * cfg.words, **_small(s, cfg, seat)
        )
    else:
        answer = await s.ask(
            "statement", seat, prompts.speak, Speech, max_tokens=400 + 4 * cfg.words, **known(s, cfg, number, seat)
        )
    if isinstance(answer, Declined):
        return said.model_copy(update={"declined": answer.reason})
    text = (answer if isinstance(answer, str) else answer.statement).strip()
    if not any(map(str.isalnum, text)):
        return said.model_copy(update={"declined": _NOTHING})
    if isinstance(answer, str):
        return said.model_copy(update={"text": text})
    heard = normalised("\n".join(one.text for one in s.heard_by(seat) if one.speaker != seat))
    ideas = {
        "positive": idea(answer.positive, answer.positive_from, heard, cfg.topic),
        "negative": idea(answer.negative, answer.negative_from, heard, cfg.topic),
    }
    return said.model_copy(update={"text": text, **ideas})


def known(s: Session, cfg: RldfConfig, number: int, seat: str) -> dict[str, Any]:
    """The variables of a role's prompt: what was said before its last statement, and since."""
    heard = s.heard_by(seat)
    spoken = [one for one in heard if one.speaker in cfg.seats]
    last = max((n for n, one in enumerate(spoken) if one.speaker == seat), default=-1)
    scores = [one.text for one in heard if one.speaker == REFEREE]
    return {
        "bias": cfg.bias.name,
        "about": cfg.bias.about,
        "topic": cfg.topic,
        "identity": cfg.called(seat),
        "who": cfg.bias.identities[cfg.seats.index(seat)].who,
        "others": [cfg.called(other) for other in cfg.seats if other != seat],
        "before": [(cfg.called(one.speaker), one.text) for one in spoken[: last + 1]],
        "since": [(cfg.called(one.speaker), one.text) for one in spoken[last + 1 :]],
        "scores": scores,
        "round": number,
        "rounds": cfg.rounds,
        "words": cfg.words,
        "language": cfg.language,
    }


def _small(s: Session, cfg: RldfConfig, seat: str) -> dict[str, Any]:
    """The few variables of a small model's prompt."""
    full = known(s, cfg, 1, seat)
    heard = " ".join(text for _, text in full["since"])[-_MOST_HEARD:]
    score = full["scores"][-1] if full["scores"] else ""
    return {"topic": cfg.topic, "who": full["who"], "heard": heard, "score": score, "words": cfg.words}


def idea(text: str, led_by: str, heard: str, topic: str) -> Idea:
    """An idea, and whether the sentence that is said to have led to it stands anywhere (`heard` is `normalised`)."""
    return Idea(text=text.strip(), led_by=led_by.strip(), traced=traced(led_by, heard, topic))


def traced(led_by: str, heard: str, topic: str) -> Traced:
    """Where the sentence stands."""
    normal = normalised(led_by)
    if not any(map(str.isalnum, normal)):
        return "none"
    if normalised(topic) in normal or normal in {"topic", "the topic"}:
        return "topic"
    return "heard" if stands_in(led_by, heard) else "nowhere"
