"""What the bot's benchmarks share: the tests' strict Discord, the bot in a process of its own, many sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from elenchus.bot.bindings import Binding, Bindings
from elenchus.debate_engine.events import Recorded, Seat, SessionStarted
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.storage.sqlite_log import open_log
from tests.bot.stage import Stage, stage_at
from tests.fakes.discord import threads
from tests.fakes.discord.state import Channel


@asynccontextmanager
async def staged(rate_scale: float) -> AsyncIterator[Stage]:
    """A stage in a folder of its own; `rate_scale` 1 has Discord's own rate limits."""
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        async with stage_at(home, rate_scale=rate_scale) as stage:
            yield stage


def debate(model: str, rounds: int = 5) -> SessionStarted:
    """A debate with this model on every seat."""
    cfg = DebateConfig(motion="Cities should ban cars", topics=2, max_rounds=rounds, judges=("judge-1",))
    seats = tuple(Seat(name=name, spec=model, title=name) for name in ("pro", "con", "crit", *cfg.judges))
    return SessionStarted(
        protocol="socrasynth", title=cfg.motion, config=cfg.model_dump(mode="json"), seats=seats, seed=1, version="0"
    )


async def sessions(
    stage: Stage, number: int, started: SessionStarted, events: Sequence[Recorded] = ()
) -> list[Channel]:
    """So many sessions with a thread each, ten threads a channel; with a past if `events` are given."""
    log = await open_log(stage.home / "elenchus.db")
    bindings, made = Bindings(log.key_value_store), list[Channel]()
    channel = stage.channel
    for n in range(number):
        if n and n % 10 == 0:
            channel = stage.discord.world.text_channel(stage.guild, f"debates-{n // 10}")
        owner = stage.guild.members[stage.discord.world.bot.id]
        made.append(threads.start(stage.discord.world, channel, owner, {"name": f"debate {n}", "type": 11}))
        session = f"bench{n}"
        await (log.restore(session, events) if events else log.create(session, started))
        await bindings.put(
            Binding(
                session=session,
                guild=stage.guild.id,
                channel=channel.id,
                thread=made[-1].id,
                moderator=stage.alice.id,
                cursor=events[-1].seq if events else 0,
            )
        )
    await log.aclose()
    return made
