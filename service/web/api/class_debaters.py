"""The people of a class debate: arguments for one's half, upvotes, votes, speaking, and the ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from aiohttp import web
from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.socrasynth.halves import LONGEST_ARGUMENT
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.service.lab.class_debates import taking_part
from elenchus.service.lab.class_debates.shown import member_view
from elenchus.service.lab.class_debates.views import DebateMemberView
from elenchus.service.web.api.class_debates import debate_of_call, streamed_of
from elenchus.service.web.api.class_people import NamesOffered, OwnCode
from elenchus.service.web.api.classes import stream
from elenchus.service.web.problems import NotThere
from elenchus.service.web.routes import STREAM, Call, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.typed_words import forget_typed

if TYPE_CHECKING:
    from elenchus.service.lab.class_debates.live_debate import DebateMember, LiveDebate

routes = RouteTable("class debaters")

LONGEST_NUMBER = 9
"""Digits of an argument's number."""


class NewArgument(FrozenModel):
    """An argument for the speaker of one's half."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_ARGUMENT)]


class OwnVote(FrozenModel):
    """A vote before or after the debate, whichever is open."""

    side: Literal["pro", "con", "undecided"]


@routes.add(
    "GET", "/class-debates/{classroom}/names", "viewer", "Made-up names to choose from for a class debate",
    gives=NamesOffered,
)  # fmt: skip
async def offer_debate_names(call: Call) -> NamesOffered:
    """Three that are free. One joins by `POST /class-places`."""
    return NamesOffered(names=taking_part.offered_names(await debate_of_call(call)))


async def _me(call: Call) -> tuple[LiveDebate, DebateMember]:
    classroom = call.path("classroom")
    return await service_of(call.request).debates.member(classroom, call.asking.person_of(classroom))


@routes.add(
    "GET", "/class-debates/{classroom}/me", "seat", "Your place in a class debate", gives=DebateMemberView,
    refuses=(422,),
)  # fmt: skip
async def show_debater(call: Call) -> DebateMemberView:
    """Your half with its arguments, and what you may do now. What is spoken you hear by the routes of the session."""
    return member_view(*await _me(call))


@routes.add(
    "GET", "/class-debates/{classroom}/me/stream", "seat", "Follow your place in a class debate", gives=STREAM,
    refuses=(422, 429),
)  # fmt: skip
async def stream_debater(call: Call) -> web.StreamResponse:
    """Events `class` with the whole document, whenever it has changed."""
    live, member = await _me(call)
    return await stream(call, streamed_of(live, lambda: member_view(live, member)))


@routes.add(
    "POST", "/class-debates/{classroom}/me/arguments", "seat", "Give your speaker an argument", body=NewArgument,
    gives=DebateMemberView, status=201, refuses=(422,),
)  # fmt: skip
async def give_argument(call: Call) -> DebateMemberView:
    """Your half alone sees it before it is spoken, and nobody whose it is."""
    live, member = await _me(call)
    await taking_part.argue(live, member, call.body.text)
    return member_view(live, member)


@routes.add(
    "PUT", "/class-debates/{classroom}/me/upvotes/{argument}", "seat", "Upvote an argument of your half",
    gives=DebateMemberView, refuses=(422,),
)  # fmt: skip
async def give_upvote(call: Call) -> DebateMemberView:
    """Once each, and none for your own."""
    return await _upvoted(call, up=True)


@routes.add(
    "DELETE", "/class-debates/{classroom}/me/upvotes/{argument}", "seat", "Take an upvote back",
    gives=DebateMemberView, refuses=(422,),
)  # fmt: skip
async def take_upvote_back(call: Call) -> DebateMemberView:
    """Where there is none, nothing changes."""
    return await _upvoted(call, up=False)


async def _upvoted(call: Call, *, up: bool) -> DebateMemberView:
    live, member = await _me(call)
    if not (number := call.path("argument")).isascii() or not number.isdigit() or len(number) > LONGEST_NUMBER:
        raise NotThere("An argument is known by its number.")
    await taking_part.upvote(live, member, int(number), up=up)
    return member_view(live, member)


@routes.add(
    "POST", "/class-debates/{classroom}/me/vote", "seat", "Vote before or after a class debate", body=OwnVote,
    gives=DebateMemberView, refuses=(422,),
)  # fmt: skip
async def give_vote(call: Call) -> DebateMemberView:
    """Your last one of each counts. The log has another name for you there than anywhere else."""
    live, member = await _me(call)
    await taking_part.vote(live, member, call.body.side)
    return member_view(live, member)


@routes.add(
    "POST", "/class-debates/{classroom}/me/speak", "seat", "Speak for your half", gives=DebateMemberView,
    refuses=(422,),
)  # fmt: skip
async def speak_for_half(call: Call) -> DebateMemberView:
    """Where a person is to speak, and nobody does yet. You speak by the turns of your seat in the session."""
    live, member = await _me(call)
    await taking_part.speak(live, member)
    return member_view(live, member)


@routes.add(
    "POST", "/class-debates/{classroom}/me/leave", "seat", "Leave a class debate for good", gives=DebateMemberView,
    refuses=(422,),
)  # fmt: skip
async def leave_debate(call: Call) -> DebateMemberView:
    """What you gave stays; your place is open again."""
    live, member = await _me(call)
    await _forget_typed(call, live, member)
    await taking_part.leave(live, member)
    return member_view(live, member)


@routes.add(
    "POST", "/class-debates/{classroom}/me/withdrawal", "seat", "Take back what you gave to a class debate",
    gives=DebateMemberView, refuses=(422,),
)  # fmt: skip
async def withdraw_from_debate(call: Call) -> DebateMemberView:
    """Your arguments, upvotes and speeches go wherever they stand, and you leave; votes stay as counts of nobody."""
    live, member = await _me(call)
    await _forget_typed(call, live, member)
    await taking_part.withdraw(live, member)
    return member_view(live, member)


async def _forget_typed(call: Call, live: LiveDebate, member: DebateMember) -> None:
    """What somebody has typed who speaks for their half."""
    seats = [side for side in SIDES if live.speaker_of(side) is member]
    turns = [turn for turn in live.stands.status.view.asked if turn.seat in seats]
    await forget_typed(service_of(call.request).app.shared, live.room.session, turns)


@routes.add(
    "POST", "/class-debates/{classroom}/me/code", "seat", "A new code to come back to a class debate by",
    gives=OwnCode, refuses=(422,),
)  # fmt: skip
async def new_debate_code(call: Call) -> OwnCode:
    """From another device, as the same person."""
    classroom = call.path("classroom")
    found = await service_of(call.request).debates.join(classroom, known=call.asking.person_of(classroom))
    return OwnCode(code=found.code)
