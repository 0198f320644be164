"""Class debates for who leads them: made, looked at, begun, and a half's time ended. And what the room sees."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from aiohttp import web
from pydantic import Field

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.service.lab.class_debates import taking_part
from elenchus.service.lab.class_debates.room import ClassDebateOptions
from elenchus.service.lab.class_debates.shown import leader_view, room_view
from elenchus.service.lab.class_debates.views import DebateLeaderView, DebateRoomView
from elenchus.service.lab.options import options_of
from elenchus.service.web.api.classes import stream
from elenchus.service.web.api.idempotency import created_once
from elenchus.service.web.class_streams import ClassStream
from elenchus.service.web.problems import Conflict
from elenchus.service.web.routes import BASE, STREAM, Call, Reply, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.viewer_documents import message

if TYPE_CHECKING:
    from collections.abc import Callable

    from elenchus.service.lab.class_debates.live_debate import LiveDebate

routes = RouteTable("class debates")


class NewClassDebate(FrozenModel):
    """A debate with a class; `options` are those of a debate, and `people`, `argument_seconds`, `arguments` and
    `speech_minutes` besides.
    """

    options: dict[str, Any]


class ClassDebateMade(FrozenModel):
    """A class debate with the code by which whoever is in the room joins; `session` is the debate."""

    id: str
    session: str
    code: str
    warnings: list[str] = Field(default_factory=list)


class ClassDebateRow(FrozenModel):
    """A class debate in a list."""

    id: str
    session: str
    motion: str
    people: int
    created: datetime


class ClassDebateRows(FrozenModel):
    """All class debates, newest first."""

    debates: list[ClassDebateRow]


class TurnOfHalf(FrozenModel):
    """The turn before which no more arguments are awaited, as it stands in what the room sees: `round/1/pro`."""

    turn: Annotated[str, Field(min_length=1, max_length=200)]


class StruckArgument(FrozenModel):
    """An argument, by its number."""

    argument: Annotated[int, Field(ge=1, lt=10**9)]


@routes.add(
    "POST", "/class-debates", "house", "Make a class debate, with its lobby open", body=NewClassDebate,
    gives=ClassDebateMade, status=201, refuses=(409, 422, 502, 503), idempotent_by_key=True,
)  # fmt: skip
async def create_class_debate(call: Call) -> Reply:
    """Nothing is asked of a model before it is begun."""
    service = service_of(call.request)
    service.own.check_open()
    options = options_of(ClassDebateOptions, call.body.options)

    async def begin(class_id: str) -> list[str]:
        _, cautions = await service.debates.create(options, class_id)
        return list(cautions)

    made = await created_once(call, begin, service.debates.is_there)
    room = (await service.debates.open(made.id)).room
    document = ClassDebateMade(id=room.id, session=room.session, code=room.code, warnings=made.warnings)
    return Reply(document, made.status, {"Location": f"{BASE}/class-debates/{made.id}"})


@routes.add("GET", "/class-debates", "house", "All class debates", gives=ClassDebateRows)
async def list_class_debates(call: Call) -> ClassDebateRows:
    """Newest first, those too that are over."""
    rooms = await service_of(call.request).debates.all()
    rows = [ClassDebateRow(**{name: getattr(one, name) for name in ClassDebateRow.model_fields}) for one in rooms]
    return ClassDebateRows(debates=rows)


async def debate_of_call(call: Call) -> LiveDebate:
    """The class debate that the path names."""
    return await service_of(call.request).debates.open(call.path("classroom"))


def streamed_of(live: LiveDebate, shown: Callable[[], FrozenModel]) -> ClassStream:
    """A stream of what somebody sees; while what is known may hold removed words it stays at what was sent."""
    last = b""

    def told() -> bytes:
        nonlocal last
        last = last if live.stale else message("class", shown().model_dump(mode="json"))
        return last

    return ClassStream(f"the class debate {live.room.id}", live.changed, told, lambda: live.removed)


@routes.add("GET", "/class-debates/{classroom}", "viewer", "What the room sees of a class debate", gives=DebateRoomView)
async def show_class_debate(call: Call) -> DebateRoomView:
    """Totals alone; the swing of its votes, once it is over."""
    return room_view(await debate_of_call(call))


@routes.add(
    "GET", "/class-debates/{classroom}/stream", "viewer", "Follow what the room sees of a class debate", gives=STREAM,
    refuses=(429,),
)  # fmt: skip
async def stream_class_debate(call: Call) -> web.StreamResponse:
    """Events `class` with the whole document, whenever it has changed, four a second at the most."""
    live = await debate_of_call(call)
    return await stream(call, streamed_of(live, lambda: room_view(live)))


@routes.add(
    "GET", "/class-debates/{classroom}/leader", "moderator", "What whoever leads a class debate sees",
    gives=DebateLeaderView,
)  # fmt: skip
async def show_leader(call: Call) -> DebateLeaderView:
    """The arguments of both halves, without whose they are. The debate itself is led by the routes of its session."""
    return leader_view(await debate_of_call(call))


@routes.add(
    "GET", "/class-debates/{classroom}/leader/stream", "moderator", "Follow what whoever leads a class debate sees",
    gives=STREAM, refuses=(429,),
)  # fmt: skip
async def stream_leader(call: Call) -> web.StreamResponse:
    """As the room's stream."""
    live = await debate_of_call(call)
    return await stream(call, streamed_of(live, lambda: leader_view(live)))


@routes.add(
    "POST", "/class-debates/{classroom}/start", "moderator", "Begin a class debate", gives=DebateRoomView,
    refuses=(409, 422, 503),
)  # fmt: skip
async def start_class_debate(call: Call) -> DebateRoomView:
    """With the vote before it. Pressed twice, it is begun once."""
    await service_of(call.request).debates.start(call.path("classroom"))
    live = await debate_of_call(call)
    await live.read_up()
    return room_view(live)


@routes.add(
    "POST", "/class-debates/{classroom}/end-time", "moderator", "Await no more arguments before a turn",
    body=TurnOfHalf, gives=DebateLeaderView, refuses=(422,),
)  # fmt: skip
async def end_half_time(call: Call) -> DebateLeaderView:
    """A turn that has come meanwhile stays as it is."""
    live = await debate_of_call(call)
    await taking_part.end_time(live, call.body.turn, call.asking.person(live.room.session) or "leader")
    return leader_view(live)


@routes.add(
    "POST", "/class-debates/{classroom}/strike", "moderator", "Take an argument away", body=StruckArgument,
    gives=DebateLeaderView, refuses=(422,),
)  # fmt: skip
async def strike_argument(call: Call) -> DebateLeaderView:
    """Nobody is shown it any more, and no speaker is given it."""
    live = await debate_of_call(call)
    await taking_part.strike(live, call.body.argument, call.asking.person(live.room.session) or "leader")
    return leader_view(live)


@routes.add(
    "DELETE", "/class-debates/{classroom}", "moderator", "Remove the class of a debate that is over", status=204,
    refuses=(409,),
)  # fmt: skip
async def remove_class_debate(call: Call) -> Reply:
    """Its code, and who was there. The debate stays, and is deleted as any other."""
    try:
        await service_of(call.request).debates.remove(call.path("classroom"))
    except UsageError as error:
        raise Conflict(str(error)) from None
    return Reply(status=204)
