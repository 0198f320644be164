"""How far one person's session has come: a projection of its log, one event at a time, in a few microseconds each.

What the person said or stated is no part of it, but for what came out of it in the end, for themselves alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.log import state_after
from elenchus.debate_engine.reports.moderation import OpenTurn

if TYPE_CHECKING:
    from datetime import datetime

    from elenchus.debate_engine.scenes.scene import Condition

Stage = Literal["here", "consent", "playing", "waiting", "debrief", "played", "ended", "gone"]
"""Here: nothing is played yet. Waiting: done, and not told yet what it was about. Debrief: told, and asked whether it
may be kept. Played: over, played to the end, and kept. Ended: over, and no data. Gone: the session is removed.
"""
ENDED: tuple[Stage, ...] = ("played", "ended", "gone")
ACTIVE: tuple[Stage, ...] = ("consent", "playing")
"""Stages in which a close ends the scene."""

Keep = Literal["", "asked", "yes", "no", "silent"]
"""What who was misled says to whether it may be kept."""

_RULE = re.compile(r"(?:^|/)rule/(\d+)/")


@dataclass(slots=True)
class Progress:
    """The person on `seat`, called `by` in the log. `rule` is the last that was come to, `version` "" before it is
    drawn. `turn` is what they are asked now, `answered` the steps that they have answered.

    `why` says why the scene ended before its last rule, `trouble` why it stands still; `asked_to` are the commands
    about it that the log has, by kind. `outcome` is what the scene's rule made of what they stated, by level.
    `stale`: words were removed from the log, which has to be read again.
    """

    seat: str
    by: str = ""
    stage: Stage = "here"
    version: Condition = ""
    rule: int = 0
    turn: OpenTurn | None = None
    answered: set[str] = field(default_factory=set)
    keep: Keep = ""
    why: str = ""
    trouble: str = ""
    asked_to: set[str] = field(default_factory=set)
    debriefing: str = ""
    outcome: dict[str, Any] = field(default_factory=dict)
    last: datetime | None = None
    stale: bool = False
    _agreed: bool = False

    def take(self, r: ev.Recorded) -> None:
        """Take in the next event."""
        self.last = r.at
        self._state(r.event)
        match r.event:
            case ev.SessionStarted(seats=seats):
                spec = next((one.spec for one in seats if one.name == self.seat), "")
                self.by, self.stage = spec.removeprefix(f"{HUMAN}:"), "consent"
            case ev.TurnOpened() | ev.TurnAnswered() | ev.AnswerRejected() | ev.TurnExtended():
                self._turn(r.event, r.at)
            case ev.StepDone(step=step, result=result):
                self._done(step, result)
            case ev.Said(step=step, text=text):
                self._come_to(step)
                if step == f"debrief/{self.seat}":
                    self.debriefing, self.stage = text, "debrief"
            case ev.CloseAsked() | ev.DebriefAsked() | ev.SeatLeft() | ev.Withdrawn():
                self.asked_to.add(r.event.kind)
            case ev.Redacted(name_only=False):
                self.asked_to.add("withdraw")
                self.stale = True

    @property
    def _keeping(self) -> str:
        return f"consent/{self.seat}/keep"

    def _turn(self, event: ev.Event, at: datetime) -> None:
        match event:
            case ev.TurnOpened(seat=self.seat) as e:
                self.turn = OpenTurn(e.step, e.seat, e.asked, e.answer_schema, at, e.due, e.prepared)
                self.keep = "asked" if e.step == self._keeping else self.keep
            case ev.TurnAnswered(step=step):
                self.answered.add(step)
            case ev.AnswerRejected(step=step):
                self.answered.discard(step)
            case ev.TurnExtended(step=step, due=due) if self.turn and self.turn.step == step and self.turn.due:
                self.turn = replace(self.turn, due=max(due, self.turn.due))

    def _come_to(self, step: str) -> None:
        if found := _RULE.search(step):
            self.rule = max(self.rule, int(found[1]))

    def _done(self, step: str, result: Any) -> None:
        if self.turn and self.turn.step == step:
            self.turn = None
        self._come_to(step)
        match step, result:
            case _, {"agreed": agreed} if step == f"consent/{self.seat}/given":
                self._agreed = bool(agreed)
                self.stage = "playing" if agreed else self.stage
            case "assignment", {"version": str(version)}:
                self.version = version
            case "waits", _:
                self.stage = "waiting"
            case "ended", {"why": str(why)}:
                self.why, self.turn = why, None
                self.stage = "waiting" if why == "closed" else self.stage
            case _, dict() if step == self._keeping:
                self.keep = self._kept(result)

    def _kept(self, result: dict[str, Any]) -> Keep:
        match result:
            case {"value": {"agreed": "yes"}}:
                return "yes"
            case {"value": {"agreed": "no"}}:
                return "no"
        return "silent"

    def _state(self, event: ev.Event) -> None:
        match event:
            case ev.SessionPaused(why=why, reason=reason):
                self.trouble = "" if why == "interrupt" else reason
            case ev.SessionFailed(message=message):
                self.trouble = message
            case ev.SessionFinished(outcome=outcome):
                self._finished(outcome)
            case ev.SessionStopped():
                self.stage, self.turn, self.trouble = "ended", None, ""
            case _ if state_after(event):
                self.trouble = ""

    def _finished(self, outcome: dict[str, Any]) -> None:
        self.turn, self.trouble = None, ""
        self.why = str(outcome.get("ended", ""))
        self.stage = "ended" if self.why else "played"
        own = [one for one in outcome.get("outcomes", ()) if one.get("subject") == self.seat]
        self.outcome = {str(one.get("met", "")): one.get("value") for one in own}

    # ── read from it ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def withdrew(self) -> bool:
        """Whether they took back what they said."""
        return "withdraw" in self.asked_to

    @property
    def holds_a_place(self) -> bool:
        """Whether they play, or have played, so that their place is nobody else's."""
        return self.stage not in ("ended", "gone") or self.why == "not kept"

    @property
    def asked_now(self) -> OpenTurn | None:
        """What waits for an answer of theirs."""
        return self.turn if self.turn and self.turn.step not in self.answered else None
