"""`Board`: what the panel shows of a session, and what its buttons go by: a projection of the log. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from elenchus.debate_engine.events import (
    BudgetRaised,
    CloseAsked,
    HeatSet,
    PauseAsked,
    Recorded,
    ResumeAsked,
    RoundAsked,
    SessionFailed,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    StepDone,
    StopAsked,
)
from elenchus.debate_engine.reports.course import NextTurn
from elenchus.debate_engine.reports.view import DebateView


@dataclass(slots=True)
class Board:
    """The session's view, and what the moderator has asked for that has not come about yet.

    `wanted_heat` counts from the next turn on; `asked` is the last of pause, round, close and stop that waits to
    be taken up; `why` is the reason's kind of a pause.
    """

    view: DebateView
    wanted_heat: float | None = None
    asked: str = ""
    why: str = ""
    most_tokens: int | None = None
    most_usd: float | None = None

    @classmethod
    def of(cls, session: str, events: Iterable[Recorded]) -> Board:
        """The board of a whole log."""
        board = cls(DebateView(session))
        for r in events:
            board.take(r)
        return board

    def take(self, r: Recorded) -> None:
        """Take in the next event."""
        self.view.apply(r)
        match r.event:
            case SessionStarted(budget_tokens=tokens, budget_usd=usd):
                self.most_tokens, self.most_usd = tokens, usd
            case BudgetRaised(tokens=tokens, usd=usd):
                self.most_tokens = self.most_tokens if tokens is None else tokens
                self.most_usd = self.most_usd if usd is None else usd
            case HeatSet(heat=heat):
                self.wanted_heat = heat
            case StepDone(step=step) if step.endswith("/heat"):
                self.wanted_heat = None
                self.asked = "" if self.asked == "round" else self.asked
            case StepDone(step="rounds/ended"):
                self.asked = "" if self.asked in ("round", "close") else self.asked
            case PauseAsked() | RoundAsked() | CloseAsked() | StopAsked():
                self.asked = r.event.kind
            case ResumeAsked():
                self.asked = "" if self.asked == "pause" else self.asked
            case SessionPaused(why=why):
                self.why = why
                self.asked = "" if self.asked == "pause" else self.asked
            case SessionResumed() | SessionFailed():
                self.why = ""

    @property
    def session(self) -> str:
        """Whose board it is."""
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
        return self.view.state in ("finished", "stopped")

    @property
    def waits_for_moderator(self) -> bool:
        """Whether the session is not to go on of itself when the bot starts: somebody, or its budget, stopped it."""
        return self.ended or self.asked == "pause" or (self.state == "paused" and self.why != "interrupt")

    @property
    def next_turn(self) -> NextTurn | None:
        """What is spoken next at a heat that can still be set; None for no debate, and once its rounds are over."""
        cfg = self.view.config
        return self.view.course.next_turn(cfg, self.wanted_heat) if cfg else None

    @property
    def most_rounds(self) -> int:
        """The limit of rounds, 0 for none."""
        return self.view.config.max_rounds if self.view.config else 0

    @property
    def gammas(self) -> list[float]:
        """Γ after each round that has one, and after the closings."""
        return [stage.gamma for stage in self.view.course.stages() if stage.gamma is not None]
