"""A person's seat: what it hears, what it is asked, and what its person may do about it."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.people.person_progress import ACTIVE
from elenchus.debate_engine.protocols.rulegen.people.retention import ending_of
from elenchus.debate_engine.protocols.rulegen.projection import scene_of
from elenchus.service.lab.forms import field_of, fields_of, or_nothing
from elenchus.service.lab.viewers import Viewer
from elenchus.service.web.pages.classes import BACK_AFTER, SENT, place_in_class
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.session import data_of, shown
from elenchus.service.web.problems import Problem
from elenchus.service.web.seat_names import offered_name
from elenchus.service.web.typed_words import typed_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aiohttp import web

    from elenchus.debate_engine.prompts import Section
    from elenchus.debate_engine.reports.moderation import OpenTurn
    from elenchus.debate_engine.reports.view import SessionView
    from elenchus.service.web.documents import SessionDocument
    from elenchus.service.web.live import LiveSession
    from elenchus.service.web.strings import Words
    from elenchus.service.web.turn_documents import TurnDocument
    from elenchus.service.web.typed_words import TypedWords

KNOWN_KINDS = ("consent", "age", "keep", "speak", "question", "judge", "again", "applies")
"""Kinds of turns of scenes that have a headline of their own."""
REJOIN = timedelta(days=1)
CODE_LETTERS = 8


async def show_seat(visit: Visit, problem: str = "", status: int = 200) -> web.StreamResponse:
    """The seat's page, for whoever sits there."""
    session, seat = visit.path("session"), visit.path("seat")
    viewer = visit.asking.viewer(session, seat)
    async with visit.service.live.looking(session) as live:
        context = await shown(visit, live, viewer)
        context |= seen_from(viewer, live, context["session"], visit.t)
        context["codes"] = context["over"] and await _has_codes(visit, session, seat)
        context["turn_key"] += "-codes" if context["codes"] else ""
        context |= _of_class(visit, session, context["turn_key"], asked=context["turn"] is not None)
        context["typed"] = await _typed(visit, live, context["turn"])
        context["reloads"] = _reloads(visit, context)
        name = offered_name(session, seat, visit.language)
        return visit.show(
            "seat.html", status=status, problem=problem, offered=name, **context,
            data=data_of(live, viewer, follows=True),
        )  # fmt: skip


def seen_from(viewer: Viewer, live: LiveSession, session: SessionDocument, t: Words) -> dict[str, Any]:
    """What only a seat's page shows."""
    view, seat = live.status.view, viewer.seat
    turn = next(iter(session.turns), None)
    gone = seat in view.moderation.left
    over = view.ended or (view.spec.has_subjects and scene_of(view).is_over_for(seat))
    waiting = "paused" if view.state == "paused" else "begin" if view.last_seq < 3 else "others"
    state = f"{gone} {over} {f'{turn.step} {len(turn.rejected)}' if turn else waiting}"  # a pause leaves a form alone
    return {
        "own_name": seat if view.spec.has_subjects else view.name(seat),
        "agreed": view.spec.has_subjects or seat in view.moderation.named,
        "turn": turn,
        **_read_before(view.moderation.turns.get(turn.step) if turn else None, subjects=view.spec.has_subjects),
        "decides": turn is not None and view.spec.is_decision(turn.step),
        "entries": entries_of(view.moderation.turns.get(turn.step), t) if turn else {},
        "turn_key": sha256(state.encode()).hexdigest()[:12],
        "known_kinds": KNOWN_KINDS,
        "gone": gone,
        "over": over,
        "waiting": waiting,
        "asks": _may_ask(view, seat),
        "here": f"/sessions/{live.id}/seats/{quote(seat, safe='')}",
    }


def _reloads(visit: Visit, context: Mapping[str, Any]) -> bool:
    """Whether the page asks again without scripts, too: nothing can be written there, or something was just sent."""
    waits = context["agreed"] and not (context["turn"] or context["gone"] or context["over"])
    return waits and (not context["asks"] or SENT in visit.request.query)


async def _has_codes(visit: Visit, session: str, seat: str) -> bool:
    """Whether it has ended for the person of a scene on this seat: who judges has none, nor who waits for others."""
    return ending_of(await visit.service.app.log.read(session), seat) is not None


