"""What a scene will ask of its models, at the most: the scene rehearsed with stand-ins (see `rehearsal`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.protocol import rulegen
from elenchus.debate_engine.protocols.rulegen.role_agent import WORDS
from elenchus.debate_engine.protocols.rulegen.schemas import SceneConfig
from elenchus.debate_engine.recall import WordsInCommon
from elenchus.debate_engine.rehearsal import Filler, Pace, PaceOf, Plan, rehearse
from elenchus.debate_engine.session import Session

_THOUGHT = 60
"""Words of a plan, a reflection or a memory."""


def plan(cfg: SceneConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls of a scene in which every reply is sent back as often as it may be and every condition holds.

    Blocks for some tenths of a second; call it in a thread that runs no event loop.
    """
    started = SessionStarted(
        protocol="rulegen",
        title=cfg.scene.title,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        seed=0,
        version="",
    )

    async def played(session: Session, config: dict[str, Any]) -> dict[str, Any]:
        return await rulegen(session, config, WordsInCommon())

    return rehearse(started, played, StandIn(), pace_of)


class StandIn:
    """Anybody in a scene: speaks as long as it may, and departs from every rule."""

    def __init__(self) -> None:
        self._filler = Filler()

    def __call__(self, ask: Ask) -> Any:
        """An answer of the asked form."""
        if ask.answer_schema is None:
            return self._filler.words(WORDS if ask.prompt_id == "rulegen/answer" else _THOUGHT)
        filled = self._filler.fill(ask.answer_schema)
        return filled | {"deviation": "micro"} if ask.schema_name == "Supervision" else filled
