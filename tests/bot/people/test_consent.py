"""What a member is told before agreeing to sit."""

from __future__ import annotations

import pytest

from elenchus.bot.bindings import Binding
from elenchus.bot.people.consent import asked
from elenchus.debate_engine.events import Recorded, Seat, SessionStarted, now
from elenchus.debate_engine.reports.view import SessionView


def told(*seats: Seat, private: bool = False) -> str:
    """What is told to whoever sits as con."""
    config = {"motion": "Cars?"}
    started = SessionStarted(protocol="socrasynth", title="Cars?", config=config, seats=seats, seed=1, version="0")
    view = SessionView.of("demo", [Recorded(seq=1, at=now(), event=started)])
    return asked(view, "con", Binding(session="demo", guild=1, channel=2, thread=3, moderator=4, private=private))


def sits(name: str, spec: str, stand_in: str = "") -> Seat:
    return Seat(name=name, spec=spec, stand_in=stand_in)


@pytest.mark.parametrize("stand_in", ["", "anthropic:claude-haiku-5-5"])
def test_every_provider_whose_model_reads_the_debate_is_named_also_of_who_may_take_over(stand_in: str) -> None:
    text = told(sits("pro", "openai:gpt-6-luna"), sits("con", "human:discord:1", stand_in), sits("crit", "gemini:x"))
    assert f"providers, as the debate's text: {'anthropic, ' if stand_in else ''}gemini, openai" in text


def test_what_no_provider_reads_names_none() -> None:
    text = told(sits("pro", "local:smollm2-135m"), sits("con", "human:discord:1", "scripted:demo"))
    assert "providers" not in text


def test_who_reads_along_is_said_of_the_thread_as_it_is() -> None:
    assert "everyone who can see this channel" in told(sits("con", "human:discord:1"))
    private = told(sits("con", "human:discord:1"), private=True)
    assert "the private thread's members" in private
    assert "everyone" not in private
