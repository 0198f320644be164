"""`elenchus rldf experiment` and `toy`: what was typed, checked, then run stage by stage."""

from __future__ import annotations

import json
from pathlib import Path

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.files import write_new
from elenchus.detectors.alignment.toy.teacher import read_written, script_of, topics_of
from elenchus.service.cli import failures
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.rldf.experiment import Stages
from elenchus.service.cli.rldf.experiment_plan import KNOWN, Experiment, stages_of
from elenchus.service.cli.rldf.report import NOT_SHOWN

TOY_STEPS = (20, 12, 12)
"""Of SFT, reward model and policy."""
TOY_TRAINING = {
    "sft": ("--batch", "4", "--micro-batch", "4", "--epochs", "3", "--max-length", "256"),
    "reward": ("--batch", "4", "--micro-batch", "4", "--epochs", "2", "--max-length", "256"),
    "rloo": ("--batch", "4", "--micro-batch", "4", "--generations", "4", "--tokens", "48", "--max-length", "256"),
    "ppo": ("--batch", "4", "--micro-batch", "4", "--tokens", "48", "--max-length", "256"),
    "dpo": ("--batch", "4", "--micro-batch", "4", "--epochs", "2", "--max-length", "256"),
}
"""So that two cores and six gigabytes do."""


def write_toy(folder: Path, out: CommandOutput) -> None:
    """Write the scripted teacher and its topics. Raises UsageError, StorageError."""
    written = read_written()
    files = {
        "teacher.yaml": json.dumps(script_of(written), ensure_ascii=False, indent=1).encode(),
        "topics.txt": "".join(f"{topic}\n" for topic in topics_of(written)).encode(),
    }
    if not (paths := write_new(folder, files)):
        raise UsageError(f"The folder {folder} holds such files already: choose another folder for --out.")
    topics = len(topics_of(written))
    out.document({"statements": len(written), "topics": topics, "files": [str(path) for path in paths]})
    if not out.json:
        out.line(f"{len(written)} statements on {topics} topics, written and labelled by hand, as a script")


def methods_named(given: str, *, toy: bool) -> list[str]:
    """Raises UsageError."""
    names = [name.strip() for name in given.split(",") if name.strip()] or (["default", "sft", "rldf"] if toy else [])
    if not names or (odd := [name for name in names if name not in KNOWN]):
        raise UsageError(f"--method is some of {', '.join(KNOWN)}{f', not {odd[0]!r}' if names else ''}.")
    return names


def refuse(of: Experiment) -> None:
    """Raises UsageError for what no stage could do."""
    if of.toy and (of.data or of.teacher or of.topics):
        raise UsageError("--toy brings its own teacher, topics and questions: leave out --teacher, --topics, --data.")
    if of.toy and of.roles > 3:
        raise UsageError("--toy brings statements of three roles along: leave out --roles.")
    if not of.toy and not of.data:
        raise UsageError("Name BBQ's files with --data: what is trained is to be measured.")
    missing = [file for file in of.data if not file.exists()]
    if missing:
        raise UsageError(f"There is no file {missing[0]}: give BBQ's own .jsonl or .jsonl.gz.")


async def experiment(of: Experiment, out: CommandOutput) -> int:
    """Run what is missing; the exit code. Raises UsageError, StorageError."""
    refuse(of)
    told = Stages(of.folder, out)
    code = await told.run(stages_of(of, told))
    out.document({"folder": str(of.folder), "ended": code == failures.OK, "stages": told.done})
    if out.json:
        return code
    for line in told.table():
        out.line(line)
    if code == failures.OK:
        out.line(f"report: {of.at('report', 'report.html')}")
        if of.toy:
            out.line(NOT_SHOWN)
    return code
