"""What a small model brings to the agenda: a plain list of concerns, each a few words, read from short samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.protocols.socrasynth.small.claims import (
    Claims,
    effect_of,
    is_of_deed,
    is_plural,
    prompts,
    subject_of,
)
from elenchus.debate_engine.protocols.socrasynth.small.wording import concern_in, stems
from elenchus.debate_engine.protocols.speech import Side, Topic, bare
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

SAMPLES = 12


async def concerns_of(s: Session, side: Side, claims: Claims, count: int) -> list[str]:
    """At most `count` concerns of one side, those named most often first. Step keys: `concerns/pro/sample/1`."""
    words: dict[str, Any] = {"claim": claims[side], "begin": named_after(claims[side])}
    answers = await together(
        *(s.ask(f"concerns/{side}/sample/{n}", side, prompts.concern, **words) for n in range(1, SAMPLES + 1))
    )
    begin = prompts.concern.render(**words).prefill
    phrases = [answer.removeprefix(begin) for answer in answers if not isinstance(answer, Declined)]
    named = [part for phrase in phrases for part in re.split(r" and |, ", phrase, maxsplit=1)]
    return ranked([concern_in(part, claims["pro"]) for part in named])[:count]


def named_after(claim: str) -> str:
    """The words after which a model names what a claim's side cares about."""
    if effect := effect_of(claim):
        be = "that would be" if is_of_deed(claim) else f"{subject_of(claim)} {'are' if is_plural(claim) else 'is'}"
        return f"{claim.rstrip('.')}, because {be} {effect} for"
    return f"{claim.rstrip('.')}: the strongest reason to agree is about"  # a full stop: a cut sample would end there


def ranked(concerns: Sequence[str]) -> list[str]:
    """The concerns by how often they, then their words, were named; each that says the same as one before left out."""
    named = Counter(filter(None, concerns))
    words = Counter(stem for concern in concerns for stem in stems(concern))
    weight = {c: (times, sum(words[stem] for stem in stems(c)) / len(stems(c))) for c, times in named.items()}
    distinct: list[str] = []
    for concern in sorted(named, key=lambda c: weight[c], reverse=True):
        if all(not stems(concern) & stems(other) for other in distinct):
            distinct.append(concern)
    return distinct


def paired(pro: Sequence[str], con: Sequence[str]) -> list[Topic]:
    """The sides' concerns as topics, first with first and so on; none stands twice.

    A side that has named nothing is given every other one of the other side's. The only one that was named is a topic.
    """
    con = [c for c in con if bare(c) not in map(bare, pro)]
    if len(only := [*pro, *con]) == 1:
        pro = con = only
    elif not con:
        pro, con = pro[::2], pro[1::2]
    elif not pro:
        pro, con = con[1::2], con[::2]
    return [
        Topic(
            pro_concern=p, con_concern=c, scope=f"The weight of {' and '.join(dict.fromkeys((p, c)))} in this question."
        )
        for p, c in zip(pro, con, strict=False)
    ]
