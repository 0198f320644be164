"""A scene run by the application itself: its registry, its log on disk, its recall; and a person who is forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Seat, SessionStarted, TurnAnswered, TurnOpened
from elenchus.debate_engine.protocols.rulegen.casting import config_for
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.debate_engine.scenes.scene import Rule
from elenchus.service.app import open_app
from tests.debate_engine.protocols.rulegen.stage import NAMES, TASTING, TELLS, scene

WORDS = "I would rather take the black tea that my aunt Mathilda liked"
ROUNDS = scene(*TASTING.rules, TELLS, NAMES, Rule.model_validate(NAMES.model_dump()))


def started(subject: str) -> SessionStarted:
    names = ("Ada", "Ben", "Cleo", "system", "judge-1", "judge-2")
    seats = tuple(Seat(name=name, spec=subject if name == "Ada" else "scripted:demo") for name in names)
    cfg = config_for(ROUNDS, seats, short_term=1)
    return SessionStarted(
        protocol="rulegen", title="Tea", config=cfg.model_dump(mode="json"), seats=seats, seed=1, version="0"
    )


async def test_the_application_plays_a_scene(tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path)) as app:
        session = await app.runner.create(started("scripted:demo"))
        run = await asyncio.wait_for(app.runner.run(session), 60)
    assert run.state == "finished", run.reason
    played = Played.model_validate(run.outcome)
    assert len(played.record) == 8
    assert played.evaluation is not None


async def test_a_subject_who_is_forgotten_leaves_no_words_and_the_scene_can_still_be_read(tmp_path: Path) -> None:
    async with open_app(Settings(home=tmp_path)) as app:
        session = await app.runner.create(started("human:bo"))

        async def person() -> None:
            async for r in app.log.follow(session):
                if isinstance(r.event, TurnOpened):
                    words = WORDS if r.event.answer_schema is None else {"agreed": "yes"}
                    answered = TurnAnswered(step=r.event.step, seat="Ada", by="bo", answer=words)
                    await app.log.send(session, answered)

        task = asyncio.create_task(person())
        run = await asyncio.wait_for(app.runner.run(session), 60)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert run.state == "finished", run.reason
        assert await app.runner.forget(session, "Ada") > 0
        left = "\n".join(r.event.model_dump_json() for r in await app.log.read(session))
    assert "Mathilda" not in left
    assert "[redacted]" in left
