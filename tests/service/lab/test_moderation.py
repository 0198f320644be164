"""What a moderator may do: the commands that are made, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Event, Recorded, now
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.service.lab import moderation
from elenchus.service.lab.session_status import SessionStatus
from tests.debate_engine.reports.debates import debated, started


def debate(*events: Event) -> SessionStatus:
    """A debate in which this happened."""
    recorded = [Recorded(seq=n, at=now(), event=e) for n, e in enumerate([started(), *events], 1)]
    return SessionStatus.of("demo", recorded)


def test_the_heat_is_turned_from_what_was_asked_for_last_and_not_beyond_its_scale() -> None:
    session = debate(ev.HeatSet(by="x", heat=0.96))
    command = moderation.heat_changed(session, "me", 0.1)
    assert command == ev.HeatSet(by="me", heat=1.0)
    session.take(Recorded(seq=3, at=now(), event=command))
    with pytest.raises(UsageError, match=r"1\.00 already"):
        moderation.heat_changed(session, "me", 0.1)


@given(st.floats())
def test_a_heat_is_a_number_of_its_scale_or_refused(value: float) -> None:
    if 0 <= value <= 1:
        assert moderation.heat(debate(), "me", value).heat == value
    else:
        with pytest.raises(UsageError, match="between 0 and 1"):
            moderation.heat(debate(), "me", value)


async def test_the_heat_of_a_debate_that_was_held_is_settled() -> None:
    held = SessionStatus.of("demo", await debated())
    with pytest.raises(UsageError, match="closings is settled"):
        moderation.heat(held, "me", 0.5)


def test_what_is_no_debate_has_no_heat() -> None:
    with pytest.raises(UsageError, match="Only a debate"):
        moderation.heat(SessionStatus.of("none", []), "me", 0.5)


def test_guidance_goes_to_one_side_or_both() -> None:
    assert moderation.guidance("me", "both", " Be brief. ") == ev.Guidance(by="me", to=("pro", "con"), text="Be brief.")
    assert moderation.guidance("me", "con", "Be brief.").to == ("con",)


@pytest.mark.parametrize("text", ["", " \t\n", "\u200b"])
def test_words_that_say_nothing_are_refused(text: str) -> None:
    for command in (
        lambda: moderation.guidance("me", "pro", text),
        lambda: moderation.question("me", "pro", text),
        lambda: moderation.stop("me", text),
    ):
        with pytest.raises(UsageError, match="text is empty"):
            command()


def test_a_question_goes_to_one_side_alone() -> None:
    with pytest.raises(UsageError, match="'both' is no side"):
        moderation.question("me", "both", "Why?")


@pytest.mark.parametrize(
    ("tokens", "usd", "command"),
    [
        ("200,000", "", (200_000, None)),
        (None, "$1.50", (None, 1.5)),
        (9_000, 0.25, (9_000, 0.25)),
        ("", None, None),
        ("many", "", None),
        (0, None, None),
        (None, float("inf"), None),
        ("", "1,50", None),
    ],
)
def test_a_budget_is_an_amount_above_zero(
    tokens: str | int | None, usd: str | float | None, command: tuple[int | None, float | None] | None
) -> None:
    if command is None:
        with pytest.raises(UsageError, match="A budget is a number above zero"):
            moderation.budget("me", tokens, usd)
    else:
        made = moderation.budget("me", tokens, usd)
        assert (made.tokens, made.usd) == command


async def test_a_command_tells_who_takes_it_up_and_what_nobody_runs_is_stopped_at_once() -> None:
    log = MemoryLog()
    await log.create("s", started())
    own = await log.claim("s")
    assert (await moderation.send(log, "s", ev.RoundAsked(by="me"))).owner
    await own.release()
    sent = await moderation.send(log, "s", stop := moderation.stop("me", "time is up"))
    assert sent.owner == ""
    assert not (await moderation.open_session(log, "s")).over
    await moderation.stop_unowned(log, "s", stop)
    assert (await log.read("s"))[-1].event == ev.SessionStopped(reason="time is up", by="me")
    with pytest.raises(moderation.SessionOver, match="s is stopped: nothing can be changed"):
        await moderation.open_session(log, "s")


async def test_what_is_allowed_follows_how_the_session_stands() -> None:
    steering = ("cooler", "hotter", "guide", "ask", "deepen", "round", "close")
    assert debate().allowed == ("pause", *steering, "stop", "budget")
    assert debate(ev.SessionPaused(why="moderator", reason="")).allowed == ("resume", *steering, "stop", "budget")
    assert debate(ev.SessionFailed(error="X", message="x")).allowed == ("resume", "stop")
    assert SessionStatus.of("demo", await debated()).allowed == ()
    assert SessionStatus.of("none", []).allowed == ("pause", "stop", "budget")


@pytest.mark.parametrize(
    "typed", ["$0,50", "$1.000,50", "$1,000.50", "$1,5", "1,000", "$-4", "$0", "$nan", "$1e3", "$"]
)
def test_dollars_that_could_be_read_in_two_ways_or_are_none_are_no_amount(typed: str) -> None:
    assert moderation.dollars_in(typed) is None


@pytest.mark.parametrize("typed", ["0,50", "1.000", "1.5", "1,00", "0,500", "12,34,567", "-4", "0", "1e3", "²", ""])
def test_tokens_are_whole_and_only_thousands_stand_behind_a_comma(typed: str) -> None:
    assert moderation.tokens_in(typed) is None


@given(st.integers(1, 10**14))
def test_a_number_of_tokens_is_read_as_it_is_printed(number: int) -> None:
    assert moderation.tokens_in(f" {number} ") == moderation.tokens_in(f"{number:,}") == number


@given(st.decimals(min_value="0.01", max_value=99_999, places=2))
def test_an_amount_of_dollars_is_read_as_it_is_printed(amount: object) -> None:
    assert moderation.dollars_in(f"${amount}") == moderation.dollars_in(f" {amount}") == float(str(amount))
