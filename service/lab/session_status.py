"""A session as its moderator sees it: how it stands, and what was asked for and is still to come. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.log import ENDED
from elenchus.debate_engine.protocols.presentation import NextTurn, RoundProgress
from elenchus.debate_engine.reports.view import SessionView


@dataclass(slots=True)
class SessionStatus:
    """The session's view, and what the moderator has asked for that has not come about yet.

    `wanted_heat` counts from the next turn on; `asked` is the last of pause, round, close and stop that waits to
    be taken up; `why` is the reason's kind of a pause.
    """

    view: SessionView
    wanted_heat: float | None = None
    asked: str = ""
    why: str = ""
    most_tokens: int | None = None
    most_usd: float | None = None

    @classmethod
    def of(cls, session: str, events: Iterable[ev.Recorded]) -> SessionStatus:
        """The session of a whole log."""
        moderated = cls(SessionView(session))
        for r in events:
            moderated.take(r)
        return moderated

    def take(self, r: ev.Recorded) -> bool:
        """Take in the next event; False where it is already known."""
        coming = self.view.projected(lambda projection: projection.next_turn())
        new = self.view.apply(r)
        if new:
            self._take(r.event)
            self._go_on(coming)
        return new

    def _go_on(self, before: NextTurn | None) -> None:
        """What was asked for the turn that was to come has come about, where it is that turn's now."""
        if (coming := self.view.projected(lambda projection: projection.next_turn())) != before:
            self.wanted_heat = None
            self.asked = "" if self.asked in ("round", *(() if coming else ("close",))) else self.asked

    def _take(self, event: ev.Event) -> None:
        match event:
            case ev.SessionStarted(budget_tokens=tokens, budget_usd=usd):
                self.most_tokens, self.most_usd = tokens, usd
            case ev.BudgetRaised(tokens=tokens, usd=usd):
                self.most_tokens = self.most_tokens if tokens is None else tokens
                self.most_usd = self.most_usd if usd is None else usd
            case ev.HeatSet(heat=heat):
                self.wanted_heat = heat
            case ev.PauseAsked() | ev.RoundAsked() | ev.CloseAsked() | ev.StopAsked():
                self.asked = event.kind
            case ev.ResumeAsked():
                self.asked = "" if self.asked == "pause" else self.asked
            case ev.SessionPaused(why=why):
                self.why = why
                self.asked = "" if self.asked == "pause" else self.asked
            case ev.SessionResumed() | ev.SessionFailed():
                self.why = ""

    @property
    def id(self) -> str:
        """The session's."""
        return self.view.session_id

    @property
    def state(self) -> str:
        """running, paused, finished, stopped or failed."""
        return self.view.state

    @property
    def ended(self) -> bool:
        """Whether nothing more happens of itself."""
        return self.view.ended

    @property
    def over(self) -> bool:
        """Whether nothing more can happen: a failed session can be tried again."""
        return self.view.state in ENDED

    @property
    def allowed(self) -> tuple[str, ...]:
        """What a moderator may do now, by name: a failed session can only be tried again or given up."""
        if self.over:
            return ()
        if self.state == "failed":
            return ("resume", "stop")
        return (
            "resume" if self.state == "paused" else "pause",
            *(self.view.spec.commands if self.standing else ()),
            "stop",
            "budget",
        )

    @property
    def waits_for_moderator(self) -> bool:
        """Whether the session is not to go on of itself when the bot starts: somebody, or its budget, stopped it."""
        return self.ended or self.asked == "pause" or (self.state == "paused" and self.why != "interrupt")

    @property
    def standing(self) -> RoundProgress | None:
        """How far a session with rounds and a heat has come."""
        return self.view.projected(lambda projection: projection.standing)

    @property
    def next_turn(self) -> NextTurn | None:
        """What is spoken next at a heat that can still be set; None for no debate, and once its rounds are over."""
        return self.view.projected(lambda projection: projection.next_turn(self.wanted_heat))
