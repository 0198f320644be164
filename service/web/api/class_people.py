"""The people of a class: coming in by a code, coming back, one's own place, and the ways out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from aiohttp import web
from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.service.lab.classes import taking_part
from elenchus.service.lab.classes.entry_codes import JoinedPerson
from elenchus.service.lab.classes.shown import person_view
from elenchus.service.lab.classes.taking_part import ClassFull
from elenchus.service.lab.classes.views import PersonView
from elenchus.service.web.api.classes import live_of, stream
from elenchus.service.web.class_streams import of_person
from elenchus.service.web.problems import Conflict, NotThere
from elenchus.service.web.routes import STREAM, Call, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.typed_words import forget_typed

if TYPE_CHECKING:
    from elenchus.service.lab.access import Grant
    from elenchus.service.lab.classes.class_progress import Member
    from elenchus.service.lab.classes.classes import Classes
    from elenchus.service.lab.classes.live_class import LiveClass

routes = RouteTable("class people")


class JoinRequest(FrozenModel):
    """By which code somebody comes: the class's, a slip's, or the one to come back by; under which offered `name`."""

    code: Annotated[str, Field(min_length=1, max_length=200)]
    name: Annotated[str, Field(max_length=60)] = ""


class Place(FrozenModel):
    """A place in a class. `token` is for programs, which are this person with it; by `code` one comes back from another
    device. Both are shown once. `debates`: it is a class debate.
    """

    classroom: str
    person: str
    name: str
    token: str
    code: str
    debates: bool = False


class NamesOffered(FrozenModel):
    """Made-up names that are free now."""

    names: list[str]


class OwnCode(FrozenModel):
    """A new code to come back by."""

    code: str


@routes.add(
    "POST", "/class-places", "anybody", "Join a class by a code, or come back", body=JoinRequest, gives=Place,
    refuses=(404, 409, 422, 429),
)  # fmt: skip
async def join_class(call: Call) -> Place:
    """Who comes by their own code, or with their own token, is there once."""
    service = service_of(call.request)
    service.own.check_open()
    grant = await service.granted(call.request, call.body.code)
    if grant is None or not grant.classroom or grant.role not in ("audience", "participant"):
        raise NotThere("This code is for no class, or not any more: look whether it is typed as it stands there.")
    own = call.asking.person_of(grant.classroom)
    if await service.debates.is_there(grant.classroom):
        return await _place_in_debate(call, grant, own)
    try:
        return place_of(await came(service.classes, grant, own, call.body.name), grant.classroom)
    except ClassFull as full:
        raise Conflict(str(full)) from None


async def came(classes: Classes, grant: Grant, own: str, name: str) -> JoinedPerson:
    """Somebody comes by this grant, who is `own` already where that is not "". Raises UsageError, ClassFull."""
    live = await classes.open(grant.classroom)
    known = grant.person if grant.role == "participant" else own
    if known in live.progress.members:
        if "come again" in person_view(live.progress, live.progress.members[known]).may:
            return await classes.join_again(grant.classroom, name, known)
        return await classes.come_back(grant.classroom, known)
    return await classes.join(grant.classroom, name, slip=grant.person if grant.role == "participant" else "")


async def _place_in_debate(call: Call, grant: Grant, own: str) -> Place:
    """The same of a class that debates: what follows is under `/class-debates`."""
    known = grant.person or own
    try:
        found = await service_of(call.request).debates.join(grant.classroom, call.body.name, known)
    except ClassFull as full:
        raise Conflict(str(full)) from None
    who = found.member.person
    return Place(
        classroom=grant.classroom, person=who.id, name=who.name, token=found.own.secret, code=found.code, debates=True
    )


def place_of(joined: JoinedPerson, classroom: str) -> Place:
    """A place as it is told."""
    who = joined.member.person
    return Place(classroom=classroom, person=who.id, name=who.name, token=joined.own.secret, code=joined.code)


@routes.add(
    "GET", "/classes/{classroom}/names", "viewer", "Made-up names to choose from", gives=NamesOffered
)  # fmt: skip
async def offer_names(call: Call) -> NamesOffered:
    """Three that are free."""
    return NamesOffered(names=taking_part.offered_names((await live_of(call)).progress))


async def _me(call: Call) -> tuple[LiveClass, Member]:
    service, classroom = service_of(call.request), call.path("classroom")
    return await service.classes.member(classroom, call.asking.person_of(classroom))


@routes.add("GET", "/classes/{classroom}/me", "seat", "Your place in a class", gives=PersonView, refuses=(422,))
async def show_place(call: Call) -> PersonView:
    """What you wait for, until when at the latest, and your ways out of it. You play by the routes of your session."""
    live, member = await _me(call)
    return person_view(live.progress, member)


@routes.add(
    "GET", "/classes/{classroom}/me/stream", "seat", "Follow your place", gives=STREAM, refuses=(422, 429)
)  # fmt: skip
async def stream_me(call: Call) -> web.StreamResponse:
    """Events `class` with the whole document, whenever it has changed."""
    live, member = await _me(call)
    return await stream(call, of_person(live.progress, member))


@routes.add("POST", "/classes/{classroom}/me/leave", "seat", "Leave a class for good", gives=PersonView, refuses=(422,))
async def leave_class(call: Call) -> PersonView:
    """Nothing depends on it. What you are in the middle of ends kindly; who has played is told what it was about."""
    live, member = await _me(call)
    await _forget_typed(call, member)
    await taking_part.leave(live, member)
    return person_view(live.progress, member)


@routes.add(
    "POST", "/classes/{classroom}/me/debriefing", "seat", "Be told now what it was about", gives=PersonView,
    refuses=(422,),
)  # fmt: skip
async def tell_me(call: Call) -> PersonView:
    """For who has played and has to go before the others."""
    live, member = await _me(call)
    await taking_part.tell_now(live, member)
    return person_view(live.progress, member)


@routes.add(
    "POST", "/classes/{classroom}/me/withdrawal", "seat", "Take back what you said", gives=PersonView, refuses=(422,)
)
async def withdraw_me(call: Call) -> PersonView:
    """Your words go, and count in nothing that is shown from now on."""
    live, member = await _me(call)
    await _forget_typed(call, member)
    await taking_part.withdraw(live, member)
    return person_view(live.progress, member)


async def _forget_typed(call: Call, member: Member) -> None:
    """What they have typed for what they are asked now."""
    if turn := member.progress.asked_now:
        await forget_typed(service_of(call.request).app.shared, member.person.session, [turn])


@routes.add("POST", "/classes/{classroom}/me/code", "seat", "A new code to come back by", gives=OwnCode, refuses=(422,))
async def new_code(call: Call) -> OwnCode:
    """From another device, as the same person. Of five codes the oldest is good no more when there is a sixth."""
    classroom = call.path("classroom")
    joined = await service_of(call.request).classes.come_back(classroom, call.asking.person_of(classroom))
    return OwnCode(code=joined.code)
