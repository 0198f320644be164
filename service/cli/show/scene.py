"""A session as one terminal may see it: the view of its log, what is being written now, and what is worth showing.

Who watches decides what is seen. The moderator sees all. Where a person sits on a seat at this terminal, the terminal
shows what was said to that seat and no more: no scores, no rulings, no drafts, no names of models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from shlex import quote

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import EVERYONE, Event, Recorded
from elenchus.debate_engine.human import is_human
from elenchus.debate_engine.log import reached
from elenchus.debate_engine.protocols.socrasynth.heat import falling
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.reports.course import NextTurn
from elenchus.debate_engine.reports.doing import unanswered
from elenchus.debate_engine.reports.summary import sentences
from elenchus.debate_engine.reports.view import DebateView
from elenchus.debate_engine.reports.words import count as counted
from elenchus.debate_engine.reports.words import dollars
from elenchus.debate_engine.room import Draft
from elenchus.service.cli.progress import Remaining
from elenchus.service.cli.show.items import Ended, Item, Note, Scored, Spoken, Tone, Topics
from elenchus.service.cli.show.naming import is_speech
from elenchus.service.cli.show.played import shortened_for
from elenchus.service.cli.show.readable import UNREADABLE, is_readable

MODERATOR = "moderator"
_SYSTEM = "system"
"""`scenes.scene.SYSTEM`, whose import would make every start slower."""


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
class Scene:
    """What is known of a session so far. `seats_here`: the seats at this terminal, empty for the moderator's view.

    `remaining` counts calls, where people are told how long it takes. `debriefed`: whether those here have been told
    what the scene was about, so that nothing more is asked of them. `moderates`: whether who sits here may also steer.
    """

    session_id: str
    seats_here: frozenset[str] = frozenset()
    view: DebateView = field(default_factory=DebateView)
    active: dict[str, Activity] = field(default_factory=dict)
    wanted_heat: float | None = None
    token_limit: int | None = None
    usd_limit: float | None = None
    remaining: Remaining | None = None
    debriefed: bool = False
    moderates: bool = True
    _trimmed: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)

    @property
    def sees_all(self) -> bool:
        """Whether this is the moderator's view."""
        return not self.seats_here

    @property
    def is_played_here(self) -> bool:
        """Whether somebody at this terminal plays in a scene."""
        return self.protocol == "rulegen" and not self.sees_all

    @property
    def protocol(self) -> str:
        """What is being run."""
        return self.view.started.protocol if self.view.started else ""

    @property
    def paused(self) -> bool:
        """Whether the session waits."""
        return self.view.state == "paused"

    def model_of(self, seat: str) -> str:
        """The model on a seat, "" where it is a person or not to be known here."""
        seats = self.view.started.seats if self.view.started else ()
        spec = next((s.spec for s in seats if s.name == seat), "")
        return "" if is_human(spec) or not self.sees_all else spec

    def next_turn(self) -> NextTurn | None:
        """What is spoken next at a heat that the moderator can still set."""
        cfg = self.view.config
        return self.view.course.next_turn(cfg, self.wanted_heat) if cfg else None

    def heat_now(self) -> float | None:
        """The heat of the next turn: what the moderator wants, else what the debate is at."""
        cfg = self.view.config
        known = (self.wanted_heat, self.view.course.heat, cfg.heat if cfg else None)
        return next((heat for heat in known if heat is not None), None)

    def most_rounds(self) -> int:
        """How many rounds there can be when nobody touches the heat."""
        cfg = self.view.config
        return len(list(falling(cfg.heat, cfg.decay, cfg.floor, cfg.max_rounds))) if cfg else 0

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
        return [Activity(a.step, a.seat) for a in self.active.values() if is_speech(a.step)]

    def awaited(self) -> list[str]:
        """Who elsewhere is asked now and how they answer, a line for each seat; for the moderator's view alone."""
        if not self.sees_all or self.paused:
            return []
        seats = dict.fromkeys(turn.seat for turn in self.view.asked if turn.seat != MODERATOR)
        how = f"elenchus sessions answer {self.session_id} --seat"
        return [f"waiting for {seat}, where a person sits; to answer: {how} {quote(seat)}" for seat in seats]

    def take_all(self, recorded: Iterable[Recorded]) -> list[Item]:
        """Take events in order; the items that they add to the scrollback."""
        return [item for r in recorded for item in self.take(r)]

    def take_past(self, r: Recorded) -> list[Item]:
        """Take an event of before this terminal came: that it was paused then, or went on, is of no use any more."""
        items = self.take(r)
        return [] if isinstance(r.event, ev.SessionPaused | ev.SessionResumed) else items

    def take(self, r: Recorded) -> list[Item]:
        """Take one event; an event that was taken before adds nothing."""
        before = self.view.course.quality
        if not self.view.apply(r):
            return []
        match r.event:
            case ev.SessionStarted():
                self.token_limit, self.usd_limit = r.event.budget_tokens, r.event.budget_usd
            case ev.StepDone():
                return self._step(r.event, before.gamma if before else None)
            case ev.Said():
                return self._said(r.event)
            case ev.SessionPaused(reason=reason):
                self.active.clear()
                return [Note(f"paused: {reason.removeprefix('paused ')}", "warn")]
            case ev.SessionResumed():
                return [Note("the session goes on", "good")]
            case ev.SessionFinished() | ev.SessionStopped() | ev.SessionFailed():
                self.active.clear()
                return list(self._ended())
            case _:
                return self._notes(r.event)
        return []

    # ── steps and words ──────────────────────────────────────────────────────────────────────────────────────────

    def _step(self, event: ev.StepDone, before: float | None) -> list[Item]:
        self.active.pop(event.step, None)
        course = self.view.course
        match event.result, event.inputs:
            case {"declined": str(why)}, {"answer_schema": dict(), "seat": str(seat)} if self.sees_all:
                return [Note(unanswered(seat, event.step, why), "warn")]
        match event.step.split("/"):
            case [*_, "heat"]:
                self.wanted_heat = None
            case ["agenda", "agreed"]:
                return [Topics(event.result)]
            case ["round", number, "crit", "quality"] if self.sees_all:
                heat = course.heats.get(int(number))
                quality = course.qualities.get(int(number))
                return [Scored(f"round {number}", heat.value if heat else None, quality, before)] if quality else []
            case ["closing", "crit", "quality"] if self.sees_all and course.final:
                return [Scored("the whole debate", None, course.final, before)]
            case ["rounds", "ended"] if self.sees_all:
                return [Note(f"the rounds are over: {event.result}")]
            case ["consent", *_, "given"] if event.result["agreed"] and event.result["name"] in self.seats_here:
                return [who_you_are(self.view.started, event.result["name"])]
        return []

    def _said(self, event: ev.Said) -> list[Item]:
        if not self._may_hear(event) or event.about == "agenda":
            return []
        if self.protocol == "rulegen":
            self.debriefed |= event.about == "debrief"
            written = event.speaker == _SYSTEM and event.about != "deviation"  # the scene's own words, no model's
            model = "" if written else self.model_of(event.speaker)
            return [Spoken(event.speaker, addressed(event), event.text, None, model)]
        if EVERYONE in event.to:
            return [Spoken(event.speaker, event.about, event.text, self.view.course.heat, self.model_of(event.speaker))]
        if event.speaker in ("pro", "con"):  # a sweep's speeches are heard by the moderator alone
            return [Spoken(event.speaker, event.about, event.text, None, self.model_of(event.speaker))]
        tone: Tone = "warn" if event.about == "warning" else "moderator"
        return [Note(f"{event.speaker} → {', '.join(event.to)}: {event.text}", tone)]

    def _ended(self) -> Iterator[Item]:
        """The end. Of a scene those who play are told no verdict here: they have had their debriefing."""
        outcome, reason = self.view.outcome, self.view.reason
        if not is_readable(self.view):
            outcome, reason = None, UNREADABLE
        if self.protocol == "rulegen":
            if self.sees_all and outcome and (told := shortened_for(self.view.troubles.trimmed)):
                yield Note(told, "warn")
            outcome = outcome if self.sees_all or outcome is None else {}
        elif outcome and (worth := worth_of(self.view.config)):
            yield Note(worth, "warn")
        short = tuple(sentences(self.view)) if outcome and self.sees_all else ()  # it names models
        yield Ended(self.view.state, self.protocol, outcome, reason, short)

    def _may_hear(self, event: ev.Said) -> bool:
        """Where several people share this terminal, only what all of them have heard. A scene's judges read the
        record at its end, and hear nothing of it before.
        """
        started = self.view.started
        judges = started.config.get("judges", ()) if started and self.protocol == "rulegen" else ()
        return self.sees_all or all(seat not in judges and reached(seat, event) for seat in self.seats_here)

    # ── the rest ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _notes(self, event: Event) -> list[Item]:
        """What the moderator should know of the other events."""
        match event:
            case ev.HeatSet(heat=heat):
                self.wanted_heat = heat
            case ev.BudgetRaised(tokens=tokens, usd=usd):
                self.token_limit = tokens if tokens is not None else self.token_limit
                self.usd_limit = usd if usd is not None else self.usd_limit
        if not self.sees_all or self._told_before(event):
            return []
        return [Note(words, _tone_of(event))] if (words := noted(event)) else []

    def _told_before(self, event: Event) -> bool:
        """A model with a small context shortens nearly every prompt: each kind of it is told once."""
        if not isinstance(event, ev.PromptTrimmed):
            return False
        known, kind = len(self._trimmed), (event.model, event.left_out)
        self._trimmed.add(kind)
        return len(self._trimmed) == known


