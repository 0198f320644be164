"""A session as one terminal may see it: the view of its log, what is being written now, and what is worth showing.

Who watches decides what is seen. The moderator sees all. Where a person sits on a seat at this terminal, the terminal
shows what was said to that seat and no more: no scores, no rulings, no drafts, no names of models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from shlex import quote

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Event, Recorded
from elenchus.debate_engine.pictures import PictureStore
from elenchus.debate_engine.reports.blocks import Block, Fact, Note, Speech
from elenchus.debate_engine.reports.failures import is_refusal
from elenchus.debate_engine.reports.report import unanswered
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.reports.words import count as counted, dollars
from elenchus.debate_engine.run_context import Draft
from elenchus.service.cli.progress import Remaining
from elenchus.service.lab.session_status import SessionStatus

MODERATOR = "moderator"
UNREADABLE = "the record of its result is of another form than this version writes: it is not shown"


@dataclass
class Activity:
    """An answer that is being made; `pieces` are the draft of a speech so far, joined when it is looked at."""

    step: str
    seat: str
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The draft."""
        self.pieces = ["".join(self.pieces)]
        return self.pieces[0]


@dataclass
class TerminalView:
    """What is known of a session so far. `seats_here`: the seats at this terminal, empty for the moderator's view.

    `remaining` counts what is `answered`, where people are told how long it takes. `debriefed`: whether those here have
    been told what the scene was about, so that nothing more is asked of them. `moderates`: whether who sits here may
    also steer. `pictures`: where those lie that are shown with words, which no terminal shows.
    """

    session_id: str
    seats_here: frozenset[str] = frozenset()
    view: SessionView = field(default_factory=SessionView)
    active: dict[str, Activity] = field(default_factory=dict)
    remaining: Remaining | None = None
    debriefed: bool = False
    moderates: bool = True
    pictures: PictureStore | None = None
    moderated: SessionStatus = field(init=False)
    _readings: int = 0
    _trimmed: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)

    def __post_init__(self) -> None:
        """What the moderator has asked for is read with the view."""
        self.moderated = SessionStatus(self.view)

    @property
    def answered(self) -> int:
        """Calls so far, and readings of local weights, which are steps without one."""
        return self.view.spending.total.calls + self._readings

    @property
    def sees_all(self) -> bool:
        """Whether this is the moderator's view."""
        return not self.seats_here

    @property
    def is_played_here(self) -> bool:
        """Whether somebody at this terminal is a subject, or plays beside one."""
        return self.view.spec.has_subjects and not self.sees_all

    @property
    def paused(self) -> bool:
        """Whether the session waits."""
        return self.view.state == "paused"

    def heat_now(self) -> float | None:
        """The heat of the next turn: what the moderator wants, else what the session is at or will begin with."""
        standing, coming = self.moderated.standing, self.moderated.next_turn
        known = (self.moderated.wanted_heat, standing.heat if standing else None, coming.heat if coming else None)
        return next((heat for heat in known if heat is not None), None)

    # ── what comes in ────────────────────────────────────────────────────────────────────────────────────────────

    def draft(self, draft: Draft) -> None:
        """Take a piece of an answer that is being written."""
        if draft.done:
            self.active.pop(draft.step, None)
            return
        activity = self.active.setdefault(draft.step, Activity(draft.step, draft.seat))
        if draft.text is None:
            activity.pieces.clear()
        else:
            activity.pieces.append(draft.text)

    def visible_activity(self) -> list[Activity]:
        """What may be shown of what is going on: where a person sits here, only who speaks, never what."""
        if self.sees_all:
            return list(self.active.values())
        return [Activity(a.step, a.seat) for a in self.active.values() if self.view.spec.is_draft(a.step)]

    def awaited(self) -> list[str]:
        """Who elsewhere is asked now and how they answer, a line for each seat; for the moderator's view alone."""
        if not self.sees_all or self.paused:
            return []
        seats = dict.fromkeys(turn.seat for turn in self.view.asked if turn.seat != MODERATOR)
        how = f"elenchus sessions answer {self.session_id} --seat"
        return [f"waiting for {seat}, where a person sits; to answer: {how} {quote(seat)}" for seat in seats]

    def take_all(self, recorded: Iterable[Recorded]) -> list[Block]:
        """Take events in order; the items that they add to the scrollback."""
        return [item for r in recorded for item in self.take(r)]

    def take_past(self, r: Recorded) -> list[Block]:
        """Take an event of before this terminal came: that it was paused then, or went on, is of no use any more."""
        items = self.take(r)
        return [] if isinstance(r.event, ev.SessionPaused | ev.SessionResumed) else items

    def take(self, r: Recorded) -> list[Block]:
        """Take one event; an event that was taken before adds nothing."""
        rested = self.moderated.why == "rest"
        if not self.moderated.take(r):
            return []
        match r.event:
            case ev.SessionPaused(why="rest"):
                self.active.clear()
                return []
            case ev.SessionResumed() if rested:
                return []
            case ev.StepDone() as done:
                return [*self._step(done), *self._shown(r)]
            case ev.Said(about=about):
                self.debriefed |= self.is_played_here and about == "debrief" and bool(self._shown(r))
                return self._shown(r)
            case ev.SessionPaused(reason=reason):
                self.active.clear()
                return [Note(f"paused: {reason.removeprefix('paused ')}", "warn")]
            case ev.SessionResumed():
                return [Note("the session goes on", "good")]
            case ev.SessionFinished() | ev.SessionStopped() | ev.SessionFailed():
                self.active.clear()
                return list(self._ended())
        return self._notes(r.event)

    # ── steps and words ──────────────────────────────────────────────────────────────────────────────────────────

    def _step(self, event: ev.StepDone) -> list[Block]:
        self.active.pop(event.step, None)
        self._readings += not event.calls and "likelihood" in self.view.spec.needs
        match event.result, event.inputs:
            case {"declined": str(why)}, {"answer_schema": dict(), "seat": str(seat)} if self.sees_all and not (
                is_refusal(self.view.spec, event.step, why)
            ):
                return [Note(unanswered(self.view, seat, event.step, why), "warn")]
        return []

    def _shown(self, r: Recorded) -> list[Block]:
        """What the protocol shows of an event: all of it to the moderator, else what all people here have heard."""
        shown = self.view.spec.present.shown(r, self.view, self.seats_here)
        return [*chain.from_iterable((block, *self._to_look_at(block)) for block in shown)]

    def _to_look_at(self, block: Block) -> Iterator[Block]:
        """Where the picture of a speech lies, for whoever can open it."""
        if isinstance(block, Speech) and block.picture and self.pictures:
            path = self.pictures.path_of(block.picture)
            yield Note(f"the picture: {path}" if path.exists() else f"the picture is not here: {path} is missing")

    def _ended(self) -> Iterator[Block]:
        """The end, in the protocol's own words where the session finished."""
        view = self.view
        if view.outcome is None:
            yield Fact(view.state, view.reason, "end", stands_out=True)
        elif view.spec.outcome and view.spec.outcome_of(view.outcome) is None:
            yield Fact(view.state, UNREADABLE, "end", stands_out=True)
        else:
            told = [*view.spec.present.ended(view, self.seats_here)]
            yield from told or [Fact(view.state, view.reason, "good", stands_out=True)]

    # ── the rest ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _notes(self, event: Event) -> list[Block]:
        """What the moderator should know of the other events."""
        if not self.sees_all or self._told_before(event):
            return []
        if self.view.spec.has_subjects and isinstance(event, ev.Withdrawn | ev.Redacted):
            event = event.model_copy(update={"seat": "a person"})
        return [Note(words, _tone_of(event))] if (words := noted(event)) else []

    def _told_before(self, event: Event) -> bool:
        """A model with a small context shortens nearly every prompt: each kind of it is told once."""
        if not isinstance(event, ev.PromptTrimmed):
            return False
        known, kind = len(self._trimmed), (event.model, event.left_out)
        self._trimmed.add(kind)
        return len(self._trimmed) == known


