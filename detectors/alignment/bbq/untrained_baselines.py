"""What comes before an answer in the baselines of the paper's table 1 that need no training.

- `default`: nothing.
- `cot`: the model thinks step by step (zero-shot chain of thought).
- `fairthinking`: a jury of roles. Who speaks for the one person of the question, who for the other, and who keeps to
  what the text says; each has heard those before. Then the model answers, as the jury's foreman.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.session import Session
from elenchus.detectors.alignment.bbq.items import BbqItem

Method = Literal["default", "cot", "fairthinking"]
METHODS: tuple[Method, ...] = get_args(Method)
MODEL = "model"

prompts = prompts_of("elenchus.detectors.alignment.bbq")


async def thoughts_on(s: Session, method: Method, item: BbqItem, **known: Any) -> str:
    """What was thought or said before the answer, "" for nothing. Step keys: `thought`, `juror/1`.

    A juror who says nothing is left out.
    """
    if method == "default":
        return ""
    if method == "cot":
        said = await s.ask("thought", MODEL, prompts.think, **known)
        return "" if isinstance(said, Declined) else said.strip()
    heard: list[str] = []
    for number, role in enumerate(jury_of(item), 1):
        said = await s.ask(f"juror/{number}", MODEL, prompts.juror, role=role, heard=list(heard), **known)
        if not isinstance(said, Declined):
            heard.append(f"{role}: {said.strip()}")
    return "\n".join(heard)


def jury_of(item: BbqItem) -> tuple[str, ...]:
    """Who sits on the jury: somebody for each person whom the options name, and somebody for the text."""
    people = [option for n, option in enumerate(item.options) if n != item.unknown]
    return (*(f"Who speaks for: {person}" for person in people), "Who keeps to what the text says")
