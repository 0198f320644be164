"""From what a moderator typed to seats and settings."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.bot.debate.options import Defaults, Wanted, config_of, judges_of, members_in, seats_of, started_of
from elenchus.config.persona_catalogue import find_persona
from elenchus.debate_engine.errors import UsageError

DEFAULTS = Defaults("scripted:a", ("scripted:b", "scripted:c"))


def test_everybody_has_a_seat_a_name_and_the_debate_its_judges() -> None:
    wanted = Wanted("Motion", pro="<@12345>", con="openai:gpt-6-luna", judges="<@!67890>, scripted:x")
    assert members_in(wanted) == [12345, 67890]
    seats = seats_of(wanted, DEFAULTS, 7)
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
    config = config_of(wanted, seats)
    assert config.judges == ("judge-1", "judge-2")
    event = started_of(config, seats, 7, 2.0, None)
    assert (event.seed, event.budget_usd, event.budget_tokens) == (7, 2.0, None)


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
    for wanted in (Wanted("Motion", pro=typed), Wanted("Motion", judges=typed)):
        with pytest.raises(UsageError, match="choose the member"):
            seats_of(wanted, DEFAULTS, 1)
        assert members_in(wanted) == []


@pytest.mark.parametrize("motion", ["", "  ", "\u200b\u200d\u2060", "\u2800 \u3164", "\x00\x1b"])
def test_a_motion_that_nobody_can_see_is_no_motion(motion: str) -> None:
    with pytest.raises(UsageError, match="motion is empty"):
        config_of(Wanted(motion), ())
    assert config_of(Wanted(f"{motion}🔥"), ()).motion


@pytest.mark.parametrize("typed", ["0", "10", "nobody", "human", " ".join(["scripted:x"] * 10)])
def test_judges_that_cannot_be_are_refused(typed: str) -> None:
    with pytest.raises(UsageError):
        judges_of(typed, DEFAULTS)


@given(st.builds(Wanted, st.text(), st.booleans(), *[st.text()] * 4, st.integers(), st.integers(), st.floats()))
def test_whatever_is_typed_either_makes_a_debate_or_is_refused_in_a_sentence(wanted: Wanted) -> None:
    try:
        seats = seats_of(wanted, DEFAULTS, 1)
        config_of(wanted, seats)
    except UsageError as error:
        assert str(error).strip()
    else:
        assert {"pro", "con", "crit", "judge-1"} <= {seat.name for seat in seats}


def test_a_persona_sits_with_its_model_or_the_default_and_is_told_its_manner() -> None:
    wanted = Wanted(
        "Motion", pro="engineer", con="Farmer@openai:gpt-6-luna", judges="referee, editor@scripted:x, scripted:y"
    )
    seats = {seat.name: seat for seat in seats_of(wanted, DEFAULTS, 7)}
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
        seats_of(Wanted("Motion", pro=typed), DEFAULTS, 7)


@pytest.mark.parametrize("words", [19, 401])
def test_words_of_a_speech_out_of_their_range_are_refused(words: int) -> None:
    with pytest.raises(UsageError, match="words from 20 to 400"):
        config_of(Wanted("Motion", words=words), ())
