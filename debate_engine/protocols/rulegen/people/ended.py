"""A scene with people that ends before its last rule: why, and what is still said to them."""

from __future__ import annotations

from elenchus.debate_engine.events import CloseAsked, Recorded, Withdrawn
from elenchus.debate_engine.protocols.rulegen.schemas import Why

ENDING = "ending"
DEBRIEF = "debrief"
UNSCRIPTED = "unscripted"
"""What is said beside the rules is about one of these."""


class SceneEnded(Exception):
    """The scene is over before its last rule, because of the person on `seat` ("" where it is nobody's)."""

    def __init__(self, why: Why, seat: str = "") -> None:
        super().__init__(why)
        self.why: Why = why
        self.seat = seat


def ended_by(command: Recorded) -> SceneEnded:
    """What a command that ends a scene makes of it."""
    if isinstance(command.event, Withdrawn):
        return SceneEnded("withdrawn", command.event.seat)
    assert isinstance(command.event, CloseAsked)
    return SceneEnded("closed")
