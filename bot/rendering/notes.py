"""Short notes of the bot on what happened, one line each. Pure."""

from __future__ import annotations

from elenchus.bot.people.who import member_of
from elenchus.bot.rendering.safe import inline, shortened, speech
from elenchus.bot.strings import thread as words
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Event, Said
from elenchus.debate_engine.masking import GONE
from elenchus.debate_engine.reports.account import unanswered as sentence
from elenchus.debate_engine.reports.view import SessionView


def noted(event: Event, view: SessionView) -> str:
    """The note on an event, "" for one that needs none."""
    match event:
        case ev.SessionPaused(why="interrupt"):
            return ""  # the bot was stopped; the panel shows it, and it goes on by itself
        case ev.SessionPaused(reason=reason):
            return words.paused(speech(reason))
        case ev.SessionResumed():
            return "" if view.troubles.pauses and view.troubles.pauses[-1].why == "interrupt" else words.RESUMED
        case ev.HeatSet(by=by, heat=heat):
            return words.set_heat(who(by), heat)
        case ev.RoundAsked(by=by):
            return words.one_more_round(who(by))
        case ev.CloseAsked(by=by):
            return words.to_closing(who(by))
        case ev.BudgetRaised(by=by, tokens=tokens, usd=usd):
            limits = [words.tokens(tokens) if tokens else "", words.dollars(usd) if usd else ""]
            return words.budget_set(who(by), " · ".join(part for part in limits if part)) if any(limits) else ""
        case ev.Redacted(seat=seat, strings=count):
            return words.redacted(words.SOMEBODY if seat == GONE else inline(view.name(seat)), count)
    return ""


def unanswered(done: ev.StepDone, view: SessionView) -> str:
    """The note on a question that got no usable answer, "" where it got one, or a speech was asked."""
    match done.result, done.inputs:
        case {"declined": str(why)}, {"answer_schema": dict(), "seat": str(seat)}:
            return words.unanswered(inline(sentence(view, seat, done.step, shortened(why, 300))))
    return ""


def private(said: Said, view: SessionView) -> str:
    """Words that only some are given, for a thread in which nobody sits who must not read them."""
    to = ", ".join(inline(view.name(seat)) for seat in said.to)
    return words.private_words(inline(view.name(said.speaker)), to, inline(said.about), speech(said.text))


def who(by: str) -> str:
    """Whoever stands in `by`: a member's mention (it pings nobody), else the name."""
    member = member_of(by)
    return f"<@{member}>" if member else inline(by) or words.THE_MODERATOR
