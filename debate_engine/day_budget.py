"""What may be used in a day (UTC) by all sessions together, and by those of one person: a limit beside each session's
own.

What was used is counted after each call, by all processes together where they share it (`shared.Shared.spend`): calls
in flight may go beyond the limit by what they use.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from elenchus.debate_engine.shared import Spent, today

if TYPE_CHECKING:
    from elenchus.config.shared_settings import DaySettings
    from elenchus.debate_engine.events import CallRecord
    from elenchus.debate_engine.shared import Shared

KNOWN_FOR = 1.0
"""Seconds for which a sum is taken to be what it was: others use something meanwhile."""
HOUSE = "house"
PERSON = "person "
PayerOf = Callable[[str], Awaitable[str]]
"""Who has begun a session, by a name that says nothing; "" where nobody is known."""


@dataclass
class DayBudgets:
    """The limits of a day, and who pays for a session."""

    settings: DaySettings
    shared: Shared
    payer_of: PayerOf

    async def of(self, session: str) -> DayAccounts | None:
        """The accounts that a session is paid from, None where nothing is limited. Raises StorageError."""
        if not self.settings.limited:
            return None
        payer = await self.payer_of(session)
        return DayAccounts(self.settings, self.shared, (HOUSE, *([PERSON + payer] if payer else [])))


@dataclass
class DayAccounts:
    """The accounts of one session."""

    settings: DaySettings
    shared: Shared
    accounts: tuple[str, ...]
    _known: dict[str, tuple[float, str, Spent]] = field(default_factory=dict)

    async def over(self) -> str:
        """Why nothing more may be used today, as a clause; "" where more may be."""
        for account in self.accounts:
            spent, own = await self._spent(account), account.startswith(PERSON)
            tokens = self.settings.person_tokens if own else self.settings.tokens
            usd = self.settings.person_usd if own else self.settings.usd
            whose = "of whoever began this" if own else "of all sessions"
            if tokens is not None and spent.tokens >= tokens:
                return f"{spent.tokens:,} of the {tokens:,} tokens {whose} are used today (UTC)"
            if usd is not None and spent.usd >= usd:
                return f"${spent.usd:.2f} of the ${usd:.2f} {whose} are used today (UTC)"
        return ""

    async def count(self, calls: Iterable[CallRecord]) -> None:
        """Count what calls have used."""
        tokens, usd = 0, 0.0
        for call in calls:
            tokens += call.input_tokens + call.output_tokens
            usd += call.cost_usd or 0.0
        if tokens or usd:
            for account in self.accounts:
                self._note(account, await self.shared.spend(account, Spent(tokens, usd)))

    async def _spent(self, account: str) -> Spent:
        at, day, spent = self._known.get(account, (0.0, "", Spent()))
        if day != today() or monotonic() - at > KNOWN_FOR:
            self._note(account, spent := await self.shared.spend(account, Spent()))
        return spent

    def _note(self, account: str, spent: Spent) -> None:
        self._known[account] = (monotonic(), today(), spent)
