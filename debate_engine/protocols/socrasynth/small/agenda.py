"""What a small model brings to the agenda: a plain list of concerns, each a few words, read from short samples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.protocols.socrasynth.small.claims import (
    Claims,
    effect_of,
    is_of_deed,
    is_plural,
    prompts,
    subject_of,
)
from elenchus.debate_engine.protocols.socrasynth.small.speaking import samples_of
from elenchus.debate_engine.protocols.socrasynth.small.wording import WORD, stems, words_in
from elenchus.debate_engine.protocols.speech import Side, Topic, bare
from elenchus.debate_engine.session import Session

SAMPLES = 12


async def concerns_of(s: Session, side: Side, claims: Claims, count: int) -> list[str]:
    """At most `count` concerns of one side, those named most often first. Step keys: `concerns/pro/sample/1`."""
    words: dict[str, Any] = {"claim": claims[side], "begin": named_after(claims[side])}
    answers = await samples_of(s, f"concerns/{side}/sample", side, prompts.concern, SAMPLES, words)
    begin = prompts.concern.render(**words).prefill
    phrases = [answer.removeprefix(begin) for answer in answers]
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


# ── what names a concern ───────────────────────────────────────────────────────────────────────────────────────────

_NOT_A_CONCERN = words_in("""
    thing things fact facts right way ways what same potential impact impacts consequence consequences role
    importance important need needs value values lack two three one many several matter matters effect effects
    risk risks benefit benefits idea ideas issue issues aspect aspects reason reasons process topic topics
    something anything everyone everybody someone anyone nobody all them us you him her me themselves others people
    following these those this that such it they them principle nature
    and but or it's other others side sides form forms kind kinds
    use question answer key is are was will would can often not whether how ability possibility concept notion
    belief preservation protection promotion fundamental opposite believe disagree agree policies policy area
    ensure reduce improve make create provide protect allow destroy harm save encourage prevent support promote help
    areas context individual ethics ethical morality moral status scope pursuit rightness reliance both behavior empathy
""")
_LEADING = words_in("""
    the a an our their its his her your individual personal potential unintended negative positive own ensuring
    preserving protecting promoting respecting reducing improving increased providing public
""")
_END = re.compile(
    r"[.,;:!?\n(\"“”–—*/]| (?:and|or|because|as|which|that|who|when|by|in order|since|but|while|rather|not|is|are|was|"
    r"has|have|will|can|for|with|from|in|at|to|on|of|through|without|being|itself|themselves)\b"
)


def concern_in(phrase: str, motion: str) -> str:
    """The concern that a continued "… is about" names, in one to three words; "" where it names none.

    Of "the importance of public safety in cities" it takes "public safety"; "the environment" keeps its article, which
    "the safety of people", cut short, would not.
    """
    words = phrase.strip().split()
    for n, word in enumerate(words[:4]):
        if word in {"of", "on", "for"} and any(w.lower() in _NOT_A_CONCERN for w in words[:n]):
            words = words[n + 1 :]
            break
    text = " ".join(words)
    end = _END.search(text)
    bare = text[: end.start() if end else None].split()
    article = ["the"] if bare[:1] in (["the"], ["our"]) and not (end and end[0] == " of") else []
    while bare and bare[0].lower() in _LEADING - {"public"}:
        bare = bare[1:]
    if not 1 <= len(bare) <= 3 or any(w.lower() in _NOT_A_CONCERN for w in bare):
        return ""
    if not all(WORD.fullmatch(w.replace("-", "")) for w in bare) or not stems(" ".join(bare)) - stems(motion):
        return ""
    return " ".join([*article, *(w if w.isupper() else w.lower() for w in bare)])
