"""A channel as plain text, and the addresses that lead discord.py here."""

from __future__ import annotations

import discord
import pytest

from elenchus.bot.endpoints import Endpoints, current, use
from tests.fakes.discord import changes
from tests.fakes.discord.render import channel_text
from tests.fakes.discord.running import connected, using
from tests.fakes.discord.server import Discord
from tests.fakes.discord_tests.bots import Everything
from tests.fakes.discord_tests.support import Place, Rest, hook_of, path, thread_of


async def test_a_thread_is_shown_as_its_reader_sees_it(place: Place, rest: Rest) -> None:
    thread = thread_of(place)
    at = f"{path(hook_of(place))}?thread_id={thread.id}"
    embed = {"title": "CRIT", "description": "two reasons", "fields": [{"name": "Γ", "value": "0.7"}]}
    row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
    body = {"content": f"Well, {place.alice.mention}", "username": "Ada", "embeds": [embed], "components": [row]}
    body["attachments"] = [{"id": 0, "filename": "plot.png", "description": "a falling line"}]
    await rest("POST", at, body, files={"plot.png": b"PNG"}, token=None)
    await place.alice.write(thread, "two\nlines")
    changes.archive(place.world, thread, locked=True)
    assert await channel_text(thread, place.alice) == (
        "── #general › Debate (archived, locked) ──\n\n"
        "Ada APP\n    Well, @Alice\n    │ CRIT\n    │ two reasons\n    │ Γ: 0.7\n"
        "    📎 plot.png — a falling line\n    [Go]\n\n"
        "Alice\n    two\n    lines"
    )


async def test_only_the_one_asked_sees_an_ephemeral_answer_in_the_text(fake: Discord, place: Place) -> None:
    bob = place.world.person("Bob")
    async with connected(fake, Everything()):
        await place.alice.slash(place.channel, "work")
    assert "Elenchus APP · only you can see this\n    working" in await channel_text(place.channel, place.alice)
    assert "working" not in await channel_text(place.channel, bob)


def test_discord_py_is_pointed_elsewhere_and_back() -> None:
    before = current()
    there = Endpoints("http://127.0.0.1:1/api/v10/", "ws://127.0.0.1:1/gateway", "http://127.0.0.1:1/cdn")
    with using(there):
        assert discord.http.Route("GET", "/users/@me").url == "http://127.0.0.1:1/api/v10/users/@me"
        assert current().gateway == there.gateway
    assert current() == before == Endpoints()


@pytest.mark.parametrize(
    "wrong", [Endpoints(gateway="https://x"), Endpoints(api="discord.com/api"), Endpoints(cdn="ftp://x")]
)
def test_an_address_of_the_wrong_kind_is_refused(wrong: Endpoints) -> None:
    with pytest.raises(ValueError, match="address begins with"):
        use(wrong)
    assert current() == Endpoints()
