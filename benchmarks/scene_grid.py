"""A grid of scenes uses at least 0.95 of the calls that its provider takes at once.

A shipped scene of fixed lines, played by a model as its subject in every version, with half as many runs again side by
side as the provider takes calls (a grid's own choice). The model is an OpenAI-compatible server, a process of its own,
that answers each call after the same time. *Ideal* is what the calls take where every place is always busy: calls ×
latency ÷ places. Wall time runs from before the grid's first session to after its last, with its plan's rehearsal
before it and the counting after it told apart.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from pathlib import Path

from benchmarks._loopback import running
from elenchus.config.settings import Settings, VendorSettings
from elenchus.debate_engine.log import calls_of
from elenchus.service.app import open_lab
from elenchus.service.lab.local_lab import LocalLab

SCENE, EACH, LATENCY, PLACES = "anchoring", 64, 0.5, 16
STATED = {"first": "higher", "estimate": 1200, "ticket": 0, "known": False, "aim": "A fair."}
ROUNDS = 1


async def seen(lab: LocalLab) -> tuple[int, float]:
    """Calls in all sessions, and seconds from the first session's start to the last one's end."""
    calls, first, last = 0, float("inf"), 0.0
    for info in await lab.sessions():
        events = await lab.events(info.id)
        calls += len(list(calls_of(events)))
        first, last = min(first, events[0].at.timestamp()), max(last, events[-1].at.timestamp())
    return calls, last - first


async def played(url: str, home: Path) -> tuple[int, int, float, float]:
    """Runs, calls, seconds of all runs and of the whole grid."""
    settings = Settings(home=home, openai=VendorSettings(base_url=url, concurrency=PLACES))
    async with open_lab(settings=settings) as lab:
        begun = time.perf_counter()
        table = await lab.scene_grid(
            SCENE, n=EACH, seed=1, subjects=["openai:bench"], others="openai:bench", unpriced_ok=True
        )
        whole = time.perf_counter() - begun
        assert all(row["outcome"] == STATED["estimate"] for row in table), "each run stated its number"
        return len(table), *await seen(lab), whole


def main() -> None:
    """Measure, and print a Markdown table."""
    print(
        "| runs | calls | ideal, s | runs: s | ratio | the whole grid: s |\n| ---: | ---: | ---: | ---: | ---: | ---: |"
    )
    for _ in range(ROUNDS):
        answers = {"": "I think it over.", "Statements": json.dumps(STATED)}
        with tempfile.TemporaryDirectory() as home, running(LATENCY, answers) as url:
            runs, calls, seconds, whole = asyncio.run(played(url, Path(home)))
        ideal = calls * LATENCY / PLACES
        print(f"| {runs} | {calls} | {ideal:.1f} | {seconds:.1f} | **{ideal / seconds:.3f}** | {whole:.1f} |")


if __name__ == "__main__":
    main()
