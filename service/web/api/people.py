"""People on their seats: taking one under a name, leaving, withdrawing, asking; their codes at the end."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, SeatLeft, SeatNamed, UnforeseenQuestion
from elenchus.debate_engine.protocols.rulegen.people.procedure import withdraw
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab import codes
from elenchus.service.web.api.turns import AcceptedAnswer, has_agreed, name_on
from elenchus.service.web.problems import Conflict, NotThere
from elenchus.service.web.routes import Call, Reply, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.typed_words import forget_typed

routes = RouteTable("people")


class SeatTaken(FrozenModel):
    """Somebody agrees to sit, and is called `name` in this session."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    agreed: bool


class Question(FrozenModel):
    """What somebody asks that no rule of the scene foresees."""

    text: Annotated[str, Field(min_length=1, max_length=1_000)]


class Codes(FrozenModel):
    """What somebody in a scene is given once it is over. `ending` says how it ended for them; `completion` shows
    whoever recruited them that they took part; with `withdrawal` they can take back what they said, null where nothing
    is left to take back. A new withdrawal code is made each time.
    """

    ending: str
    completion: str
    withdrawal: str | None


class WithdrawalCode(FrozenModel):
    """A code as it was given."""

    code: Annotated[str, Field(min_length=1, max_length=100)]


class Removed(FrozenModel):
    """Whether all of it is gone already; else it goes soon."""

    gone: bool


@routes.add(
    "POST", "/sessions/{session}/seats/{seat}/name", "seat", "Take a seat under a name", body=SeatTaken,
    gives=AcceptedAnswer,
    refuses=(409, 422),
)  # fmt: skip
async def name_seat(call: Call) -> AcceptedAnswer:
    """Who agrees to sit is called so from then on. In a scene people have made-up names that are drawn for them."""
    service, session, seat = service_of(call.request), call.path("session"), call.path("seat")
    async with service.live.looking(session) as live, live.answering:
        view = live.status.view
        check_person(call, view, seat)
        if view.spec.has_subjects:
            raise UsageError("In a scene nobody is called by a name of their own.")
        if not call.body.agreed:
            raise UsageError("Nobody sits without having agreed to.")
        if has_agreed(view, seat):
            raise Conflict("Somebody has taken this seat already.")
        title = " ".join(call.body.name.split())
        if not title or not title.isprintable():
            raise UsageError("A name has letters that can be shown.")
        event = SeatNamed(by=call.asking.person(session, seat), seat=seat, title=title)
        sent = await live.send(event)
    return AcceptedAnswer(seq=sent.seq)


@routes.add(
    "POST",
    "/sessions/{session}/seats/{seat}/leave",
    "seat",
    "Leave a seat for good",
    gives=AcceptedAnswer,
    refuses=(409,),
)
async def leave_seat(call: Call) -> AcceptedAnswer:
    """A stand-in answers from then on, or nobody."""
    service, session, seat = service_of(call.request), call.path("session"), call.path("seat")
    async with service.live.looking(session) as live, live.answering:
        check_person(call, live.status.view, seat)
        if seat in live.status.view.moderation.left:
            raise Conflict("This seat was left already.")
        await forget_typed(service.app.shared, session, [turn for turn in live.status.view.asked if turn.seat == seat])
        sent = await live.send(SeatLeft(by=call.asking.person(session, seat), seat=seat))
    return AcceptedAnswer(seq=sent.seq)


@routes.add(
    "POST", "/sessions/{session}/seats/{seat}/withdraw", "seat", "Withdraw from a scene: your words go", status=204,
    refuses=(409, 422),
)  # fmt: skip
async def withdraw_seat(call: Call) -> Reply:
    """At any moment and without a reason; the debriefing is given all the same. Of a debate your words go, too."""
    service, session, seat = service_of(call.request), call.path("session"), call.path("seat")
    async with service.live.looking(session) as live:
        view = live.status.view
        check_person(call, view, seat)
        by = name_on(view, seat) or call.asking.person(session, seat)
        subjects = view.spec.has_subjects
        await forget_typed(service.app.shared, session, [turn for turn in view.asked if turn.seat == seat])
    if subjects:
        await withdraw(service.app.log, service.app.runner, session, seat, by)
    else:
        await service.app.log.send(session, SeatLeft(by=by, seat=seat))
        await service.app.runner.forget_wherever(session, seat, by=by)
    return Reply(status=204)


@routes.add(
    "POST", "/sessions/{session}/seats/{seat}/question", "seat", "Ask what no rule of the scene foresees",
    body=Question, gives=AcceptedAnswer, refuses=(422,),
)  # fmt: skip
async def ask_question(call: Call) -> AcceptedAnswer:
    """It goes to whoever leads the scene."""
    service, session, seat = service_of(call.request), call.path("session"), call.path("seat")
    async with service.live.looking(session) as live:
        view = live.status.view
        check_person(call, view, seat)
        if not view.spec.has_subjects or view.ended:
            raise UsageError("Questions beside the turns are for scenes that are being played.")
        by = name_on(view, seat) or call.asking.person(session, seat)
        sent = await live.send(UnforeseenQuestion(by=by, seat=seat, text=call.body.text))
    return AcceptedAnswer(seq=sent.seq)


def check_person(call: Call, view: SessionView, seat: str) -> None:
    """Raises NotThere for no seat, or one of somebody else."""
    if not view.is_person(seat) or not call.asking.on_seat(call.path("session"), seat):
        raise NotThere("There is no such seat, or it is somebody else's.")


@routes.add(
    "POST", "/sessions/{session}/seats/{seat}/codes", "seat", "Your codes at the end of a scene", gives=Codes,
    refuses=(409,),
)  # fmt: skip
async def show_codes(call: Call) -> Codes:
    """Once the log has how it ended for you."""
    service, session, seat = service_of(call.request), call.path("session"), call.path("seat")
    async with service.live.looking(session) as live:
        check_person(call, live.status.view, seat)
    recorded, store = await service.app.log.read(session), service.app.store
    if (found := await codes.completion_code(store, session, recorded, seat)) is None:
        raise Conflict("There are no codes before it has ended for you, and none outside of scenes.")
    withdrawal = await codes.new_withdrawal_code(store, session, recorded, seat)
    return Codes(ending=found[0], completion=found[1], withdrawal=withdrawal)


@routes.add(
    "POST", "/withdrawals", "anybody", "Take back what you said, by the code that you were given",
    body=WithdrawalCode, gives=Removed, refuses=(429,),
)  # fmt: skip
async def create_withdrawal(call: Call) -> Removed:
    """For good. Whoever has the code may; wrong ones are counted by address."""
    service = service_of(call.request)
    async with service.guess(call.request) as wrong:
        try:
            return Removed(gone=await service.app.retention.withdraw(call.body.code))
        except UsageError:
            await wrong()
            raise
