"""Classes for who teaches them: made, looked at, led from phase to phase, taken home. And what the room sees."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from aiohttp import web
from pydantic import Field

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.service.lab.classes.classroom import Classroom, Phase
from elenchus.service.lab.classes.new_class import ClassOptions
from elenchus.service.lab.classes.publication import Publication
from elenchus.service.lab.classes.shown import room_view, teacher_view
from elenchus.service.lab.classes.views import RoomView, TeacherView
from elenchus.service.lab.options import options_of
from elenchus.service.web.api.exports import as_zip
from elenchus.service.web.api.idempotency import created_once
from elenchus.service.web.class_streams import ClassStream, of_room, of_teacher
from elenchus.service.web.problems import Conflict, NotThere
from elenchus.service.web.routes import BASE, STREAM, Call, Reply, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.streams import streamed

if TYPE_CHECKING:
    from elenchus.service.lab.classes.live_class import LiveClass

routes = RouteTable("classes")


class NewClass(FrozenModel):
    """A scene for a class; `options` are those of `elenchus class`, the scene's name among them."""

    options: dict[str, Any]


class ClassMade(FrozenModel):
    """A class with its code, by which whoever is in the room joins at `join`; with slips a code for each instead, which
    are shown once.
    """

    id: str
    code: str
    join: str
    phase: Phase
    slips: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


class ClassRow(FrozenModel):
    """A class in a list."""

    id: str
    scene: str
    title: str
    phase: Phase
    people: int
    bots: int
    created: datetime


class ClassRows(FrozenModel):
    """All classes, newest first."""

    classes: list[ClassRow]


class ClassEstimate(FrozenModel):
    """What all sessions of a class ask of models at the most; `warnings` are what to know before it is made."""

    plan: dict[str, Any]
    warnings: list[str] = Field(default_factory=list)


class PhaseRequest(FrozenModel):
    """To which phase the class is to come; `sure`: whatever is unfinished then."""

    to: Phase
    sure: bool = False


class PhaseReached(FrozenModel):
    """Whether it has come there; else what is unfinished, which is to be agreed to by `sure`."""

    done: bool
    unfinished: list[str] = Field(default_factory=list)


class Places(FrozenModel):
    """So many people may take part."""

    places: Annotated[int, Field(ge=1, le=300)]


class LongerBy(FrozenModel):
    """So many minutes; of one `person`, or of all ("")."""

    minutes: Annotated[float, Field(gt=0, le=2_880)] = 5
    person: Annotated[str, Field(max_length=200)] = ""


class ExtendedTurns(FrozenModel):
    """To how many people more time was given."""

    people: int


class ClassEnd(FrozenModel):
    """When the class ends by itself."""

    until: datetime


@routes.add(
    "POST", "/classes", "house", "Make a class, with its lobby open", body=NewClass, gives=ClassMade, status=201,
    refuses=(409, 422, 502, 503), idempotent_by_key=True,
)  # fmt: skip
async def create_class(call: Call) -> Reply:
    """Nothing is asked of a model before it begins to play."""
    service = service_of(call.request)
    service.own.check_open()
    options, slips = _options(call), list[str]()

    async def begin(class_id: str) -> list[str]:
        made = await service.classes.create(options, class_id)
        slips.extend(made.slips)
        return list(made.cautions)

    made = await created_once(call, begin, service.classes.is_there)
    progress = (await service.classes.open(made.id)).progress
    code = progress.room.code
    join = f"{service.options.public_url.rstrip('/')}/join/{code}"
    document = ClassMade(id=made.id, code=code, join=join, phase=progress.phase, slips=slips, warnings=made.warnings)
    return Reply(document, made.status, {"Location": f"{BASE}/classes/{made.id}"})


def _options(call: Call) -> ClassOptions:
    return options_of(ClassOptions, call.body.options)


@routes.add("GET", "/classes", "house", "All classes", gives=ClassRows)
async def list_classes(call: Call) -> ClassRows:
    """Newest first, those too that are over."""
    store = service_of(call.request).classes.store
    return ClassRows(classes=[_row(room, await store.phase(room.id)) for room in await store.all()])


def _row(room: Classroom, phase: Phase) -> ClassRow:
    return ClassRow(phase=phase, **{name: getattr(room, name) for name in ClassRow.model_fields if name != "phase"})


@routes.add(
    "POST", "/class-estimates", "house", "What a class would cost at the most", body=NewClass, gives=ClassEstimate,
    refuses=(422, 502),
)  # fmt: skip
async def estimate_class(call: Call) -> ClassEstimate:
    """Nothing where all lines are written beforehand."""
    found = await service_of(call.request).classes.estimate(_options(call))
    return ClassEstimate(plan=found.plan, warnings=list(found.told))


@routes.add("GET", "/classes/{classroom}", "viewer", "What the room sees of a class", gives=RoomView)
async def show_class(call: Call) -> RoomView:
    """Totals alone."""
    return room_view((await live_of(call)).progress)


