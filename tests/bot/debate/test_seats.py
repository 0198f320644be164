"""Who sits in a debate, by what a moderator typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.bot.debate.seats import Defaults, judges_of, members_in, named_in, seats_of
from elenchus.bot.debate.start_command import options_in
from elenchus.config.persona_catalogue import find_persona
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.service.lab.new_sessions import debate

DEFAULTS = Defaults("scripted:a", ("scripted:b", "scripted:c"))


def seated(typed: Mapping[str, Any], moderator: str = "human:discord:5") -> tuple[Seat, ...]:
    return seats_of(options_in(typed, DEFAULTS), DEFAULTS, 7, moderator)


def test_everybody_has_a_seat_a_name_and_the_debate_its_judges() -> None:
    typed = {"motion": "Motion", "pro": "<@12345>", "con": "openai:gpt-6-luna", "judges": "<@!67890>, scripted:x"}
    assert members_in(typed) == [12345, 67890]
    seats = seated(typed)
    assert [(seat.name, seat.spec) for seat in seats] == [
        ("pro", "human:discord:12345"),
        ("con", "openai:gpt-6-luna"),
        ("crit", "scripted:x"),
        ("judge-1", "human:discord:67890"),
        ("judge-2", "scripted:x"),
    ]
    titles = {seat.name: seat.title for seat in seats}
    assert [titles["pro"], titles["judge-1"]] == ["pro", "judge-1"]  # members get their names when they agree
    assert titles["con"].endswith("(con)")
    assert debate(options_in(typed, DEFAULTS), seats).title == "Motion"


@pytest.mark.parametrize(
    "typed, specs",
    [
        ("", ["scripted:b", "scripted:c"]),
        ("3", ["scripted:b", "scripted:c", "scripted:b"]),
        ("scripted:x", ["scripted:x"]),
        ("scripted:x,scripted:y <@12345>", ["scripted:x", "scripted:y", "human:discord:12345"]),
        ("<@12345><@67890>", ["human:discord:12345", "human:discord:67890"]),
    ],
)
def test_judges_are_named_or_numbered(typed: str, specs: list[str]) -> None:
    assert judges_of(typed, DEFAULTS) == specs


@pytest.mark.parametrize("typed", ["0", "10", "-3", "2.5", "9" * 5_000])
def test_a_number_of_judges_that_cannot_be_is_refused_as_a_number(typed: str) -> None:
    with pytest.raises(UsageError, match="1 to 9 judges"):
        judges_of(typed, DEFAULTS)


@pytest.mark.parametrize("typed", ["<@&123456789012345678>", "<@99999999999999999999>", "@Bob", "human:bob"])
def test_what_is_no_member_of_the_server_is_asked_for_as_a_member(typed: str) -> None:
    for seat in ("pro", "judges"):
        with pytest.raises(UsageError, match="choose the member"):
            seated({"motion": "Motion", seat: typed})
        assert members_in({seat: typed}) == []


@pytest.mark.parametrize("typed", ["0", "10", "nobody", "human", " ".join(["scripted:x"] * 10)])
def test_judges_that_cannot_be_are_refused(typed: str) -> None:
    with pytest.raises(UsageError):
        judges_of(typed, DEFAULTS)


@given(
    st.fixed_dictionaries(
        {"motion": st.text()},
        optional={name: st.text() for name in ("brief", "pro", "con", "crit", "judges", "language", "stop")}
        | {name: st.integers() for name in ("topics", "max_rounds", "words")}
        | {name: st.floats() for name in ("heat", "decay", "floor", "temperature", "budget_usd")},
    )
)
def test_whatever_is_typed_either_makes_a_debate_or_is_refused_in_a_sentence(typed: dict[str, Any]) -> None:
    try:
        seats = seated(typed)
    except UsageError as error:
        assert str(error).strip()
    else:
        assert {"pro", "con", "crit", "judge-1"} <= {seat.name for seat in seats}


def test_a_persona_sits_with_its_model_or_the_default_and_is_told_its_manner() -> None:
    typed = {"pro": "engineer", "con": "Farmer@openai:gpt-6-luna", "judges": "referee, editor@scripted:x, scripted:y"}
    seats = {seat.name: seat for seat in seated({"motion": "Motion", **typed})}
    assert {name: seat.spec for name, seat in seats.items()} == {
        "pro": "scripted:a",
        "con": "openai:gpt-6-luna",
        "crit": "scripted:b",
        "judge-1": "scripted:b",
        "judge-2": "scripted:x",
        "judge-3": "scripted:y",
    }
    assert [seats[name].title for name in ("pro", "con", "judge-1")] == [
        "The engineer (pro)",
        "The farmer (con)",
        "The referee (judge 1)",
    ]
    assert seats["pro"].manner == find_persona("engineer").manner
    assert [name for name, seat in seats.items() if not seat.manner] == ["crit", "judge-3"]


@pytest.mark.parametrize(
    "typed", ["enginer@scripted:a", "engineer@human", "engineer@gpt", "engineer@human:discord:123456"]
)
def test_a_persona_that_cannot_sit_is_refused(typed: str) -> None:
    with pytest.raises(UsageError):
        seated({"motion": "Motion", "pro": typed})


def test_whoever_starts_approves_the_agenda_and_a_debates_own_model_answers_plainly() -> None:
    typed = {"motion": "M", "approve_agenda": True, "compare_qa": True, "crit": "engineer@scripted:x"}
    seats = {seat.name: seat for seat in seated(typed)}
    assert (seats["moderator"].spec, seats["moderator"].title) == ("human:discord:5", "moderator")
    assert (seats["answerer"].spec, seats["crit"].spec) == ("scripted:a", "scripted:x")
    assert (seats["crit"].title, seats["crit"].manner) == ("CRIT", "")


def test_with_as_many_seats_as_there_may_be_everybody_has_another_name() -> None:
    typed = {"motion": "M", "judges": "9", "approve_agenda": True, "compare_qa": True}
    titles = [seat.title for seat in seated(typed)]
    assert len(set(titles)) == len(titles) == 14


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("mind:greta", ["mind:greta"]),
        ("mind:Greta Lund, scripted:x", ["mind:Greta Lund", "scripted:x"]),
        ("mind:Greta Lund scripted:x mind:otto", ["mind:Greta Lund", "scripted:x", "mind:otto"]),
        ("mind:greta <@12345>engineer", ["mind:greta", "<@12345>", "engineer"]),
        ("scripted:x<@12345>, mind:o", ["scripted:x", "<@12345>", "mind:o"]),
        ("<@&12345678> mind:", ["<@&12345678>", "mind:"]),
        (f"mind:{'a ' * 3_000}b", [f"mind:{'a ' * 3_000}b"]),
        (" , ,", []),
    ],
)
def test_a_minds_name_ends_before_a_comma_a_mention_and_another_spec(typed: str, named: list[str]) -> None:
    assert named_in(typed) == named
