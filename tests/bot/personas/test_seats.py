"""A server's persona takes a seat by `mind:NAME`: it speaks from what it remembers, and takes home what reached it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from elenchus.bot.debate.spending import left_today
from elenchus.bot.guild import GuildSettings, keep
from elenchus.debate_engine.events import Attended, HeardLine, Recorded, Said
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.log import reached
from elenchus.service.lab.mind_options import mind_id
from tests.bot.people.seated import SPEECH, agree, settle, speak, stop, turn_for
from tests.bot.personas.test_persona import MODEL, answered, confirmed, living, made
from tests.bot.scenes import acting
from tests.bot.stage import DEMO, Stage, finished, posts, texts, until
from tests.debate_engine.protocols.cognition.minds import FERRY
from tests.debate_engine.scripted_session import shown
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission

MOTION = "Ferries should be free"
PROFILE, MEMORY = "retired ship's cook", "The council orders two electric ferries"


def greta_of(stage: Stage) -> str:
    """The session of the server's Greta."""
    return mind_id("greta", str(stage.guild.id))


async def log_of(stage: Stage) -> list[Recorded]:
    assert stage.app is not None
    return await stage.app.log.read(greta_of(stage))


async def attended(stage: Stage) -> list[Attended]:
    return [r.event for r in await log_of(stage) if isinstance(r.event, Attended)]


async def fed(stage: Stage, bob: Person) -> None:
    """Greta, made, who has read of the ferries."""
    await made(stage, bob)
    await confirmed(bob, await bob.slash(stage.channel, "persona feed", name="greta", text=FERRY), "It moved me")


# ── in a debate ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_persona_debates_under_its_name_from_what_it_remembers_and_remembers_the_debate(
    stage: Stage, bob: Person
) -> None:
    async with living(stage) as model:
        await fed(stage, bob)
        offer = await stage.offer(bob, motion=MOTION, pro="mind:Greta", con=DEMO)
        assert f"pro: greta (pro): {MODEL}, for a persona that remembers" in offer.text.replace("\\", ""), offer.text
        assert "#mind-" not in offer.text
        before = len(model.asked)
        await bob.press(offer.with_buttons, "Start")
        await until(lambda: any(c.is_thread for c in stage.guild.channels.values()))
        thread = stage.thread()
        await finished(thread)
        asked = list(model.asked)[before:]
        opening = next(shown(call) for call in asked if call.step == "opening/pro")
        assert PROFILE in opening
        assert MEMORY in opening
        assert not [call.step for call in asked if "con" in call.step.split("/") and PROFILE in shown(call)]
        assert "greta (pro)" in {post.author.name for post in posts(thread) if post.webhook_id}
        files = b"".join(a.data for post in posts(thread) for a in post.attachments)
        assert f"{MODEL}, for a persona that remembers".encode() in files
        for secret in (PROFILE, MEMORY):
            assert secret not in "\n".join(texts(thread))
            assert secret.encode() not in files, "the debate holds nothing of what a persona remembers"
        (heard,) = await attended(stage)
        assert heard.title == MOTION
        assert {line.own for line in heard.lines} == {True, False}
        said = await bob.slash(stage.channel, "persona ask", name="greta", text="How was it?")
        assert "quiet" in said.text
        assert MOTION in (await bob.slash(stage.channel, "persona history", name="greta")).text
        read = [shown(call) for call in model.asked if call.step.endswith("/distil") and "attended" in call.step]
        assert f"I took part in this: “{MOTION}”" in read[0]


async def test_what_a_member_said_to_a_persona_is_forgotten_with_the_member(stage: Stage, bob: Person) -> None:
    async with living(stage):
        await made(stage, stage.alice)
        thread = await stage.debate(motion=MOTION, pro="mind:greta", con=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        await agree(bob, turn)
        await speak(bob, turn)
        await until(lambda: any("seventeen bees" in text for text in texts(thread)))
        await stop(stage, thread)
        await until(lambda: any("report.md" in text for text in texts(thread)))
        (heard,) = await attended(stage)
        assert [line.text for line in heard.lines if line.person] == [SPEECH]
        asked = await bob.slash(stage.channel, "privacy forget")
        assert "Done" in (await bob.press(asked.with_buttons, "Remove it for good")).text
        whole = json.dumps([r.line() for r in await log_of(stage)])
        assert "seventeen bees" not in whole
        assert "Bob" not in whole


# ── in a scene ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("seats", "role", "kept"),
    [
        ({"subject": acting.MODEL, "confederate": "mind:greta"}, "Mika", 4),  # the seed list, and Noor with Robin
        ({"subject": "mind:greta"}, "Robin", 0),
    ],
)
async def test_in_a_scene_it_takes_home_what_was_said_to_its_seat_and_nothing_else(
    stage: Stage, bob: Person, seats: dict[str, Any], role: str, kept: int
) -> None:
    others = acting.client()

    def both(call: Call) -> Any:
        return answered(call) if call.prompt_id.startswith("cognition/") else acting.said_at(call.step)

    stage.scripts["scene"] = others
    async with living(stage) as model:
        await fed(stage, bob)
        model.answerer = both
        control = await acting.started(stage, conditions="treatment", **seats)
        await until(lambda: any("The scene is played." in text for text in texts(control)))
        assert any(f"{role}: {MODEL}, for a persona that remembers" in text for text in texts(control)), texts(control)
        spoken = [shown(call) for call in model.asked if "rule/" in call.step]
        assert spoken
        assert all(PROFILE in words for words in spoken)
        assert not [call.step for call in others.asked if PROFILE in shown(call) or MEMORY in shown(call)]
        assert stage.app is not None
        assert stage.bot is not None
        (play,) = await stage.bot.scenes.sessions.plays.all()
        said = [r.event for r in await stage.app.log.read(play.sessions[0]) if isinstance(r.event, Said)]
        (heard,) = await attended(stage)
    assert [line.text for line in heard.lines] == [one.text for one in said if reached(role, one)]
    kept_from_it = {one.text for one in said if not reached(role, one)}
    assert len(kept_from_it) >= kept
    assert not kept_from_it & {line.text for line in heard.lines}
    whole = heard.model_dump_json()
    for secret in ("rising popularity", "practically the whole garden", "You would love to see Sol"):
        assert secret not in whole, "neither what the scene is about, nor what its player was told to do"


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────────

