"""`elenchus cogbench generate`, `review` and `judge`: a benchmark of one's own, and reasons rated by a model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.cognition.schemas import Flow
from elenchus.debate_engine.reports.files import check_folder, write_all, write_new
from elenchus.detectors.evaluation.cogbench.flows.reading import flows_in_folder
from elenchus.detectors.evaluation.cogbench.generate_schemas import CHECKER, WRITER, GenerateConfig, GenerateResult
from elenchus.detectors.evaluation.cogbench.judging import JUDGE, JudgeConfig, JudgeResult, items_of, with_scores
from elenchus.detectors.evaluation.cogbench.results import read_results, with_flows
from elenchus.detectors.evaluation.cogbench.reviewing import (
    GENERATED,
    REVIEW,
    check_names,
    profiles_of,
    read_generated,
    read_review,
    review_csv,
    tasks_of,
)
from elenchus.detectors.evaluation.cogbench.shapes import write_json
from elenchus.detectors.evaluation.cogbench.spec import GENERATE, JUDGING
from elenchus.detectors.evaluation.cogbench.tasks import read_tasks
from elenchus.detectors.evaluation.cogbench.topics import TOPICS
from elenchus.service.cli import context, failures
from elenchus.service.cli.detection.bench import measure
from elenchus.service.cli.launch import Options
from elenchus.service.cli.live.status import counted
from elenchus.service.cli.output import CommandOutput
from elenchus.service.lab.default_models import seated

TASKS, PROFILES = "cogbench.json", "profile.json"

# ── generate ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def start_generating(
    topics: Sequence[str], numbers: tuple[int, int], language: str, models: tuple[str, str], folder: Path,
    options: Options,
) -> int:  # fmt: skip
    """Have opinions and profiles written, and store them for review; the exit code. `models`: writer and checker."""
    _refuse_to_overwrite(folder, (GENERATED, REVIEW))
    (writer, checker), unnamed = await seated(
        context.settings(),
        "",
        lambda unnamed: _specs(models, unnamed.debater(WRITER, CHECKER) if not models[0] else ""),
    )

    def made(_registry: Any) -> GenerateConfig:
        named = tuple((topic, category_of(topic)) for topic in topics)
        return GenerateConfig(topics=named, opinions=numbers[0], profiles=numbers[1], language=language, model=writer)

    title = f"opinions on {', '.join(topics)}"[:120]
    seats = {WRITER: writer, CHECKER: checker}
    code, session_id = await measure(GENERATE.name, title, seats, unnamed, made, options)
    if code != failures.OK or not session_id:
        return code
    result = GenerateResult.model_validate(await _outcome(session_id))
    files = {GENERATED: result.model_dump_json(indent=1).encode() + b"\n", REVIEW: review_csv(result)}
    await asyncio.to_thread(write_all, folder, files)
    return _tell_made(result, folder, options.out)


def _tell_made(result: GenerateResult, folder: Path, out: CommandOutput) -> int:
    """What is there to be reviewed; the exit code."""
    opinions = sum(len(topic.opinions) for topic in result.topics)
    profiles = sum(made.profile is not None for made in result.profiles)
    if not opinions:
        out.tell(f"no opinion has passed the checks: {folder / GENERATED} says why each was refused")
        return failures.PROVIDER
    out.tell(f"{opinions} opinions and {profiles} profiles are in {folder}, generated and not reviewed")
    out.tell(f"fill in keep in {folder / REVIEW}, then: elenchus cogbench review {folder} --out DIR")
    return failures.OK


def _specs(models: tuple[str, str], default: str) -> tuple[str, str]:
    writer = models[0].strip() or default
    return writer, models[1].strip() or writer


def topics_named(names: Sequence[str]) -> list[str]:
    """CogBench's own names as it writes them, any other as it is typed; all 50 for "all". Raises UsageError."""
    if [name.casefold() for name in names] == ["all"]:
        return [topic for of in TOPICS.values() for topic in of]
    known = {topic.casefold(): topic for of in TOPICS.values() for topic in of}
    found = [known.get(" ".join(name.casefold().split()), " ".join(name.split())) for name in names]
    folders = {folder_of(topic) for topic in found} - {""}
    if not found or len(folders) < len(found) or max(map(len, found)) > 100:
        raise UsageError("Name topics, each once: --topic Pets --topic 'Night trains' (or --topic all for the 50).")
    return found


