"""`elenchus rldf gate`: whether a judge's scores may make training data. The last verdict on each judge is kept.

A verdict holds for the statements it was measured on, and so for the one head of a linear judge that has learnt them.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.printable import csv_cell, one_line
from elenchus.debate_engine.protocols.rldf.schemas import REFEREE, Marking
from elenchus.debate_engine.reports.files import check_folder, write_new
from elenchus.debate_engine.run_ends import end_of
from elenchus.detectors.alignment.gate.asking import GateConfig, GateResult, verdict_of
from elenchus.detectors.alignment.gate.conditions import Reading, beside
from elenchus.detectors.alignment.gate.linear import Head, fitted, readings_of
from elenchus.detectors.alignment.gate.presentation import HEAD, document_of, rows_of, told
from elenchus.detectors.alignment.gate.statements import SHIPPED, LabelledStatement, hash_of, read_statements
from elenchus.detectors.alignment.spec import GATE
from elenchus.detectors.alignment.verdicts import Verdict
from elenchus.service.cli import context, failures
from elenchus.service.cli.detection.bench import measure
from elenchus.service.cli.launch import Options
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab.default_models import seated

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.service.app import App
    from elenchus.storage.embeddings import Embedding

LINEAR = "linear:"
VERDICT_FILE, SCORES_FILE = "gate.json", "scores.csv"
"""What --export writes of a linear judge."""
GATES = "rldf-gates"
"""Where verdicts are kept."""
HEAD_SEED = 0
"""By which the head of a linear judge that scores is drawn: its penalty and calibration go with the folds."""


async def start(judge: str, marking: Marking | str, file: Path | None, how: Options) -> int:
    """Have the judge score the statements, and keep the verdict; the exit code. Raises UsageError, MissingKey."""
    items = await asyncio.to_thread(read_statements, file or SHIPPED)
    if judge.startswith(LINEAR):
        if marking != "one":
            raise UsageError(f"{judge} reads one statement at a time: leave out --marking.")
        if how.detach:
            raise UsageError(f"{judge} scores here, in seconds: leave --detach away.")
        return await _linear(judge, items, how)
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: judge.strip() or unnamed.judge(REFEREE))

    def made(registry: Any) -> GateConfig:
        small = bool(registry.small_seats([Seat(name=REFEREE, spec=spec)]))
        seed = how.run.seed or 0
        return GateConfig(
            judge=spec, marking="all" if marking == "all" else "one", items=tuple(items), small=small, seed=seed,
            version=version("elenchus"),
        )  # fmt: skip

    title = f"{title_of(spec)}{marking} a call"
    code, session_id = await measure(GATE.name, title, {REFEREE: spec}, unnamed, made, how)
    if code == failures.OK and session_id:
        async with context.opened() as app:
            end = end_of(session_id, await app.log.read(session_id))
            assert end is not None, "the session has just finished"
            await keep(app.store, GateResult.model_validate(end.outcome).verdict)
    return code


async def _linear(judge: str, items: Sequence[LabelledStatement], how: Options) -> int:
    """The gate for embeddings with a linear head: nobody is asked."""
    if how.dry_run:
        how.out.tell(f"{judge} asks nobody: it costs nothing")
        return failures.OK
    if how.export is not None:
        check_folder(how.export)
    seed = how.run.seed or 0
    verdict, readings = await asyncio.to_thread(_measured, judge, items, seed)
    if how.export is not None:
        await asyncio.to_thread(_write, how.export, verdict, readings, items)
        how.out.tell(f"wrote {how.export / VERDICT_FILE} and {how.export / SCORES_FILE}")
    if seed == HEAD_SEED:
        async with context.opened() as app:
            await keep(app.store, verdict)
    else:
        how.out.warn(f"this verdict is not kept: what scores is drawn by seed {HEAD_SEED}")
    length = (await asyncio.to_thread(beside, items, 0))["auc_of_length"]
    how.out.document({**document_of(verdict), "auc_of_length": length})
    if not how.out.json:
        how.out.show(WordTable.of(HEAD, rows_of(verdict)))
        how.out.line(f"\n{told(verdict)}")
        how.out.line(f"Beside it: the length of a statement alone has an AUC of {length['value']:.2f}.")
    return failures.OK


def _write(folder: Path, verdict: Verdict, readings: Sequence[Reading], items: Sequence[LabelledStatement]) -> None:
    """The verdict and a row a score, from which each of its figures can be counted again. Raises UsageError."""
    rows = [
        (one.repeat, one.item, items[one.item].subject, items[one.item].style, int(items[one.item].high), one.score,
         items[one.item].text)
        for one in sorted(readings, key=lambda one: (one.repeat, one.item))
    ]  # fmt: skip
    content = {
        VERDICT_FILE: json.dumps(document_of(verdict), ensure_ascii=False, indent=1).encode(),
        SCORES_FILE: _csv(("repeat", "item", "topic", "style", "high", "score", "statement"), rows),
    }
    if not write_new(folder, content):
        raise UsageError(f"The folder {folder} holds such files already: choose another folder for --export.")


def _csv(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([head, *([csv_cell(str(cell)) for cell in row] for row in rows)])
    return out.getvalue().encode("utf-8-sig")


def _measured(judge: str, items: Sequence[LabelledStatement], seed: int) -> tuple[Verdict, list[Reading]]:
    vectors = embedding_of(judge).vectors([one.text for one in items]).astype(float)
    cfg = GateConfig(judge=judge, items=tuple(items), seed=seed, version=version("elenchus"))
    readings = readings_of(items, vectors, seed)
    return verdict_of(cfg, readings, events.now()), readings


def embedding_of(judge: str) -> Embedding:
    """The embedding of a linear judge. Raises UsageError."""
    from elenchus.storage.embeddings import EMBEDDINGS

    name = judge.removeprefix(LINEAR).strip()
    if name not in EMBEDDINGS:
        raise UsageError(
            f"There is no embedding {name!r}: the linear judges are {', '.join(LINEAR + n for n in EMBEDDINGS)}."
        )
    return EMBEDDINGS[name]


def scores_by(judge: str, texts: Sequence[str], items: Sequence[LabelledStatement]) -> list[int]:
    """A linear judge's scores of any statements; its head has seen all labelled ones, which are `items`. Blocks.

    Raises UsageError.
    """
    import numpy as np

    embedding = embedding_of(judge)
    vectors = embedding.vectors([one.text for one in items]).astype(float)
    head: Head = fitted(
        vectors, np.array([one.high for one in items], float), [one.subject for one in items], HEAD_SEED
    )
    return head.scores(embedding.vectors(list(texts)).astype(float)) if texts else []


# ── kept ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def keep(store: KeyValueStore, verdict: Verdict) -> None:
    """Put it where an export finds it, in place of an earlier one. Raises StorageError."""
    await store.put(GATES, f"{verdict.judge} {verdict.marking} {verdict.labelled}", verdict.model_dump(mode="json"))


async def kept(app: App, judge: str, marking: Marking, items: Sequence[LabelledStatement]) -> Verdict | None:
    """The last verdict on a judge that scores in this way, by these statements. Raises StorageError.

    Of a model it may stand in the log alone: a worker has run the gate, or somebody has gone on with one.
    """
    stored = (await app.store.all(GATES)).get(f"{judge} {marking} {hash_of(items)}")
    found = [] if stored is None else [Verdict.model_validate(stored)]
    for info in await app.log.sessions():
        if (info.protocol, info.state) == (GATE.name, "finished") and info.title.startswith(one_line(title_of(judge))):
            end = end_of(info.id, await app.log.read(info.id))
            assert end is not None, "it has finished"
            found.append(GateResult.model_validate(end.outcome).verdict)
    fitting = [of for of in found if (of.judge, of.marking, of.labelled) == (judge, marking, hash_of(items))]
    return max(fitting, key=lambda of: of.created, default=None)


def title_of(judge: str) -> str:
    """With what the titles of its gates begin."""
    return f"judge gate, {judge}, "
