"""A session of 1,000 events makes its first new step within 100 ms of being resumed.

The session is a debate of speakers in turn, 2 KB an event, whose process died after its 1,000th. Time runs from opening
the log until a seat is asked for what is not recorded: the first new effect. *Fresh* is a process of its own for each
resume, its imports done (`startup` measures those) but nothing used before; *warm* resumes again and again in one.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2  # noqa: F401 - prompts import it when the first is rendered; imports are not measured here

from elenchus.debate_engine.events import EVERYONE, Recorded, Seat, SessionStarted
from elenchus.debate_engine.participant import Answer, Ask
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Session
from elenchus.storage.sqlite_log import open_log

EVENTS, RESUMES = 1000, 15
PARTS = ("open the log", "claim the session, read it", "replay to the first new step", "CPU of all")
PROMPT = Prompt.parse(
    "---\nid: bench/speak\nvariables: [heard]\n---\n%% role\nYou are a debater.\n"
    '%% material "What you heard" digest\n{{ heard }}\n%% task\nSpeak.\n'
)
SPEECH = "Wide streets invite walking and trade. " * 15
STARTED = SessionStarted(
    protocol="bench",
    title="Bench",
    config={},
    seats=tuple(Seat(name=name, spec="bench") for name in ("pro", "con")),
    seed=1,
    version="0",
)


@dataclass
class Resume:
    """One resume: the ends of its parts, and a seat that answers `answers` times before it lets nothing more happen."""

    answers: int = 0
    begun: float = field(default_factory=time.perf_counter)
    ends: list[float] = field(default_factory=list)
    cpu: float = field(default_factory=time.process_time)
    stuck: asyncio.Event = field(default_factory=asyncio.Event)

    def end(self) -> None:
        """A part is over."""
        self.ends.append(time.perf_counter())

    @property
    def parts(self) -> list[float]:
        """Milliseconds of each part."""
        return [(b - a) * 1000 for a, b in zip([self.begun, *self.ends], self.ends, strict=False)]

    async def protocol(self, s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
        """Speakers in turn, each of whom has heard the last three speeches."""
        self.end()
        for number in range(EVENTS):
            name = ("pro", "con")[number % 2]
            heard = "\n".join(said.text for said in s.heard_by(name)[-3:])
            text = await s.ask(f"{number}/{name}", name, PROMPT, heard=heard)
            await s.say(f"{number}/said", name, [EVERYONE], str(text), "a turn")
        return {}

    async def answer(self, ask: Ask) -> Answer:
        """Speak."""
        if not self.answers:
            self.end()
            self.cpu = (time.process_time() - self.cpu) * 1000
            self.stuck.set()
            await asyncio.Event().wait()
        self.answers -= 1
        return Answer(SPEECH)

    def most(self, ask: Ask) -> tuple[int, float]:
        """Nothing is spent."""
        return 0, 0.0


async def resumed(path: Path, session_id: str) -> list[float]:
    """Resume up to the first new step; milliseconds of the parts, and of CPU for all."""
    resume = Resume()
    log = await open_log(path)
    resume.end()
    run = asyncio.create_task(Runner(log, {"bench": resume.protocol}, lambda seat, room: resume).run(session_id))
    await resume.stuck.wait()
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    await log.aclose()
    return [*resume.parts, resume.cpu]


async def prepared(path: Path) -> list[str]:
    """Hold the debate, and make sessions of its first 1,000 events: one for each resume."""
    log = await open_log(path)
    resume = Resume(answers=EVENTS // 2)
    runner = Runner(log, {"bench": resume.protocol}, lambda seat, room: resume)
    held = asyncio.create_task(runner.run(await runner.create(STARTED, "held")))
    await resume.stuck.wait()
    held.cancel()
    await asyncio.gather(held, return_exceptions=True)
    events: Sequence[Recorded] = (await log.read("held"))[:EVENTS]
    assert len(events) == EVENTS
    ids = [f"copy-{number}" for number in range(2 * RESUMES + 1)]
    for session_id in ids:
        await log.restore(session_id, events)
    await log.aclose()
    return ids


def in_a_fresh_process(path: Path, session_id: str) -> list[float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.resume", str(path), session_id]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], check=True, stdout=subprocess.PIPE, text=True)
    parts: list[float] = json.loads(done.stdout)
    return parts


async def main() -> None:
    """Measure, and print a Markdown table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        print("  preparing", file=sys.stderr)
        first, *ids = await prepared(path)
        await resumed(path, first)
        found: dict[str, list[list[float]]] = {"fresh": [], "warm": []}
        for number in range(RESUMES):
            print(f"  resume {number + 1} of {RESUMES}", file=sys.stderr)
            found["fresh"].append(await asyncio.to_thread(in_a_fresh_process, path, ids[2 * number]))
            found["warm"].append(await resumed(path, ids[2 * number + 1]))
    columns = ["medians, ms", *PARTS, "wall of all", "slowest"]
    print(f"| {' | '.join(columns)} |\n| --- |{' ---: |' * (len(columns) - 1)}")
    for name, resumes in found.items():
        medians = [f"{statistics.median(column):.1f}" for column in zip(*resumes, strict=True)]
        totals = [sum(parts[:-1]) for parts in resumes]
        print(f"| {name} | {' | '.join(medians)} | **{statistics.median(totals):.1f}** | {max(totals):.1f} |")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(asyncio.run(resumed(Path(sys.argv[1]), sys.argv[2]))))
    else:
        asyncio.run(main())
