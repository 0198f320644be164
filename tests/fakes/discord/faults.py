"""What a test lets go wrong: slow routes, errors before the work, and replies lost after it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Fault:
    """For the next `times` requests of a route ("*", "*": any). `lost` does the work and then breaks the connection.

    `after`: the work is done before the answer says that it failed.
    """

    method: str
    template: str
    times: int
    status: int = 0
    retry_after: float = 0.0
    everywhere: bool = False
    lost: bool = False
    after: bool = False
    banned: bool = False


@dataclass
class Faults:
    """`delays` are seconds by (method, template); ("*", "*") is every route."""

    planned: list[Fault] = field(default_factory=list)
    delays: dict[tuple[str, str], float] = field(default_factory=dict)

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

    def lose_reply(self, method: str, template: str, *, times: int = 1) -> None:
        """Do the work and tear the connection before the answer: the caller cannot know."""
        self.planned.append(Fault(method, template, times, lost=True))

    def delay(self, seconds: float, method: str = "*", template: str = "*") -> None:
        """Answer a route (or all) so much later, until set to 0."""
        self.delays[method, template] = seconds

    def delay_of(self, method: str, template: str) -> float:
        return self.delays.get((method, template), self.delays.get(("*", "*"), 0.0))

    def next(self, method: str, template: str) -> Fault | None:
        for fault in self.planned:
            named = (fault.method, fault.template)
            if named in ((method, template), ("*", "*")) and fault.times > 0:
                fault.times -= 1
                return fault
        return None
