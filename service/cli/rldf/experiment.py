"""`elenchus rldf experiment`: from debates to the report, stage by stage, each a command that could be typed.

A stage is a process of its own, so that its memory is free again at its end. What is done is kept in `stages/`: a run
that dies goes on with the stage at which it died, by the same command.
"""

from __future__ import annotations

import asyncio
import json
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.files import check_folder, write_all
from elenchus.detectors.alignment.training.folder import held
from elenchus.service.cli import failures
from elenchus.service.cli.output import CommandOutput

STAGE = "elenchus.service.cli.rldf.stage_process"
LARGEST = 50_000_000
"""Bytes of what a stage has told."""
REFUSED = failures.USAGE


@dataclass(frozen=True)
class Stage:
    """A command of `elenchus rldf`. `words` may wait for what earlier stages told. `output` is what it writes where
    nothing may be: what a run that died has left there is removed; `keeps` is where its document goes as a file.
    `may_fail`: a refusal is told, what `needs` this stage is left out, and the next run tries it again. `anew`: it is
    done in every run, of whatever there is by then. `training`: the folder of a training, which tells itself whether it
    has finished: a run may have died just behind it.
    """

    name: str
    words: Callable[[], Sequence[str]]
    output: Path | None = None
    keeps: Path | None = None
    may_fail: bool = False
    anew: bool = False
    training: Path | None = None
    needs: tuple[str, ...] = ()


@dataclass
class Stages:
    """Stages in a folder, run in order."""

    folder: Path
    out: CommandOutput
    done: list[dict[str, Any]] = field(default_factory=list)

    async def run(self, stages: Sequence[Stage]) -> int:
        """Run what is missing; the exit code. Raises UsageError, StorageError."""
        check_folder(self.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        with held(self.folder):
            return await self._all(stages)

    async def _all(self, stages: Sequence[Stage]) -> int:
        for number, stage in enumerate(stages, 1):
            if any(not self.told(name).get("ended", False) for name in stage.needs):
                self.out.tell(f"{stage.name}: left out, as {' and '.join(stage.needs)} did not end well")
                continue
            is_done = not stage.anew and self.told(stage.name)
            self.out.tell(f"stage {number} of {len(stages)}: {stage.name}{', which is done' if is_done else ''}")
            code = await self._one(stage)
            if code not in (failures.OK, REFUSED if stage.may_fail else failures.OK):
                self.out.tell(f"{stage.name} has not ended; the same command goes on here")
                return code
        return failures.OK

    def told(self, name: str) -> dict[str, Any]:
        """What a stage has told: its `document`, and that it `ended` well; {} for one that has not."""
        return _object_in(self._mark(name))

    def _mark(self, name: str) -> Path:
        return self.folder / "stages" / f"{name}.json"

    async def _one(self, stage: Stage) -> int:
        try:
            words = list(stage.words())
        except UsageError as error:
            if not stage.may_fail:
                raise
            self.out.warn(str(error))
            return REFUSED
        before = {} if stage.anew else self.told(stage.name)
        if before:
            if before["words"] != words:
                raise UsageError(f"{self.folder} was begun with other settings: choose another folder for --out.")
            self.done.append(before)
            return int(before["code"])
        if stage.output is not None and stage.output.exists():
            await asyncio.to_thread(_removed, stage.output)
        began, busy = time.monotonic(), _busy()
        code, document = failures.OK, _finished(stage.training)
        if not document:
            code, document = await _typed(words)
        if code not in (failures.OK, REFUSED if stage.may_fail else failures.OK):
            return code
        mark = {
            "name": stage.name, "words": words, "code": code, "ended": code == failures.OK, "document": document,
            "seconds": round(time.monotonic() - began, 1), "cpu_seconds": round(_busy() - busy, 1), "peak_gb": _peak(),
        }  # fmt: skip
        self.done.append(mark)
        if code == failures.OK:
            if stage.keeps is not None:
                _write(stage.keeps, document)
            _write(self._mark(stage.name), mark)
        return code

    def table(self) -> Iterator[str]:
        """A line a stage."""
        for one in self.done:
            ended = "" if one["ended"] else " (refused)"
            worked = f", {one['cpu_seconds']:.0f} s of a processor" if "cpu_seconds" in one else ""
            yield f"{one['name']}{ended}: {one['seconds']:.0f} s{worked}, {one['peak_gb']:.1f} GB at the most so far"


def _finished(training: Path | None) -> Any:
    """What a training's own file says where it has finished, else nothing."""
    run = _object_in(training / "run.json") if training else {}
    return run if run.get("state") == "finished" else {}


def _object_in(path: Path) -> dict[str, Any]:
    """The JSON object in a file, {} where there is none."""
    try:
        found = json_in(read_text(path, LARGEST, "stage"), str(path)) if path.exists() else {}
    except UnreadableDocument:
        return {}
    return found if isinstance(found, dict) else {}


async def _typed(words: Sequence[str]) -> tuple[int, Any]:
    """Run a command: its exit code and document. What it tells people goes where ours goes; if we are stopped in a
    stage, it is, too, also where we are killed.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", STAGE, *words, "--json", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        said = await process.stdout.read()
        await process.wait()
    except asyncio.CancelledError:
        if process.returncode is None:
            process.terminate()
            await process.wait()
        raise
    finally:
        process.stdin.close()
    try:
        return process.returncode or 0, json.loads(said)
    except ValueError:  # some commands have no document
        return process.returncode or 0, {}


def _busy() -> float:
    """Seconds that processors have worked for stages so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peak() -> float:
    """Gigabytes that the largest stage so far has used."""
    return round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6, 2)


def _write(path: Path, document: Any) -> None:
    write_all(path.parent, {path.name: f"{json.dumps(document, indent=1, ensure_ascii=False)}\n".encode()})


def _removed(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
