"""Failures as sentences, with a reference that is in the log."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import replace
from typing import Any

import pytest

from elenchus.bot import errors
from elenchus.bot.rendering import safe
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import MissingKey, SessionHeld, StorageError, UsageError
from elenchus.service.app import App
from tests.bot.people.seated import settle
from tests.bot.stage import ENDLESS, Stage, granted, offer_in, services_of, until
from tests.fakes.discord import interacting

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


class BrokenStore:
    """A store of which nothing can be read once it is broken."""

    def __init__(self, real: Any) -> None:
        self.real, self.broken = real, False

    def __getattr__(self, name: str) -> Any:
        if self.broken:
            raise StorageError("The store is broken: mend it.")
        return getattr(self.real, name)


@pytest.fixture
def stores(stage: Stage) -> list[BrokenStore]:
    """The store of each bot that is started, to be broken."""
    found: list[BrokenStore] = []

    def laid(app: App) -> BotServices:
        found.append(BrokenStore(app.store))
        return replace(services_of(app), store=found[-1])

    stage.services_of = laid
    return found


def test_our_own_errors_say_themselves_what_to_do_and_ping_nobody() -> None:
    assert errors.sentence(UsageError("Say it again.")) == "Say it again."
    assert "@everyone" not in errors.sentence(UsageError("@everyone is no side."))
    assert safe.ZERO_WIDTH_SPACE in errors.sentence(UsageError("@everyone is no side."))


def test_groups_and_wrappers_are_opened_and_ours_goes_first() -> None:
    group = ExceptionGroup("two", [ValueError("theirs"), MissingKey("set the key")])
    assert str(errors.first_of(ExceptionGroup("outer", [group]))) == "set the key"
    assert str(errors.first_of(ExceptionGroup("outer", [ValueError("theirs")]))) == "theirs"


def test_a_mistake_of_ours_shows_nothing_of_itself() -> None:
    assert errors.sentence(KeyError("secret")) == msg("errors-our-mistake")
    assert errors.sentence(ConnectionResetError()) == msg("errors-no-connection")


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


@pytest.mark.parametrize(
    ("status", "told"),
    [(429, "Discord is busy: try again"), (503, "Discord is busy: try again"), (418, "Discord refused that: try")],
)
def test_a_refusal_without_a_code_that_is_known_says_what_to_do(status: int, told: str) -> None:
    assert errors.refused(status).startswith(told)


async def test_an_overloaded_discord_is_named_to_who_waits_for_a_thread(stage: Stage) -> None:
    async with stage.running():
        offered = await stage.offer(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        stage.discord.faults.fail("GET", "/guilds/{guild_id}/threads/active", 503)
        stage.discord.faults.fail("POST", "/channels/{channel_id}/threads", 503)
        pressed = await stage.alice.press(offer_in(offered), "Start")
        await until(lambda: "Discord is busy: try again in a moment." in pressed.text)
        assert re.search(r"reference \w{6}", pressed.text)


async def test_whose_interaction_is_void_is_told_nothing_and_the_log_has_it(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    async with stage.running():
        with stage.discord.faults.hold("POST", CALLBACK):
            asked = asyncio.create_task(stage.alice.slash(stage.channel, "help"))
            await until(lambda: stage.discord.faults.waiting("POST", CALLBACK))
            stage.discord.world.clock.advance(stage.discord.world.times.acknowledge)
        await until(lambda: "Unknown interaction" in caplog.text)
        asked.cancel()
        assert "Two sides, models or people" in (await stage.alice.slash(stage.channel, "help")).text
    assert [call.code for call in stage.discord.calls if call.answered >= 400] == [10062], "nobody is answered any more"


async def test_a_command_that_is_no_more_is_logged_where_somebody_types_it(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    async with stage.running():
        data = {
            "id": "1",
            "name": "former",
            "type": 1,
            "options": [{"name": "x", "type": 3, "value": "y", "focused": True}],
        }
        typed = interacting.begin(stage.discord.world, 4, stage.alice.user, stage.channel, data)
        await until(lambda: re.search(r"\[\w{6}\] autocompletion", caplog.text))
        used = interacting.begin(stage.discord.world, 2, stage.alice.user, stage.channel, data | {"options": []})
        await until(lambda: used.original and used.original.content)
        assert used.original is not None
        assert "This command has changed: reload Discord" in used.original.content
        assert re.search(r"reference \w{6}", used.original.content)
        assert typed.acknowledged is None


async def test_models_that_cannot_be_read_hinder_no_completion_and_are_told_to_who_starts(stage: Stage) -> None:
    stage.home.mkdir()
    (stage.home / "models.yaml").write_text("openai: [not, a, mapping]", encoding="utf-8")
    async with stage.running():
        offered = await stage.alice.complete(stage.channel, "debate start", "pro", "engin", motion="x")
        assert [choice["value"] for choice in offered] == ["engineer"]
        assert "models.yaml" in (await stage.offer()).text


async def test_a_handler_of_discords_events_that_fails_is_logged_with_a_reference_and_the_bot_goes_on(
    stage: Stage, stores: list[BrokenStore], caplog: pytest.LogCaptureFixture
) -> None:
    stage.settings = granted(message_content=True)
    async with stage.running():
        await settle(stage, plain_messages=True)
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        stores[-1].broken = True
        await stage.alice.write(thread, "Somebody writes.")
        await until(lambda: re.search(r"\[\w{6}\] on_message", caplog.text))
        assert "The store is broken: mend it." in (await stage.alice.slash(stage.channel, "help")).text
        stores[-1].broken = False
        assert "Running" in (await stage.alice.slash(thread, "debate status")).text


async def test_a_click_that_is_not_ours_is_left_alone(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        theirs: dict[str, Any] = {"custom_id": "another:application", "component_type": 2}
        click = interacting.begin(stage.discord.world, 3, stage.alice.user, thread, theirs, stage.panel(thread))
        await stage.alice.press(stage.panel(thread), "Heat −")  # heard after it
        assert click.acknowledged is None


async def test_a_broken_connection_is_told_as_one_to_whoever_asked(stage: Stage) -> None:
    async with stage.running():
        offer = await stage.offer()
        stage.discord.faults.lose_reply("POST", "/channels/{channel_id}/threads", closing=True)
        pressed = await stage.alice.press(offer_in(offer), "Start")
        await until(lambda: "could not be reached" in pressed.text)
    assert not [channel for channel in stage.guild.channels.values() if channel.is_thread], "whole, or not at all"


async def test_who_typed_a_great_deal_is_answered_too_with_the_reference(stage: Stage) -> None:
    async with stage.running():
        refused = await stage.offer(pro="x*" * 3_000)
        assert "x\\*x" in refused.text
        assert re.search(r"reference \w{6}$", refused.text)


async def test_nobody_in_discord_is_sent_to_a_terminal(stage: Stage) -> None:
    async with stage.running():
        refused = await stage.alice.slash(stage.channel, "privacy forget", session="zzz")
    assert "There is no session 'zzz'" in refused.text
    assert "elenchus " not in refused.text
