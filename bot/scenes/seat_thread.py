"""What a person on a seat sees in the private thread: what it heard and said, its own turns, nothing else. Pure.

A judge hears nothing of a scene: the record is read with the question, by the judge alone.
"""

from __future__ import annotations

from datetime import datetime

from elenchus.bot.panel.content import COLOURS, PanelContent
from elenchus.bot.rendering import safe, scene_turns as wording
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.drafts import Draft
from elenchus.bot.rendering.post import Button, ButtonStyle, Embed, PostPicture, buttons_of, turn_buttons
from elenchus.bot.rendering.safe import inline, persona_name, speech
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import MODERATOR, Recorded, Said
from elenchus.debate_engine.log import reached
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF, ENDING, debrief_of
from elenchus.debate_engine.protocols.rulegen.record import DEVIATION
from elenchus.debate_engine.scenes.scene import SYSTEM

PANEL = "seat"
"""The name of clicks on a seat's panel; the rest is SESSION:PLACE:ACTION."""

TURN = "sturn"
"""The name of clicks on a turn; the rest is SESSION:SEQ:ACTION, SEQ being an event that names the turn's step."""

ACTIONS: tuple[tuple[str, str, ButtonStyle], ...] = (
    ("answer", msg("scene-seats-answer"), "success"),
    ("read", msg("scene-seats-read"), "primary"),
    ("longer", msg("scene-seats-longer"), "secondary"),
    ("pass", msg("scene-seats-pass"), "secondary"),
)
LONGEST_CONSENT = 1_850
"""Characters of a consent that stands in one post with its question."""

CODES = "scodes"
"""The name of the click on one's codes; the rest is SESSION:PLACE."""

TurnEvent = ev.TurnOpened | ev.TurnReminded | ev.AnswerRejected | ev.TurnExtended

AGREEMENT: tuple[tuple[str, str, ButtonStyle], ...] = (
    ("yes", msg("scene-seats-agree"), "success"),
    ("no", msg("scene-seats-decline"), "danger"),
)
YES_NO: tuple[tuple[str, str, ButtonStyle], ...] = (
    ("yes", msg("scene-seats-yes"), "success"),
    ("no", msg("scene-seats-no"), "danger"),
)
DECISIONS = {"consent": AGREEMENT, "age": YES_NO, "keep": YES_NO}
"""By kind of turn: the buttons of those that are answered by a yes or a no, and not by a form."""


def drafts_for(r: Recorded, view: SceneView, seat: str) -> list[Draft]:
    """What the event `r` adds to the thread of a seat; `view` has taken it and everything before it."""
    match r.event:
        case ev.SessionStarted() if view.scene.is_judge(seat):
            return [Draft(msg("scene-seats-judge-intro"))]
        case Said() as said:
            return [] if view.scene.is_judge(seat) else _heard(said, view, seat)
        case ev.TurnOpened() | ev.TurnReminded() | ev.AnswerRejected() | ev.TurnExtended() if _is_own(
            r.event, view, seat
        ):
            return _turn(r, view, seat)
        case ev.StepDone() if seat in view.scene.told_parts:
            return [] if view.scene.is_judge(seat) else [_role_card(view, seat)]
        case ev.SessionFinished() | ev.SessionStopped():
            return [
                *_untold(view, seat),
                _over(view, seat),
            ]
        case ev.Redacted(seat=whose) if whose == seat or (whose == REDACTED and view.member_on(seat) is None):
            removed = [Draft(msg("scene-seats-redacted"))] if seat in view.scene.spoke else []
            return [*removed, *(_untold(view, seat) if view.over else [])]
        case event:
            text = _note(event, view, seat)
            return [Draft(text)] if text else []


def _note(event: ev.Event, view: SceneView, seat: str) -> str:
    """A line on what happens to the scene, "" for nothing; the bot's own pauses are nobody's business."""
    match event:
        case ev.SeatLeft(seat=whose) if whose == seat:
            return msg("scene-seats-left")
        case _ if seat in view.left:
            return ""
        case ev.SessionPaused(why=why) if why != "interrupt":
            return msg("scene-seats-paused") if view.scene.is_subject(seat) else msg("scene-seats-paused-other")
        case ev.SessionResumed() if (pauses := view.status.view.failures.pauses) and pauses[-1].why != "interrupt":
            return msg("scene-seats-resumed")
        case ev.SessionFailed():
            return msg("scene-seats-broke-off") if view.scene.is_subject(seat) else msg("scene-seats-broke-off-other")
    return ""


