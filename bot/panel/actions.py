"""What a moderator can do to a running debate; the panel's buttons and the commands under `/debate` both come here.

Each is one command in the session's log, after a look at how the session stands at that moment.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from elenchus.bot.bindings import ViewKey
from elenchus.bot.debate.spending import left_today
from elenchus.bot.guild import settings_of
from elenchus.bot.panel.content import next_turn
from elenchus.bot.rendering.amounts import dollars, two_places
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import CloseAsked, Command, HeatSet, PauseAsked, RoundAsked
from elenchus.service.lab import moderation
from elenchus.service.lab.moderation import SentCommand
from elenchus.service.lab.session_status import SessionStatus

HEAT_STEP = 0.1
JUST_STARTED = 100
"""Tenths of a second in which a session that this process starts has its owner: before that it hears no pause."""


@dataclass(frozen=True)
class Actions:
    """The moderator's commands; each gives the answer to show. All raise UsageError, StorageError."""

    services: BotServices
    manager: SessionManager
    _locks: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock), repr=False)

    async def pause(self, session: str, by: str, reason: str = "") -> str:
        """Hold the debate before its next step."""
        now = await self._open(session)
        if now.state != "running" or not await self._is_run(session):
            return msg("panel-paused-already")
        await self.services.log.send(session, PauseAsked(by=by, reason=reason.strip() or msg("panel-pause")))
        return msg("panel-pausing")

    async def resume(self, session: str, by: str) -> str:
        """Let it go on."""
        now = await self._open(session)
        held = (await self.services.log.info(session)).owner
        await self.manager.resume(session, by)
        runs = held and now.state == "running" and now.asked != "pause"
        return msg("panel-runs-already") if runs else msg("panel-resumed")

    async def change_heat(self, session: str, by: str, step: float) -> str:
        """Turn the heat up or down from what the next turn's will be; quick presses add up."""
        return await self._heated(session, lambda now: moderation.heat_changed(now, by, step))

    async def heat(self, session: str, by: str, value: float) -> str:
        """Set the heat of the next turn."""
        return await self._heated(session, lambda now: moderation.heat(now, by, value))

    async def _heated(self, session: str, command: Callable[[SessionStatus], HeatSet]) -> str:
        async with self._locks[session]:
            now = await self._open(session)
            before, sent = (
                moderation.next_turn(now).heat,
                await moderation.send(self.services.log, session, command(now)),
            )
            now.take(sent.recorded)
            after = moderation.next_turn(now)
        turn, was, will_be = next_turn(after.turn), two_places(before), two_places(after.heat)
        return _told(msg("panel-heat-set", turn=turn, before=was, value=will_be), sent)

    async def guide(self, session: str, by: str, to: str, text: str) -> str:
        """Words to one side or both."""
        command = moderation.guidance(by, to, text)
        return await self._sent(session, command, msg("panel-guided", to=messages("panel-sides")[to]))

    async def ask(self, session: str, by: str, side: str, text: str) -> str:
        """A question to one side."""
        command = moderation.question(by, side, text)
        return await self._sent(session, command, msg("panel-asked-text", side=messages("panel-sides")[side]))

    async def deepen(self, session: str, by: str, side: str) -> str:
        """Have one side deepen its weakest reason."""
        command, standing = moderation.deepen(by, side), (await self._open(session)).standing
        name = messages("panel-sides")[side]
        scored = standing and standing.qualities
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
        await self._open(session)
        sent = await moderation.send(self.services.log, session, moderation.stop(by, reason))
        if not sent.owner:
            await self.manager.resume(session, by)
        return msg("panel-stopping")

    async def budget(self, session: str, by: str, tokens: str | int | None, usd: str | float | None) -> str:
        """New limits; a session that waits for them goes on."""
        command = moderation.budget(by, tokens, usd)
        now = await self._open(session)
        await self._check_day(now, command.tokens, command.usd)
        sent = await moderation.send(self.services.log, session, command)
        if now.why == "budget" and not sent.owner:
            await self.manager.resume(session, by)
        limits = [
            msg("panel-tokens", n=command.tokens) if command.tokens else "",
            dollars(command.usd) if command.usd else "",
        ]
        return msg("panel-budget-set", limits=" and ".join(filter(None, limits)))

    async def _check_day(self, status: SessionStatus, tokens: int | None, usd: float | None) -> None:
        """Raises UsageError for a budget that the server's budget of the day does not pay."""
        bindings = self.manager.bindings
        if (binding := bindings.find(ViewKey(status.id))) is None:
            return
        settings = await settings_of(self.services.store, binding.guild)
        left = await left_today(self.services.log, bindings.paid, binding.guild, settings)
        used = status.view.spending.total  # more than the budget, where a call was under way when it was set
        most_usd = (left.usd or 0.0) + max(status.most_usd or 0.0, used.usd or 0.0)
        most_tokens = (left.tokens or 0) + max(
            status.most_tokens or 0, used.tokens.input_tokens + used.tokens.output_tokens
        )
        if left.usd is not None and usd is not None and usd > most_usd:
            raise UsageError(msg("panel-day-spent", most=dollars(most_usd)))
        if left.tokens is not None and tokens is not None and tokens > most_tokens:
            raise UsageError(msg("panel-day-tokens-spent", most=most_tokens))

    # ── how it is sent ───────────────────────────────────────────────────────────────────────────────────────────

    async def _open(self, session: str) -> SessionStatus:
        try:
            return await moderation.open_session(self.services.log, session)
        except moderation.SessionOver:
            raise UsageError(msg("panel-over")) from None

    async def _is_run(self, session: str) -> bool:
        """Whether some process runs the session; one that is only just being started here is waited for."""
        for _ in range(JUST_STARTED):
            if (await self.services.log.info(session)).owner:
                return True
            if not self.manager.runs(session):
                return False
            await asyncio.sleep(0.1)
        return False

    async def _sent(self, session: str, command: Command, answer: str) -> str:
        await self._open(session)
        return _told(answer, await moderation.send(self.services.log, session, command))


def _told(answer: str, sent: SentCommand) -> str:
    return answer if sent.owner else f"{answer} {msg('panel-later')}"
