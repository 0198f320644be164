"""A yes must rest on quotes that stand: an unfounded one counts for nothing, and is asked once more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.spec import AGAIN


class YesNo(FrozenModel):
    """A yes or no; `present` None: there is no readable answer, and `unread` says why.

    `asked_again`: the first answer was an unfounded yes, and this is what came when its author was told so.
    """

    present: bool | None = None
    reason: str = ""
    unread: str = ""
    asked_again: bool = False

    @property
    def unfounded(self) -> bool:
        """Whether it is a yes that rests on no quote which stands: such a yes counts for nothing."""
        raise NotImplementedError

    @property
    def counts(self) -> bool | None:
        """The answer as it is counted: None where it is unread or unfounded."""
        return None if self.unfounded else self.present


A = TypeVar("A", bound=YesNo)


async def ask_yes_no(asked: Callable[[str, str], Awaitable[A]], fault_of: Callable[[A], str]) -> A:
    """A yes or no; an unfounded yes is asked once more, with the fault named, and what then comes stands.

    `asked` gets what is added to the step's key, and the fault ("" for the first time).
    """
    first = await asked("", "")
    if not first.unfounded:
        return first
    again = await asked(AGAIN, fault_of(first))
    return (first if again.unread else again).model_copy(update={"asked_again": True})
