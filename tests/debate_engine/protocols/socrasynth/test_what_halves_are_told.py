"""What whoever speaks for a half of a class is shown, and what an answer to a proposal has to say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.events import Recorded, Said
from elenchus.debate_engine.human_seat import read_answer
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.socrasynth.schemas import ProposalReviews
from elenchus.debate_engine.protocols.socrasynth.shown import shown
from elenchus.debate_engine.reports.blocks import Note
from elenchus.debate_engine.reports.view import SessionView


def test_a_speaker_hears_arguments_by_their_numbers_and_never_that_two_are_of_one_person() -> None:
    view = SessionView.of("s", [])
    told = []
    for number, text in ((9, "Sleep matters"), (12, "Parents leave early")):
        said = Said(
            step=f"opening/half/con/{number}", input_hash="", speaker="P-d6f9j3", to=("con",), text=text,
            about="argument",
        )  # fmt: skip
        event = Recorded(seq=number, at=datetime(2026, 1, 1, tzinfo=UTC), event=said)
        told += [block.text for block in shown(event, view, ("con",)) if isinstance(block, Note)]
        assert list(shown(event, view, ("pro",))) == [], "the other half reads none before it is spoken"
    assert told == ["[9] → con: Sleep matters", "[12] → con: Parents leave early"]


def reviewed(**entry: object) -> object:
    """An answer to a proposal on one topic, as a person has given it."""
    ask = Ask(
        step="review/1/con", seat="con", prompt_id="p", prompt_hash="h", role="", material=(), task="",
        answer_schema=json_schema_of(ProposalReviews),
    )  # fmt: skip
    return read_answer(ask, {"items": [{"number": 1, "decision": "sign", "proposal": "", **entry}]})


def test_who_amends_a_proposal_says_how_and_who_signs_says_nothing() -> None:
    assert reviewed()
    assert reviewed(decision="amend", proposal="Only on school days.")
    for empty in ("", "  "):
        with pytest.raises(UnreadableReply, match=r"items\[0\].proposal must not be empty"):
            reviewed(decision="amend", proposal=empty)
