"""Contentiousness ("heat"): its scale, its bands and its fall (SocraSynth, section 3 and its table of heats).

`BANDS` is the paper's table, as the sweep measures it. A debater argues for a side (`OWN_SIDE`) or defends an answer
(`OF_ANSWERS`), and is never asked to speak for the other position instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel

Contentiousness = Annotated[float, Field(ge=0, le=1)]
"""A heat: 0 is full agreement, 1 devil's advocate."""


class Band(FrozenModel):
    """What a heat asks of a speaker's tone towards the other side's position, its emphasis and its language."""

    heat: float
    tone: str
    emphasis: str
    language: str


BANDS = (
    Band(
        heat=0.9,
        tone="highly confrontational: raise strong ethical, scientific and social objections to the other position",
        emphasis="the other position's risks, unintended consequences and the inequality it would deepen",
        language="definitive and polarising, such as 'should not be allowed' or 'unacceptable'",
    ),
    Band(
        heat=0.7,
        tone="still confrontational, yet admitting benefits of the other position that its drawbacks outweigh",
        emphasis="safeguards that might make it safer, and reasons to stay cautious all the same",
        language="less polarising, such as 'serious concerns remain' or 'needs far more scrutiny'",
    ),
    Band(
        heat=0.5,
        tone="balanced, for neither side",
        emphasis="arguments for and against with equal weight, looking for middle ground",
        language="neutral, such as 'both benefits and risks'",
    ),
    Band(
        heat=0.3,
        tone="more agreeable than confrontational, with reservations",
        emphasis="support for the other position where its use is cautious, ethical and fair",
        language="positive but careful, such as 'transformative potential' with conditions named",
    ),
    Band(
        heat=0.0,
        tone="wholly agreeable to the other position",
        emphasis="its great benefits, and how to adopt it soon",
        language="very positive, with no more doubts",
    ),
)
OWN_SIDE = (
    *BANDS[:2],
    Band(
        heat=0.5,
        tone="balanced, from where you stand: weigh both positions by the same measure",
        emphasis="what speaks for and against each, with equal weight, and a middle ground that your side could accept",
        language="neutral, such as 'both benefits and risks'",
    ),
    Band(
        heat=0.3,
        tone="more agreeable than confrontational, with your side's reservations",
        emphasis="what your side can grant to the other position where its use is cautious, ethical and fair",
        language="positive but careful, such as 'we can accept this if' with conditions named",
    ),
    Band(
        heat=0.0,
        tone="wholly agreeable: grant the other position all that your side can live with",
        emphasis="what both sides gain together, and how soon it could be done with your side's concerns met",
        language="very positive, with no more doubts about the other side's good sense",
    ),
)
"""The bands for who argues for one side: whoever concedes, concedes within it."""

OF_ANSWERS = (
    Band(
        heat=0.9,
        tone="highly critical of the other answer: raise the strongest findings and arguments against it",
        emphasis="what the other answer leaves unexplained, and what would follow if it were wrong",
        language="definite, such as 'this cannot be right' or 'the findings rule it out'",
    ),
    Band(
        heat=0.7,
        tone="still critical, yet admitting what speaks for the other answer",
        emphasis="what would have to be found for the other answer to be right, and reasons to doubt it all the same",
        language="less sharp, such as 'this is hard to square with' or 'far more would have to be known'",
    ),
    Band(
        heat=0.5,
        tone="balanced: weigh both answers by the same measure",
        emphasis="what speaks for and against each answer, and what would decide between them",
        language="neutral, such as 'both are possible'",
    ),
    Band(
        heat=0.3,
        tone="more agreeable than critical, with reservations",
        emphasis="what the other answer explains well, and what both could advise",
        language="positive but careful, such as 'this fits, as long as' with conditions named",
    ),
    Band(
        heat=0.0,
        tone="wholly agreeable",
        emphasis="what both answers share, and advice that serves whichever is right",
        language="very positive, with no more objections",
    ),
)
"""The bands for who defends an answer to an open question: objections to an answer, none to its morals."""
_LOWER_EDGES = (0.8, 0.6, 0.4, 0.05)  # a tie takes the higher band; the lowest band is for heats below 0.05 only


def band_of(heat: float, bands: Sequence[Band] = BANDS) -> Band:
    """The band of a heat in [0, 1]."""
    for band, edge in zip(bands, _LOWER_EDGES, strict=False):
        if heat >= edge - 1e-9:
            return band
    return bands[-1]


def describe(heat: float, bands: Sequence[Band] = BANDS) -> str:
    """What a prompt says about the heat: scale, number and band."""
    band = band_of(heat, bands)
    return (
        f"Contentiousness is {heat:.2f} on a scale from 0 (complete agreement) to 1 (devil's advocate).\n"
        f"Tone: {band.tone}.\nEmphasis: {band.emphasis}.\nLanguage: {band.language}."
    )


def upcoming(heats: Mapping[int, float], start: float, decay: float) -> float:
    """The heat of the next turn when nobody touches it; `heats` are those so far by round, the opening's under 0."""
    return heats[max(heats)] / decay if heats else start


def falling(start: float, decay: float, floor: float, cap: int) -> Iterator[float]:
    """The heats of the refutation rounds when nobody touches them: start / decayⁿ while above `floor`, at most `cap`
    rounds (0: no cap, which a decay of 1 must not have).
    """
    heat, n = start / decay, 1
    while heat > floor and (cap == 0 or n <= cap):
        yield heat
        heat, n = heat / decay, n + 1
