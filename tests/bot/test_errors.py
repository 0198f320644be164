"""Failures as sentences, with a reference that is in the log."""

from __future__ import annotations

import logging
import re

import pytest

from bot import errors
from bot.rendering import safe
from bot.strings import errors as words
from debate_engine.errors import MissingKey, SessionHeld, UsageError
from tests.bot.stage import Stage


def test_our_own_errors_say_themselves_what_to_do_and_ping_nobody() -> None:
    assert errors.sentence(UsageError("Say it again.")) == "Say it again."
    assert "@everyone" not in errors.sentence(UsageError("@everyone is no side."))
    assert safe.ZERO_WIDTH_SPACE in errors.sentence(UsageError("@everyone is no side."))


def test_groups_and_wrappers_are_opened_and_ours_goes_first() -> None:
    group = ExceptionGroup("two", [ValueError("theirs"), MissingKey("set the key")])
    assert str(errors.first_of(ExceptionGroup("outer", [group]))) == "set the key"
    assert str(errors.first_of(ExceptionGroup("outer", [ValueError("theirs")]))) == "theirs"


def test_a_mistake_of_ours_shows_nothing_of_itself() -> None:
    assert errors.sentence(KeyError("secret")) == words.OUR_MISTAKE
    assert errors.sentence(ConnectionResetError()) == words.NO_CONNECTION


def test_what_is_logged_carries_the_reference(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    name = errors.logged(SessionHeld("held"), "resuming")
    assert re.fullmatch(r"[a-z2-9]{6}", name)
    assert f"[{name}] resuming" in caplog.text
    assert f"[{errors.logged(UsageError('no'), 'typing')}] typing: no" in caplog.text


async def test_the_reference_that_a_person_is_given_is_in_the_log(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with stage.running():
        answer = await stage.offer(pro="nothing")
    found = re.search(r"reference (\w{6})", answer.text)
    assert found is not None
    assert f"[{found[1]}]" in caplog.text
