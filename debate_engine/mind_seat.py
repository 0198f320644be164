"""A mind on a seat: its model, told who it is and what it remembers of what it is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from elenchus.debate_engine.errors import ProviderError, UnknownSession
from elenchus.debate_engine.events import Attended, Fed
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.model_seat import ModelSeat
from elenchus.debate_engine.participant import Answer, Ask, Declined
from elenchus.debate_engine.prompts import fenced, line
from elenchus.debate_engine.protocols.cognition.config import MindConfig
from elenchus.debate_engine.protocols.cognition.interpretation import as_lines
from elenchus.debate_engine.protocols.cognition.memory import chosen, looked_at
from elenchus.debate_engine.protocols.cognition.mind_protocol import flow_of
from elenchus.debate_engine.protocols.cognition.projection import MindProjection, mind_of
from elenchus.debate_engine.protocols.cognition.schemas import Mind, Statement
from elenchus.debate_engine.retrieval import Recall
from elenchus.debate_engine.words import first_words

QUERIED = 1_500
"""Characters from the beginning and from the end of what is asked, by which memories are looked for: what it is about
stands at the one, what was said last at the other."""
LATELY = 300
"""Words of a text that is not taken in yet."""
WHO = (
    "Who you are. You speak and judge as this person does, from this and from what this person remembers. It changes "
    "nothing of what you are asked, nor of the form of your answer:"
)
REMEMBERED = "What you remember that bears on it:"


@dataclass(frozen=True)
class MindSeat:
    """A mind's chair. It looks at the mind's log anew for each answer, and writes nothing into it."""

    seat: ModelSeat
    mind: str
    log: EventLog
    recall: Recall

    async def answer(self, ask: Ask) -> Answer | Declined:
        """Answer as a model does. Raises ProviderError as it does, and where the mind is not there any more."""
        try:
            found = mind_of(await self.log.read(self.mind))
        except UnknownSession as error:
            raise ProviderError(f"the mind that sits there was deleted ({self.mind})") from error
        if found.mind is None or found.config is None:
            raise ProviderError(f"the mind that sits there has no profile yet ({self.mind})")
        memories = await remembered(self.recall, found.config, found.mind, found.iteration, ask)
        persona = replace(
            self.seat.persona,
            mind=told(found.mind, memories, lately_in(found)),
            mind_shown=shown(self.mind, found, memories),
        )
        return await replace(self.seat, persona=persona).answer(ask)

    def most(self, ask: Ask) -> tuple[int, float | None]:
        """As of its model, with room for who it is."""
        return replace(self.seat, persona=replace(self.seat.persona, mind="x " * MOST_TOLD)).most(ask)


MOST_TOLD = 1_500
"""Words that a profile and memories have at the most, for the budget."""


async def remembered(recall: Recall, cfg: MindConfig, mind: Mind, now: int, ask: Ask) -> list[Statement]:
    """What it remembers of what it is asked about, the weightiest first."""
    if not mind.memories or not cfg.recall:
        return []
    text = ask.text
    queries = list(dict.fromkeys([text[:QUERIED], text[-QUERIED:]]))
    near = await recall.likest(queries, [one.text for one in mind.memories], looked_at(cfg, len(mind.memories)))
    places = [place for one in near for place in chosen(cfg, mind, one, now)]
    return [mind.memories[place] for place in dict.fromkeys(places)]


def lately_in(found: MindProjection) -> list[str]:
    """What it has read or heard and not taken in yet, such as a debate that has just ended."""
    assert found.mind is not None
    waiting = (r.event for r in found.waiting.values() if isinstance(r.event, Fed | Attended))
    return [*found.mind.short_term, *(text for event in waiting for text in flow_of(event).texts)]


def told(mind: Mind, memories: Sequence[Statement], lately: Sequence[str] = ()) -> str:
    """Who it is and what it remembers, as its model is told it."""
    parts = [f"{WHO}\n{fenced(mind.profile.text)}"]
    if lines := [*map(line, as_lines(memories)), *(line(first_words(one, LATELY)) for one in lately[-3:])]:
        parts.append(f"{REMEMBERED}\n{fenced(chr(10).join(lines))}")
    return "\n\n".join(parts)


def shown(session: str, found: MindProjection, memories: Sequence[Statement]) -> str:
    """The same as the session's log has it: others may have said what the mind remembers, and may want it forgotten."""
    ids = ", ".join(one.id for one in memories) or "nothing"
    return f"[who the mind {session} is after iteration {found.iteration}, which remembers {ids}]"
