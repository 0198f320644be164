"""The documents that the API gives and takes, as pydantic models; what a session's status is for a viewer. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.service.lab.viewers import Viewer, sees_scores, turns_for
from elenchus.service.web.turn_documents import TurnDocument, turn_document
from elenchus.service.web.voters import by_open_code

if TYPE_CHECKING:
    from elenchus.debate_engine.log import SessionInfo
    from elenchus.debate_engine.reports.blocks import Block
    from elenchus.debate_engine.reports.view import SessionView
    from elenchus.service.lab.session_status import SessionStatus


def block_document(block: Block) -> dict[str, Any]:
    """A block as JSON: its fields, and `type`, the name of its class in small letters."""
    document = {"type": type(block).__name__.lower(), **asdict(block)}
    if document.get("picture"):
        document["picture"] = document["picture"].model_dump(mode="json")
    return document


class EventDocument(FrozenModel):
    """An event as a viewer is shown it. `blocks` say what it adds; `event` is itself, for moderators alone."""

    seq: int
    at: datetime
    kind: str
    blocks: list[dict[str, Any]] | None = None
    html: str | None = None
    event: dict[str, Any] | None = None


class Events(FrozenModel):
    """Events after a number, in order. `next` is the number to ask on with; `more`: there are further ones now."""

    events: list[EventDocument]
    next: int
    more: bool


class SessionRow(FrozenModel):
    """A session in a list. `state` is `interrupted` where it runs by its log, and nobody runs it.

    `owner` is the process that runs it now, for whoever moderates; `begun` is false where none ever has.
    """

    id: str
    title: str
    protocol: str
    state: str
    created: datetime
    owner: str | None = None
    begun: bool = True


INTERRUPTED = "interrupted"


def is_interrupted(info: SessionInfo) -> bool:
    """Whether a session runs by its log, and whoever ran it is gone: another program that crashed, say."""
    return info.state == "running" and info.owner is None and info.begun


def session_row(info: SessionInfo, *, moderates: bool = False) -> SessionRow:
    """A row of the list, for whoever moderates the session or for others."""
    return SessionRow(
        id=info.id, title=info.title, protocol=info.protocol, created=info.created,
        state=INTERRUPTED if is_interrupted(info) else info.state, begun=info.begun,
        owner=info.owner if moderates else None,
    )  # fmt: skip


class SessionRows(FrozenModel):
    """A page of sessions, newest first; `next` is the cursor of the next page, None on the last."""

    sessions: list[SessionRow]
    next: str | None = None


class SeatDocument(FrozenModel):
    """A seat. `kind` tells a person from a model; `open`: it waits for a person who has not come yet."""

    name: str
    title: str
    kind: str
    model: str | None = None
    left: bool = False


class Presence(FrozenModel):
    """Who follows a session by a stream just now, in all processes that can be heard: how many as the audience and as
    moderators, and the seats with somebody at them, with what these are called.
    """

    audience: int
    moderators: int
    seats: dict[str, str]


class StandingDocument(FrozenModel):
    """How far a debate has come; `qualities` are Γ after each scored stage, null where it could not be read; while it
    runs they are for moderators alone.
    """

    stages: list[str]
    at: int
    of: int = 0
    heat: float | None = None
    qualities: list[float | None] = Field(default_factory=list)
    progress: str = ""


class NextTurnDocument(FrozenModel):
    """The turn whose heat can still be set, for moderators."""

    turn: str
    scheduled: float
    heat: float


class VotesDocument(FrozenModel):
    """The room's votes: which are open and until when; the counts are there once the session is over.

    `by_open_code`: how many of those who voted came by a code with which one person can vote more than once.
    """

    open: dict[str, datetime | None]
    counts: dict[str, Any] | None = None
    by_open_code: int | None = None


class SpendingDocument(FrozenModel):
    """What was used, and the limits in all. `usd` is null where no price is known."""

    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    unpriced_calls: int
    most_tokens: int | None = None
    most_usd: float | None = None


class SessionDocument(FrozenModel):
    """How a session stands, as far as its viewer may know. `allowed` are the commands that its moderator may give now.

    `viewer` says as whom one looks: moderator, seat or audience, and `seat` which.
    """

    id: str
    protocol: str
    kind: str
    title: str
    state: str
    reason: str = ""
    created: datetime | None
    seq: int
    viewer: str
    seat: str = ""
    has_subjects: bool
    seats: list[SeatDocument]
    standing: StandingDocument | None = None
    next_turn: NextTurnDocument | None = None
    allowed: tuple[str, ...] = ()
    asked: str = ""
    turns: list[TurnDocument] = Field(default_factory=list)
    waits_for: list[str] = Field(default_factory=list)
    votes: VotesDocument | None = None
    spending: SpendingDocument | None = None
    faults: list[str] = Field(default_factory=list)


def session_document(status: SessionStatus, viewer: Viewer) -> SessionDocument:
    """The session's status for a viewer."""
    view, moderates = status.view, viewer.role == "moderator"
    subjects = view.spec.has_subjects and not moderates
    standing, coming = status.standing, status.next_turn if moderates else None
    return SessionDocument(
        id=status.id,
        protocol=view.spec.name,
        kind=view.spec.kind,
        title=view.title,
        state=status.state,
        reason=status.view.reason if moderates else "",
        created=view.created,
        seq=view.last_seq,
        viewer=viewer.role,
        seat=viewer.seat,
        has_subjects=view.spec.has_subjects,
        seats=list(_seats(view, viewer)),
        standing=StandingDocument(
            stages=list(standing.stages), at=standing.at, of=standing.of, heat=standing.heat,
            qualities=list(standing.qualities) if sees_scores(viewer, view) else [], progress=standing.progress,
        ) if standing and not subjects else None,
        next_turn=NextTurnDocument(**coming._asdict()) if coming else None,
        allowed=status.allowed if moderates else (),
        asked=status.asked if moderates else "",
        turns=[turn_document(turn, view, viewer) for turn in turns_for(viewer, view)],
        waits_for=[] if subjects else sorted({turn.seat for turn in view.asked}),
        votes=None if subjects else _votes(view),
        spending=_spending(status) if moderates else None,
        faults=list(view.faults) if moderates else [],
    )  # fmt: skip


