"""Knowledge from the catalogue, and the transcript of a session as a text."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from elenchus import detectors
from elenchus.config.catalogue import find_bias
from elenchus.debate_engine.events import EVERYONE, Event, Recorded, Said, now
from elenchus.detectors.evaluation.intervals import share
from elenchus.detectors.examined_text import speakers_of, turns_of
from elenchus.detectors.library import CatalogueLibrary, Library, StoredLibrary, entries
from elenchus.storage.embeddings import EMBEDDINGS
from elenchus.storage.vector_store import StoreLocation, VectorCollection
from tests.detectors.scripted_detection import IKEA, LOSS, PLAN, SUNK, TEXT, DetectionSession

TEXTS = Path(detectors.__file__).parent / "evaluation" / "texts"
DOCS = Path(__file__).parents[2] / "docs"


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
    run = await DetectionSession(settings={"labels": ["boat"]}).run()
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
    stored = VectorCollection(entries, EMBEDDINGS["wordllama"], StoreLocation(tmp_path))
    try:
        library = StoredLibrary(stored)
        found = await DetectionSession(settings={"near": 8, "method": "tree"}, library=library).found()
        nearest = await library.nearest(TEXT, 8)
    finally:
        await stored.aclose()
    assert SUNK in nearest
    assert {c.bias: c.library for c in found.candidates if c.library} == {b: n for n, b in enumerate(nearest, 1)}
    assert [c.bias for c in found.candidates][:4] == [SUNK, LOSS, IKEA, PLAN]


async def recall(library: Library) -> tuple[str, str, str]:
    """As the page tells it: how often the right bias is among eight, its share with Wilson's interval, and first."""
    pairs = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(TEXTS.glob("*.yaml"))]
    nearest = [await library.nearest(pair["biased"], 8) for pair in pairs]
    right = share(sum(pair["bias"] in near for pair, near in zip(pairs, nearest, strict=True)), len(pairs))
    first = sum(near[:1] == (pair["bias"],) for pair, near in zip(pairs, nearest, strict=True))
    return f"{right.count} of {right.of}", f"{right.value:.2f} ({right.low:.2f}–{right.high:.2f})", str(first)


def told(page: str, way: str) -> tuple[str, ...]:
    """The same three as docs/`page` has them in the row that begins so."""
    (line,) = [line for line in (DOCS / page).read_text(encoding="utf-8").splitlines() if line.startswith(f"| {way}")]
    return tuple(cell.strip() for cell in line.split("|")[2:5])


async def test_by_meaning_the_right_bias_is_among_eight_as_often_as_the_docs_say_and_more_than_by_chance(
    tmp_path: Path,
) -> None:
    pytest.importorskip("chromadb", reason="chromadb is not installed (extra `detect`): recall is NOT tested")
    stored = VectorCollection(entries, EMBEDDINGS["wordllama"], StoreLocation(tmp_path))
    try:
        found = await recall(StoredLibrary(stored))
    finally:
        await stored.aclose()
    assert int(found[0].split()[0]) >= 30  # by chance 8
    assert found == told("detection.md", "`wordllama`") == told("benchmarks.md", "wordllama")


@pytest.mark.slow
async def test_by_words_in_common_the_right_bias_is_among_eight_as_often_as_the_docs_say() -> None:
    found = await recall(CatalogueLibrary())
    assert found == told("detection.md", "words in common") == told("benchmarks.md", "words in common")
