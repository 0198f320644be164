"""Plays each of the twelve scenes of free speech (`tests/twin_scenes/`), whole, on the embedded model, and prints what
came of it as a Markdown table.

    python -m tests.debate_engine.protocols.rulegen.embedded_scenes

Replies are cut short (30 tokens, structured ones 150) and nothing is sent back for correction, so that all twelve take
half an hour; `elenchus scene run FILE --subject local:smollm2-135m …` plays one in full.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.log import calls_of
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.debate_engine.run_ends import Run
from tests.debate_engine.protocols.rulegen.test_embedded import TREATMENTS, by_the_embedded_model


def row(name: str, rules: int, run: Run, events: Sequence[Recorded]) -> str:
    """One line of the table."""
    calls = list(calls_of(events))
    played = Played.model_validate(run.outcome) if run.state == "finished" else None
    verdicts = [v.verdict for v in played.evaluation.verdicts] if played and played.evaluation else []
    tokens = (sum(c.input_tokens for c in calls), sum(c.output_tokens for c in calls))
    turns = len(played.turns) if played else 0
    cells = (name, rules, run.state, turns, len(calls), *tokens, ", ".join(verdicts) or "–")
    return f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else cell for cell in cells)} |"


def main() -> None:
    """Play and print."""
    print("| scene | rules | ended | turns | calls | tokens read | written | the judge's word on the subject |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |")
    for name, scene in TREATMENTS.items():
        with tempfile.TemporaryDirectory() as home:
            run, events = asyncio.run(by_the_embedded_model(scene, Path(home)))
        print(row(name, len(scene.rules), run, events), flush=True)


if __name__ == "__main__":
    main()
