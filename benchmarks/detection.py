"""Claim: a detection takes hardly longer than the calls of its critical path: with 16 candidates, at most 1.05 times
(screen + check + ⌈log₂ 16⌉ × (4 stages + referees)) × the model's latency.

The whole method over a log on disk, with a scripted model that answers every call after a second: 258 calls, of which
22 wait for one another. All screeners' suspicions are confirmed, and every match is decided.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.detectors.protocol import seats_of
from elenchus.detectors.schemas import MOST_SUSPECTED, DetectConfig, Turn
from elenchus.service.app import open_app

CANDIDATES, CHAIN = 2 * MOST_SUSPECTED, 1 + 1 + 4 * (4 + 1)
LATENCY = 1.0
ROUNDS = 3
TEXT = "We have put three years into the boat. If we stopped now, all that would have been for nothing. " * 8
SPEECH = "They say “all that would have been for nothing”, and that is what it comes down to in this text. " * 5


def answer(call: Call) -> dict[str, Any] | str | None:
    """Suspect sixteen different biases, confirm all, argue, and score by the name."""
    if call.prompt_id == "detectors/screen":
        assert call.schema is not None
        names = call.schema["properties"]["biases"]["items"]["enum"]
        first = 0 if call.step.endswith("aggressive") else MOST_SUSPECTED
        return {"biases": names[first : first + MOST_SUSPECTED]}
    if call.prompt_id == "detectors/check":
        return {"quotes": ["all that would have been for nothing"], "reason": "It says so.", "present": "yes"}
    return SPEECH if call.schema is None else None  # cards are filler: different for each side


async def seconds(folder: Path, latency: float) -> tuple[float, int]:
    """Return how long one detection takes, and how many calls it makes."""
    cfg = DetectConfig(turns=(Turn(text=TEXT),))
    client = ScriptedClient(Script(latency=latency), answer)
    async with open_app(Settings(home=folder), scripts={"bench": client}) as app:
        seats = tuple(Seat(name=name, spec="scripted:bench") for name in seats_of(cfg))
        session = await app.runner.create(
            SessionStarted(
                protocol="detect", title="Bench", config=cfg.model_dump(mode="json"), seats=seats, seed=1, version="0"
            )
        )
        begun = time.perf_counter()
        run = await app.runner.run(session)
        took = time.perf_counter() - begun
    assert run.state == "finished", run.reason
    assert run.outcome is not None
    assert len(run.outcome["candidates"]) == CANDIDATES
    return took, len(client.asked)


def main() -> None:
    """Measure, and print one table."""
    print("| run | calls | critical path | latency: s | wall time: s | ratio |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(seconds(Path(folder), 0.0))  # imports, the catalogue, the log
        for n in range(1, ROUNDS + 1):
            print(f"  round {n} of {ROUNDS}", file=sys.stderr)
            took, calls = asyncio.run(seconds(Path(folder), LATENCY))
            print(f"| {n} | {calls} | {CHAIN} | {LATENCY:g} | {took:.2f} | {took / (CHAIN * LATENCY):.3f} |")


if __name__ == "__main__":
    main()
