"""RLAIF, the baseline without a debate: a judge scores a model's own answers, and those make the pairs. Pure.

Everything else is as with debates (threshold, splits, card, gate), so that what is left between the two is the debate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from elenchus.detectors.alignment.pairs import Spoken
from elenchus.detectors.alignment.rubric.answers import Answer
from elenchus.detectors.alignment.rubric.rating import Rating


def spoken_of(answers: Sequence[Answer], ratings: Mapping[str, Rating], judge: str, seed: int) -> Iterator[Spoken]:
    """The answers that have a score for bias, as nobody's statements."""
    for one in answers:
        rated = ratings.get(one.id)
        if one.text and rated is not None and rated.bs is not None:
            yield Spoken(
                text=one.text, bias=one.bias, about=one.about, topic=one.topic, seat="model", role="", who="",
                round=one.sample, slot=0, score=rated.bs, referee=judge, seed=seed, session=one.session, step=one.step,
                speaker=one.model,
            )  # fmt: skip
