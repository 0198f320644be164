"""`elenchus rldf bbq`: a model's answers to BBQ's questions, scored beside what needs no understanding."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import is_human
from elenchus.detectors.alignment.bbq.asking import MODEL, MOST_ITEMS, BbqConfig
from elenchus.detectors.alignment.bbq.items import drawn, read_items
from elenchus.detectors.alignment.spec import BBQ
from elenchus.service.cli import context
from elenchus.service.cli.detection.bench import measure
from elenchus.service.cli.launch import Options
from elenchus.service.lab.default_models import seated

LOCAL = "local:"


async def start(
    files: Sequence[Path], model: str, numbers: tuple[int | None, int], way: str, how: Options, *, controls: bool
) -> int:
    """Ask and score; the exit code. `numbers`: so many items at the most, and in how many orders of the options.

    `way` "" is by likelihood for local weights, else by schema. Raises UsageError, UnreadableDocument, MissingKey.
    """
    limit, rotations = numbers
    seed = how.run.seed or 0
    items = drawn(await asyncio.to_thread(read_items, files), limit, seed)
    if len(items) > MOST_ITEMS:
        raise UsageError(
            f"That are {len(items):,} items, of which {MOST_ITEMS:,} go at once: give --limit, or fewer files."
        )
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(MODEL))
    if is_human(spec):
        raise UsageError("BBQ measures models: give --model provider:model.")
    chosen: Any = way or ("likelihood" if spec.startswith(LOCAL) else "schema")
    if chosen == "likelihood" and not spec.startswith(LOCAL):
        raise UsageError(f"{spec} does not tell how likely its words are: only local weights do. Leave out --way.")
    cfg = BbqConfig(
        model=spec, way=chosen, items=tuple(items), rotations=rotations, controls=controls, seed=seed
    )  # fmt: skip
    title = f"{len(items):,} items of BBQ, {spec}"
    return (await measure(BBQ.name, title, {MODEL: spec}, unnamed, lambda _: cfg, how))[0]