def folder_of(topic: str) -> str:
    """What the folder with a topic's reading is called: `Movies & TV Shows` → `movies-tv-shows`, in any script."""
    return "-".join(re.findall(r"\w+", topic.casefold()))


def category_of(topic: str) -> str:
    """The category that CogBench has a topic in, "" for one's own."""
    return next((category for category, topics in TOPICS.items() if topic in topics), "")


def _refuse_to_overwrite(folder: Path, names: Sequence[str]) -> None:
    check_folder(folder)
    if there := [name for name in names if (folder / name).exists()]:
        raise UsageError(f"{folder / there[0]} is there already: choose another place for --out.")


async def _outcome(session_id: str) -> Mapping[str, Any]:
    from elenchus.debate_engine.run_ends import end_of

    async with context.opened() as app:
        run = end_of(session_id, await app.log.read(session_id))
    assert run is not None, "the session has just finished"
    assert run.outcome is not None, "it has finished"
    return run.outcome


# ── review ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def review(folder: Path, flows: Path | None, into: Path, out: CommandOutput) -> int:
    """Write the files of the release from what people have kept; the exit code. Raises UsageError."""
    generated = await asyncio.to_thread(read_generated, folder)
    kept = await asyncio.to_thread(read_review, folder / REVIEW, generated)
    check_names(generated, kept)
    _refuse_to_overwrite(into, (TASKS, PROFILES))
    wanted = list(dict.fromkeys(task["topic"] for task in tasks_of(generated, kept, {})))
    read = {} if flows is None or not wanted else await _flows_of(wanted, flows)
    tasks, profiles = tasks_of(generated, kept, read), profiles_of(generated, kept)
    files = {name: dump(value) for name, value in ((TASKS, tasks), (PROFILES, profiles)) if value}
    paths = await asyncio.to_thread(write_new, into, files)
    told = {"topics": len(wanted), "profiles": len(profiles), "with_flows": len(read), "files": list(map(str, paths))}
    out.document(told)
    if not out.json:
        out.line(
            f"kept: {counted(len(wanted), 'topic')}, {counted(len(profiles), 'profile')}; "
            f"with flows: {counted(len(read), 'topic')}"
        )
    for topic in wanted:
        if topic not in read:
            out.tell(f"{topic} has nothing to read: --flows names a folder that holds a folder {folder_of(topic)}")
    return failures.OK


async def _flows_of(topics: Sequence[str], folder: Path) -> dict[str, list[Flow]]:
    """What there is to read on each topic that has a folder. Raises UsageError for what cannot be read."""
    places = {topic: folder / folder_of(topic) for topic in topics}
    there = {topic: place for topic, place in places.items() if await asyncio.to_thread(place.is_dir)}
    if not there:
        raise UsageError(f"The folder {folder} has no folder of a kept topic, such as {folder_of(topics[0])}.")
    return {topic: await flows_in_folder(place) for topic, place in there.items()}


def dump(value: Any) -> bytes:
    """As the release writes its files."""
    import json

    return json.dumps(value, indent=4, ensure_ascii=False).encode()


# ── judge ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def start_judging(
    file: Path, method: str, judge: str, limit: int | None, tasks: Path | None, into: Path | None, options: Options
) -> int:
    """Have a model rate a method's reasons, beside people where they have; the exit code. Raises UsageError."""
    if into is not None:
        _refuse_to_overwrite(into.parent, (into.name,))
    results = await asyncio.to_thread(read_results, file)
    seed = options.run.seed or 0
    read = results if tasks is None else with_flows(results, await asyncio.to_thread(read_tasks, tasks))
    items = items_of(read, method, limit, seed)
    if not items:
        raise UsageError(f"{file} has no answer of {method} with a rating: there is nothing to judge.")
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: judge.strip() or unnamed.judge(JUDGE))

    def made(_registry: Any) -> JudgeConfig:
        return JudgeConfig(method=method, judge=spec, items=items, seed=seed)

    title = f"{len(items)} reasons of {method}, judge {spec}"
    code, session_id = await measure(JUDGING.name, title, {JUDGE: spec}, unnamed, made, options)
    if code == failures.OK and session_id and into is not None:
        result = JudgeResult.model_validate(await _outcome(session_id))
        if result.unread == len(result.rows):
            options.out.tell(f"{into} is not written: none of the judge's scores could be read")
            return failures.PROVIDER
        await asyncio.to_thread(write_json, into, with_scores(results, result))
        options.out.tell(f"wrote {into}, in which the judge's scores stand in the place of people's")
    return code
