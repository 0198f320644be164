"""`/persona`: made, fed, asked, surveyed and looked at in a server, each seen by whoever asked, paid from its day."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from aiohttp import web

from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.services import BotServices
from elenchus.debate_engine.events import BudgetRaised
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, Scripted, ScriptedClient
from elenchus.service.app import App
from tests.bot.people.seated import settle
from tests.bot.stage import Stage, services_of, until
from tests.debate_engine.protocols.cognition.living import described, real
from tests.debate_engine.protocols.cognition.minds import FACTS, FERRY, OPINIONS, distilled, rated, refining
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON
from tests.debate_engine.scripted_session import Written
from tests.detectors.evaluation.cogbench.flows.site import site
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person

PROFILE = ("greta.json", json.dumps(GRETA_AS_JSON).encode())
MODEL = "scripted:greta"
SPENDING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ask", {"text": "Hello?"}),
    ("feed", {"text": FERRY}),
    ("survey", {}),
)
"""Commands that ask a model."""
LIVING = described("living", "the minister")


def answered(call: Call) -> Written:
    """What the model of these tests says."""
    match call.prompt_id.removeprefix("cognition/"):
        case "refine" | "small-refine":
            return refining({"Future Outlook": ["a quiet garden", "sailing on batteries"]})
        case "distil":
            return distilled(*FACTS)
        case "interpret":
            return rated(4)
        case "talk":
            return "I like **quiet** mornings. @everyone"
    return None


@asynccontextmanager
async def living(stage: Stage, **settings: Any) -> AsyncIterator[ScriptedClient]:
    """The bot runs; the server's personas answer as above."""
    client = stage.scripts["greta"] = ScriptedClient(Script(), answered)
    async with stage.running():
        await settle(stage, debater=MODEL, **settings)
        yield client


async def made(stage: Stage, who: Person, **options: Any) -> str:
    """Greta, made; what was told."""
    given = {"name": "greta", "person": "invented", "profile": PROFILE, "opinions": "; ".join(OPINIONS)} | options
    return await confirmed(who, await who.slash(stage.channel, "persona create", **given), "is there")


async def confirmed(who: Person, offer: Answer, end: str) -> str:
    """Press Start under an offer, and wait until the end is told; all that was told."""
    pressed = await who.press(offer.with_buttons, "Start")
    await until(lambda: end in told(pressed), 15)
    assert all(post.ephemeral for post in pressed.followups)
    return told(pressed)


def told(answer: Answer) -> str:
    """All that an answer says."""
    return answer.text


async def test_a_persona_is_made_fed_surveyed_asked_and_looked_at(stage: Stage, bob: Person) -> None:
    async with living(stage):
        offer = await bob.slash(
            stage.channel,
            "persona create",
            name="greta",
            person="invented",
            profile=PROFILE,
            opinions="; ".join(OPINIONS),
        )
        assert offer.ephemeral
        for part in (
            "Make this persona?",
            "a whole profile",
            "somebody invented",
            OPINIONS[1],
            "At the most: **1** call",
        ):
            assert part in offer.text, offer.text
        assert "Greta Lund" in await confirmed(bob, offer, "emembers 0 statements")
        before = await confirmed(bob, await bob.slash(stage.channel, "persona survey", name="greta"), "after 0 texts")
        assert "**4** Ferries should run on batteries." in before
        feed = await bob.slash(stage.channel, "persona feed", name="Greta", text=FERRY, title="Ferries")
        assert "Have Greta read this?" in feed.text
        assert "The council orders two electric ferries" in feed.text
        read = await confirmed(bob, feed, "sailing on batteries")
        assert "It moved me" in read
        said = await bob.slash(stage.channel, "persona ask", name="greta", text="Do you like <b>ferries</b>?")
        assert "I like **quiet** mornings." in said.text
        assert "@everyone" not in said.text.replace("@\u200beveryone", "")
        shown = (await bob.slash(stage.channel, "persona show", name="greta")).text
        assert "Greta Lund, after 1 iteration" in shown
        assert "sailing on batteries (at the beginning: a quiet garden)" in shown.replace("\\", "")
        assert "orders two electric ferries" in shown
        assert "sailing" not in (await bob.slash(stage.channel, "persona show", name="greta", at="0")).text
        assert "no day" in (await bob.slash(stage.channel, "persona show", name="greta", at="monday")).text
        history = await bob.slash(stage.channel, "persona history", name="greta")
        assert "Ferries" in history.text
        assert "a member:** Do you like" in history.text
        assert str(bob.id) not in history.text
        files = {a.filename: a.data for post in (history.message, *history.followups) for a in post.attachments}
        assert "attitudes.png" in files, history.text
        assert files["attitudes.png"].startswith(b"\x89PNG")
        assert b"sailing on batteries" in files["report.md"]
        assert [c["value"] for c in await bob.complete(stage.channel, "persona show", "name", "gre")] == ["greta"]
    assert not [c for c in stage.guild.channels.values() if c.is_thread]
    assert not [post for post in stage.channel.messages.values() if not post.ephemeral], "nobody else sees any of it"