# ── what is heard ────────────────────────────────────────────────────────────────────────────────────────────────


def _heard(said: Said, view: SceneView, seat: str) -> list[Draft]:
    if said.about == DEVIATION or not reached(seat, said):
        return []
    if said.about == DEBRIEF:
        return [Draft(msg("scene-seats-debrief", text=speech(said.text)))]
    if said.about == ENDING:
        return [Draft(speech(said.text))]
    if said.speaker == SYSTEM:
        return [_informed(said)]
    if said.speaker == MODERATOR and view.scene.role(MODERATOR) is None:
        return [Draft(msg("scene-seats-from-outside", text=speech(said.text)))]
    small = (wording.to_you_alone(said.to == (seat,), own=said.speaker == seat, to=_names(said)),)
    return [Draft(speech(said.text), small=small, speaker=said.speaker, name=persona_name(said.speaker))]


def _informed(said: Said) -> Draft:
    """A message of the system, beside its picture where it has one: who sees it needs no words for it."""
    if said.picture is None:
        return Draft(msg("scene-seats-informed", text=wording.quoted(speech(said.text))))
    text = wording.quoted(speech(said.below_picture)) if said.below_picture else ""
    return Draft(msg("scene-seats-shown", text=text).rstrip(), shows=PostPicture(said.picture, said.alt))


def _names(said: Said) -> str:
    return msg("scene-seats-everybody") if ev.EVERYONE in said.to else inline(wording.listed(said.to))


def _role_card(view: SceneView, seat: str) -> Draft:
    role = view.scene.role(seat)
    parts = (speech(role.background), speech(role.task)) if role else ("", "")
    return Draft(wording.role_card(inline(seat), *parts))


# ── turns ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _turn(r: Recorded, view: SceneView, seat: str) -> list[Draft]:
    match r.event:
        case ev.TurnOpened(step=step, due=due):
            return _called(r.seq, step, due, view, seat)
        case ev.TurnReminded(step=step, due=due):
            return [_reminded(r.seq, step, due, view, seat)]
        case ev.AnswerRejected(step=step, reason=reason):
            text = msg("scene-seats-rejected", reason=inline(reason))
            return [Draft(text, mention=view.member_on(seat), buttons=_buttons(r.seq, step, view))]
        case ev.TurnExtended(due=due):
            return [Draft(msg("scene-seats-extended", until=when(due)))]
    return []


def _called(seq: int, step: str, due: datetime | None, view: SceneView, seat: str) -> list[Draft]:
    """A call to a turn; of a long consent the question comes in a post of its own, with the buttons and the call."""
    until, before, is_judge = when(due) if due else "", list[Draft](), view.scene.is_judge(seat)
    if (kind := view.turn_kind(step)) in DECISIONS:
        turn = view.status.view.moderation.turns.get(step)
        told, _, question = (task_of(turn.asked) if turn else "").rpartition("\n\n")
        text = wording.consent(speech(f"{told}\n\n{question}"), until, judge=is_judge)
        if len(text) > LONGEST_CONSENT:
            before = [Draft(speech(told))]
            text = wording.consent(speech(question), until, judge=is_judge)
    else:
        text = wording.your_turn(
            messages("scene-seats-what")[kind], _to(step, view), until, judge=view.scene.is_judge(seat)
        )
    member = view.member_on(seat)
    called = f"<@{member}>, {text}" if member else text
    return [*before, Draft(called, mention=member, buttons=_buttons(seq, step, view, ends=due is not None))]


def _reminded(seq: int, step: str, due: datetime, view: SceneView, seat: str) -> Draft:
    member = view.member_on(seat)
    until = when(due)
    text = (
        msg("scene-seats-reminder-of-consent", until=until)
        if (kind := view.turn_kind(step)) in DECISIONS
        else msg("scene-seats-reminder", what=messages("scene-seats-what")[kind], until=until)
    )
    return Draft(f"<@{member}>, {text}" if member else text, mention=member, buttons=_buttons(seq, step, view))


