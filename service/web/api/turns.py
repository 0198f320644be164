"""The turns of people: what waits for them, answers, more time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import (
    AnswerRejected,
    FrozenModel,
    Recorded,
    StepDone,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    now,
)
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab import participation, turn_forms
from elenchus.service.lab.forms import numbers_understood
from elenchus.service.lab.viewers import seat_viewer, turns_for
from elenchus.service.web.api.sessions import AsSeat
from elenchus.service.web.problems import Conflict, Forbidden, NotThere
from elenchus.service.web.routes import Call, Reply, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.turn_documents import TurnDocument, turn_document
from elenchus.service.web.typed_words import Fields, TypedWords, forget_typed, keep_typed, typed_for

routes = RouteTable("turns")

MOST_EXTENSIONS = 3
"""So often a person may put off a turn; a moderator always may."""

Step = Annotated[str, Field(max_length=500)]


class Turns(FrozenModel):
    """Open turns, the one that has waited longest first."""

    turns: list[TurnDocument]


class GivenAnswer(FrozenModel):
    """An answer: `fields` as they are typed, by the names in the turn; or `value`, of the asked form; or `declined`,
    the reason why there is none ("" will do).
    """

    fields: Fields | None = None
    value: Any = None
    declined: Annotated[str, Field(max_length=500)] | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if sum((self.fields is not None, self.value is not None, self.declined is not None)) != 1:
            raise ValueError("give one of fields, value and declined")
        return self


class AcceptedAnswer(FrozenModel):
    """What was taken, as event `seq`. `understood`: numbers that are written otherwise elsewhere, as they were read."""

    seq: int
    understood: str = ""


class Extension(FrozenModel):
    """So many seconds later a turn is to end than it would."""

    seconds: Annotated[int, Field(ge=1, le=86_400)] = 120


@routes.add("GET", "/sessions/{session}/turns", "seat", "The turns that wait", query=AsSeat, gives=Turns)
async def list_turns(call: Call) -> Turns:
    """Of your seats, or the one, with what is asked; a moderator sees that they wait."""
    session = call.path("session")
    viewers = [call.asking.viewer(session, call.query.seat)]
    if not call.query.seat and not call.asking.moderates(session):
        viewers = [seat_viewer(seat) for seat in call.asking.seats(session)]
    service = service_of(call.request)
    async with service.live.looking(session) as live:
        view, shared = live.status.view, service.app.shared
        found = [
            turn_document(turn, view, viewer, await typed_for(shared, session, turn) if viewer.seat else None)
            for viewer in viewers
            for turn in turns_for(viewer, view)
        ]
    return Turns(turns=sorted(found, key=lambda turn: turn.since))


@routes.add(
    "POST", "/sessions/{session}/turns/{step:.+}/answer", "seat", "Answer an open turn, or pass it",
    body=GivenAnswer, gives=AcceptedAnswer, refuses=(409, 422),
)  # fmt: skip
async def answer_turn(call: Call) -> AcceptedAnswer:
    """The first answer counts; the same one again, as when a connection broke, is told to be there already."""
    service, session, step = service_of(call.request), call.path("session"), call.path("step")
    async with service.live.looking(session) as live, live.answering:
        view = live.status.view
        turn = next((one for one in view.asked if one.step == step), None)
        if turn is None:
            return _known(call, await service.app.log.read(session), step)
        _check_seat(call, view, turn.seat)
        by = name_on(view, turn.seat) or call.asking.person(session, turn.seat)
        event = answer_of(call.body, turn, by, subjects=view.spec.has_subjects)
        sent = await live.send(event)
        if any(r.seq < sent.seq for r in await _ends_of(call, step)):
            raise Conflict(OVER)
        await forget_typed(service.app.shared, session, [turn])
    return AcceptedAnswer(seq=sent.seq, understood=_understood(turn, event))


@routes.add(
    "PUT", "/sessions/{session}/turns/{step:.+}/typed", "seat", "Keep what is being typed for an open turn",
    body=TypedWords, status=204, refuses=(409, 422),
)  # fmt: skip
async def keep_typed_words(call: Call) -> Reply:
    """For whoever sits there, on another device (see `typed` of the turn): in memory, until the turn is
    over and for six hours at the most, and nobody else sees it. What was typed last stays.
    """
    service, session, step = service_of(call.request), call.path("session"), call.path("step")
    async with service.live.looking(session) as live, live.answering:
        view = live.status.view
        own = (turn for seat in call.asking.seats(session) for turn in turns_for(seat_viewer(seat), view))
        if (turn := next((one for one in own if one.step == step), None)) is None:
            raise NotThere(NO_TURN)
        turn_forms.check_fields(turn, call.body.fields, subjects=view.spec.has_subjects)
        await keep_typed(service.app.shared, session, turn, call.body)
    return Reply(status=204)


def answer_of(given: GivenAnswer, turn: OpenTurn, by: str, *, subjects: bool) -> TurnAnswered:
    """What was given, as the answer to the turn. Raises UsageError where it is not of the asked form."""
    if given.declined is not None:
        return participation.no_answer(turn, by, given.declined)
    value = given.value
    if given.fields is not None:
        value = turn_forms.typed_value(turn, given.fields, subjects=subjects)
    try:
        answered = participation.answer(turn, by, value, "web")
    except UsageError as error:
        if subjects:  # what is wrong would name a measure
            raise UsageError(f"{turn_forms.NOT_OF_THE_FORM}, and give its fields.") from None
        if given.fields is not None and error.__cause__:  # it was typed into a form, whose fields have names
            raise UsageError(turn_forms.complaint(error.__cause__)) from None
        raise
    return answered.model_copy(update={"as_prepared": turn.prepared is not None and answered.answer == turn.prepared})


def _understood(turn: OpenTurn, event: TurnAnswered) -> str:
    return numbers_understood(turn.answer_schema, event.answer) if event.declined is None else ""


ANSWERED = "This turn has been answered already: the first answer counts."
OVER = "This turn is over: its time had ended, or the session went on without it."


async def _ends_of(call: Call, step: str) -> list[Recorded]:
    recorded = await service_of(call.request).app.log.read(call.path("session"))
    return [r for r in recorded if isinstance(r.event, StepDone) and r.event.step == step]


def _known(call: Call, recorded: list[Recorded], step: str) -> AcceptedAnswer:
    """The answer that is there, where it is the same. Raises Conflict for another one, NotThere for no turn."""
    events = (r.event for r in reversed(recorded))
    opened = next((event for event in events if isinstance(event, TurnOpened) and event.step == step), None)
    if opened is None or not _may_answer(call, opened.seat):
        raise NotThere(NO_TURN)
    answers = list(_counting(recorded, step))
    if not answers:
        raise Conflict(OVER)
    seq, answered = answers[0]
    turn = OpenTurn(step, opened.seat, opened.asked, opened.answer_schema, now(), opened.due, opened.prepared)
    view = SessionView.of(call.path("session"), recorded[:1])
    if _same(call.body, turn, answered, subjects=view.spec.has_subjects):
        return AcceptedAnswer(seq=seq)
    raise Conflict(ANSWERED)


def _counting(recorded: list[Recorded], step: str) -> Iterator[tuple[int, TurnAnswered]]:
    """The answers to a turn that were not rejected, with their numbers; the first one counts."""
    rejected = {r.event.answer_seq for r in recorded if isinstance(r.event, AnswerRejected) and r.event.step == step}
    for r in recorded:
        if isinstance(r.event, TurnAnswered) and r.event.step == step and r.seq not in rejected:
            yield r.seq, r.event


def _same(given: GivenAnswer, turn: OpenTurn, known: TurnAnswered, *, subjects: bool) -> bool:
    try:
        event = answer_of(given, turn, "", subjects=subjects)
    except UsageError:
        return False
    return (event.answer, event.declined) == (known.answer, known.declined)


NO_TURN = "There is no such turn, or it is none of yours."


# ── whose turn ───────────────────────────────────────────────────────────────────────────────────────────────────


def _may_answer(call: Call, seat: str) -> bool:
    return call.asking.on_seat(call.path("session"), seat) is not None


def _check_seat(call: Call, view: SessionView, seat: str) -> None:
    """Raises NotThere for a seat of somebody else, Forbidden for one on which nobody has agreed to sit."""
    if not _may_answer(call, seat):
        raise NotThere(NO_TURN)
    if not view.spec.has_subjects and not has_agreed(view, seat):
        raise Forbidden("Say first how you are called here, and that you agree to sit.")


def has_agreed(view: SessionView, seat: str) -> bool:
    """Whether somebody has agreed to sit there; in a scene the session itself asks for consent."""
    return seat in view.moderation.named


def name_on(view: SessionView, seat: str) -> str:
    """The name under which a person was put on a seat, "" where nobody was named."""
    seats = view.started.seats if view.started else ()
    spec = next((one.spec for one in seats if one.name == seat and is_human(one.spec)), "")
    return spec.removeprefix(HUMAN).removeprefix(":")


# ── what else somebody on a seat may do ──────────────────────────────────────────────────────────────────────────


@routes.add(
    "POST", "/sessions/{session}/turns/{step:.+}/extend", "seat", "Give a turn more time", body=Extension,
    gives=AcceptedAnswer,
    refuses=(409, 422),
)  # fmt: skip
async def extend_turn(call: Call) -> AcceptedAnswer:
    """Of your own seat, three times at the most; a moderator may always."""
    service, session, step = service_of(call.request), call.path("session"), call.path("step")
    async with service.live.looking(session) as live, live.answering:
        turn = next((one for one in live.status.view.asked if one.step == step), None)
        moderates = call.asking.moderates(session)
        if turn is None or not (moderates or _may_answer(call, turn.seat)):
            raise NotThere(NO_TURN)
        if turn.due is None:
            raise UsageError("This turn has no end: take your time.")
        by = call.asking.person(session, "" if moderates else turn.seat)
        if not moderates and await _extensions(call, step, by) >= MOST_EXTENSIONS:
            raise Conflict(f"You have had more time {MOST_EXTENSIONS} times: whoever moderates can give more.")
        due = max(turn.due, now()) + timedelta(seconds=call.body.seconds)
        sent = await live.send(TurnExtended(by=by, step=step, due=due))
    return AcceptedAnswer(seq=sent.seq)


async def _extensions(call: Call, step: str, by: str) -> int:
    recorded = await service_of(call.request).app.log.read(call.path("session"))
    return sum(isinstance(r.event, TurnExtended) and (r.event.step, r.event.by) == (step, by) for r in recorded)
