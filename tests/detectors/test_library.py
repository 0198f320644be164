"""Knowledge from the catalogue, and the transcript of a session as a text."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import detectors
from config.catalogue import find_bias
from debate_engine.events import EVERYONE, Event, Recorded, Said, now
from detectors.library import CatalogueLibrary, StoredLibrary, entries
from detectors.transcript import speakers_of, turns_of
from storage.embeddings import EMBEDDINGS
from storage.vectors import Place, VectorCollection
from tests.detectors.room import IKEA, LOSS, PLAN, SUNK, TEXT, Room

TEXTS = Path(detectors.__file__).parent / "evaluation" / "texts"


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
        ("crit", "warning", "One reason could not be read."),
        ("detection", "progress", "candidates: none"),
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


async def test_a_screen_by_meaning_adds_candidates_out_of_the_stored_library(tmp_path: Path) -> None:
    pytest.importorskip("chromadb", reason="chromadb is not installed (extra `detect`): the screen is NOT tested")
    stored = VectorCollection(entries, EMBEDDINGS["wordllama"], Place(tmp_path))
    try:
        library = StoredLibrary(stored)
        found = await Room(settings={"near": 8, "method": "tree"}, library=library).found()
        nearest = await library.nearest(TEXT, 8)
    finally:
        await stored.aclose()
    assert SUNK in nearest
    assert {c.bias: c.library for c in found.candidates if c.library} == {b: n for n, b in enumerate(nearest, 1)}
    assert [c.bias for c in found.candidates][:4] == [SUNK, LOSS, IKEA, PLAN]


async def test_by_meaning_the_right_bias_is_among_eight_far_more_often_than_by_chance(tmp_path: Path) -> None:
    pytest.importorskip("chromadb", reason="chromadb is not installed (extra `detect`): recall is NOT tested")
    stored = VectorCollection(entries, EMBEDDINGS["wordllama"], Place(tmp_path))
    pairs = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(TEXTS.glob("*.yaml"))]
    try:
        found = [pair["bias"] in await StoredLibrary(stored).nearest(pair["biased"], 8) for pair in pairs]
    finally:
        await stored.aclose()
    assert len(found) == 73
    assert sum(found) >= 30  # by chance 8; measured: 34
