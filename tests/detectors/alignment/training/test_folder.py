"""A training's folder after a kill at any moment, and with two processes at it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.detectors.alignment.training.base import being_converted, remove_unfinished
from elenchus.detectors.alignment.training.folder import TrainingFolder
from elenchus.detectors.alignment.training.settings import TrainingSettings
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.rldf.experiment import Stage, Stages
from tests.detectors.alignment.training.made import pairs, written

HOLDS = """
import sys
from pathlib import Path
from elenchus.detectors.alignment.training.folder import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_by_another(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the folder."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield other
        other.kill()


def settings(tmp_path: Path) -> TrainingSettings:
    return TrainingSettings(
        stage="sft", base=tmp_path / "base", data=(tmp_path / "sft.jsonl",), batch=4, micro_batch=4, rate=0.1
    )


@pytest.mark.parametrize(
    "left",
    [("train.log",), ("train.log", ".lock"), ("train.log", ".run.json.0a1b2c3d.part")],
)
def test_what_was_killed_before_its_first_step_begins_again(tmp_path: Path, left: tuple[str, ...]) -> None:
    folder = TrainingFolder(tmp_path / "out")
    folder.path.mkdir()
    for name in left:
        (folder.path / name).write_text('{"state": "runn')
    assert folder.check(settings(tmp_path)) is None


def test_a_log_without_a_run_is_somebody_elses(tmp_path: Path) -> None:
    """`run.json` is written first: a kill leaves no log without it."""
    (tmp_path / "log.jsonl").write_text("{}\n")
    with pytest.raises(UsageError, match="holds something else already"):
        TrainingFolder(tmp_path).check(settings(tmp_path))


def test_half_a_row_is_no_row(tmp_path: Path) -> None:
    folder = TrainingFolder(tmp_path)
    (tmp_path / "log.jsonl").write_text(f'{json.dumps({"step": 1, "loss": 2.0})}\n{{"step": 2, "lo')
    assert folder.rows() == [{"step": 1, "loss": 2.0}]
    folder.keep_rows(1)
    folder.add_row({"step": 2, "loss": 1.0})
    assert [row["step"] for row in folder.rows()] == [1, 2]


def test_of_two_processes_at_one_folder_the_second_is_told_so_and_a_kill_lets_it_in(tmp_path: Path) -> None:
    with held_by_another(tmp_path) as other:
        with pytest.raises(StorageError, match="Another process works in"), TrainingFolder(tmp_path).held():
            pass
        other.kill()
        other.wait()
        with TrainingFolder(tmp_path).held():
            pass


@pytest.mark.xdist_group("training")
@pytest.mark.skipif(find_spec("trl") is None, reason="the extra `train` is missing: NOT tested")
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning")
def test_a_reward_model_is_not_measured_while_another_is_put_in_its_place(tmp_path: Path) -> None:
    from elenchus.detectors.alignment.training.learning.scoring import measured_anew

    held_out = written(tmp_path / "pairs.jsonl", pairs(2))
    work = {"out": str(tmp_path / "out"), "held_out": [str(held_out)], "max_length": 64, "device": "cpu"}
    (tmp_path / "out").mkdir()
    with held_by_another(tmp_path / "out"), pytest.raises(StorageError, match="Another process works in"):
        measured_anew(work)


async def test_two_experiments_in_one_folder_do_not_remove_each_others_files(tmp_path: Path) -> None:
    output = tmp_path / "data"
    output.mkdir()
    stages = [Stage("data", lambda: ["rldf", "none"], output=output)]
    with held_by_another(tmp_path), pytest.raises(StorageError, match="Another process works in"):
        await Stages(tmp_path, CommandOutput()).run(stages)
    assert output.exists()


def test_a_conversion_comes_whole_into_its_place_or_leaves_nothing(tmp_path: Path) -> None:
    with being_converted(tmp_path / "new" / "base") as part:
        (part / "config.json").write_text("{}")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["base"]
    assert [path.name for path in (tmp_path / "new" / "base").iterdir()] == ["config.json"]

    def on_a_full_disk() -> None:
        with being_converted(tmp_path / "other") as part:
            (part / "config.json").write_text("{}")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        on_a_full_disk()
    with being_converted(tmp_path / "new" / "base") as part:
        (part / "late.json").write_text("{}")
    assert [path.name for path in (tmp_path / "new" / "base").iterdir()] == ["config.json"], "the first one stays"
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_what_a_conversion_that_was_killed_has_left_goes_at_the_next_start_and_what_is_under_way_stays(
    tmp_path: Path,
) -> None:
    left, alive, others = (tmp_path / name for name in (".base.17.part", ".base.18.part", ".base2.19.part"))
    for place in (left, alive, others):
        place.mkdir()
        (place / "model.safetensors").write_bytes(bytes(1_000))
    with held_by_another(alive):
        assert remove_unfinished(tmp_path / "base") >= 1_000
        assert {path.name for path in tmp_path.iterdir()} == {alive.name, others.name}
    assert remove_unfinished(tmp_path / "nowhere" / "base") == 0