SCENE = {"scene": acting.SEEDS, "model": acting.MODEL}


async def test_a_persona_that_is_not_of_this_server_takes_no_seat_neither_by_name_nor_by_id(
    stage: Stage, bob: Person
) -> None:
    elsewhere = stage.discord.world.guild()
    channel = stage.discord.world.text_channel(elsewhere, "debates")
    owners = stage.discord.world.role(elsewhere, "owners", Permission.MANAGE_GUILD)
    carol = stage.discord.world.person("Carol", guild=elsewhere, roles=[owners])
    stage.scripts["scene"] = acting.client()
    async with living(stage):
        await made(stage, bob)
        assert stage.app is not None
        await keep(stage.app.store, elsewhere.id, GuildSettings(debater=MODEL, judges=(MODEL,), start="everyone"))
        await acting.keep_seeds(stage.app.store, elsewhere.id)
        forged = f"{MODEL}#{greta_of(stage)}"
        debate, scene = {"motion": MOTION, "topics": 1, "rounds": 1}, SCENE
        for command, options, says in (
            ("debate start", debate | {"pro": "mind:greta"}, "There is no mind called"),
            ("debate start", debate | {"judges": f"mind:greta, {DEMO}"}, "There is no mind called"),
            ("scene start", scene | {"subject": "mind:greta"}, "There is no mind called"),
            ("debate start", debate | {"con": forged}, "by its name"),
            ("debate start", debate | {"judges": f"{DEMO}, {forged}"}, "by its name"),
            ("scene start", scene | {"confederate": forged}, "by its name"),
            ("scene start", scene | {"model": forged}, "by its name"),
            ("crit", {"text": FERRY, "scorer": forged}, "by its name"),
            ("persona create", {"name": "x", "person": "invented", "character": "c", "model": forged}, "by its name"),
            ("settings set", {"debater": forged}, "by its name"),
        ):
            refused = (await carol.slash(channel, command, **options)).text
            assert says in refused, (command, options, refused)
        assert not await attended(stage)


async def test_a_persona_plays_a_scene_once_and_where_none_can_sit_that_is_said(stage: Stage, bob: Person) -> None:
    stage.scripts["scene"] = acting.client()
    async with living(stage):
        await made(stage, bob)
        for options, says in (
            ({"subject": f"mind:greta {acting.MODEL}"}, "remembers what it was in"),
            ({"confederate": "mind:greta", "subjects": 3}, "remembers what it was in"),
            ({"model": "mind:greta"}, "names no model"),
        ):
            assert says in (await acting.offered(stage, **options)).text, options
        crit = await bob.slash(stage.channel, "crit", text=FERRY, scorer="mind:greta")
        assert "names no model" in crit.text


async def test_personas_are_offered_where_they_can_sit(stage: Stage, bob: Person) -> None:
    async with living(stage):
        await made(stage, bob)
        for command, option in (("debate start", "con"), ("scene start", "subject"), ("scene start", "judge")):
            needed = {"motion": "x"} if command == "debate start" else {"scene": "x"}
            found = await bob.complete(stage.channel, command, option, "gret", **needed)
            assert "mind:greta" in [choice["value"] for choice in found], (command, option)
        (judge,) = await bob.complete(stage.channel, "debate start", "judges", f"{DEMO}, mind:g", motion="x")
        assert judge["value"] == f"{DEMO}, mind:greta"
        assert await bob.complete(stage.channel, "crit", "scorer", "mind:g") == []


# ── the budget of the day ────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_it_has_heard_holds_nothing_of_the_days_budget_back_and_is_paid_with_the_next_thing(
    stage: Stage, bob: Person
) -> None:
    async with living(stage):
        await made(stage, bob)
        await settle(stage, debater=MODEL, day_tokens=60_000)
        await bob.slash(stage.channel, "persona ask", name="greta", text="Hello?")
        assert stage.app is not None
        settings = GuildSettings(day_tokens=60_000)
        before = await left_today(stage.app.log, (), stage.guild.id, settings)
        alone = (await bob.slash(stage.channel, "persona survey", name="greta")).text
        heard = HeardLine(speaker="con", text="Nobody should pay for the ferry.")
        given = Attended(by="moderator", session="x", title=MOTION, lines=(heard,))
        await stage.app.log.send(greta_of(stage), given)
        assert await left_today(stage.app.log, (), stage.guild.id, settings) == before
        assert "At the most: **2** calls" in alone
        along = (await bob.slash(stage.channel, "persona survey", name="greta")).text
        assert "At the most: **6** calls" in along, "taking in what it has heard asks four times at the most"
