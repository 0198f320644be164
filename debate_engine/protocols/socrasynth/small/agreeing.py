"""What small models do at the end: a compromise a topic, and whether they can sign one."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.protocols.socrasynth.small.claims import Claims, prompts
from elenchus.debate_engine.protocols.socrasynth.small.wording import best, taken
from elenchus.debate_engine.protocols.speech import Side, Topic
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

SAMPLES = 3


class Signature(FrozenModel):
    """Whether a side can sign a text; it offers no other."""

    sign: bool


async def compromise(s: Session, side: Side, claims: Claims, topic: Topic, number: int) -> str:
    """A text on one topic, "" where nothing could be used. Step keys: `draft/topic/1/sample/1`."""
    words: dict[str, Any] = {"pro": claims["pro"], "con": claims["con"]}
    words |= {"ours": topic.pro_concern, "theirs": topic.con_concern}
    samples = await together(
        *(s.ask(f"draft/topic/{number}/sample/{n}", side, prompts.compromise, **words) for n in range(1, SAMPLES + 1))
    )
    begin = prompts.compromise.render(**words).prefill
    given = f"{claims['pro']} {topic.title}"
    return best([taken(begin, text, given, ()) for text in samples if not isinstance(text, Declined)])


async def signs(s: Session, key: str, side: Side, claims: Claims, text: str) -> bool:
    """Whether a side signs a text; an answer that cannot be read is no signature."""
    answer = await s.ask(key, side, prompts.sign, Signature, claim=claims[side], proposal=text)
    return not isinstance(answer, Declined) and answer.sign
