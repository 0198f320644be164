"""The pages of a class: the teacher's, the projector's, each person's own place, and slips to print.

What is shown is made of the same views as the API's, and who may open a page is told by the same words as there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from elenchus.debate_engine.protocols.rulegen.people.person_progress import ACTIVE
from elenchus.service.lab.classes import entry_codes
from elenchus.service.lab.classes.reveal import answers_still, may_be_handed_out
from elenchus.service.lab.classes.shown import person_view, room_view, teacher_view, undone
from elenchus.service.web.drawings import interval
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.remembered_codes import note_own_code, note_slips, own_code_of, slips_of
from elenchus.service.web.problems import NotThere

if TYPE_CHECKING:
    from aiohttp import web

    from elenchus.service.lab.classes.class_progress import ClassProgress, Member
    from elenchus.service.lab.classes.classroom import Phase
    from elenchus.service.lab.classes.live_class import LiveClass
    from elenchus.service.lab.classes.views import PersonView

STEPS: tuple[Phase, ...] = ("lobby", "playing", "closed", "debrief", "revealed", "over")
SENT = "sent"
"""In the address of a page to which a plain form has just led."""
BACK_AFTER = 5_000
"""Milliseconds in which somebody may read what was said last before they are led back from their scene."""


async def show_class(visit: Visit) -> web.StreamResponse:
    """The teacher's page; who plays is led to their place, everybody else to what the room sees."""
    classroom = visit.path("classroom")
    if visit.asking.moderates_class(classroom):
        return await _show_teacher(visit, classroom)
    return to(f"/classes/{classroom}/{'me' if visit.asking.person_of(classroom) else 'room'}")


async def _show_teacher(visit: Visit, classroom: str) -> web.Response:
    live = await visit.service.classes.open(classroom)
    view = teacher_view(live.progress, live.clock())
    steps = [(step.to, list(undone(live.progress, step.to))) for step in view.next]
    expected = live.progress.room.people
    shown = view.revealed
    context = {
        "taken_back": shown is not None and not may_be_handed_out(shown, answers_still(live.progress, shown)),
        "view": view,
        "room": live.progress.room,
        "coming": steps,
        "steps": STEPS,
        "expected": expected,
    }
    return _show(visit, "class-teacher.html", live, "teacher", **context)


async def show_room(visit: Visit) -> web.StreamResponse:
    """The projector's page: totals alone, in large type."""
    classroom = visit.path("classroom")
    live = await visit.service.classes.open(classroom)
    teaches = visit.asking.moderates_class(classroom)
    return _show(
        visit,
        "class-room.html",
        live,
        "",
        view=room_view(live.progress),
        slips=live.progress.room.slips,
        teaches=teaches,
    )


def _show(visit: Visit, template: str, live: LiveClass, followed: str, **context: Any) -> web.Response:
    """A page that follows the class: as its teacher, as one of its people ("me"), or as the room ("")."""
    classroom = live.progress.room.id
    base = f"/api/v1/classes/{classroom}"
    data = {"classroom": {"base": base, "address": f"{base}{f'/{followed}' if followed else ''}"}}
    spoken = live.progress.plan.whole.language
    return visit.show(template, data=data, interval=interval, spoken=spoken, **context)


# ── one's own place ──────────────────────────────────────────────────────────────────────────────────────────────────


async def show_me(visit: Visit) -> web.StreamResponse:
    """Where one stands, what one waits for and the ways out of it; who plays is led to their seat."""
    classroom = visit.path("classroom")
    live, member = await visit.service.classes.member(classroom, visit.asking.person_of(classroom))
    view, progress = person_view(live.progress, member), live.progress
    code = await own_code_of(visit, classroom, member.person.id)
    here = sum(not one.left and not one.person.robot for one in progress.members.values())
    return _show(
        visit, "class-person.html", live, "me", view=view, code=code, seat=seat_page(view), title=progress.room.title,
        here=here, join=progress.room.code, stays="stay" in visit.request.query,
        reloads=not seat_page(view) or SENT in visit.request.query,
        shown=progress.revealed if view.revealed else None,
    )  # fmt: skip


def seat_page(view: PersonView) -> str:
    """The page on which somebody plays, or is asked something, "" where that is not now."""
    if not view.session or not (view.stage in ACTIVE or view.step):
        return ""
    return f"/sessions/{view.session}/seats/{quote(view.seat, safe='')}"


def place_in_class(visit: Visit, session: str) -> tuple[ClassProgress, Member] | None:
    """Of which class a session is that of the visitor, None for any other session."""
    for grant in visit.asking.grants:
        live = visit.service.classes.live.get(grant.classroom) if grant.role == "participant" else None
        member = live.progress.members.get(grant.person) if live else None
        if live and member and member.person.session == session:
            return live.progress, member
    return None


async def show_own_code(visit: Visit) -> web.StreamResponse:
    """A new code by which the same person comes back from another device."""
    await visit.form()
    classroom = visit.path("classroom")
    joined = await visit.service.classes.come_back(classroom, visit.asking.person_of(classroom))
    await note_own_code(visit, classroom, joined.member.person.id, joined.code)
    return visit.show("rejoin.html", code=joined.code, back=f"/classes/{classroom}/me?stay")


# ── slips ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def show_slips(visit: Visit) -> web.StreamResponse:
    """A code for each person who is expected, to print and to cut."""
    live = await visit.service.classes.open(visit.path("classroom"))
    if not live.progress.room.slips:
        raise NotThere
    codes = await slips_of(visit, live.progress.room.id)
    return visit.show("class-slips.html", room=live.progress.room, codes=codes)


async def make_slips(visit: Visit) -> web.StreamResponse:
    """Further codes for the same people: who has one of each sits once all the same."""
    await visit.form()
    live = await visit.service.classes.open(visit.path("classroom"))
    room = live.progress.room
    if not room.slips:
        raise NotThere
    await note_slips(visit, room.id, await entry_codes.new_slips(visit.service.access, room))
    return to(f"/classes/{room.id}/slips")
