"""Words for an audience that give away what their speaker was told: sent back once, then withheld."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, TypeVar, overload

from pydantic import BaseModel

from elenchus.debate_engine import leaks
from elenchus.debate_engine.events import MODERATOR
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.spec import AGAIN
from elenchus.debate_engine.session import Session

T = TypeVar("T", bound=BaseModel)

WITHHELD = "it gave away what its speaker was told beforehand, so nobody heard it"
"""Why there is no answer where the second one leaks, too."""

KEPT = ("stance", "language")
"""The variables of prompts that tell a speaker what to do: they are the prompt's own words, as what surrounds them."""
TOLD = ("heat",)
"""Those whose words may be used, but not read out line by line."""
RUN = 9
"""Words in a row of a prompt: six of "what the debate has shown, and" are in the speech of whoever sums up."""


@overload
async def ask_in_public(s: Session, key: str, seat: str, prompt: Prompt, **options: Any) -> str | Declined: ...


@overload
async def ask_in_public(
    s: Session, key: str, seat: str, prompt: Prompt, schema: type[T], **options: Any
) -> T | Declined: ...


async def ask_in_public(
    s: Session, key: str, seat: str, prompt: Prompt, schema: type[T] | None = None, *, max_tokens: int | None = None,
    **variables: Any,
) -> Any:  # fmt: skip
    """Ask for words that an audience will hear: Declined where they give away the prompt once more when sent back.

    What was said and what is known to all (every other variable) may be said again. The moderator is told of what was
    withheld, without its words, which stand in the log. People are heard as they write.

    Step keys: that of the question; `KEY/again` and `KEY/withheld` where an answer leaks.
    """
    sent_back = ""
    for step in (key, f"{key}{AGAIN}"):
        given = (
            await s.ask(step, seat, prompt, schema, max_tokens=max_tokens, sent_back=sent_back, **variables)
            if schema
            else await s.ask(step, seat, prompt, max_tokens=max_tokens, sent_back=sent_back, **variables)
        )
        if isinstance(given, Declined) or not s.answered_by_model(step):
            return given
        leak = await asyncio.to_thread(leak_in, leaks.text_in(_texts(given)), prompt, variables)  # long for a long text
        if not leak:
            return given
        sent_back = (
            f"It gives away what you were told beforehand: “{leak}”. The audience may not hear that. Give the whole "
            "answer once more, in words of your own, without it."
        )
    note = f"An answer of {seat} ({s.prefix}{key}) was withheld: {WITHHELD}. Its words stand in the log."
    await s.utter(f"{key}/withheld", "system", [MODERATOR], note, "warning")
    return Declined(WITHHELD)


def leak_in(reply: str, prompt: Prompt, variables: dict[str, Any]) -> str:
    """The words of a prompt that a reply gives away, "" for none. Pure."""
    public = leaks.text_in(value for name, value in variables.items() if name not in (*KEPT, *TOLD))
    secret = "\n".join(str(variables.get(name, "")) for name in TOLD)
    return leaks.of_prompt(reply, prompt, variables, KEPT, public, RUN) or leaks.of_text(reply, secret, public)


def _texts(given: Any) -> Iterator[str]:
    """All texts of an answer."""
    match given:
        case str():
            yield given
        case BaseModel():
            yield from _texts([value for _, value in given])
        case list() | tuple():
            for one in given:
                yield from _texts(one)