def _tone_of(event: Event) -> str:
    match event:
        case ev.CallFailed() | ev.AnswerRejected():
            return "warn"
        case ev.PromptTrimmed() | ev.Redacted():
            return "info"
    return "moderator"


def noted(event: Event) -> str:
    """An event as a line for the moderator, "" for one that needs none."""
    match event:
        case ev.CallFailed():
            again = f"again in {event.retry_in:.0f} s" if event.retry_in is not None else "given up"
            return f"{event.model} failed in {event.step}: {event.message} ({again})"
        case ev.PromptTrimmed():
            return f"{event.model} cannot read all at once (first in {event.step}): {', '.join(event.left_out)}"
        case ev.AnswerRejected():
            return f"an answer to {event.step} could not be used: {event.reason}"
        case ev.Redacted():
            return f"the words of {event.seat} were replaced in {counted(event.strings, 'place')}"
        case ev.BudgetRaised():
            limits = [f"{event.tokens:,} tokens" if event.tokens else "", dollars(event.usd) if event.usd else ""]
            more = "lets models be asked whose price is not known" if event.unpriced_ok else ""
            to = " and ".join(part for part in limits if part)
            return f"{event.by} " + " and ".join(
                part for part in (f"sets the budget to {to}" if to else "", more) if part
            )
    return _wished(event)


def _wished(event: Event) -> str:
    """A moderator's wish as a line."""
    match event:
        case ev.HeatSet():
            return f"{event.by} sets the heat of the next turn to {event.heat:.2f}"
        case ev.Guidance():
            return f"{event.by} guides {' and '.join(event.to)}: {event.text}"
        case ev.Question():
            return f"{event.by} asks {event.to}: {event.text}"
        case ev.DeepenAsked():
            return f"{event.by} asks {event.to} to deepen its weakest reason"
        case ev.RoundAsked():
            return f"{event.by} wants one more round"
        case ev.CloseAsked():
            return f"{event.by} calls for the closings"
        case ev.StopAsked():
            return f"{event.by} stops the debate: {event.reason}"
    return _of_people(event)


def _of_people(event: Event) -> str:
    """What the audience and people on seats did, as a line."""
    match event:
        case ev.Voted():
            return f"{event.by} votes {event.side} ({event.when} the debate)"
        case ev.VoteClosed():
            return f"{event.by} closes the vote {event.when} the debate"
        case ev.OpinionsRated(by=by, ratings=ratings):
            return f"{by} rates {len(ratings)} opinions as the persona"
        case ev.TurnExtended():
            return f"{event.by} gives more time for {event.step}"
        case ev.SeatLeft():
            return f"{event.by} takes {event.seat} off its person"
        case ev.Withdrawn():
            return f"{event.seat} stops taking part"
    return ""
