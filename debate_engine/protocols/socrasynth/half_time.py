"""Before each turn of a side: its half of the class has time for arguments, and the speaker is given the best of them.

No other seat hears them: not the opponent, not CRIT, no judge, and not the audience, before they are spoken.
"""

from __future__ import annotations

from elenchus.debate_engine.events import Argued, HalfTimeEnded
from elenchus.debate_engine.protocols.socrasynth.audience import TIME, ended_by, opened
from elenchus.debate_engine.protocols.socrasynth.halves import GIVEN, Halves
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.speech import Side
from elenchus.debate_engine.session import Session

NOBODY = "nobody is there"
"""Why an empty half was not waited for."""


async def given_by_half(s: Session, key: str, side: Side, cfg: DebateConfig) -> None:
    """Wait for a half's arguments, where a class debates, and let its speaker hear those that are upvoted most."""
    if cfg.half_seconds is None:
        return
    here = f"{key}/half/{side}"
    await _time(s, here, f"{key}/{side}", side, cfg.half_seconds)

    async def chosen() -> list[int]:
        known = {int(said.step.rsplit("/", 1)[-1]) for said in s.heard_by(side) if said.about == GIVEN}
        return [one.number for one in Halves.of(s.commands()).to_give(side, cfg.half_arguments, known)]

    for number in await s.step(here, cfg.half_arguments, chosen):
        argued = next(r.event for r in s.commands() if r.seq == number)
        assert isinstance(argued, Argued), "what a half gives is an argument"
        await s.say(f"{here}/{number}", argued.by, [side], argued.text, GIVEN)


async def _time(s: Session, here: str, turn: str, side: Side, seconds: float) -> None:
    """The half's time, counted from its first opening also after a restart; an empty half has none."""
    due = await opened(s, here, seconds)

    async def closed() -> str:
        if not Halves.of(s.commands()).there(side):
            return NOBODY
        return await ended_by(s, HalfTimeEnded, lambda event: event.turn == turn, due) or TIME

    await s.step(f"{here}/closed", seconds, closed)