def as_interrupted(document: SessionDocument) -> SessionDocument:
    """The document of a session that nobody runs any more: its moderator may have it go on."""
    allowed = tuple("resume" if one == "pause" else one for one in document.allowed)
    return document.model_copy(update={"state": INTERRUPTED, "allowed": allowed})


def _seats(view: SessionView, viewer: Viewer) -> Iterator[SeatDocument]:
    """Of a session with subjects whoever takes part is told of no other seat: the cast would tell too much. Who has
    left one, whoever runs it is not told.
    """
    subjects = view.spec.has_subjects
    for speaker in view.speakers:
        if subjects and viewer.role != "moderator" and speaker.seat != viewer.seat:
            continue
        yield SeatDocument(
            name=speaker.seat, title=view.name(speaker.seat), kind=speaker.kind,
            model=speaker.model if viewer.role == "moderator" else None,
            left=speaker.seat in view.moderation.left and (not subjects or speaker.seat == viewer.seat),
        )  # fmt: skip


def _votes(view: SessionView) -> VotesDocument | None:
    if (votes := view.projected(lambda projection: projection.votes)) is None:
        return None
    counted = view.moderation.audience() if view.ended else None
    is_open = {} if votes.asked and view.ended else {str(when): until for when, until in votes.open.items()}
    if counted is None:
        return VotesDocument(open=is_open)
    return VotesDocument(open=is_open, counts=counted.model_dump(mode="json"), by_open_code=by_open_code(view))


def _spending(status: SessionStatus) -> SpendingDocument:
    total = status.view.spending.total
    return SpendingDocument(
        calls=total.calls, input_tokens=total.tokens.input_tokens, output_tokens=total.tokens.output_tokens,
        usd=total.usd, unpriced_calls=total.unpriced, most_tokens=status.most_tokens, most_usd=status.most_usd,
    )  # fmt: skip
