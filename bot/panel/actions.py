"""What a moderator can do to a running debate; the panel's buttons and the commands under `/debate` both come here.

Each is one command in the session's log, after a look at how the session stands at that moment.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from elenchus.bot.bindings import ViewKey
from elenchus.bot.debate.spending import left_today
from elenchus.bot.desk import Desk
from elenchus.bot.guild import settings_of
from elenchus.bot.panel.board import Board
from elenchus.bot.rendering.amounts import dollars, two_places
from elenchus.bot.rendering.panel import next_turn
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.amounts import dollars_in, tokens_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import (
    BudgetRaised,
    CloseAsked,
    Command,
    DeepenAsked,
    Guidance,
    HeatSet,
    PauseAsked,
    Question,
    RoundAsked,
    StopAsked,
)
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.protocols.socrasynth.projection import NextTurn

T = TypeVar("T", int, float)

HEAT_STEP = 0.1
LONGEST = 2_000
JUST_STARTED = 100
"""Tenths of a second in which a session that this process starts has its owner: before that it hears no pause."""


@dataclass(frozen=True)
class Actions:
    """The moderator's commands; each gives the answer to show. All raise UsageError, StorageError."""

    desk: Desk
    manager: SessionManager
    _locks: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock), repr=False)

    async def pause(self, session: str, by: str, reason: str = "") -> str:
        """Hold the debate before its next step."""
        board = await self._board(session)
        if board.state != "running" or not await self._is_run(session):
            return msg("panel-paused-already")
        await self._send(session, PauseAsked(by=by, reason=reason.strip()[:LONGEST] or msg("panel-pause")))
        return msg("panel-pausing")

    async def resume(self, session: str, by: str) -> str:
        """Let it go on."""
        board = await self._board(session)
        held = (await self.desk.log.info(session)).owner
        await self.manager.resume(session, by)
        return (
            msg("panel-runs-already")
            if held and board.state == "running" and board.asked != "pause"
            else msg("panel-resumed")
        )

    async def warmer(self, session: str, by: str, step: float) -> str:
        """Turn the heat up or down from what the next turn's will be; quick presses add up."""
        async with self._locks[session]:
            coming = _next_turn(await self._board(session))
            wanted = round(min(1.0, max(0.0, coming.heat + step)), 2)
            if wanted == round(coming.heat, 2):
                raise UsageError(msg("panel-heat-at-end", value=wanted))
            return await self._set_heat(session, by, coming.heat, wanted)

    async def heat(self, session: str, by: str, value: float) -> str:
        """Set the heat of the next turn."""
        if not 0 <= value <= 1:
            raise UsageError(msg("panel-no-heat"))
        async with self._locks[session]:
            return await self._set_heat(session, by, _next_turn(await self._board(session)).heat, value)

    async def _set_heat(self, session: str, by: str, before: float, wanted: float) -> str:
        await self._send(session, HeatSet(by=by, heat=wanted))
        after = _next_turn(await self._board(session))
        turn, was, will_be = next_turn(after.turn), two_places(before), two_places(wanted)
        answer = msg("panel-heat-set", turn=turn, before=was, value=will_be)
        return answer if (await self.desk.log.info(session)).owner else f"{answer} {msg('panel-later')}"

    async def guide(self, session: str, by: str, to: str, text: str) -> str:
        """Words to one side or both."""
        if to not in messages("panel-sides"):
            raise UsageError(msg("panel-no-side"))
        sides = ("pro", "con") if to == "both" else (to,)
        command = Guidance(by=by, to=sides, text=_words(text))
        return await self._sent(session, command, msg("panel-guided", to=messages("panel-sides")[to]))

    async def ask(self, session: str, by: str, side: str, text: str) -> str:
        """A question to one side."""
        return await self._sent(
            session,
            Question(by=by, to=_side(side), text=_words(text)),
            msg("panel-asked-text", side=messages("panel-sides")[side]),
        )

    async def deepen(self, session: str, by: str, side: str) -> str:
        """Have a side deepen its weakest reason."""
        debate = (await self._board(session)).debate
        command, scored = DeepenAsked(by=by, to=_side(side)), bool(debate and debate.qualities)
        name = messages("panel-sides")[side]
        answer = msg("panel-deepening", side=name) if scored else msg("panel-deepening-later", side=name)
        return await self._sent(session, command, answer)

    async def round(self, session: str, by: str) -> str:
        """One more round."""
        return await self._sent(session, RoundAsked(by=by), msg("panel-round"))

    async def close(self, session: str, by: str) -> str:
        """The closings after this round."""
        return await self._sent(session, CloseAsked(by=by), msg("panel-closing"))

    async def stop(self, session: str, by: str, reason: str) -> str:
        """End it for good; a session that nobody runs takes a short run to be ended."""
        await self._board(session)
        await self._send(session, StopAsked(by=by, reason=_words(reason)))
        if not (await self.desk.log.info(session)).owner:
            await self.manager.resume(session, by)
        return msg("panel-stopping")

    async def budget(self, session: str, by: str, tokens: str | int | None, usd: str | float | None) -> str:
        """New limits; a session that waits for them goes on."""
        limit, most_usd = _amount(tokens, tokens_in), _amount(usd, dollars_in)
        if limit is None and most_usd is None:
            raise UsageError(msg("panel-no-budget"))
        board = await self._board(session)
        await self._check_day(board, limit, most_usd)
        await self._send(session, BudgetRaised(by=by, tokens=limit, usd=most_usd))
        if board.why == "budget" and not (await self.desk.log.info(session)).owner:
            await self.manager.resume(session, by)
        limits = [msg("panel-tokens", n=limit) if limit else "", dollars(most_usd) if most_usd else ""]
        return msg("panel-budget-set", limits=" and ".join(filter(None, limits)))

    async def _check_day(self, board: Board, tokens: int | None, usd: float | None) -> None:
        """Raises UsageError for a budget that the server's budget of the day does not pay."""
        bindings = self.manager.bindings
        if (binding := bindings.find(ViewKey(board.session))) is None:
            return
        settings = await settings_of(self.desk.shelf, binding.guild)
        left = await left_today(self.desk.log, bindings.paid, binding.guild, settings)
        used = board.view.spending.total  # more than the budget, where a call was under way when it was set
        most_usd = (left.usd or 0.0) + max(board.most_usd or 0.0, used.usd or 0.0)
        most_tokens = (left.tokens or 0) + max(
            board.most_tokens or 0, used.tokens.input_tokens + used.tokens.output_tokens
        )
        if left.usd is not None and usd is not None and usd > most_usd:
            raise UsageError(msg("panel-day-spent", most=dollars(most_usd)))
        if left.tokens is not None and tokens is not None and tokens > most_tokens:
            raise UsageError(msg("panel-day-tokens-spent", most=most_tokens))

    # ── how it is sent ───────────────────────────────────────────────────────────────────────────────────────────

    async def _board(self, session: str) -> Board:
        board = await self.manager.board(session)
        if board.over:
            raise UsageError(msg("panel-over"))
        return board

    async def _is_run(self, session: str) -> bool:
        """Whether some process runs the session; one that is only just being started here is waited for."""
        for _ in range(JUST_STARTED):
            if (await self.desk.log.info(session)).owner:
                return True
            if not self.manager.runs(session):
                return False
            await asyncio.sleep(0.1)
        return False

    async def _sent(self, session: str, command: Command, answer: str) -> str:
        await self._board(session)
        await self._send(session, command)
        return answer if (await self.desk.log.info(session)).owner else f"{answer} {msg('panel-later')}"

    async def _send(self, session: str, command: Command) -> None:
        await self.desk.log.send(session, command)


def _next_turn(board: Board) -> NextTurn:
    """Whose heat can be set. Raises UsageError where there is none."""
    if (coming := board.next_turn) is None:
        raise UsageError(msg("panel-heat-settled"))
    return coming


def _side(name: str) -> str:
    if name not in ("pro", "con"):
        raise UsageError(msg("panel-no-one-side"))
    return name


def _words(text: str) -> str:
    if is_blank(text):
        raise UsageError(msg("panel-no-words"))
    return text.strip()[:LONGEST]


def _amount(given: T | str | None, read: Callable[[str], T | None]) -> T | None:
    """A number above zero, given or written; None for nothing. Raises UsageError."""
    if given is None or (isinstance(given, str) and not given.strip()):
        return None
    if (amount := read(given) if isinstance(given, str) else given) is None or not 0 < amount < math.inf:
        raise UsageError(msg("panel-no-budget"))
    return amount
