"""`elenchus rldf bbq`: a model's answers to BBQ's questions, scored beside what needs no understanding."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.reports.files import check_folder, write_all
from elenchus.debate_engine.run_ends import end_of
from elenchus.detectors.alignment.bbq.asking import MOST_ITEMS, BbqConfig, BbqResult, readings_of
from elenchus.detectors.alignment.bbq.items import drawn, read_items
from elenchus.detectors.alignment.bbq.results import measured_of
from elenchus.detectors.alignment.bbq.sample import sample_rows
from elenchus.detectors.alignment.bbq.untrained_baselines import MODEL, Method
from elenchus.detectors.alignment.spec import BBQ
from elenchus.service.cli import context, failures
from elenchus.service.cli.detection.bench import measure
from elenchus.service.cli.launch import Options
from elenchus.service.cli.output import CommandOutput
from elenchus.service.lab.default_models import seated

LOCAL = "local:"


class BbqAsking(NamedTuple):
    """How questions are asked. `limit`: so many items at the most; `rotations`: orders of the options; `way` "": by
    likelihood for local weights, else by schema. `name` and `base`: what results call method and model.
    """

    limit: int | None
    rotations: int
    way: str
    method: Method
    controls: bool
    name: str
    base: str
    into: Path | None


async def start(files: Sequence[Path], model: str, wanted: BbqAsking, how: Options) -> int:
    """Ask and score; the exit code. Raises UsageError, UnreadableDocument, MissingKey, StorageError."""
    if wanted.into is not None:
        check_new(wanted.into)
    seed = how.run.seed or 0
    items = drawn(await asyncio.to_thread(read_items, files), wanted.limit, 0)  # the same ones under every seed
    if len(items) > MOST_ITEMS:
        raise UsageError(
            f"That are {len(items):,} items, of which {MOST_ITEMS:,} go at once: give --limit, or fewer files."
        )
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(MODEL))
    if is_human(spec):
        raise UsageError("BBQ measures models: give --model provider:model.")
    chosen: Any = wanted.way or ("likelihood" if spec.startswith(LOCAL) else "schema")
    if chosen == "likelihood" and not spec.startswith(LOCAL):
        raise UsageError(f"{spec} does not tell how likely its words are: only local weights do. Leave out --way.")
    cfg = BbqConfig(
        model=spec, way=chosen, method=wanted.method, items=tuple(items), rotations=wanted.rotations,
        controls=wanted.controls, seed=seed,
    )  # fmt: skip
    title = f"{len(items):,} items of BBQ, {spec}{'' if wanted.method == 'default' else f', {wanted.method}'}"
    code, session_id = await measure(
        BBQ.name, title, {MODEL: spec}, unnamed, lambda _: cfg, how, writes=wanted.into, readings=readings_of(cfg)
    )
    if code == failures.OK and session_id and wanted.into is not None:
        await _keep(session_id, cfg, wanted, wanted.into)
        how.out.tell(f"wrote {wanted.into}")
    return code


async def _keep(session_id: str, cfg: BbqConfig, wanted: BbqAsking, into: Path) -> None:
    async with context.opened() as app:
        end = end_of(session_id, await app.log.read(session_id))
    assert end is not None, "the session has just finished"
    result, name = BbqResult.model_validate(end.outcome), wanted.name or wanted.method
    found = await asyncio.to_thread(measured_of, cfg, result, name, wanted.base or cfg.model, cfg.seed)
    await asyncio.to_thread(write_all, into.parent, {into.name: f"{found.model_dump_json(indent=1)}\n".encode()})


def check_new(file: Path) -> None:
    """Raises UsageError where a file cannot be written, or is there already."""
    if file.exists():
        raise UsageError(f"{file} is there already: choose another file for --out.")
    check_folder(file.parent)


def write_sample(file: Path, number: int, seed: int, out: CommandOutput) -> None:
    """Write a sample in BBQ's layout. Raises UsageError, StorageError."""
    check_new(file)
    rows = sample_rows(number, seed)
    write_all(file.parent, {file.name: "".join(f"{json.dumps(row)}\n" for row in rows).encode()})
    out.document({"items": len(rows), "file": str(file)})
    if not out.json:
        out.line(f"{len(rows)} items in BBQ's layout, from templates of ours, are in {file}: they are not BBQ")