def worth_of(cfg: DebateConfig | None) -> str:
    """What scores, verdict and proposal of a debate are worth where very small models gave them, else ""."""
    scoring = [seat for seat in cfg.small if seat not in ("pro", "con")] if cfg else []
    if not scoring:
        return ""
    who = ", ".join(scoring)
    return f"very small models scored and judged ({who}): their numbers show the form, and say nothing of the arguments"


def who_you_are(started: ev.SessionStarted | None, seat: str) -> Spoken:
    """What a person is told of the part it plays, before anything of the scene reaches it."""
    roles = started.config["scene"]["roles"] if started else ()
    role: dict[str, str] = next((role for role in roles if role["name"] == seat), {})
    told = [f"You are {seat}. {role.get('background', '')}".rstrip()]
    told += [f"Your task: {task}" if (task := role.get("task")) else ""]
    told += ["The scene begins. What reaches you appears here, and you are asked when it is your turn to speak."]
    return Spoken(seat, "who you are", "\n\n".join(filter(None, told)), None, "")


def addressed(event: ev.Said) -> str:
    """To whom words of a scene go, and what they are where no rule has them said."""
    to = "everybody" if EVERYONE in event.to else ", ".join(event.to)
    beside = event.about if event.about in ("ending", "debrief", "deviation") else ""
    return f"to {to}{f' ({beside})' if beside else ''}"


def _tone_of(event: Event) -> Tone:
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
        case ev.TurnExtended():
            return f"{event.by} gives more time for {event.step}"
        case ev.SeatLeft():
            return f"{event.by} takes {event.seat} off its person"
        case ev.Withdrawn():
            return f"{event.seat} stops taking part"
    return ""
