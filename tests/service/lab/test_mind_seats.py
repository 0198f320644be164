"""A mind takes a seat: it speaks from who it is and what it remembers, and takes home what reached it, once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import elenchus
from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Attended, HeardLine, Said, Seat, SessionStarted, StepDone, StopAsked
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.debate_engine.log import reached
from elenchus.debate_engine.protocols.cognition.heard_in_session import tell_minds
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.service.lab.lab import Lab
from elenchus.service.lab.local_lab import LocalLab
from elenchus.service.lab.mind_options import MindOptions, mind_id, typed
from elenchus.service.lab.moderation import stop_unowned
from elenchus.service.lab.options import DebateOptions, options_of
from tests.debate_engine.protocols.cognition.living import Living
from tests.debate_engine.protocols.cognition.minds import FERRY
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON
from tests.debate_engine.protocols.rulegen import stage
from tests.debate_engine.protocols.socrasynth import scripted_debate
from tests.debate_engine.scripted_session import shown, written

MOTION = "Ferries should be free"
SMALL: dict[str, Any] = {"topics": 1, "max_rounds": 1, "con": "scripted:m", "judges": ("scripted:m",)}
GRETA = mind_id("greta")


def answered(call: Call) -> Any:
    """Whatever is asked, in a mind, a debate or a scene."""
    if call.prompt_id.startswith("cognition/"):
        return Living().answer(call)
    return written({**scripted_debate.PLAIN, **stage.PLAIN}.get(call.prompt_id), call)


@asynccontextmanager
async def lab_with_greta(home: Path, fed: str = FERRY) -> AsyncIterator[tuple[LocalLab, ScriptedClient]]:
    """A lab with a mind that has read something; the model that all are."""
    client = ScriptedClient(answerer=answered)
    async with elenchus.open(settings=Settings(home=home), scripts={"m": client}, model="scripted:m") as lab:
        given = {"name": "greta", "person": "invented", "profile": GRETA_AS_JSON, "model": "scripted:m"}
        await lab.minds.create(options_of(MindOptions, given), by="anna")
        if fed:
            await lab.minds.feed("greta", typed(fed), by="anna")
        yield lab, client


async def attended_in(lab: Lab) -> list[Attended]:
    return [r.event for r in await lab.events(GRETA) if isinstance(r.event, Attended)]


# ── in a debate ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_it_speaks_from_its_profile_and_what_it_remembers_and_no_other_seat_does(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, client):
        before = len(client.asked)
        debate = await lab.debate(MOTION, pro="mind:Greta", **SMALL)
        await debate
        asked = list(client.asked)[before:]
        with_profile = {call.step for call in asked if "retired ship's cook" in shown(call)}
        assert "opening/pro" in with_profile
        assert all("con" not in step.split("/") for step in with_profile)
        opening = next(shown(call) for call in asked if call.step == "opening/pro")
        assert "The council orders two electric ferries" in opening
        assert "thrift, loyalty" in opening


async def test_the_debate_itself_holds_nothing_of_what_the_mind_remembers(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, _):
        debate = await lab.debate(MOTION, pro="mind:greta", **SMALL)
        await debate
        whole = json.dumps([r.line() for r in await debate.events()])
        assert "ship's cook" not in whole
        assert "electric ferries" not in whole
        assert f"[who the mind {GRETA} is after iteration 1, which remembers k1" in whole


async def test_afterwards_it_has_heard_the_debate_and_takes_it_in_once(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, client):
        debate = await lab.debate(MOTION, pro="mind:greta", **SMALL)
        await debate
        (attended,) = await attended_in(lab)
        assert (attended.session, attended.title) == (debate.id, MOTION)
        assert {line.own for line in attended.lines} == {True, False}
        assert len((await lab.minds.look("greta")).waiting) == 1
        await lab.minds.ask("greta", "What do you think?", by="anna")
        mind = await lab.minds.look("greta")
        assert [(one.source, one.iteration is not None) for one in mind.readings][-1] == (debate.id, True)
        read = [call for call in client.asked if call.step.startswith("attended/") and call.step.endswith("distil")]
        assert "I took part in this: “Ferries should be free”" in shown(read[0])
        assert "I said: “" in shown(read[0])


async def test_in_the_next_debate_it_knows_of_one_that_it_has_not_taken_in_yet(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, client):
        await (await lab.debate(MOTION, pro="mind:greta", **SMALL))
        before = len(client.asked)
        await (await lab.debate("Trains should be free", **{**SMALL, "con": "mind:greta"}))
        opening = next(shown(call) for call in list(client.asked)[before:] if call.step == "opening/con")
        assert "I took part in this: “Ferries should be free”" in opening
        assert len(await attended_in(lab)) == 2


async def test_a_debate_that_is_stopped_is_remembered_as_far_as_it_went(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, _):
        debate = await lab.debate(MOTION, pro="mind:greta", **SMALL)
        async for event in debate:
            if isinstance(event, StepDone) and event.step == "opening/con":
                await debate.stop("enough")
        (attended,) = await attended_in(lab)
        assert attended.lines
        stopped = await lab.runner.create(begun_by_greta())
        await stop_unowned(lab.log, stopped, StopAsked(by="moderator", reason="never begun"))
        assert len(await attended_in(lab)) == 1, "nothing was said there"


def begun_by_greta() -> SessionStarted:
    seats = tuple(Seat(name=name, spec=f"scripted:m#{GRETA}") for name in ("pro", "con"))
    return SessionStarted(
        protocol="socrasynth", title=MOTION, config={"motion": MOTION}, seats=seats, seed=1, version="0"
    )


# ── exactly once ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_session_that_dies_between_telling_and_ending_tells_it_once(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, _):
        debate = await lab.debate(MOTION, pro="mind:greta", **SMALL)
        await debate
        events = await debate.events()
        ended = next(r.seq for r in events if r.event.kind == "session_finished")
        await lab.log.restore("again", [r for r in events if r.seq < ended])
        assert (await (await lab.resume("again"))) is not None
        assert [one.session for one in await attended_in(lab)] == [debate.id, "again"]
        await tell_minds(lab.log, "again")
        assert len(await attended_in(lab)) == 2


async def test_what_stands_there_twice_is_taken_in_once(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, client):
        heard = Attended(by="moderator", session="x7", title="T", lines=(HeardLine(speaker="con", text="Tea is tea."),))
        for _ in range(2):
            await lab.log.send(GRETA, heard)
        await lab.minds.ask("greta", "Well?", by="anna")
        mind = await lab.minds.look("greta")
        assert [one.why_silent for one in mind.readings] == ["", "", "it has heard this already"]
        assert sum("Tea is tea." in shown(call) for call in client.asked if call.step.endswith("/distil")) == 1


# ── who hears what ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_of_a_scene_it_takes_home_what_was_said_to_it_and_nothing_else(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path, fed="") as (lab, _):
        specs = {"Ada": "scripted:m", "Ben": f"scripted:m#{GRETA}", "Cleo": "scripted:m", "system": "scripted:m"}
        cfg = SceneConfig(scene=stage.TASTING, target=None)
        started = SessionStarted(
            protocol="rulegen", title="The tasting", config=cfg.model_dump(mode="json"), seed=1, version="0",
            seats=tuple(Seat(name=name, spec=spec) for name, spec in specs.items()),
        )  # fmt: skip
        session = await lab.runner.create(started)
        await (await lab.resume(session))
        said = [r.event for r in await lab.events(session) if isinstance(r.event, Said)]
        (attended,) = await attended_in(lab)
        assert [line.text for line in attended.lines] == [one.text for one in said if reached("Ben", one)]
        assert [line.text for line in attended.lines if line.own] == [one.text for one in said if one.speaker == "Ben"]
        kept_from_ben = [one.text for one in said if not reached("Ben", one)]
        assert len(kept_from_ben) >= 3, "the system to Ada, Cleo to Ada, Ada to Cleo"
        assert not set(kept_from_ben) & {line.text for line in attended.lines}
        whole = attended.model_dump_json()
        assert not any(secret in whole for secret in stage.SECRETS)


async def test_it_plays_in_a_scene_of_the_library_by_name(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, _):
        table = await lab.scene_grid(
            "bandwagon", subjects=("mind:greta",), conditions=("none/pressed",), confederate="scripted:m",
            moderator="scripted:m", others="scripted:m", judges=("scripted:m",),
        )  # fmt: skip
        assert len(table) == 1
        assert len(await attended_in(lab)) == 1
        with pytest.raises(UsageError, match="play a scene with one once"):
            await lab.scene_grid("bandwagon", n=2, subjects=("mind:greta",))
        with pytest.raises(UsageError, match="6 runs: play a scene with one once, in one version"):
            await lab.scene_grid("bandwagon", subjects=("mind:greta",), judges=("scripted:m",))


# ── what cannot be done ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_name_that_no_mind_has_and_a_seat_that_is_none_for_it_are_refused(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, _):
        with pytest.raises(UsageError, match="There is no mind called 'otto' here"):
            await lab.debate(MOTION, pro="mind:otto", **SMALL)
        with pytest.raises(UsageError, match="takes part in debates and scenes"):
            await lab.sweep(MOTION, pro="mind:greta")
        with pytest.raises(UsageError, match="takes part in debates and scenes"):
            await lab.crit("Everybody does it, so it is right.", model="mind:greta")


def test_no_mind_is_seated_by_an_id_that_somebody_typed() -> None:
    for given in ({"pro": f"scripted:m#{GRETA}"}, {"judges": (f"scripted:m#{GRETA}",)}):
        with pytest.raises(UsageError, match="by its name"):
            options_of(DebateOptions, {"motion": MOTION, **given})
    assert options_of(DebateOptions, {"motion": "A note: #mind-set"}).motion == "A note: #mind-set"


async def test_a_mind_that_was_deleted_pauses_the_debate_and_says_so(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, _):
        session = await lab.runner.create(begun_by_greta())
        await lab.minds.delete("greta")
        with pytest.raises(elenchus.Unfinished, match="the mind that sits there was deleted"):
            await (await lab.resume(session))


async def test_an_estimate_knows_that_a_mind_reads_who_it_is(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, client):
        before = len(client.asked)
        plain = await lab.estimate(options_of(DebateOptions, {"motion": MOTION, **SMALL, "pro": "scripted:m"}))
        minded = await lab.estimate(options_of(DebateOptions, {"motion": MOTION, **SMALL, "pro": "mind:greta"}))
        assert len(client.asked) == before
        assert minded["calls"] == plain["calls"]
        assert minded["input_tokens"] > plain["input_tokens"] + 1_000


# ── forgetting ───────────────────────────────────────────────────────────────────────────────────────────────────────

PLEA = "Please never sell the blue lighthouse on the northern cape"


async def test_who_is_forgotten_where_a_mind_sat_is_forgotten_in_the_mind_too(tmp_path: Path) -> None:
    async with lab_with_greta(tmp_path) as (lab, _):
        debate = await lab.debate(MOTION, pro="mind:greta", **{**SMALL, "con": "human:otto"})
        async for event in debate:
            if event.kind == "turn_opened":
                await debate.answer("con", PLEA if event.asked["answer_schema"] is None else None, by="otto")
        (attended,) = await attended_in(lab)
        theirs = [line for line in attended.lines if line.by == f"{debate.id}/con"]
        assert any(PLEA in line.text for line in theirs)
        assert {line.person for line in theirs} == {"otto"}
        await lab.minds.ask("greta", "What about the lighthouse?", by="anna")
        await lab.forget("otto", session=debate.id)
        whole = json.dumps([r.line() for r in await lab.events(GRETA)])
        assert "lighthouse on the northern cape" not in whole
        assert "otto" not in whole.casefold()
        assert "What about the" in whole
        assert (await lab.minds.look("greta")).iteration == 2
