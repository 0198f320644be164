"""The state of a running session: pause, budget, commands that wait to be heard, answers of people."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Literal

from elenchus.debate_engine.day_budget import DayAccounts
from elenchus.debate_engine.errors import SessionPaused as PausedError
from elenchus.debate_engine.events import (
    BudgetRaised,
    CallRecord,
    Command,
    ForgetAsked,
    PauseAsked,
    Recorded,
    ResumeAsked,
    SessionFailed,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    StopAsked,
    Withdrawn,
)
from elenchus.debate_engine.llm.budget import Budget
from elenchus.debate_engine.llm.client import Usage
from elenchus.debate_engine.log import HumanTurns, calls_of
from elenchus.debate_engine.privacy.redaction import to_forget
from elenchus.debate_engine.steps import Steps

PauseReason = Literal["moderator", "budget", "provider", "interrupt", "rest"]


class RunState:
    """What came from outside, and the gate that every fresh effect passes.

    `leave_on` holds the reasons for which the run ends (raising SessionPaused) instead of waiting for a resume. `day`
    limits what may be used today, beside the session's own budget. `woken`: the session has waited for people up to
    now, as it was left to them, and time went on for them.
    """

    def __init__(
        self,
        started: SessionStarted,
        recorded: Iterable[Recorded],
        steps: Steps,
        leave_on: frozenset[str] = frozenset(),
        day: DayAccounts | None = None,
        *,
        woken: bool = False,
    ) -> None:
        self._steps, self._leave_on, self._day, self.woken = steps, leave_on, day, woken
        self._changed = asyncio.Condition()
        self._paused: tuple[PauseReason, str] | None = None
        self._in_flight = 0
        self._held_tokens, self._held_usd = 0, 0.0
        self.seen = 0
        """The number of the last event of the log that was wholly taken in."""
        self.due: datetime | None = None
        """When something is due in a run that is let go of."""
        self.budget = Budget(
            started.budget_tokens, started.budget_usd, started.unpriced_usd, unpriced_ok=started.unpriced_ok
        )
        self.commands: list[Recorded] = []
        self.failures: Counter[str] = Counter()
        self.turns = HumanTurns()
        self.stop: asyncio.Future[StopAsked] = asyncio.get_running_loop().create_future()
        self.forget: asyncio.Future[ForgetAsked] = asyncio.get_running_loop().create_future()
        self._load(list(recorded))

    def _load(self, recorded: list[Recorded]) -> None:
        self.spent(calls_of(recorded))
        for asked in to_forget(recorded)[:1]:  # the next one when this one's words are gone
            self._forget(asked)
        for r in recorded:
            self._take_in(r)
        self.seen = recorded[-1].seq if recorded else 0

    def _take_in(self, r: Recorded) -> None:
        """What counts the same whether it stands in the log or comes now."""
        self.turns.take(r)
        match r.event:
            case BudgetRaised(tokens=tokens, usd=usd, unpriced_ok=agreed):
                self.budget = self.budget.raised(tokens, usd, unpriced_ok=agreed)
            case StopAsked() if not self.stop.done():
                self.stop.set_result(r.event)
            case SessionFailed(error=kind):
                self.failures[kind] += 1
            case PauseAsked() | ResumeAsked() | StopAsked():
                pass  # the runner hands over the pause that stands (`standing_pause`)
            case event if isinstance(event, Command):
                self.commands.append(r)

    # ── from outside ─────────────────────────────────────────────────────────────────────────────────────────────

    async def receive(self, r: Recorded) -> None:
        """Take in an event that another task or process appended."""
        self._take_in(r)
        match r.event:
            case PauseAsked(by=by, reason=reason):
                await self._note_pause("moderator", reason or f"paused by {by}")
            case ResumeAsked():
                await self._resume()
            case BudgetRaised() if self._paused and self._paused[0] == "budget":
                await self._resume()
            case ForgetAsked():
                self._forget(r.event)
            case Withdrawn(by=by, seat=seat):
                self._forget(ForgetAsked(by=by, seat=seat))
        async with self._changed:
            self._changed.notify_all()
        self.seen = r.seq

    async def hold(self, pause: SessionPaused, *, written: bool) -> None:
        """Stay in a pause; `written`: the log has it already."""
        if written:
            self._paused = (pause.why, pause.reason)
        else:
            await self._note_pause(pause.why, pause.reason)

    def _forget(self, event: ForgetAsked) -> None:
        if not self.forget.done():
            self.forget.set_result(event)

    async def next_command(
        self, kinds: type[Command] | tuple[type[Command], ...], after: int = 0, until: datetime | None = None
    ) -> Recorded:
        """The first command of these kinds with a `seq` > `after`; waits for it, as who calls does until `until`."""
        async with self._changed:
            while True:
                found = (r for r in self.commands if r.seq > after and isinstance(r.event, kinds))
                if (first := next(found, None)) is not None:
                    return first
                with self._steps.waits.somebody(until):
                    await self._changed.wait()

    async def next_command_or_rest(
        self, kinds: type[Command] | tuple[type[Command], ...], after: int, reason: str
    ) -> Recorded:
        """The first command of these kinds with a `seq` > `after`. Raises SessionPaused where none has come by now."""
        await self._wait_while_paused()
        found = (r for r in self.commands if r.seq > after and isinstance(r.event, kinds))
        if (first := next(found, None)) is None:
            if self.stop.done() or self.forget.done():
                await asyncio.get_running_loop().create_future()  # the runner sees to that, and ends this
            await self._note_pause("rest", reason)
            raise PausedError("rest", reason)
        return first

    async def _note_pause(self, why: PauseReason, reason: str) -> None:
        if self._paused is None:
            self._paused = (why, reason)
            await self._steps.append([SessionPaused(why=why, reason=reason)])

    async def _resume(self) -> None:
        if self._paused is not None:
            self._paused = None
            await self._steps.append([SessionResumed()])

    # ── the gate ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def pause(self, why: PauseReason, reason: str) -> None:
        """Pause and wait until someone resumes. Raises SessionPaused when the run is to be left for this reason."""
        await self._note_pause(why, reason)
        await self._wait_while_paused()

    async def _wait_while_paused(self) -> None:
        if self._paused is None:
            return
        async with self._changed:
            while self._paused is not None:
                if self._paused[0] in self._leave_on:
                    raise PausedError(*self._paused)
                with self._steps.waits.somebody():
                    await self._changed.wait()

    @asynccontextmanager
    async def effect(self, tokens: int = 0, usd: float | None = 0.0) -> AsyncIterator[None]:
        """Around a fresh effect: waits while the session is paused or the budget is used up.

        `tokens` and `usd` (None: nobody knows) are what the effect may use at the most; so much is held back while it
        runs.
        """
        await self._wait_while_paused()
        if not tokens:
            yield
            return
        while self._day is not None and (why := await self._day.over()):
            await self.pause("budget", f"the day's budget is reached: {why}")
        if usd is None and self.budget.unpriced_usd is not None:
            usd = self.budget.dollars(tokens, None)  # what has no price is held back by the ceiling
        await self._afford(tokens, usd)
        self._in_flight += 1
        self._held_tokens += tokens
        self._held_usd += usd or 0.0
        try:
            yield
        finally:
            self._in_flight -= 1
            self._held_tokens -= tokens
            self._held_usd -= usd or 0.0
            if self.budget.tokens is not None or self.budget.usd is not None:
                async with self._changed:
                    self._changed.notify_all()

    async def _afford(self, tokens: int, usd: float | None) -> None:
        while over := self.budget.would_exceed(
            self._held_tokens + tokens, None if usd is None else self._held_usd + usd
        ):
            if self._in_flight:  # calls in flight may use less than was held back for them
                async with self._changed:
                    await self._changed.wait()
                await self._wait_while_paused()
            else:
                await self.pause("budget", f"the budget is reached: {over}")

    async def pay(self, calls: Sequence[CallRecord]) -> None:
        """Count what calls have cost that were made just now."""
        self.spent(calls)
        if self._day is not None:
            await self._day.count(calls)

    def spent(self, calls: Iterable[CallRecord]) -> None:
        """Count what calls have cost, now or before this run."""
        for call in calls:
            self.budget = self.budget.after(Usage(call.input_tokens, call.output_tokens), call.cost_usd)

    # ── answers of people ────────────────────────────────────────────────────────────────────────────────────────

    async def answer_to(self, step: str, seat: str, until: datetime | None = None) -> Recorded | None:
        """The first answer to the open turn `step` that was not rejected; waits for it, which whoever calls ends at
        `until`. None: the person has left.
        """
        async with self._changed:
            while True:
                if (answer := self.turns.answer_to(step)) or seat in self.turns.left:
                    return answer
                with self._steps.waits.somebody(until):
                    await self._changed.wait()