async def _typed(visit: Visit, live: LiveSession, shown: TurnDocument | None) -> TypedWords | None:
    """What is being typed in the form, on whatever device."""
    turn = live.status.view.moderation.turns.get(shown.step) if shown else None
    return await typed_for(visit.service.app.shared, live.id, turn) if turn else None


def _of_class(visit: Visit, session: str, key: str, *, asked: bool) -> dict[str, Any]:
    """For who plays in a class: its page, and whether to go back there now, as nothing is asked any more."""
    if (found := place_in_class(visit, session)) is None:
        return {"classroom": "", "back": False, "back_after": 0}
    progress, member = found
    back = not asked and member.progress.stage not in ACTIVE
    own = {"classroom": f"/classes/{progress.room.id}/me", "back": back, "back_after": BACK_AFTER}
    return own | {"turn_key": f"{key}{'-back' if back else ''}"}


def _read_before(turn: OpenTurn | None, *, subjects: bool) -> dict[str, Any]:
    """What is to be read before one answers, under its titles; open, as `judged`, that on which a form decides."""
    sections: Sequence[Section] = () if turn is None else Ask.model_validate(turn.asked).material
    if not sections or subjects or turn is None or turn.answer_schema is None or sections[-1].policy != "keep":
        return {"judged": None, "material": sections}
    return {"judged": sections[-1], "material": sections[:-1]}


def entries_of(turn: OpenTurn | None, t: Words) -> dict[str, dict[str, Any]]:
    """What each entry of a turn's lists is made of, by the list's name: its columns, and the topics it is asked for."""
    if turn is None or turn.answer_schema is None:
        return {}
    topics = {str(n): title for n, title in Ask.model_validate(turn.asked).topics.items()}
    lists = [field for field in fields_of(turn.answer_schema) if field.columns]
    return {field.name: {"columns": _columns(turn.answer_schema, field.name, t), "topics": topics} for field in lists}


def _columns(schema: Mapping[str, Any], path: str, t: Words) -> list[dict[str, Any]]:
    """The parts of an entry: their names as people read them, with what there is to choose."""
    for name in path.split("."):
        schema = or_nothing(schema["properties"][name])[0]
    parts = (field_of(part, name) for name, part in schema["items"]["properties"].items())
    return [
        {
            "name": part.name,
            "label": t.of("labels", part.label),
            "choices": [[one, t.of("labels", one)] for one in part.choices],
        }
        for part in parts
    ]


def _may_ask(view: SessionView, seat: str) -> bool:
    """Whether somebody leads the scene whom this seat may ask."""
    if not view.spec.has_subjects or view.ended:
        return False
    scene = scene_of(view)
    role = scene.role(seat)
    answered = scene.has_moderator and scene.agreed.get(seat) and seat not in scene.debriefings
    return bool(answered and role is not None and role.kind != "moderator")


async def take_seat(visit: Visit) -> web.StreamResponse:
    """Sit down under a name, having agreed."""
    from elenchus.service.web.api.people import SeatTaken, name_seat
    from elenchus.service.web.routes import Call

    given = await visit.form()
    name = str(given.get("name", "")).strip()[:60]
    body = SeatTaken(name=name or "?", agreed=given.get("agreed") == "yes")
    try:
        await name_seat(Call(visit.request, visit.asking, body))
    except Problem as problem:
        return await show_seat(visit, problem.detail, problem.status)
    return to(f"/sessions/{visit.path('session')}/seats/{quote(visit.path('seat'), safe='')}")


async def rejoin(visit: Visit) -> web.StreamResponse:
    """A code by which the same person goes on at another device."""
    await visit.form()
    session, seat = visit.path("session"), visit.path("seat")
    visit.asking.viewer(session, seat)
    own = visit.asking.on_seat(session, seat)
    given = await visit.service.access.give(
        "seat", session=session, seat=seat, person=own.person if own else "", label=own.label if own else "",
        lasts=REJOIN, short=CODE_LETTERS,
    )  # fmt: skip
    back = f"/sessions/{session}/seats/{quote(seat, safe='')}"
    return visit.show("rejoin.html", code=given.secret, back=back)
