"""What is being typed for open turns: it comes along to another device of whoever sits there.

It is remembered where processes share what may be lost, in no log and no database; and told to that seat alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

from pydantic import AwareDatetime, Field, ValidationError

from elenchus.debate_engine.events import FrozenModel, now

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.moderation import OpenTurn
    from elenchus.debate_engine.shared import Shared

LASTS = timedelta(hours=6)
AFTER_ITS_END = timedelta(minutes=10)
"""So long after a turn's time words may stay of one that nobody follows: it may have been put off meanwhile."""
LONGEST_ANSWER = 100_000
"""Characters of what is typed in one field."""
MOST_FIELDS = 100

Fields = dict[str, Annotated[str, Field(max_length=LONGEST_ANSWER)]]
"""What stands in the fields of a form, by the names in the turn."""


class TypedWords(FrozenModel):
    """What stands in a turn's form and was not sent yet; `at` is when it was typed, by this service's clock."""

    fields: Annotated[Fields, Field(max_length=MOST_FIELDS)]
    at: AwareDatetime = Field(default_factory=now)


async def keep_typed(shared: Shared, session: str, turn: OpenTurn, words: TypedWords) -> None:
    """Remember it, unless what another device has typed later is there already."""
    words = words.model_copy(update={"at": min(words.at, now())})  # no clock that is ahead locks others out
    known = await typed_for(shared, session, turn)
    if known is None or known.at <= words.at:
        left = LASTS if turn.due is None else min(LASTS, max(turn.due - now(), timedelta()) + AFTER_ITS_END)
        await shared.remember(_place(session, turn), words.model_dump_json(), left.total_seconds())


async def typed_for(shared: Shared, session: str, turn: OpenTurn) -> TypedWords | None:
    """What was typed for a turn, None for nothing, or for what another than us has put there."""
    known = await shared.remembered(_place(session, turn))
    try:
        return TypedWords.model_validate_json(known) if known else None
    except ValidationError:
        return None


async def forget_typed(shared: Shared, session: str, turns: Iterable[OpenTurn]) -> None:
    """These were answered or are over, or whoever sat there has gone."""
    for turn in turns:
        await shared.remember(_place(session, turn), "", LASTS.total_seconds())


def _place(session: str, turn: OpenTurn) -> str:
    return f"typed {session} {turn.seat} {turn.step}"