async def test_of_somebody_who_lives_no_persona_is_made_but_by_themselves(stage: Stage, bob: Person) -> None:
    async with living(stage) as model:
        said = {"cognition/create": LIVING, "cognition/person": real("living", "Greta Lund")}
        model.answerer = lambda call: said.get(call.prompt_id) or answered(call)
        whole = await bob.slash(stage.channel, "persona create", name="whole", person="invented", profile=PROFILE)
        assert "(Greta Lund), and nobody else has a mind made of them" in await confirmed(bob, whole, "a real person")
        line: dict[str, Any] = {"name": "minister", "person": "invented", "character": "Greta Lund, the minister"}
        refused = await confirmed(bob, await bob.slash(stage.channel, "persona create", **line), "a real person")
        assert "nobody else has a mind made of them" in refused
        assert "There is no mind called" in (await bob.slash(stage.channel, "persona show", name="minister")).text
        own = await bob.slash(stage.channel, "persona create", **line | {"person": "myself", "language": "Norwegian"})
        assert "Greta Lund" in await confirmed(bob, own, "emembers 0 statements")
        assert "Norwegian" in "".join(message.content for message in model.asked[-1].messages)


async def test_a_file_and_a_link_are_read_and_what_cannot_be_is_refused_in_a_sentence(
    stage: Stage, bob: Person
) -> None:
    page = web.Response(text=f"<html><title>Ferries again</title><article><p>{FERRY}</p></article></html>")
    page.content_type = "text/html"
    async with site({"/news": page}) as news:

        def services(app: App) -> BotServices:
            return replace(services_of(app), fetching=news.policy())

        stage.services_of = services
        async with living(stage):
            await made(stage, bob)
            link = await bob.slash(stage.channel, "persona feed", name="greta", link=news.at("/news"))
            assert "Ferries again" in link.text
            await confirmed(bob, link, "It moved me")
            file = await bob.slash(stage.channel, "persona feed", name="greta", file=("harbour.md", FERRY.encode()))
            await confirmed(bob, file, "harbour")
            unread: tuple[tuple[dict[str, Any], str], ...] = (
                ({}, "Give one thing to read"),
                ({"text": "a", "link": "https://example.org"}, "Give one thing to read"),
                ({"text": "\u200b"}, "nothing to read"),
                ({"file": ("a.md", b"x" * 10_000_000)}, "larger than 5,000,000 bytes"),
                ({"file": ("a.png", b"\x89PNG\x00\xff")}, "cannot be read"),
                ({"file": ("broken.pdf", b"%PDF-1.7 broken")}, "cannot be read"),
                ({"link": "http://169.254.169.254/latest"}, "another place"),
                ({"link": "file:///etc/passwd"}, "no address of a page"),
            )
            for wrong, says in unread:
                refused = (await bob.slash(stage.channel, "persona feed", name="greta", **wrong)).text
                assert says in refused, (wrong, refused)
                assert refused.count("\n") < 2
            assert "a.md" not in (await bob.slash(stage.channel, "persona history", name="greta")).text
            unmade: tuple[tuple[dict[str, Any], str], ...] = (
                ({"profile": ("a.yaml", b"Name: Greta")}, "it lacks"),
                ({"profile": ("a.yaml", b"[")}, "YAML"),
                ({"character": "a cook"}, "either"),
                ({"name": "a:b"}, "what the mind is called"),
                ({"name": "GRETA"}, "choose another name"),
                ({"model": f"<@{bob.id}>"}, "A mind is a model"),
            )
            for more, says in unmade:
                given: dict[str, Any] = {"name": "ida", "person": "invented", "profile": PROFILE, **more}
                assert says in (await bob.slash(stage.channel, "persona create", **given)).text, more
            again = (await bob.slash(stage.channel, "persona ask", name="nobody", text="Hello?")).text
            assert "There is no mind called" in again


