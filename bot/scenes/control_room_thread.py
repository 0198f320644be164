"""What the control room shows of one subject's scene: all of it, with who heard what, purposes, deviations. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elenchus.bot.rendering import embeds, notes
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.drafts import Draft
from elenchus.bot.rendering.post import Button, ButtonStyle, Embed, turn_buttons
from elenchus.bot.rendering.safe import inline, persona_name, shortened, speech
from elenchus.bot.rendering.scene_turns import quoted
from elenchus.bot.scenes.control_room_panel import version_of
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.scenes.seat_thread import TURN
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import EVERYONE, Recorded, Said, StepDone
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF, ENDING
from elenchus.debate_engine.protocols.rulegen.played import Deviation, Evaluation, Opinion, Turn, Verdict
from elenchus.debate_engine.protocols.rulegen.projection import Decision
from elenchus.debate_engine.protocols.rulegen.record import DEVIATION
from elenchus.debate_engine.reports.seats import model_in_words, speaker_of
from elenchus.debate_engine.scenes.scene import PURPOSES, SYSTEM

TOLD = (DEBRIEF, ENDING)


def drafts_for(r: Recorded, view: SceneView) -> list[Draft]:
    """What the event `r` adds to the control room; `view` has taken it and everything before it."""
    match r.event:
        case ev.SessionStarted():
            return [Draft(_opened(view))]
        case Said() as said:
            return _said(said, view)
        case StepDone():
            return _result(view)
        case ev.TurnOpened(seat=seat, step=step, due=due):
            who, what = _who(seat, view), _about(step, view)
            text = msg("scene-rooms-waits", who=who, what=what)
            if due:
                text = msg("scene-rooms-waits-until", who=who, what=what, until=when(due))
            return [Draft(text, buttons=_buttons(r.seq, view, due))]
        case ev.SessionFinished() | ev.SessionStopped() | ev.SessionFailed():
            return [Draft(_over(r.event, view))]
        case event:
            text = _note(event, view)
            return [Draft(text)] if text else []


def _note(event: ev.Event, view: SceneView) -> str:
    """A line on what somebody did, "" for nothing."""
    match event:
        case ev.TurnReminded(seat=seat, due=due):
            return msg("scene-rooms-reminded", who=_who(seat, view), until=when(due))
        case ev.TurnExtended(by=by, step=step, due=due):
            turn = view.status.view.moderation.turns.get(step)
            seat = inline(turn.seat) if turn else ""
            return msg(
                "scene-rooms-extended", by=_by(by, view), seat=seat or msg("scene-rooms-the-turn"), until=when(due)
            )
        case ev.SeatLeft(seat=seat):
            return msg("scene-rooms-left", seat=inline(seat))
        case ev.Withdrawn():
            return ""  # whoever runs the scene sees counts, never who withdrew
        case ev.Guidance(by=by, to=to, text=text):
            return msg("scene-rooms-word-given", by=_by(by, view), to=inline(", ".join(to)), text=speech(text))
        case ev.CloseAsked(by=by):
            return msg("scene-rooms-closing", by=_by(by, view))
        case ev.SessionResumed():
            pauses = view.status.view.failures.pauses
            return msg("scene-rooms-resumed-note") if pauses and pauses[-1].why != "interrupt" else ""
    return notes.noted(event, view.status.view)


def small_print(number: int) -> tuple[str, ...]:
    """What stands under each post of the control room: which subject."""
    return (msg("scene-rooms-subject", number=number),)


def without_persona(draft: Draft) -> Draft:
    """What somebody says as a message of the bot's own, with the name above it."""
    if draft.speaker is None:
        return draft
    return replace(draft, text=msg("scene-rooms-says", name=inline(draft.name), text=draft.text), speaker=None, name="")


# ── the beginning and the end ────────────────────────────────────────────────────────────────────────────────────


def _opened(view: SceneView) -> str:
    lines = [msg("scene-rooms-seat", name=inline(seat.name), player=_player(seat, view)) for seat in view.seats]
    return msg("scene-rooms-opened", condition=version_of(view), seats="\n".join(lines))


def _player(seat: ev.Seat, view: SceneView) -> str:
    if is_human(seat.spec):
        return _member(seat.name, view) or msg("scene-rooms-a-person")
    return inline(model_in_words(speaker_of(seat).model))


def _over(event: ev.Event, view: SceneView) -> str:
    match event:
        case ev.SessionStopped(reason=reason, by=by):
            return msg("scene-rooms-stopped", by=_by(by, view), reason=speech(reason))
        case ev.SessionFailed(message=message):
            return msg("scene-rooms-failed", reason=speech(message))
    if not (why := view.scene.ended):
        return msg("scene-rooms-finished")
    return msg("scene-rooms-closed-early") if why == "closed" else msg("scene-rooms-ended-early")


# ── what is said ─────────────────────────────────────────────────────────────────────────────────────────────────


def _said(said: Said, view: SceneView) -> list[Draft]:
    to = msg("scene-rooms-everybody") if EVERYONE in said.to else inline(", ".join(said.to))
    if said.about == DEVIATION:
        return [Draft(embeds=tuple(embeds.embeds(msg("scene-rooms-note"), speech(said.text), colour=embeds.ORANGE)))]
    if said.about in TOLD:
        return [Draft(msg("scene-rooms-was-told", to=to, what=messages("scene-rooms-about")[said.about]))]
    known = view.scene.rule_at(said.step)
    purpose = PURPOSES[known[1].purpose].name if known and known[1].purpose and said.speaker != SYSTEM else ""
    parts = (f"→ {to}", inline(said.about), msg("scene-rooms-rule", number=known[0]) if known else "", purpose)
    small = tuple(part for part in parts if part)
    if said.speaker == SYSTEM:
        return [Draft(f"📄 {quoted(speech(said.text)).removeprefix('> ')}", small=small)]
    return [Draft(speech(said.text), small=small, speaker=said.speaker, name=persona_name(said.speaker))]


# ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _result(view: SceneView) -> list[Draft]:
    match view.scene.latest:
        case Turn() as turn:
            return _turn(turn)
        case Decision(seat=seat, agreed=True):
            return [Draft(msg("scene-rooms-consented", seat=inline(seat)))]
        case Evaluation() as found:
            return [Draft(embeds=tuple(evaluation(found)))]
    return []


def _turn(turn: Turn) -> list[Draft]:
    """What was sent back before the reply that was heard, and why there was none."""
    fields = [
        (msg("scene-rooms-sent-back", n=n), f"{speech(one.text)}\n{_why(one.deviation)}")
        for n, one in enumerate(turn.sent_back, 1)
    ]
    lines = [
        msg("scene-rooms-silent", speaker=inline(turn.speaker), reason=inline(turn.silent)) if turn.silent else "",
        msg("scene-rooms-unchecked", reason=inline(turn.unchecked)) if turn.unchecked else "",
        msg("scene-rooms-shortened") if turn.shortened else "",
    ]
    text = "\n".join(line for line in lines if line)
    if not fields and not text:
        return []
    title = msg("scene-rooms-turn", rule=turn.rule, speaker=inline(turn.speaker))
    return [Draft(embeds=tuple(embeds.embeds(title, text, fields)))]


def _why(deviation: Deviation) -> str:
    steps = "".join(f"\n{n}. {speech(step)}" for n, step in enumerate(deviation.steps, 1))
    what = " ".join(filter(None, (speech(deviation.what), speech(deviation.why))))
    return msg("scene-rooms-why", level=deviation.level, by=deviation.by, what=what) + steps


def evaluation(found: Evaluation) -> list[Embed]:
    """What the judges found, with their reasons."""
    lines = [_verdict(one) for one in found.verdicts]
    opinions = [(_opinion(one), _reason(one.reason, one.unread)) for one in found.opinions]
    return embeds.embeds(
        msg("scene-rooms-evaluated", bias=inline(found.bias)), "\n".join(lines), opinions, colour=embeds.BLUE
    )


def _verdict(one: Verdict) -> str:
    """What the judges say of a subject, with what did not count where there is any."""
    counts = [
        msg("scene-rooms-counts-yes", n=one.yes),
        msg("scene-rooms-counts-no", n=one.no),
        msg("scene-rooms-counts-unread", n=one.unread) if one.unread else "",
        msg("scene-rooms-counts-unfounded", n=one.unfounded) if one.unfounded else "",
        msg("scene-rooms-counts-misquoted", n=one.misquoted) if one.misquoted else "",
    ]
    found = messages("scene-rooms-verdicts")[one.verdict]
    return msg("scene-rooms-verdict", subject=inline(one.subject), found=found, counts=", ".join(filter(None, counts)))


def _opinion(one: Opinion) -> str:
    answer = "none" if one.present is None else "unfounded" if one.unfounded else "yes" if one.present else "no"
    answers = messages("scene-rooms-answer")
    return msg("scene-rooms-opinion", judge=inline(one.judge), subject=inline(one.subject), answer=answers[answer])


def _reason(reason: str, unread: str) -> str:
    return speech(shortened(reason, 900)) if reason else msg("scene-rooms-unread", why=inline(unread))


# ── turns of people ──────────────────────────────────────────────────────────────────────────────────────────────


def _who(seat: str, view: SceneView) -> str:
    member = _member(seat, view)
    return f"{inline(seat)} ({member})" if member else inline(seat)


def _member(seat: str, view: SceneView) -> str:
    """The member on a seat, "" for nobody (any more); a subject without the name: nobody sees who withdrew."""
    if (member := view.member_on(seat)) is None:
        return ""
    return msg("scene-rooms-the-subject") if view.scene.is_subject(seat) else f"<@{member}>"


def _by(by: str, view: SceneView) -> str:
    member = view.people.get(by)
    if member and any(view.scene.is_subject(seat) for seat in view.seats_of(member)):
        return msg("scene-rooms-the-subject")
    return f"<@{member}>" if member else notes.who(by)


def _about(step: str, view: SceneView) -> str:
    match view.turn_kind(step):
        case "consent" | "age" | "keep":
            return msg("scene-rooms-agreement")
        case "judge" | "again":
            return msg("scene-rooms-judgement")
    direction = view.scene.direction(step)
    if direction is None:
        return msg("scene-rooms-question")
    return msg("scene-rooms-turn-about", rule=direction.rule, what=speech(direction.text))


def _buttons(seq: int, view: SceneView, due: object) -> tuple[Button, ...]:
    actions: Sequence[tuple[str, str, ButtonStyle]] = (
        ("longer", msg("scene-rooms-longer"), "secondary"),
        ("pass", msg("scene-rooms-skip"), "secondary"),
        ("leave", msg("scene-rooms-take-off"), "secondary"),
    )
    return turn_buttons(f"{TURN}:{view.session}:{seq}", actions, ends=bool(due))
