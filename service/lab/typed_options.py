"""The options and results of a lab as a type checker sees them, without a model of pydantic in the way.

What counts is said once, by the models (`DebateOptions` and the like); the tests hold these types against them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from datetime import datetime

    from elenchus.config.models import Price
    from elenchus.debate_engine.key_value_store import Document
    from elenchus.debate_engine.protocols.rulegen.study.observation import Result
    from elenchus.debate_engine.protocols.speech import Topic
    from elenchus.debate_engine.scenes.measures import Stated
    from elenchus.debate_engine.scenes.scene import Condition
    from elenchus.service.lab.options import Source


class RunKeywords(TypedDict, total=False):
    """What every session may be told: see `RunOptions`."""

    temperature: float | None
    seed: int | None
    budget_tokens: int | None
    budget_usd: float | None
    price: Price | str | None
    unpriced_ok: bool


class DebateKeywords(RunKeywords, total=False):
    """See `DebateOptions`."""

    open_question: bool
    brief: str
    judges: Sequence[str] | None
    crit: str
    topics: int
    words: int
    max_rounds: int
    heat: float
    decay: float
    floor: float
    stop: Literal["noise", "paper"]
    simultaneous: bool
    coach: bool
    agenda: Sequence[Topic]
    approve_agenda: bool
    compare_qa: bool
    vote_seconds: float | None
    speech_words: int | None
    language: str


class CritKeywords(RunKeywords, total=False):
    """See `CritOptions`."""

    title: str
    sources: Sequence[Source]
    max_reasons: int
    language: str


class SweepKeywords(RunKeywords, total=False):
    """See `SweepOptions`."""

    pro: str
    con: str
    crit: str
    heats: Sequence[float]
    topics: int
    samples: int
    agenda: Sequence[Topic]
    language: str


class DetectKeywords(RunKeywords, total=False):
    """See `DetectOptions`."""

    title: str
    source: str
    speaker: str
    weights: str
    labels: Sequence[str]
    bias: str
    repeats: int
    screen: str
    top: int
    detector: str
    referee: str


class ProtocolKeywords(RunKeywords, total=False):
    """See `ProtocolOptions`."""

    title: str


class GridKeywords(RunKeywords, total=False):
    """See `GridOptions`."""

    subjects: Sequence[str]
    styles: Sequence[str]
    conditions: Sequence[str]
    confederate: str
    moderator: str
    others: str
    judges: Sequence[str]
    model: str
    at_once: int | None
    pilot: bool


class SelectionKeywords(TypedDict, total=False):
    """See `Selection`: which sessions of a scene count."""

    grid: str
    since: datetime | None
    subjects: Sequence[str]
    sessions: Sequence[str]
    pilots: bool
    until: datetime | None
    conditions: Sequence[str]


class GridRow(TypedDict):
    """One subject of one run: see `Observation`, of whose fields it has all that are one value.

    What was stated beside the outcome is in `table.study.observed`.
    """

    session: str
    subject: str
    style: str
    condition: Condition
    role: str
    result: Result
    record: str
    yes: int
    no: int
    unread: int
    unfounded: int
    misquoted: int
    agreement: float | None
    shortened: int
    seed: int
    temperature: float | None
    why: str
    pilot: bool
    outcome: Stated | None
    excluded: str
    began: bool
    choices: bool
    chosen: bool
    via: str


class SessionDocument(TypedDict):
    """What one session holds on a person: the seats they sit on there, and the events that are theirs."""

    session: str
    title: str
    seats: list[str]
    events: list[dict[str, Any]]


PersonDocument = TypedDict(
    "PersonDocument",
    {
        "called in scenes": list[str],
        "sessions": list[SessionDocument],
        "consents": "list[Document]",
        "drafts": "list[Document]",
    },
)
"""Everything that is held on a person."""