async def test_a_server_sees_its_own_personas_alone(stage: Stage, bob: Person) -> None:
    elsewhere = stage.discord.world.guild()
    channel = stage.discord.world.text_channel(elsewhere, "debates")
    carol = stage.discord.world.person("Carol", guild=elsewhere)
    async with living(stage):
        await made(stage, bob)
        assert stage.app
        await keep(stage.app.store, elsewhere.id, GuildSettings(debater=MODEL, judges=(MODEL,), start="everyone"))
        for command, more in (*SPENDING, ("show", {}), ("history", {})):
            shown = (await carol.slash(channel, f"persona {command}", name="greta", **more)).text
            assert "There is no mind called" in shown
        assert await carol.complete(channel, "persona show", "name", "") == []


async def test_what_personas_use_counts_towards_the_day_and_who_may_start_nothing_gives_them_nothing(
    stage: Stage, bob: Person
) -> None:
    async with living(stage) as model:
        await made(stage, bob)
        await settle(stage, debater=MODEL, day_tokens=60_000)
        asked = await bob.slash(stage.channel, "persona ask", name="greta", text="Hello?")
        assert "quiet" in asked.text
        feed = await bob.slash(stage.channel, "persona feed", name="greta", text=FERRY)
        assert "tokens" in feed.text
        await confirmed(bob, feed, "It moved me")
        calls = len(model.asked)
        await settle(stage, debater=MODEL, day_tokens=400)
        for command, more in SPENDING:
            assert "tokens left" in (await bob.slash(stage.channel, f"persona {command}", name="greta", **more)).text
        assert "tokens left" in (await bob.slash(stage.channel, "crit", text=FERRY)).text, "what it used is used up"
        await settle(stage, debater=MODEL, start="moderators")
        for command, more in SPENDING:
            assert "may not start" in (await bob.slash(stage.channel, f"persona {command}", name="greta", **more)).text
        assert len(model.asked) == calls
        assert "Greta Lund" in (await bob.slash(stage.channel, "persona show", name="greta")).text


async def test_a_model_that_costs_nothing_answers_where_a_server_counts_money(stage: Stage, bob: Person) -> None:
    async with living(stage):
        await made(stage, bob)
        await settle(stage, debater=MODEL, day_usd=5.0)
        for _ in range(2):
            asked = await bob.slash(stage.channel, "persona ask", name="greta", text="Hello?")
            assert "quiet" in asked.text, asked.text


async def test_a_persona_whose_model_is_away_leaves_the_servers_day_to_others(stage: Stage, bob: Person) -> None:
    async with living(stage) as model:
        await made(stage, bob)
        await settle(stage, debater=MODEL, day_tokens=60_000)
        model.answerer = lambda call: Scripted(fault="down")
        away = await bob.slash(stage.channel, "persona ask", name="greta", text="Hello?")
        assert "what it was given is kept" in away.text, away.text
        offered = await bob.slash(stage.channel, "persona survey", name="greta")
        assert "At the most" in offered.text, offered.text
        model.answerer = answered
        asked = await bob.slash(stage.channel, "persona ask", name="greta", text="And now?")
        assert "quiet" in asked.text, "both are answered, within what is left of the day"
        assert stage.app
        events = await stage.app.minds.events("greta", str(stage.guild.id))
        raised = [r.event.tokens or 0 for r in events if isinstance(r.event, BudgetRaised)]
        assert all(0 < tokens < 40_000 for tokens in raised), "what it needs, and not the whole day"


async def test_whoever_is_forgotten_is_forgotten_in_what_they_told_a_persona(stage: Stage, bob: Person) -> None:
    async with living(stage):
        await made(stage, stage.alice)
        await bob.slash(stage.channel, "persona ask", name="greta", text="My sister Wilhelmina likes ferries, too.")
        asked = await bob.slash(stage.channel, "privacy forget")
        assert "Done" in (await bob.press(asked.with_buttons, "Remove it for good")).text
        history = await stage.alice.slash(stage.channel, "persona history", name="greta")
        report = b"".join(a.data for post in (history.message, *history.followups) for a in post.attachments)
    assert "Wilhelmina" not in history.text
    assert b"Wilhelmina" not in report
