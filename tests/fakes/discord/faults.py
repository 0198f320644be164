"""What a test lets go wrong: slow routes, errors before the work, and replies lost after it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Fault:
    """For the next `times` requests of a route ("*", "*": any). `lost` does the work and then breaks the connection.

    `after`: the work is done before the answer says that it failed. `closing`: it is closed, as a proxy does, not torn.
    """

    method: str
    template: str
    times: int
    status: int = 0
    retry_after: float = 0.0
    everywhere: bool = False
    lost: bool = False
    closing: bool = False
    after: bool = False
    banned: bool = False


@dataclass
class Hold:
    """Requests of a route that wait; so many more are `left` to be held."""

    having: str
    left: int
    let_go: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Faults:
    """`delays` are seconds by (method, template); ("*", "*") is every route. `held` routes wait to be let go."""

    planned: list[Fault] = field(default_factory=list)
    delays: dict[tuple[str, str], float] = field(default_factory=dict)
    held: dict[tuple[str, str], Hold] = field(default_factory=dict)
    _kept: Counter[tuple[str, str]] = field(default_factory=Counter)

    def fail(self, method: str, template: str, status: int = 500, *, times: int = 1, after: bool = False) -> None:
        """Answer 5xx without doing the work, or `after` it, as a gateway does that has waited too long."""
        self.planned.append(Fault(method, template, times, status, after=after))

    def limit(
        self,
        method: str,
        template: str,
        retry_after: float,
        *,
        times: int = 1,
        everywhere: bool = False,
        banned: bool = False,
    ) -> None:
        """Answer 429; a `banned` one has no `Via`, as Cloudflare's."""
        self.planned.append(Fault(method, template, times, 429, retry_after, everywhere, banned=banned))

    def lose_reply(self, method: str, template: str, *, times: int = 1, closing: bool = False) -> None:
        """Do the work and tear the connection before the answer, or close it: the caller cannot know."""
        self.planned.append(Fault(method, template, times, lost=True, closing=closing))

    def delay(self, seconds: float, method: str = "*", template: str = "*") -> None:
        """Answer a route (or all) so much later, until set to 0."""
        self.delays[method, template] = seconds

    @contextmanager
    def hold(self, method: str, template: str, having: str = "", *, most: int = 1_000_000) -> Iterator[None]:
        """Have the requests of a route (those with this in the query, so many at the `most`) wait, unseen, until the
        end of the block, as if they were slow in the network.
        """
        held = self.held[method, template] = Hold(having, most)
        try:
            yield
        finally:
            del self.held[method, template]
            held.let_go.set()

    async def wait(self, method: str, template: str, query: Mapping[str, str]) -> None:
        """The route's delay, and until it is let go."""
        await asyncio.sleep(self.delays.get((method, template), self.delays.get(("*", "*"), 0.0)))
        held = self.held.get((method, template))
        if held is not None and held.left > 0 and (not held.having or held.having in query):
            held.left -= 1
            self._kept[method, template] += 1
            await held.let_go.wait()
            self._kept[method, template] -= 1

    def waiting(self, method: str, template: str) -> int:
        """How many requests of a held route wait."""
        return self._kept[method, template]

    def next(self, method: str, template: str) -> Fault | None:
        for fault in self.planned:
            named = (fault.method, fault.template)
            if named in ((method, template), ("*", "*")) and fault.times > 0:
                fault.times -= 1
                return fault
        return None
