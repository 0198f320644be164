"""All pages in one table, from which the router is made, and which tests walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.service.web.pages import (
    class_debates,
    classes,
    following,
    home,
    minds,
    new_class,
    new_session,
    pictures,
    plain_forms,
    seat,
    session,
    sign_in_pages,
    utilities,
)
from elenchus.service.web.pages.frame import PageRoute, answered
from elenchus.service.web.static_files import static_files

if TYPE_CHECKING:
    from aiohttp import web

CLASS = "/classes/{classroom}"
MIND = "/minds/{session}"
DEBATE = "/class-debates/{classroom}"
NEW = "/new/{kind:debate|scene|crit|detect|sweep}"
FOREIGN = "/new/protocol/{kind}"
SEAT = "/sessions/{session}/seats/{seat}"

PAGES = (
    PageRoute("GET", "/", home.show_home),
    PageRoute("GET", "/sign-in", sign_in_pages.show_sign_in, known=False),
    PageRoute("POST", "/sign-in", sign_in_pages.sign_in, known=False),
    PageRoute("GET", "/sign-out", sign_in_pages.show_sign_out),
    PageRoute("POST", "/sign-out", sign_in_pages.sign_out),
    PageRoute("GET", "/join", sign_in_pages.show_join, known=False),
    PageRoute("GET", "/join/{code}", sign_in_pages.show_join, known=False),
    PageRoute("POST", "/join", sign_in_pages.join, known=False),
    PageRoute("GET", NEW, new_session.show_form),
    PageRoute("POST", NEW, new_session.begin),
    PageRoute("GET", FOREIGN, new_session.show_form),
    PageRoute("POST", FOREIGN, new_session.begin),
    PageRoute("GET", "/new/class", new_class.show_form),
    PageRoute("POST", "/new/class", new_class.begin),
    PageRoute("GET", CLASS, classes.show_class, who="viewer"),
    PageRoute("GET", f"{CLASS}/room", classes.show_room, who="viewer"),
    PageRoute("GET", f"{CLASS}/me", classes.show_me, who="seat"),
    PageRoute("POST", f"{CLASS}/me/code", classes.show_own_code, who="seat"),
    *(PageRoute("POST", f"{CLASS}/me/{way}", plain_forms.class_way, who="seat") for way in plain_forms.CLASS_WAYS),
    PageRoute("GET", f"{CLASS}/slips", classes.show_slips, who="moderator"),
    PageRoute("POST", f"{CLASS}/slips", classes.make_slips, who="moderator"),
    PageRoute("GET", "/new/class-debate", class_debates.show_form),
    PageRoute("POST", "/new/class-debate", class_debates.begin),
    PageRoute("GET", DEBATE, class_debates.show_debate, who="viewer"),
    PageRoute("GET", f"{DEBATE}/me", class_debates.show_me, who="seat"),
    PageRoute("POST", f"{DEBATE}/me/code", class_debates.show_own_code, who="seat"),
    *(PageRoute("POST", f"{DEBATE}/me/{way}", plain_forms.debate_way, who="seat") for way in plain_forms.DEBATE_WAYS),
    PageRoute("POST", f"{DEBATE}/me/upvotes/{{argument}}", plain_forms.upvote, who="seat"),
    PageRoute("GET", "/minds", minds.show_minds),
    PageRoute("GET", "/new/mind", minds.show_form),
    PageRoute("POST", "/new/mind", minds.begin),
    PageRoute("GET", MIND, minds.show_mind, who="viewer"),
    PageRoute("GET", f"{MIND}/give", minds.back, who="viewer"),
    PageRoute("POST", f"{MIND}/give", minds.give, who="moderator"),
    PageRoute("GET", f"{MIND}/rate", minds.back, who="viewer"),
    PageRoute("POST", f"{MIND}/rate", minds.rate, who="viewer"),
    PageRoute("GET", "/sessions/{session}", session.show_session, who="viewer"),
    PageRoute("GET", "/sessions/{session}/room", session.show_room, who="viewer"),
    PageRoute("GET", "/sessions/{session}/stream", following.stream, who="viewer"),
    PageRoute("GET", "/sessions/{session}/events", following.events, who="viewer"),
    PageRoute("GET", "/sessions/{session}/pictures/{picture}", pictures.show_picture, who="viewer"),
    PageRoute("GET", SEAT, seat.show_seat, who="viewer"),
    PageRoute("POST", f"{SEAT}/take", seat.take_seat, who="viewer"),
    PageRoute("POST", f"{SEAT}/rejoin", seat.rejoin, who="viewer"),
    *(PageRoute("POST", f"{SEAT}/{way}", plain_forms.seat_way, who="viewer") for way in plain_forms.SEAT_WAYS),
    PageRoute("POST", f"{SEAT}/codes", plain_forms.show_codes, who="viewer"),
    PageRoute("POST", f"{SEAT}/turns/{{step:.+}}", plain_forms.answer, who="viewer"),
    PageRoute("GET", "/qr", utilities.show_qr),
    PageRoute("GET", "/check", utilities.show_check, known=False),
    PageRoute("GET", "/check/stream", utilities.check_stream, known=False),
    PageRoute("POST", "/check/echo", utilities.check_echo, known=False),
    PageRoute("GET", "/api", utilities.show_api, known=False),
)


def add_pages(application: web.Application) -> None:
    """Let the application answer with pages, too."""
    static_files()  # read before the server listens
    for route in PAGES:
        application.router.add_route(route.method, route.path, answered(route))
    application.router.add_get("/static/{version}/{name}", utilities.show_static)
