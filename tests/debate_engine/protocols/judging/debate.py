"""A small debate for the tests of judging: two topics, an opening and a round each, and closings."""

from __future__ import annotations

from elenchus.debate_engine.protocols.speech import Side, Speech, Topic

MOTION = "A city should close its centre to private cars."
TOPICS = [
    Topic(pro_concern="Clean air", con_concern="Shops' income", scope="What closing does to the air and to trade."),
    Topic(pro_concern="Safe streets", con_concern="Free choice", scope="Accidents, and who decides how to travel."),
]


def speech(side: Side, about: str, *texts: str) -> Speech:
    headed = "\n\n".join(f"## {n}. {t.title}\n{text}" for n, (t, text) in enumerate(zip(TOPICS, texts, strict=True), 1))
    return Speech.of(side, about, headed, TOPICS)


EXCHANGE = [
    speech("pro", "opening", "Fumes harm lungs.", "Cars hit children."),
    speech("con", "opening", "Shops lose buyers.", "Adults may choose."),
    speech("pro", "round 1", "Walkers buy more.", "Choice ends where harm starts."),
    speech("con", "round 1", "Some walkers buy nothing.", "Lower speeds do the same."),
]
CLOSINGS: dict[Side, Speech] = {
    "pro": speech("pro", "closing", "Air matters most.", "So do lives."),
    "con": speech("con", "closing", "Trade matters too.", "So does freedom."),
}
