"""What every method of CogBench is: a function over a session's steps, from one iteration's mind to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from elenchus.debate_engine.protocols.cognition.schemas import Flow, Mind, RatedOpinion
from elenchus.debate_engine.session import Session

PERSONA = "persona"
"""The one seat: the model that is the persona."""


class Method(Protocol):
    """Takes in a flow and answers the questionnaire. It holds its settings; all that it knows of the past is in `mind`.

    `iteration` 0 has no flow: the questionnaire is asked before any information. `s` is narrowed to the iteration, so
    that its step keys are the same in each. `mind.answers` and `mind.feedback` are those of the iteration before, and
    what comes back holds this one's answers.
    """

    async def answered(
        self, s: Session, mind: Mind, flow: Flow | None, questionnaire: Sequence[str], iteration: int
    ) -> tuple[Mind, tuple[RatedOpinion, ...]]:
        """The mind afterwards, and an answer to each question in its order."""
        ...
