"""Takes made by hand, for the tests of tables, reports and pictures."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.protocols.speech import Side, Topic
from elenchus.debate_engine.protocols.sweep.measures import measure
from elenchus.debate_engine.protocols.sweep.protocol import reading_of
from elenchus.debate_engine.protocols.sweep.schemas import Impression, Impressions, Sweep, SweepConfig, Take
from elenchus.debate_engine.protocols.sweep.summary import sweep_of

MOTION = "A city should close its centre to private cars."
TOPICS = (
    Topic(pro_concern="Clean air", con_concern="Shops' income", scope="What closing does to the air and to trade."),
    Topic(pro_concern="Safe streets", con_concern="Free choice", scope="Accidents, and who decides how to travel."),
)
TEXTS = {
    0.9: "This is unacceptable. The risks and the harm to the people of the city are a danger to us all.",
    0.7: "It is an unacceptable risk to the people, although there is a benefit in it for the shops of the city.",
    0.5: "There may be a risk in it, and there may be a benefit in it, and it is for the people to weigh them.",
    0.3: "Perhaps it is a benefit to the people of the city, and it may help the shops if the harm is small.",
    0.0: "It is an immense benefit to the people of the city, and it will help the shops and improve the air.",
}
SUPPORT = {0.9: 1, 0.7: 3, 0.5: 5, 0.3: 8, 0.0: 10}


def spoken(heat: float, side: Side, sample: int = 1, **other: Any) -> Take:
    """A take that was read, with what differs from the usual."""
    text = TEXTS[heat]
    quote = Impression(quote=" ".join(text.split()[:4]), words=f"words for {heat:g}")
    given: dict[str, Any] = {
        "measures": measure(text),
        "reading": reading_of(Impressions(tone=quote, emphasis=quote, language=quote), text),
        "support": SUPPORT[heat],
        "support_reason": "because",
    }
    return Take(heat=heat, side=side, sample=sample, text=text, **(given | other))


def unread(heat: float, side: Side, sample: int = 1, **other: Any) -> Take:
    """A take whose evaluator gave nothing readable."""
    missing: dict[str, Any] = {"reading": None, "support": None, "support_reason": ""}
    return spoken(heat, side, sample, reading_unread="garbled", support_unread="garbled", **(missing | other))


def swept(takes: list[Take] | None = None, samples: int = 1, motion: str = MOTION) -> Sweep:
    """The outcome of these takes, or of one of each side at each heat of the paper's table."""
    cfg = SweepConfig(motion=motion, agenda=TOPICS, samples=samples)
    sides: tuple[Side, Side] = ("pro", "con")
    return sweep_of(cfg, TOPICS, takes or [spoken(heat, side) for heat in cfg.heats for side in sides])
