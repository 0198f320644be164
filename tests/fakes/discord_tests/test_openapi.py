"""Discord's description judges what is asked, what is answered and what the gateway sends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.discord.openapi import description, load
from tests.fakes.discord.routing import ROUTES, Reply
from tests.fakes.discord.server import Discord, serving
from tests.fakes.discord_tests.support import Rest


def test_a_missing_description_is_a_loud_skip(tmp_path: Path) -> None:
    with pytest.raises(pytest.skip.Exception, match="NOT TESTED AGAINST DISCORD'S DESCRIPTION"):
        load(tmp_path / "openapi.json")


@pytest.mark.parametrize("method, template", sorted(ROUTES))
def test_every_route_of_the_fake_is_one_of_discords(method: str, template: str) -> None:
    assert description().operation(method, template)["responses"]


async def test_a_violating_request_is_refused_and_fails_the_test_that_made_it(rest: Rest) -> None:
    async def misbehave() -> None:
        async with serving(Discord()) as other:
            channel = other.world.text_channel(other.world.guild())
            got = await Rest(other, rest.session)("POST", f"/channels/{channel.id}/messages", {"content": ["x"]})
            assert (got.status, got.code) == (400, 50035)

    with pytest.raises(AssertionError, match=r"POST /channels/.* at content"):
        await misbehave()


async def test_an_unknown_route_fails_the_test(rest: Rest) -> None:
    async def misbehave() -> None:
        async with serving(Discord()) as other:
            assert (await Rest(other, rest.session)("GET", "/moon")).status == 404

    with pytest.raises(AssertionError, match="UNKNOWN_ROUTE"):
        await misbehave()


def test_a_violating_answer_and_a_violating_event_are_found(fake: Discord) -> None:
    found = description().answer("GET", "/users/@me", 200, {"id": "1"})
    assert "username" in str(found)
    assert description().answer("GET", "/users/@me", 201, {})[0].code == "UNKNOWN_STATUS"
    assert description().answer("POST", "/channels/{channel_id}/typing", 204, None) == []
    with fake.expecting_violations() as violations:
        fake.world.events.on_event("MESSAGE_CREATE", "MessageResponse", {})
        assert violations
    assert Reply(204).body is None


def test_the_branch_of_a_choice_that_was_meant_is_told() -> None:
    body = {"components": [{"type": 1, "components": [{"type": 2, "style": 1, "label": "x" * 81, "custom_id": "a"}]}]}
    (problem,) = description().request("POST", "/channels/{channel_id}/messages", body)
    assert problem.path == ("components", 0, "components", 0, "label")


async def test_without_a_judge_the_fake_runs_all_the_same(rest: Rest) -> None:
    async with serving(Discord(judge=False)) as other:
        channel = other.world.text_channel(other.world.guild())
        assert (
            await Rest(other, rest.session)("POST", f"/channels/{channel.id}/messages", {"content": "x"})
        ).status == 200
        assert other.violations == []