def _to(step: str, view: SceneView) -> str:
    direction = view.scene.direction(step)
    if direction is None:
        return ""
    return (
        msg("scene-seats-everybody")
        if direction.move.mode == "broadcast"
        else inline(wording.listed(direction.move.to))
    )


def _buttons(seq: int, step: str, view: SceneView, *, ends: bool = True) -> tuple[Button, ...]:
    return turn_buttons(f"{TURN}:{view.session}:{seq}", DECISIONS.get(view.turn_kind(step), ACTIONS), ends=ends)


def _is_own(event: TurnEvent, view: SceneView, seat: str) -> bool:
    if isinstance(event, ev.TurnOpened | ev.TurnReminded):
        return event.seat == seat
    turn = view.status.view.moderation.turns.get(event.step)
    return turn is not None and turn.seat == seat


def task_of(asked: dict[str, object]) -> str:
    """The text of what is asked, as the person reads it."""
    return Ask.model_validate(asked).text


# ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _over(view: SceneView, seat: str) -> Draft:
    """It is over; whoever was promised codes may press for them."""
    if view.scene.is_judge(seat):
        return Draft(msg("scene-seats-over-for-judge"))
    buttons = (
        (Button(f"el:{CODES}:{view.session}:{view.place_of(seat)}", msg("scene-seats-codes")),)
        if view.scene.config and view.scene.config.mode
        else ()
    )
    return Draft(msg("scene-seats-over"), buttons=buttons)


def _untold(view: SceneView, seat: str) -> list[Draft]:
    """What it was about, for who played and was not told it, as the scene broke off or was stopped."""
    scene = view.scene
    if not scene.agreed.get(seat) or seat in scene.debriefings or scene.config is None or scene.is_judge(seat):
        return []
    return [Draft(msg("scene-seats-debrief", text=speech(debrief_of(scene.config, seat))))]


# ── the panel ────────────────────────────────────────────────────────────────────────────────────────────────────


def panel_of(view: SceneView, seat: str) -> PanelContent:
    """What the person on this seat may do now, and what is waited for; it tells nothing of the others."""
    embed = Embed(
        title=safe.shortened(msg("scene-seats-panel-title", role=safe.inline(seat)), 256),
        description=_now(view, seat),
        footer=msg("scene-seats-panel-footer"),
        colour=COLOURS["finished" if view.status.over else "paused" if view.status.state == "paused" else "running"],
    )
    gone = view.status.over or seat in view.left or view.member_on(seat) is None
    return PanelContent(embed, () if gone else _panel_buttons(view, seat))


def _now(view: SceneView, seat: str) -> str:
    if view.status.over:
        return msg("scene-seats-now-over")
    if seat in view.scene.debriefings:
        return msg("scene-seats-now-debriefed")
    if view.status.state == "failed" or (view.status.state == "paused" and view.status.why != "interrupt"):
        return msg("scene-seats-now-paused")
    if view.scene.is_judge(seat):
        return (
            msg("scene-seats-now-you")
            if any(turn.seat == seat for turn in view.open_turns)
            else msg("scene-seats-now-judge")
        )
    if any(turn.seat == seat and view.turn_kind(turn.step) not in DECISIONS for turn in view.open_turns):
        return msg("scene-seats-now-you")
    return msg("scene-seats-now-others") if view.scene.rule else msg("scene-seats-now-consent")


def _panel_buttons(view: SceneView, seat: str) -> tuple[Button, ...]:
    scene, role = view.scene, view.scene.role(seat)
    answered = scene.has_moderator and scene.agreed.get(seat) and seat not in scene.debriefings
    asks = answered and role is not None and role.kind != "moderator"
    subject = scene.is_subject(seat)
    last = ("withdraw", msg("scene-seats-withdraw")) if subject else ("leave", msg("scene-seats-leave"))
    actions: list[tuple[str, str, ButtonStyle]] = [("ask", msg("scene-seats-question"), "primary")] if asks else []
    actions.append((*last, "danger"))
    return buttons_of(f"{PANEL}:{view.session}:{view.place_of(seat)}", actions)
