"""The panels of a scene's threads: a seat's own, and one for each subject in the control room."""

from __future__ import annotations

from elenchus.bot.rendering import panel, safe
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.panel import COLOURS, Shown
from elenchus.bot.rendering.post import Button, ButtonStyle, Embed, EmbedField
from elenchus.bot.rendering.scenes import at_rule, version
from elenchus.bot.scenes.view import SceneView
from elenchus.bot.strings import messages, msg

SEAT, ROOM = "seat", "room"
"""Names of clicks. SEAT: SESSION:PLACE:ACTION on a seat's panel; ROOM: SESSION:ACTION on the control room's."""


# ── a seat's own ─────────────────────────────────────────────────────────────────────────────────────────────────


def of_seat(view: SceneView, seat: str) -> Shown:
    """What the person on this seat may do now, and what is waited for; it tells nothing of the others."""
    embed = Embed(
        title=safe.shortened(msg("scene-seats-panel-title", role=safe.inline(seat)), 256),
        description=_now(view, seat),
        footer=msg("scene-seats-panel-footer"),
        colour=COLOURS["finished" if view.status.over else "paused" if view.status.state == "paused" else "running"],
    )
    gone = view.status.over or seat in view.left or view.member_on(seat) is None
    return Shown(embed, () if gone else _seat_buttons(view, seat))


def _now(view: SceneView, seat: str) -> str:
    if view.status.over:
        return msg("scene-seats-now-over")
    if seat in view.debriefed:
        return msg("scene-seats-now-debriefed")
    if view.status.state == "failed" or (view.status.state == "paused" and view.status.why != "interrupt"):
        return msg("scene-seats-now-paused")
    if view.is_judge(seat):
        return (
            msg("scene-seats-now-you")
            if any(turn.seat == seat for turn in view.open_turns)
            else msg("scene-seats-now-judge")
        )
    if any(turn.seat == seat and not turn.step.startswith("consent/") for turn in view.open_turns):
        return msg("scene-seats-now-you")
    return msg("scene-seats-now-others") if view.rule else msg("scene-seats-now-consent")


def _seat_buttons(view: SceneView, seat: str) -> tuple[Button, ...]:
    role = view.role(seat)
    answered = view.has_moderator and view.agreed.get(seat) and seat not in view.debriefed
    asks = answered and role is not None and role.kind != "moderator"
    subject = view.is_subject(seat)
    last = ("withdraw", msg("scene-seats-withdraw")) if subject else ("leave", msg("scene-seats-leave"))
    actions: list[tuple[str, str, ButtonStyle]] = [("ask", msg("scene-seats-question"), "primary")] if asks else []
    actions.append((*last, "danger"))
    place = view.place_of(seat)
    return tuple(Button(f"el:{SEAT}:{view.session}:{place}:{action}", label, style) for action, label, style in actions)


# ── the control room's ───────────────────────────────────────────────────────────────────────────────────────────


def of_room(view: SceneView, number: int) -> Shown:
    """How one subject's scene stands, and what whoever runs it may do."""
    embed = Embed(
        title=msg("scene-rooms-panel-title", number=number, condition=version(view.condition)),
        description=_state(view),
        fields=(
            EmbedField(msg("scene-rooms-rule-label"), at_rule(view.rule, view.rules), inline=True),
            EmbedField(msg("scene-rooms-waiting"), _waiting(view), inline=True),
            EmbedField(msg("scene-rooms-spent"), panel.spent(view.status), inline=True),
        ),
        footer=msg("scene-rooms-footer", session=view.session),
        colour=COLOURS[view.status.state],
    )
    return Shown(embed, _room_buttons(view))


def _state(view: SceneView) -> str:
    status, lines = view.status, [messages("scene-rooms-states")[view.status.state]]
    if status.view.reason and status.why != "interrupt":
        lines.append(safe.shortened(safe.inline(status.view.reason), 600))
    if status.asked == "pause" and not status.ended:
        lines.append(msg("scene-rooms-asked"))
    return "\n".join(lines)


def _waiting(view: SceneView) -> str:
    if view.over:
        return "–"
    turns = view.open_turns
    named = [f"{safe.inline(turn.seat)}{f' until {when(turn.due)}' if turn.due else ''}" for turn in turns]
    return safe.shortened(", ".join(named), 1_000) or msg("scene-rooms-models")


def _room_buttons(view: SceneView) -> tuple[Button, ...]:
    look: tuple[Button, ...] = ()
    if view.status.over:
        actions: list[tuple[str, ButtonStyle]] = [("results", "primary")]
        if not view.counts:
            actions.append(("place", "secondary"))
        look = (Button(f"el:biases:{view.session}", msg("detecting-look")),)
    else:
        first: tuple[str, ButtonStyle] = ("pause", "primary")
        if view.status.state in ("paused", "failed"):
            first = ("resume", "success")
        actions = [first, ("word", "secondary"), ("status", "secondary"), ("close", "danger")]
    made = (
        Button(f"el:{ROOM}:{view.session}:{name}", messages("scene-rooms-buttons")[name], style)
        for name, style in actions
    )
    return (*made, *look)
