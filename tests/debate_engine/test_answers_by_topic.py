"""A person's answer by topics, from whichever front end: none that is not there, and none left out."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.events import Recorded, TurnAnswered, TurnOpened, now
from elenchus.debate_engine.human_seat import HumanSeat, read_answer
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.log import HumanTurns
from elenchus.debate_engine.participant import Answer, Ask
from elenchus.debate_engine.protocols.socrasynth.schemas import AgendaChoice, ProposalReviews


def ask(schema: Any) -> Ask:
    asked = Ask(
        step="s", seat="pro", prompt_id="p", prompt_hash="h", role="", material=(), task="Sign.",
        answer_schema=json_schema_of(schema), topics={1: "rest", 3: "cost"},
    )  # fmt: skip
    return Ask.model_validate(asked.model_dump(mode="json"))  # as an open turn holds it


def signed(*numbers: int) -> dict[str, Any]:
    return {"items": [{"number": n, "decision": "sign", "proposal": ""} for n in numbers]}


@pytest.mark.parametrize(
    ("schema", "answer", "said"),
    [
        (ProposalReviews, signed(99, 1, 3), "there is no topic 99; the numbers are 1, 3"),
        (ProposalReviews, signed(1), "nothing is said to topic 3"),
        (AgendaChoice, {"keep": [3, 2]}, "there is no topic 2; the numbers are 1, 3"),
    ],
)
def test_a_topic_that_is_not_there_or_is_left_out_is_told(schema: Any, answer: Any, said: str) -> None:
    with pytest.raises(UnreadableReply, match=said):
        read_answer(ask(schema), answer)


@pytest.mark.parametrize(("schema", "answer"), [(ProposalReviews, signed(3, 1)), (AgendaChoice, {"keep": [3]})])
def test_what_speaks_of_its_topics_is_taken_as_it_is(schema: Any, answer: Any) -> None:
    assert read_answer(ask(schema), answer) == answer


class DraftingContext:
    """A room in which a stand-in drafts this, and the person signs."""

    def __init__(self, draft: Any) -> None:
        self.draft, self.turns, self.state = draft, HumanTurns(), self
        self.opened: list[TurnOpened] = []

    async def prepare(self, ask: Ask, by: Any) -> Answer:
        return Answer(self.draft)

    async def note(self, event: Any) -> None:
        self.opened.append(event)
        self.turns.note(event)

    async def answer_to(self, step: str, seat: str, until: Any = None) -> Recorded:
        event = TurnAnswered(step=step, seat=seat, by="ann", answer=signed(1, 3))
        return Recorded(seq=1, at=now(), event=event)


@pytest.mark.parametrize(("draft", "kept"), [(signed(1, 3), True), (signed(1, 99), False), (signed(1), False)])
async def test_a_draft_that_would_be_sent_back_is_not_offered(draft: Any, kept: bool) -> None:
    room: Any = DraftingContext(draft)
    asked = ask(ProposalReviews).model_copy(update={"schema_name": "ProposalReviews"})
    seat = HumanSeat(room, stand_in=HumanSeat(room), prepares={"ProposalReviews"})
    assert await seat.answer(asked) == Answer(signed(1, 3))
    (opened,) = room.opened
    assert opened.prepared == (draft if kept else None)
