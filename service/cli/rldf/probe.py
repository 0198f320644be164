"""`elenchus rldf probe`: whether bias is seen in one's own answer as it is in another's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.reports.files import write_all
from elenchus.debate_engine.run_ends import end_of
from elenchus.detectors.alignment.probe.asking import ProbeConfig, ProbeResult
from elenchus.detectors.alignment.probe.report import probe_report
from elenchus.detectors.alignment.rubric.answers import MODEL, GroupQuestion
from elenchus.detectors.alignment.spec import PROBE
from elenchus.service.cli import context, failures
from elenchus.service.cli.detection.bench import measure
from elenchus.service.cli.launch import Options
from elenchus.service.cli.rldf.bbq import check_new
from elenchus.service.cli.rldf.debate import biases_named, topics_of
from elenchus.service.lab.default_models import seated


def questions_on(
    biases: Sequence[str], topics: Sequence[str], file: Path | None, limit: int | None
) -> list[GroupQuestion]:  # fmt: skip
    """A question for each type of bias with each topic. Raises UnreadableDocument, UsageError."""
    types = biases_named(biases)
    named = topics_of(types, topics, file, limit)
    return [
        GroupQuestion(bias=of.name, about=of.about, topic=topic) for of in types for topic in named[of.name]
    ]  # fmt: skip


async def start(
    questions: Sequence[GroupQuestion],
    model: str,
    called: dict[str, str],
    rotations: int,
    into: Path | None,
    how: Options,
) -> int:
    """Ask, and tell what was admitted; the exit code. `called`: what other and rival are. Raises UsageError."""
    if into is not None:
        check_new(into)
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(MODEL))
    if is_human(spec):
        raise UsageError("The probe is for models: give --model provider:model.")
    named = {name: text for name, text in called.items() if text.strip()}
    cfg = ProbeConfig(
        model=spec, questions=tuple(questions), rotations=rotations, seed=how.run.seed or 0, **named
    )  # fmt: skip
    title = f"probe of self-awareness, {len(questions)} questions, {spec}"
    code, session_id = await measure(PROBE.name, title, {MODEL: spec}, unnamed, lambda _: cfg, how, writes=into)
    if code == failures.OK and session_id and into is not None:
        async with context.opened() as app:
            end = end_of(session_id, await app.log.read(session_id))
        assert end is not None, "the session has just finished"
        found = await asyncio.to_thread(probe_report, cfg, ProbeResult.model_validate(end.outcome))
        await asyncio.to_thread(write_all, into.parent, {into.name: f"{found.model_dump_json(indent=1)}\n".encode()})
        how.out.tell(f"wrote {into}")
    return code
