"""A session for whoever moderates it or listens: what was said, how it stands, what may be done; and its room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import EVENTS, Voted
from elenchus.debate_engine.protocols.socrasynth.projection import debate_of
from elenchus.debate_engine.reports.blocks import Fact
from elenchus.service.lab.participation import audience_votes
from elenchus.service.lab.viewers import AUDIENCE, Viewer
from elenchus.service.web.drawings import Point
from elenchus.service.web.mind_tasks import is_mind
from elenchus.service.web.pages.frame import Visit, to
from elenchus.service.web.pages.remembered_codes import code_for
from elenchus.service.web.rendering import RenderContext, blocks_as_html

if TYPE_CHECKING:
    from aiohttp import web
    from markupsafe import Markup

    from elenchus.debate_engine.reports.blocks import Block
    from elenchus.debate_engine.reports.view import SessionView
    from elenchus.service.web.live import LiveSession
    from elenchus.service.web.strings import Language
    from elenchus.service.web.viewer_documents import AsHtml, ViewerItems

KINDS = tuple(sorted(EVENTS.json_schema()["discriminator"]["mapping"]))
"""The kinds of events, by which a browser must ask for each."""


async def show_session(visit: Visit) -> web.StreamResponse:
    """The moderator's page, or the audience's; who sits in it is led to the seat."""
    session = visit.path("session")
    viewer = visit.asking.viewer(session)
    if is_mind((await visit.service.app.log.info(session)).protocol):
        return to(f"/minds/{session}")
    if viewer.role == "seat":
        return to(f"/sessions/{session}/seats/{viewer.seat}")
    async with visit.service.live.looking(session) as live:
        return visit.show("session.html", **await shown(visit, live, viewer), data=data_of(live, viewer, follows=True))


async def show_room(visit: Visit) -> web.StreamResponse:
    """The projector's page: what everybody may hear, in large type."""
    session = visit.path("session")
    moderates = visit.asking.viewer(session).role == "moderator"
    async with visit.service.live.looking(session) as live:
        context = await shown(visit, live, AUDIENCE)
        code = await code_for(visit, session) if moderates and not live.status.view.spec.has_subjects else ""
        view, data = live.status.view, data_of(live, AUDIENCE, follows=False, room=True)
        context |= {
            "verdict": verdict_of(view),
            "swing": swing_of(view),
            "voted": voted(view),
            "cast": [seat for seat in context["session"].seats if seat.name not in view.spec.scoring_seats],
            "join": code,
        }
        return visit.show("room.html", **context, data=data)


async def shown(visit: Visit, live: LiveSession, viewer: Viewer) -> dict[str, Any]:
    """What pages of a session show of it."""
    view = live.status.view
    viewed = await live.items_for(viewer)
    return {
        "session": await visit.service.document_of(live, viewer),
        "view": view,
        "log": [] if visit.is_part else html_of(viewed, live, visit.language),
        "is_part": visit.is_part,
        "points": points_of(view),
        "people": [seat for seat in view.speakers if seat.kind == "person"],
        "taken": view.moderation.named,
        "votes": votes_of(view),
        "invites": await visit.service.access.grants(live.id) if viewer.role == "moderator" else [],
        "of_class": of_class.room.id if (of_class := visit.service.debates.of_session(live.id)) else "",
        "own_vote": own_vote(view, visit.asking.voter(live.id)) if viewer.role == "audience" else "",
    }


def form_of(language: Language) -> str:
    """Under which name the documents of this language are kept (see `viewer_documents.Item`)."""
    return f"html-{language}"


def as_html(live: LiveSession, language: Language) -> AsHtml:
    """Renders the blocks of this session."""

    def rendered(blocks: Sequence[Block]) -> str:
        view = live.status.view
        pictures = f"/sessions/{live.id}/pictures/"
        exactly = view.spec.has_subjects
        return blocks_as_html(blocks, RenderContext({} if exactly else view.names, exactly, pictures), language)

    return rendered


def html_of(viewed: ViewerItems, live: LiveSession, language: Language) -> list[Markup]:
    """What the viewer was shown so far."""
    from markupsafe import Markup

    made = (item.document(form_of(language), as_html(live, language))["html"] for item in viewed.items)
    return [Markup(html) for html in made if html]  # noqa: S704 - made by our own template


def points_of(view: SessionView) -> list[Point]:
    """Heat and Γ by stage; none where a session has neither."""
    if view.spec.has_subjects or (debate := debate_of(view)) is None:
        return []
    return [Point(stage.name, stage.heat, stage.gamma) for stage in debate.stages()]


def votes_of(view: SessionView) -> dict[str, dict[str, int]]:
    """The room's votes by when; counted once voting is over, so that nobody follows the others."""
    counted = view.moderation.audience() if view.ended else None
    if counted is None:
        return {}
    return {when: getattr(counted, when).model_dump() for when in ("before", "after")}


def verdict_of(view: SessionView) -> list[Fact]:
    """What stands out of the end of a session, for everybody to see."""
    if view.outcome is None or view.spec.has_subjects:
        return []
    return [one for one in view.spec.present.ended(view, ()) if isinstance(one, Fact) and one.stands_out]


def swing_of(view: SessionView) -> dict[str, Any] | None:
    """Which side moved the room, and by how many points; None where it did not come to that."""
    counted = view.moderation.audience() if view.ended else None
    if counted is None or counted.winner not in ("pro", "con"):
        return None
    swing = counted.swing_pro if counted.winner == "pro" else counted.swing_con
    return {"side": counted.winner, "points": swing.points if swing else 0}


def own_vote(view: SessionView, person: str) -> str:
    """How somebody has voted in the vote that is open now, "" where they have not."""
    held = audience_votes(view).open
    given = [r.event for r in view.moderation.votes if isinstance(r.event, Voted) and r.event.by == person]
    return next((vote.side for vote in reversed(given) if vote.when in held), "")


def voted(view: SessionView) -> int:
    """How many have voted in the vote that is open now."""
    held = audience_votes(view).open
    return len({r.event.by for r in view.moderation.votes if isinstance(r.event, Voted) and r.event.when in held})


def data_of(live: LiveSession, viewer: Viewer, *, follows: bool, room: bool = False) -> dict[str, Any]:
    """What the page's scripts are told. `follows`: the page moves on as more is said."""
    view = live.status.view
    return {
        "session": {
            "id": live.id, "seat": viewer.seat, "viewer": viewer.role, "after": view.last_seq, "kinds": KINDS,
            "names": dict(view.names) if not view.spec.has_subjects else {}, "follows": follows,
            "room": room,
        }
    }  # fmt: skip
