"""Contentiousness ("heat"): its scale, its bands and its fall (SocraSynth, section 3 and its table of heats)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_engine.events import Value


class Band(Value):
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
_LOWER_EDGES = (0.8, 0.6, 0.4, 0.05)  # a tie takes the higher band; the lowest band is for heats below 0.05 only


def band_of(heat: float) -> Band:
    """The band of a heat in [0, 1]."""
    for band, edge in zip(BANDS, _LOWER_EDGES, strict=False):
        if heat >= edge - 1e-9:
            return band
    return BANDS[-1]


def describe(heat: float) -> str:
    """What a prompt says about the heat: scale, number and band."""
    band = band_of(heat)
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
