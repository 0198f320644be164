"""A whole SocraSynth debate takes at most 1.05 times its longest chain of dependent calls times a call's latency.

The debate is one by the defaults that goes to its limits: agenda, 5 topics, 5 rounds, every reason scored by CRIT, 3
judges, conciliation. Its model answers each call after the same time and marks every sentence, so that the log itself
tells which call has read which: a call depends on those whose marks stand in its prompt. Where a call follows from a
decision and not from words, the rule is written down (`_DECISIONS`): nobody debates before the agenda is agreed, a
round or the closings begin when the round before is scored, the analysis reads the scores. Nothing is taken from the
order in which the program made the calls, so a call that waits for no reason makes the ratio worse. A second a call is
a fast model's time; at 200 ms (the median of three debates) the program's own work on some 200 calls begins to show.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Recorded, Seat, SessionStarted, StepDone
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.protocols.socrasynth.stub import stub
from elenchus.service.app import open_app

DEBATES = {0.2: 3, 1.0: 1}
"""How many debates are held at each latency (seconds)."""

CFG = DebateConfig(motion="Wide pavements are worth their price", judges=("judge-1", "judge-2", "judge-3"))
_MARK = re.compile(r"point-\d+")
_ROUND = re.compile(r"round/(\d+)/")
_DECISIONS: tuple[tuple[str, str], ...] = (
    (r"agenda/review", r"(?!agenda/)"),
    (r"closing/crit/validate/", r"closing/crit/analysis"),
)
"""Steps that decide, and the steps that follow from them (patterns of their beginnings)."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A recorded call, and how many calls stand in the longest chain that ends with it."""

    step: str
    depth: int


def traced(events: Iterable[Recorded]) -> list[Traced]:
    """All calls of a debate with their depths, in the order of the log (a call stands behind those it depends on)."""
    by_mark: dict[str, str] = {}
    depths: dict[str, int] = {}
    for done in (r.event for r in events if isinstance(r.event, StepDone) and r.event.calls):
        assert len(done.calls) == 1, f"{done.step} was repeated"
        read = {by_mark[mark] for mark in _MARK.findall(str(done.inputs)) if mark in by_mark}
        decided = {step for step in depths if _decides(step, done.step)}
        depths[done.step] = 1 + max((depths[step] for step in read | decided), default=0)
        for mark in _MARK.findall(str(done.calls[0].reply)):
            by_mark.setdefault(mark, done.step)
    return [Traced(step, depth) for step, depth in depths.items()]


def _decides(earlier: str, later: str) -> bool:
    """Whether the later step is only taken, or taken so, for what came out of the earlier one."""
    if any(re.match(one, earlier) and re.match(two, later) for one, two in _DECISIONS):
        return True
    scored = re.match(r"round/(\d+)/(crit|done)/", earlier)
    if scored is None:
        return False
    begins = _ROUND.match(later)
    return int(begins[1]) > int(scored[1]) if begins else later.startswith("closing/")


async def debate(latency: float) -> tuple[float, list[Traced], int]:
    """Hold a debate: the seconds it took, its calls, and how many were in flight at most."""
    stand_in = stub(CFG)  # no two of its sentences have the same mark
    client = ScriptedClient(Script(latency=latency), lambda call: stand_in(asked(call)))
    seats = tuple(Seat(name=name, spec="scripted:bench") for name in ("pro", "con", "crit", *CFG.judges))
    started = SessionStarted(
        protocol="socrasynth", title="", config=CFG.model_dump(mode="json"), seats=seats, seed=1, version="0"
    )
    with tempfile.TemporaryDirectory() as home:
        async with open_app(Settings(home=Path(home)), scripts={"bench": client}) as app:
            session_id = await app.runner.create(started)
            begun = time.perf_counter()
            run = await app.runner.run(session_id)
            seconds = time.perf_counter() - begun
            assert run.state == "finished", run.reason
            return seconds, traced(await app.log.read(session_id)), client.most_in_flight


def asked(call: Call) -> Ask:
    """What the stand-in has to know of a call."""
    return Ask(
        step=call.step, seat="", prompt_id=call.prompt_id, prompt_hash="", role="", material=(), task="",
        answer_schema=call.schema, schema_name=call.schema_name,
    )  # fmt: skip


async def main() -> None:
    """Measure, and print a Markdown table."""
    print("  warming up", file=sys.stderr)
    await debate(0.0)
    print("| latency, ms | calls | longest chain | chain × latency, s | wall, s | ratio | most in flight |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for latency, times in DEBATES.items():
        print(f"  {times} at {latency * 1000:.0f} ms", file=sys.stderr)
        seconds, calls, peak = sorted([await debate(latency) for _ in range(times)], key=itemgetter(0))[times // 2]
        chain = max(call.depth for call in calls)
        least, widest = chain * latency, max(Counter(call.depth for call in calls).values())
        assert peak >= widest, f"{widest} calls could be in flight at once, {peak} were"
        print(
            f"| {latency * 1000:.0f} | {len(calls)} | {chain} | {least:.2f} | {seconds:.2f} "
            f"| **{seconds / least:.3f}** | {peak} |"
        )


if __name__ == "__main__":
    asyncio.run(main())
