"""What a browser without scripts sends: the same forms as plain ones, each of which ends on a page.

Each does what its route of the API does, so that both say and refuse the same.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pydantic import BaseModel, ValidationError

from elenchus.debate_engine.errors import ElenchusError
from elenchus.service.lab.classes.shown import person_view
from elenchus.service.web.api import class_debaters, class_people, people, turns
from elenchus.service.web.json_bodies import problem_in
from elenchus.service.web.pages.classes import SENT, seat_page
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.seat import show_seat
from elenchus.service.web.problems import Problem, problem_of
from elenchus.service.web.routes import Call
from elenchus.service.web.typed_words import TypedWords

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

    from elenchus.service.web.routes import Handler

CLASS_WAYS: Mapping[str, Handler] = {
    "leave": class_people.leave_class,
    "withdrawal": class_people.withdraw_me,
    "debriefing": class_people.tell_me,
}
DEBATE_WAYS: Mapping[str, Handler] = {
    "leave": class_debaters.leave_debate,
    "withdrawal": class_debaters.withdraw_from_debate,
    "speak": class_debaters.speak_for_half,
    "arguments": class_debaters.give_argument,
    "vote": class_debaters.give_vote,
}
DEBATE_BODIES: Mapping[str, type[BaseModel]] = {
    "arguments": class_debaters.NewArgument,
    "vote": class_debaters.OwnVote,
}
SEAT_WAYS: Mapping[str, Handler] = {
    "leave": people.leave_seat,
    "withdraw": people.withdraw_seat,
    "question": people.ask_question,
}
NOT_FIELDS = ("csrf", "pass", "longer")
"""What a turn's form sends beside its fields: our proof, and the buttons to pass and for more time."""


SOON = 5.0
"""Seconds in which what was pressed shows on the page that follows; else that page asks again by itself."""


async def class_way(visit: Visit) -> web.StreamResponse:
    """Leave a class, take back what was said, or be told now."""
    await visit.form()
    classroom = visit.path("classroom")
    await CLASS_WAYS[_way(visit)](Call(visit.request, visit.asking))
    live, member = await visit.service.classes.member(classroom, visit.asking.person_of(classroom))
    with suppress(TimeoutError):
        async with asyncio.timeout(SOON):
            while seat_page(person_view(live.progress, member)):
                await asyncio.sleep(0.05)  # their session ends
                live, member = await visit.service.classes.member(classroom, member.person.id)
    return to(f"/classes/{classroom}/me?stay&{SENT}")


async def debate_way(visit: Visit) -> web.StreamResponse:
    """Leave a class debate, take back what was given, speak for one's half, give an argument, or vote."""
    given, way = await _texts(visit), _way(visit)
    kind = DEBATE_BODIES.get(way)
    await DEBATE_WAYS[way](Call(visit.request, visit.asking, _body(kind, given) if kind else None))
    return to(f"/class-debates/{visit.path('classroom')}/me")


async def upvote(visit: Visit) -> web.StreamResponse:
    """Upvote an argument of one's half, or take that back."""
    up = (await visit.form()).get("up") == "yes"
    handler: Handler = class_debaters.give_upvote if up else class_debaters.take_upvote_back
    await handler(Call(visit.request, visit.asking))
    return to(f"/class-debates/{visit.path('classroom')}/me")


async def seat_way(visit: Visit) -> web.StreamResponse:
    """Leave a seat, withdraw from it, or ask what no rule foresees."""
    given = await _texts(visit)
    _check_seat(visit)
    body = _body(people.Question, given) if _way(visit) == "question" else None
    await SEAT_WAYS[_way(visit)](Call(visit.request, visit.asking, body))
    return to(_seat(visit))


async def show_codes(visit: Visit) -> web.StreamResponse:
    """The codes at the end of a scene."""
    await visit.form()
    _check_seat(visit)
    codes = await people.show_codes(Call(visit.request, visit.asking))
    return visit.show("codes.html", codes=codes, back=_seat(visit))


async def answer(visit: Visit) -> web.StreamResponse:
    """Answer a turn, pass it, or ask for more time. What cannot be the answer is in the form again, with why."""
    given = await visit.form()
    _check_seat(visit)
    fields = {name: str(text).replace("\r\n", "\n") for name, text in given.items() if name not in NOT_FIELDS}
    try:
        if "pass" in given:
            await turns.answer_turn(Call(visit.request, visit.asking, turns.GivenAnswer(declined="")))
        elif "longer" in given:
            await _keep(visit, fields)
            await turns.extend_turn(Call(visit.request, visit.asking, turns.Extension()))
        else:
            await turns.answer_turn(Call(visit.request, visit.asking, _body(turns.GivenAnswer, {"fields": fields})))
    except (Problem, ElenchusError) as error:
        problem = problem_of(error)
        if problem.status == 422 and "longer" not in given:
            await _keep(visit, fields)
        return await show_seat(visit, problem.detail, problem.status)
    return to(f"{_seat(visit)}?{SENT}")


async def _keep(visit: Visit, fields: dict[str, str]) -> None:
    """Remember what was typed, so that it stands in the form again; what the form does not take stands nowhere."""
    try:
        await turns.keep_typed_words(Call(visit.request, visit.asking, _body(TypedWords, {"fields": fields})))
    except (Problem, ElenchusError):
        return


def _way(visit: Visit) -> str:
    """Which of its buttons: the last part of the address."""
    return visit.request.path.rpartition("/")[2]


async def _texts(visit: Visit) -> dict[str, str]:
    """What was typed into a form, without our proof."""
    given = await visit.form()
    return {name: str(text).replace("\r\n", "\n") for name, text in given.items() if name != "csrf"}


def _body(kind: type[BaseModel], given: dict[str, Any]) -> BaseModel:
    """The document that the API would be sent. Raises Problem for what is none."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise problem_in(error) from None


def _check_seat(visit: Visit) -> None:
    """Raises Forbidden for who does not sit there."""
    visit.asking.viewer(visit.path("session"), visit.path("seat"))


def _seat(visit: Visit) -> str:
    return f"/sessions/{visit.path('session')}/seats/{quote(visit.path('seat'), safe='')}"
