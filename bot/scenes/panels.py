"""The panels of a scene's threads: a seat's own, and one for each subject in the control room."""

from __future__ import annotations

from elenchus.bot.panel import face
from elenchus.bot.panel.face import COLOURS, Shown
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.post import Button, ButtonStyle, Embed, EmbedField
from elenchus.bot.scenes.view import SceneView
from elenchus.bot.strings import detecting, scene_rooms, scene_seats, thread as thread_words

SEAT, ROOM = "seat", "room"
"""Names of clicks. SEAT: SESSION:PLACE:ACTION on a seat's panel; ROOM: SESSION:ACTION on the control room's."""


# ── a seat's own ─────────────────────────────────────────────────────────────────────────────────────────────────


def of_seat(view: SceneView, seat: str) -> Shown:
    """What the person on this seat may do now, and what is waited for; it tells nothing of the others."""
    embed = Embed(
        title=safe.shortened(scene_seats.panel_title(safe.inline(seat)), 256),
        description=_now(view, seat),
        footer=scene_seats.PANEL_FOOTER,
        colour=COLOURS["finished" if view.board.over else "paused" if view.board.state == "paused" else "running"],
    )
    gone = view.board.over or seat in view.left or view.member_on(seat) is None
    return Shown(embed, () if gone else _seat_buttons(view, seat))


def _now(view: SceneView, seat: str) -> str:
    if view.board.over:
        return scene_seats.NOW_OVER
    if seat in view.debriefed:
        return scene_seats.NOW_DEBRIEFED
    if view.board.state == "failed" or (view.board.state == "paused" and view.board.why != "interrupt"):
        return scene_seats.NOW_PAUSED
    if view.is_judge(seat):
        return scene_seats.NOW_YOU if any(turn.seat == seat for turn in view.open_turns) else scene_seats.NOW_JUDGE
    if any(turn.seat == seat and not turn.step.startswith("consent/") for turn in view.open_turns):
        return scene_seats.NOW_YOU
    return scene_seats.NOW_OTHERS if view.rule else scene_seats.NOW_CONSENT


def _seat_buttons(view: SceneView, seat: str) -> tuple[Button, ...]:
    role = view.role(seat)
    answered = view.has_moderator and view.agreed.get(seat) and seat not in view.debriefed
    asks = answered and role is not None and role.kind != "moderator"
    subject = view.is_subject(seat)
    last = ("withdraw", scene_seats.WITHDRAW) if subject else ("leave", scene_seats.LEAVE)
    actions: list[tuple[str, str, ButtonStyle]] = [("ask", scene_seats.QUESTION, "primary")] if asks else []
    actions.append((*last, "danger"))
    place = view.place_of(seat)
    return tuple(Button(f"el:{SEAT}:{view.session}:{place}:{action}", label, style) for action, label, style in actions)


# ── the control room's ───────────────────────────────────────────────────────────────────────────────────────────


def of_room(view: SceneView, number: int) -> Shown:
    """How one subject's scene stands, and what whoever runs it may do."""
    embed = Embed(
        title=scene_rooms.panel_title(number, scene_rooms.condition(view.condition)),
        description=_state(view),
        fields=(
            EmbedField(scene_rooms.RULE, scene_rooms.at_rule(view.rule, view.rules), inline=True),
            EmbedField(scene_rooms.WAITING, _waiting(view), inline=True),
            EmbedField(scene_rooms.SPENT, face.spent(view.board), inline=True),
        ),
        footer=scene_rooms.footer(view.session),
        colour=COLOURS[view.board.state],
    )
    return Shown(embed, _room_buttons(view))


def _state(view: SceneView) -> str:
    board, lines = view.board, [scene_rooms.STATES[view.board.state]]
    if board.view.reason and board.why != "interrupt":
        lines.append(safe.shortened(safe.inline(board.view.reason), 600))
    if board.asked == "pause" and not board.ended:
        lines.append(scene_rooms.ASKED)
    return "\n".join(lines)


def _waiting(view: SceneView) -> str:
    if view.over:
        return "–"
    turns = view.open_turns
    named = [f"{safe.inline(turn.seat)}{f' until {thread_words.when(turn.due)}' if turn.due else ''}" for turn in turns]
    return safe.shortened(", ".join(named), 1_000) or scene_rooms.MODELS


def _room_buttons(view: SceneView) -> tuple[Button, ...]:
    look: tuple[Button, ...] = ()
    if view.board.over:
        actions: list[tuple[str, ButtonStyle]] = [("results", "primary")]
        if not view.counts:
            actions.append(("place", "secondary"))
        look = (Button(f"el:biases:{view.session}", detecting.LOOK),)
    else:
        first: tuple[str, ButtonStyle] = ("pause", "primary")
        if view.board.state in ("paused", "failed"):
            first = ("resume", "success")
        actions = [first, ("word", "secondary"), ("status", "secondary"), ("close", "danger")]
    made = (Button(f"el:{ROOM}:{view.session}:{name}", scene_rooms.BUTTONS[name], style) for name, style in actions)
    return (*made, *look)
