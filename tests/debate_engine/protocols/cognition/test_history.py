"""How a mind came to be what it is: as of any day, between two of them, and what was left out on the way."""

from __future__ import annotations

from datetime import timedelta

from elenchus.debate_engine.events import Fed, Recorded, Surveyed, Talked
from elenchus.debate_engine.protocols.cognition import report
from elenchus.debate_engine.protocols.cognition.history import differences, history_blocks, iteration_on
from elenchus.debate_engine.protocols.cognition.interpretation import SHOWS_A_MODEL
from elenchus.debate_engine.protocols.cognition.presentation import reading_blocks
from elenchus.debate_engine.protocols.cognition.projection import as_of, mind_of
from elenchus.debate_engine.reports.blocks import Fact, Note
from elenchus.debate_engine.reports.escape import inline
from tests.debate_engine.protocols.cognition.living import Living
from tests.debate_engine.protocols.cognition.minds import (
    FACTS,
    FERRY,
    MOVED,
    OPINIONS,
    SHIPYARD,
    distilled,
    in_turn,
    known,
    rated,
    refining,
)
from tests.debate_engine.protocols.cognition.profiles import GRETA
from tests.debate_engine.scripted_session import GARBLED


def on_days(events: list[Recorded]) -> list[Recorded]:
    """The events with a day between commands."""
    day, moved = 0, list[Recorded]()
    for r in events:
        day += isinstance(r.event, Fed | Surveyed | Talked)
        moved.append(r.model_copy(update={"at": events[0].at + timedelta(days=day)}))
    return moved


async def test_a_mind_can_be_looked_at_as_of_any_day_and_iteration() -> None:
    greta = Living(refine=in_turn(MOVED))
    await greta.surveyed()
    await greta.fed(FERRY)
    await greta.surveyed()
    await greta.fed(SHIPYARD)
    events = on_days(await greta.recorded())
    day = events[0].at.date()
    counted = [
        (len(found.surveys), found.iteration)
        for found in (as_of(events, day + timedelta(days=n)) for n in range(5))
    ]  # fmt: skip
    assert counted == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]
    assert as_of(events, iteration=0).versions[-1].profile == GRETA
    assert len(as_of(events, iteration=0).surveys) == 1
    assert len(as_of(events, iteration=1).surveys) == 2
    assert as_of(events).iteration == as_of(events, iteration=9).iteration == 2


async def test_between_two_days_a_difference_has_each_change_with_its_day_reason_and_sentence() -> None:
    more = {"Dislikes": ["waste", "diesel noise"], "Hobbies": ["fishing", "boatbuilding"]}
    greta = Living(refine=in_turn(MOVED, refining(more, quote="Forty apprentices begin in autumn.")))
    await greta.run()
    await greta.fed(FERRY, title="Ferries")
    await greta.fed(SHIPYARD, title="Shipyard")
    mind = mind_of(on_days(await greta.recorded()))
    made = mind.versions[0].at.date()
    days = [made + timedelta(days=n) for n in range(3)]
    assert [iteration_on(mind, day) for day in days] == [0, 1, 2]

    def told(since: int, until: int) -> list[tuple[str, list[tuple[int, str, str, tuple[str, ...]]]]]:
        return [
            (one.change.attribute, [((r.day - made).days, r.title, r.reason, r.quotes) for r in one.reasons])
            for one in differences(mind, *(iteration_on(mind, days[n]) for n in (since, until)))
        ]

    first = (1, "Ferries", "It moved me.", ("The council orders two electric ferries.",))
    second = (2, "Shipyard", "It moved me.", ("Forty apprentices begin in autumn.",))
    assert told(0, 1) == [("Dislikes", [first])]
    assert told(1, 2) == [("Hobbies", [second])]
    assert sorted(told(0, 2)) == [("Dislikes", [first]), ("Hobbies", [second])]


async def test_how_many_statements_were_left_out_stands_in_its_history_and_why_in_its_report() -> None:
    vague, unread = known("It", "is", "loud"), known("A quay", "is", "old", "four")
    greta = Living(distil=in_turn(distilled(*FACTS[:2], unread, vague), distilled(vague)))
    found = await greta.fed(FERRY)
    assert Fact("1. a text", "noted 2, forgot 1 of them, left out 2") in list(history_blocks(found))
    told = "a statement that cannot be read: knowledge[2].score must be of type integer"
    assert Note(f"not noted: {told}", "dim") in list(reading_blocks(found.readings[0]))
    (read,) = (section for section in report.sections(found, simulated=False) if section.id == "read")
    assert f"- {told.replace('[', chr(92) + '[').replace(']', chr(92) + ']')}" in "\n".join(map(str, read.blocks))


async def test_that_nothing_could_be_read_of_what_it_noted_stands_in_its_history_and_its_report_with_why() -> None:
    found = await Living(distil=GARBLED).fed(FERRY)
    (why,) = found.readings[0].taken.unread
    assert Note(f"nothing was learned: {why}", "warn") in list(history_blocks(found))
    (read,) = (section for section in report.sections(found, simulated=False) if section.id == "read")
    assert f"Nothing was learned: {inline(why)}." in read.blocks


async def test_words_that_show_a_model_are_told_as_no_reason_but_why_there_is_no_rating() -> None:
    said = "As an AI language model I have no opinions."
    found = await Living(rate=rated(5, said)).surveyed(OPINIONS[0])
    told = [*history_blocks(found), *report.sections(found, simulated=False)]
    assert f"('–', '{OPINIONS[0]}', '{SHOWS_A_MODEL}', '–')" in str(told)
    assert said not in str(told)
