"""No account, login or name of a person leaves the machine with a scene."""

from __future__ import annotations

from datetime import UTC, datetime

from elenchus.debate_engine.events import (
    Event,
    PauseAsked,
    Recorded,
    Seat,
    SessionPaused,
    SessionStarted,
    TurnAnswered,
    UnforeseenQuestion,
)
from elenchus.debate_engine.reports.events_jsonl import jsonl
from elenchus.debate_engine.reports.export import contents_of
from elenchus.debate_engine.reports.pseudonymous import pseudonymous
from tests.debate_engine.protocols.rulegen.stage import TASTING, Stage

WHEN = datetime(2026, 11, 21, tzinfo=UTC)


def log_of(*events: Event, protocol: str = "rulegen") -> list[Recorded]:
    seats = (
        Seat(name="Ada", spec="human:discord:123456", title="Mathilda"),
        Seat(name="Ben", spec="human:P-abcdef"),
        Seat(name="Cleo", spec="scripted:demo", title="Mathilda"),
    )
    config = Stage(TASTING).cfg.model_dump(mode="json")
    started = SessionStarted(protocol=protocol, title="Tea", config=config, seats=seats, seed=1, version="0")
    return [Recorded(seq=n, at=WHEN, event=event) for n, event in enumerate([started, *events], 1)]


EVENTS = (
    TurnAnswered(step="rule/1", seat="Ada", by="discord:123456", answer="I, discord:123456, take the green one, bo."),
    UnforeseenQuestion(by="discord:123456", seat="Ada", text="Why?"),
    PauseAsked(by="bo"),
    SessionPaused(why="moderator", reason="paused by bo"),
)


def test_names_of_people_become_numbers_and_stay_the_same_throughout() -> None:
    found = [r.event for r in pseudonymous(log_of(*EVENTS))]
    started, answered, asked, pause, paused = found
    assert isinstance(started, SessionStarted)
    assert [seat.spec for seat in started.seats] == ["human:person-1", "human:P-abcdef", "scripted:demo"]
    assert isinstance(answered, TurnAnswered)
    assert isinstance(asked, UnforeseenQuestion)
    assert answered.by == asked.by == "person-1"
    assert answered.answer == "I, person-1, take the green one, bo.", "a short login is also a word: words stay"
    assert isinstance(pause, PauseAsked)
    assert isinstance(paused, SessionPaused)
    assert paused.reason == f"paused by {pause.by}"
    assert pause.by.startswith("person-")


def test_what_is_a_pseudonym_already_and_what_models_are_called_stays() -> None:
    started = pseudonymous(log_of(*EVENTS))[0].event
    assert isinstance(started, SessionStarted)
    assert started.seats[2].title == "Mathilda"
    assert started.seats[0].title != "Mathilda"


def test_other_protocols_and_broken_logs_stay_as_they_are() -> None:
    debate = log_of(*EVENTS, protocol="socrasynth")
    assert pseudonymous(debate) == debate
    assert pseudonymous([]) == []
    assert pseudonymous(debate[1:]) == debate[1:]


def test_no_file_of_an_export_holds_an_account() -> None:
    files = contents_of("s", log_of(*EVENTS))
    assert "person-1" in files["events.jsonl"].decode()
    for name, content in files.items():
        assert b"123456" not in content, name
    assert "123456" in jsonl(log_of(*EVENTS)), "the search finds what it looks for"
