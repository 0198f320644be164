"""Knowledge from the catalogue, and the transcript of a session as a text."""

from __future__ import annotations

import pytest

from config.catalogue import find_bias
from debate_engine.events import EVERYONE, Event, Recorded, Said, now
from detectors.library import CatalogueLibrary
from detectors.transcript import speakers_of, turns_of
from tests.detectors.room import LOSS, SUNK, Room


async def test_the_catalogue_gives_names_signs_and_what_tells_near_biases_apart() -> None:
    library = CatalogueLibrary()
    names = await library.names()
    assert len(names) == 73
    known = await library.about(SUNK, "any text")
    assert known.name == names[SUNK]
    assert known.shown.startswith("Sunk cost fallacy: Money, time or effort already spent")
    assert "\n- Not to be taken for Loss aversion: " in known.shown
    assert known.signs.count("- ") >= 4


async def test_mindscopes_own_sense_of_a_name_comes_along() -> None:
    entry = find_bias("whole only effect")
    assert entry.mindscope
    assert entry.mindscope in (await CatalogueLibrary().about(entry.id, "")).definition


async def test_an_unknown_bias_is_refused() -> None:
    with pytest.raises(ValueError, match="no bias 'boat'"):
        await CatalogueLibrary().about("boat", "")
    run = await Room(settings={"labels": ["boat"]}).run()
    assert (run.state, run.reason) == ("failed", "the library does not know boat")


async def test_likeness_is_by_words_in_common() -> None:
    assert LOSS in await CatalogueLibrary().nearest("loss aversion", 2)
    assert await CatalogueLibrary().nearest("???", 3) == ()


def test_a_transcript_has_everything_that_was_said_and_not_the_moderators_desk() -> None:
    said = (
        ("moderator", "agenda", "1. A"),
        ("pro", "opening", "For."),
        ("con", "opening", " "),
        ("con", "round 1", "No."),
        ("crit", "weakest", "That one."),
        ("pro", "closing", "Yes."),
    )
    events: list[Event] = [
        Said(step=f"{n}", input_hash="0", speaker=who, to=(EVERYONE,), text=text, about=about)
        for n, (who, about, text) in enumerate(said)
    ]
    turns = turns_of(Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1))
    spoken = [(1, "pro", "opening"), (2, "con", "round 1"), (3, "pro", "closing")]
    assert [(turn.number, turn.speaker, turn.about) for turn in turns] == spoken
    assert speakers_of(turns) == ("pro", "con")
