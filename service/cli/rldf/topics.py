"""`elenchus rldf topics`: topics for debates, written by a model and added to a file."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from elenchus.config.bias_type_catalogue import read_topics
from elenchus.debate_engine.protocols.rldf.spec import TOPICS
from elenchus.debate_engine.protocols.rldf.topics import WRITER, Topics, TopicsConfig
from elenchus.debate_engine.reports.files import check_folder, write_all
from elenchus.debate_engine.run_ends import end_of
from elenchus.service.cli import context, failures
from elenchus.service.cli.detection.bench import measure
from elenchus.service.cli.launch import Options
from elenchus.service.lab.default_models import seated


def _there(file: Path) -> tuple[str, ...]:
    return read_topics(file) if file.exists() else ()


async def start(number: int, file: Path, language: str, model: str, how: Options) -> int:
    """Have topics written and store them; the exit code. Raises UsageError, UnreadableDocument."""
    check_folder(file.parent)
    there = await asyncio.to_thread(_there, file)
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(WRITER))

    def made(_registry: Any) -> TopicsConfig:
        return TopicsConfig(number=number, there=there, language=language)

    code, session_id = await measure(TOPICS.name, f"{number} topics", {WRITER: spec}, unnamed, made, how)
    if code != failures.OK or not session_id:
        return code
    async with context.opened() as app:
        end = end_of(session_id, await app.log.read(session_id))
    assert end is not None, "the session has just finished"
    found = Topics.model_validate(end.outcome)
    text = "".join(f"{topic}\n" for topic in (*there, *found.topics))
    await asyncio.to_thread(write_all, file.parent, {file.name: text.encode()})
    how.out.tell(f"{len(found.topics)} new topics are in {file}; {found.same} that were there already are left out")
    return failures.OK if len(found.topics) == number else failures.PROVIDER
