"""Sessions that are no debates: the outcome of CRIT on a plain document, of a sweep over heats, and of a scene."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.rulegen.schemas import Played
from elenchus.debate_engine.protocols.sweep.schemas import Sweep
from elenchus.debate_engine.reports.view import DebateView

T = TypeVar("T", bound=BaseModel)


def document_of(view: DebateView) -> DocumentResult | None:
    """What CRIT said of a document, where the session was that and is finished."""
    return _outcome(view, "crit", DocumentResult)


def sweep_of(view: DebateView) -> Sweep | None:
    """What a sweep measured, where the session was one and is finished."""
    return _outcome(view, "sweep", Sweep)


def played_of(view: DebateView) -> Played | None:
    """What came of a scene, where the session was one and has ended."""
    return _outcome(view, "rulegen", Played)


def _outcome(view: DebateView, protocol: str, schema: type[T]) -> T | None:
    if view.started is None or view.started.protocol != protocol or view.outcome is None:
        return None
    try:
        return schema.model_validate(view.outcome)
    except ValidationError:
        return None