@routes.add(
    "GET", "/classes/{classroom}/stream", "viewer", "Follow what the room sees", gives=STREAM, refuses=(429,)
)  # fmt: skip
async def stream_class(call: Call) -> web.StreamResponse:
    """Events `class` with the whole document, whenever it has changed, four a second at the most."""
    return await stream(call, of_room((await live_of(call)).progress))


@routes.add("GET", "/classes/{classroom}/teacher", "moderator", "What the teacher sees of a class", gives=TeacherView)
async def show_teacher(call: Call) -> TeacherView:
    """Progress by version, who waits long, what comes next and what is unfinished then."""
    live = await live_of(call)
    return teacher_view(live.progress, live.clock())


@routes.add(
    "GET", "/classes/{classroom}/teacher/stream", "moderator", "Follow what the teacher sees", gives=STREAM,
    refuses=(429,),
)  # fmt: skip
async def stream_teacher(call: Call) -> web.StreamResponse:
    """As the room's stream."""
    return await stream(call, of_teacher(await live_of(call)))


async def stream(call: Call, what: ClassStream) -> web.StreamResponse:
    """Send a stream of a class to whoever asks."""
    service = service_of(call.request)
    with service.limits.streams.opened(service.asker(call.request, call.asking), call.request.transport):
        return await streamed(call.request, what, call.asking)


async def live_of(call: Call) -> LiveClass:
    """The class that the path names."""
    return await service_of(call.request).classes.open(call.path("classroom"))


# ── leading it ───────────────────────────────────────────────────────────────────────────────────────────────────────


@routes.add(
    "POST", "/classes/{classroom}/phase", "moderator", "Come to the next phase", body=PhaseRequest, gives=PhaseReached,
    refuses=(422,),
)  # fmt: skip
async def advance_class(call: Call) -> PhaseReached:
    """What is unfinished is told first, and nothing changed. Pressed twice, or by two, it is come to once."""
    classes, by = service_of(call.request).classes, call.asking.person("") or "teacher"
    found = await classes.advance(call.path("classroom"), call.body.to, by, sure=call.body.sure)
    return PhaseReached(done=found.done, unfinished=list(found.unfinished))


@routes.add(
    "POST", "/classes/{classroom}/places", "moderator", "Open more places", body=Places, gives=Places, refuses=(422,)
)
async def open_places(call: Call) -> Places:
    """The greatest number that was asked for counts."""
    found = await service_of(call.request).classes.open_places(call.path("classroom"), call.body.places)
    return Places(places=found)


@routes.add(
    "POST", "/classes/{classroom}/end", "moderator", "Let a class last longer", body=LongerBy, gives=ClassEnd,
    refuses=(422,),
)  # fmt: skip
async def extend_class(call: Call) -> ClassEnd:
    """So many minutes from now on, where it would end earlier."""
    return ClassEnd(until=await service_of(call.request).classes.extend(call.path("classroom"), call.body.minutes))


@routes.add(
    "POST", "/classes/{classroom}/more-time", "moderator", "Give people more time for what they are asked",
    body=LongerBy, gives=ExtendedTurns, refuses=(422,),
)  # fmt: skip
async def give_time(call: Call) -> ExtendedTurns:
    """One person, or everybody who is asked something now."""
    classes, given = service_of(call.request).classes, call.body
    found = await classes.more_time(call.path("classroom"), given.minutes, "teacher", given.person)
    return ExtendedTurns(people=found)


@routes.add(
    "POST", "/classes/{classroom}/retry", "moderator", "Go on with sessions that stand still", status=204
)  # fmt: skip
async def retry_class(call: Call) -> Reply:
    """As when a model is there again."""
    await service_of(call.request).classes.try_again(call.path("classroom"))
    return Reply(status=204)


# ── what came out ────────────────────────────────────────────────────────────────────────────────────────────────────


@routes.add("GET", "/classes/{classroom}/revealed", "viewer", "What came out, once it is shown", gives=Publication)
async def show_revealed(call: Call) -> Publication:
    """Made once: no number of it rests on fewer than five people."""
    if (found := (await live_of(call)).progress.revealed) is None:
        raise NotThere("It is not shown yet what came out.")
    return found


@routes.add(
    "GET", "/classes/{classroom}/files", "moderator", "All files of what came out", gives="application/zip",
    refuses=(409,),
)  # fmt: skip
async def show_class_files(call: Call) -> web.Response:
    """As `elenchus scene results --export` writes them, of the people of this class; once it is shown."""
    try:
        results = await service_of(call.request).classes.results(call.path("classroom"))
    except UsageError as error:
        raise Conflict(str(error)) from None
    return await as_zip(results.files, call.path("classroom"))


@routes.add("DELETE", "/classes/{classroom}", "moderator", "Remove a class that is over", status=204, refuses=(409,))
async def remove_class(call: Call) -> Reply:
    """With what was said in it; of a study's sessions each keeps what its people were promised."""
    try:
        await service_of(call.request).classes.remove(call.path("classroom"))
    except UsageError as error:
        raise Conflict(str(error)) from None
    return Reply(status=204)
