"""What was known already, and what sounds like it and says something else."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.cognition.forms import Knowledge
from elenchus.debate_engine.protocols.cognition.repetition import repeats, sentence
from elenchus.storage.embeddings import RecallByMeaning
from tests.debate_engine.protocols.cognition.minds import said

SHIP = said("The council", "closes", "the old shipyard in May")


@pytest.mark.parametrize(
    ("new", "same"),
    [
        (said("The council", "will close", "the old shipyard in May"), True),
        (said("The Council", "closes", "the old shipyard in May."), True),
        (said("The council", "is closing", "the old shipyard this May"), True),
        (said("The council", "opens", "a new school in May"), False),
        (said("The old shipyard", "closes", "the council in May"), False),
    ],
)
async def test_what_says_the_same_of_the_same_is_a_repetition(new: Knowledge, same: bool) -> None:
    found = await repeats(RecallByMeaning(), [SHIP, new], [], 0.9)
    assert [bool(one) for one in found] == [False, same]


async def test_another_figure_is_another_statement() -> None:
    given = [said("The fund", "paid", f"{rate} percent interest") for rate in (12, 3, 12)]
    found = await repeats(RecallByMeaning(), given, [], 0.9)
    assert found == ["", "", "The fund paid 12 percent interest."]


async def test_the_same_figures_the_other_way_round_are_another_statement() -> None:
    given = [
        said("The ferry fare", "went", f"from {old} to {new} crowns") for old, new in ((12, 30), (30, 12), (12, 30))
    ]
    found = await repeats(RecallByMeaning(), given, [], 0.9)
    assert found == ["", "", "The ferry fare went from 12 to 30 crowns."]


async def test_what_a_does_to_b_is_not_what_b_does_to_a() -> None:
    given = [
        said("Electric ferries", "cost less to run than", "diesel ferries"),
        said("Diesel ferries", "cost less to run than", "electric ferries"),
    ]
    assert await repeats(RecallByMeaning(), given, [], 0.9) == ["", ""]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (said("Electric ferries", "are", "safe in storms"), said("Electric ferries", "are not", "safe in storms")),
        (said("The shelter", "accepts", "dogs"), said("The shelter", "no longer accepts", "dogs")),
        (said("A dog", "can live", "well in a city flat"), said("A dog", "cannot live", "well in a city flat")),
        (said("A dog", "does", "well in a city flat"), said("A dog", "doesn’t do", "well in a city flat")),
        (said("Die Fähren", "sind", "sicher im Sturm"), said("Die Fähren", "sind nicht", "sicher im Sturm")),
        (said("Les ferries", "sont", "sûrs en hiver"), said("Les ferries", "ne sont pas", "sûrs en hiver")),
        (said("Los ferris", "son", "seguros en invierno"), said("Los ferris", "nunca son", "seguros en invierno")),
        (said("Dogs", "are", "happy in small flats"), said("Dogs", "are", "unhappy in small flats")),
        (said("The new ferry", "is", "cheap to run"), said("The new ferry", "is", "expensive to run")),
        (said("The council", "votes", "for the bridge"), said("The council", "votes", "against the bridge")),
        (said("Rents", "are", "higher than in the suburbs"), said("Rents", "are", "lower than in the suburbs")),
        (said("Anna Berg", "won", "the mayoral election in Karlshaven"),
         said("Anna Berg", "lost", "the mayoral election in Karlshaven")),
    ],
)  # fmt: skip
async def test_who_reads_the_opposite_of_what_is_known_learns_something_new(before: Knowledge, now: Knowledge) -> None:
    assert await repeats(RecallByMeaning(), [before, now, before, now], [], 0.9) == [
        "", "", sentence(before), sentence(now),
    ]  # fmt: skip
    assert await repeats(RecallByMeaning(), [now], [before], 0.9) == [""]
