"""Short notes of the bot on what happened, one line each. Pure."""

from __future__ import annotations

from elenchus.bot.people.members import member_of
from elenchus.bot.rendering.amounts import dollars
from elenchus.bot.rendering.safe import inline, shortened, speech
from elenchus.bot.strings import msg
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Event, Said
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.reports.report import unanswered as sentence
from elenchus.debate_engine.reports.view import SessionView


def noted(event: Event, view: SessionView) -> str:
    """The note on an event, "" for one that needs none."""
    match event:
        case ev.SessionPaused(why="interrupt" | "rest"):
            return ""  # the bot was stopped; the panel shows it, and it goes on by itself; or nothing is to be done
        case ev.SessionPaused(reason=reason):
            return msg("thread-paused", reason=speech(reason))
        case ev.SessionResumed():
            return "" if view.failures.pauses and view.failures.pauses[-1].why == "interrupt" else msg("thread-resumed")
        case ev.HeatSet(by=by, heat=heat):
            return msg("thread-set-heat", by=who(by), value=heat)
        case ev.RoundAsked(by=by):
            return msg("thread-one-more-round", by=who(by))
        case ev.CloseAsked(by=by):
            return msg("thread-to-closing", by=who(by))
        case ev.BudgetRaised(by=by, tokens=tokens, usd=usd):
            limits = [msg("thread-tokens", n=tokens) if tokens else "", dollars(usd) if usd else ""]
            return (
                msg("thread-budget-set", by=who(by), limits=" · ".join(part for part in limits if part))
                if any(limits)
                else ""
            )
        case ev.Redacted(seat=seat, strings=count):
            name = msg("thread-somebody") if seat == REDACTED else inline(view.name(seat))
            return msg("thread-redacted", name=name, n=count)
    return ""


def unanswered(done: ev.StepDone, view: SessionView) -> str:
    """The note on a question that got no usable answer, "" where it got one, or a speech was asked."""
    match done.result, done.inputs:
        case {"declined": str(why)}, {"answer_schema": dict(), "seat": str(seat)}:
            return msg("thread-unanswered", what=inline(sentence(view, seat, done.step, shortened(why, 300))))
    return ""


def private(said: Said, view: SessionView) -> str:
    """Words that only some are given, for a thread in which nobody sits who must not read them."""
    to = ", ".join(inline(view.name(seat)) for seat in said.to)
    return msg(
        "thread-private-words",
        speaker=inline(view.name(said.speaker)),
        to=to,
        about=inline(said.about),
        text=speech(said.text),
    )


def who(by: str) -> str:
    """Whoever stands in `by`: a member's mention (it pings nobody), else the name."""
    member = member_of(by)
    return f"<@{member}>" if member else inline(by) or msg("thread-the-moderator")
