"""Stages of an experiment: which commands, in which order, and what is done again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.bbq.comparison import AGAINST
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.rldf.ablation_run import trained
from elenchus.service.cli.rldf.experiment import Stage, Stages
from elenchus.service.cli.rldf.experiment_plan import KNOWN, Experiment, stages_of
from elenchus.service.cli.rldf.experiment_run import methods_named
from tests.detectors.alignment.bbq.test_comparison import measured


def experiment(folder: Path, **more: object) -> Experiment:
    given: dict[str, object] = {
        "folder": folder, "methods": KNOWN, "seeds": 2, "base": "", "teacher": "openai:x", "judge": "linear:wordllama",
        "bias": "age", "topics": None, "limit": None, "roles": 3, "rounds": 5, "repeats": 1, "data": (Path("b.jsonl"),),
        "items": None, "rotations": 3, "controls": True, "policy": "rloo", "steps": None, "training": {}, **more,
    }  # fmt: skip
    return Experiment(**given)  # type: ignore[arg-type]


def words_of(of: Experiment, *, test: bool = True) -> dict[str, list[str]]:
    told = Stages(of.folder, CommandOutput())
    for name in ("data", "rlaif-data"):
        (of.folder / name).mkdir(parents=True, exist_ok=True)
        for kind in ("sft-train", "pairs-train", *(["pairs-test"] if test else [])):
            (of.folder / name / f"ungated-{kind}.jsonl").touch()
    (of.folder / "stages").mkdir(parents=True, exist_ok=True)
    (of.folder / "stages" / "debates.json").write_text(json.dumps({"document": {"run": "abc"}}))
    return {stage.name: list(stage.words()) for stage in stages_of(of, told)}


def test_every_method_of_table_1_has_its_stages_and_each_seed_its_training(tmp_path: Path) -> None:
    found = words_of(experiment(tmp_path))
    measured = [name for name in found if name.startswith("bbq-")]
    assert len(measured) == len(KNOWN) * 2
    assert found["bbq-cot-1"][found["bbq-cot-1"].index("--method") + 1] == "cot"
    assert f"local:{tmp_path / 'sft-2' / 'model'}" in found["bbq-sft-2"]
    assert "--method" not in found["bbq-sft-2"], "what was trained is measured as it is"
    assert found["data"][:3] == ["rldf", "export", "abc"]
    assert found["rldf-2"][found["rldf-2"].index("--reward") + 1] == str(tmp_path / "rldf-reward-2")
    assert found["rldf-2"][found["rldf-2"].index("--base") + 1] == str(tmp_path / "sft-2"), "the KL is to the SFT model"
    typed = {word for words in found.values() for word in words}
    assert "--ungated" not in typed, "no gate is passed over unless that is said"
    assert list(found)[-1] == "report"


def test_only_what_a_method_needs_is_done(tmp_path: Path) -> None:
    assert list(words_of(experiment(tmp_path, methods=("cot",), seeds=1))) == ["bbq-cot-1", "report"]
    sft = list(words_of(experiment(tmp_path, methods=("sft",), seeds=1)))
    assert sft == ["debates", "gate-judge", "data", "base", "sft-1", "bbq-sft-1", "report"]
    folder = words_of(experiment(tmp_path, methods=("sft",), seeds=1, base="models/big"))
    assert "base" not in folder
    assert folder["sft-1"][folder["sft-1"].index("--base") + 1] == "models/big"
    dpo = list(words_of(experiment(tmp_path, methods=("rldf",), seeds=1, policy="dpo")))
    assert "rldf-reward-1" not in dpo


async def test_a_stage_that_has_ended_is_not_done_again_and_other_settings_are_refused(tmp_path: Path) -> None:
    (tmp_path / "stages").mkdir()
    mark = {
        "name": "x",
        "words": ["a"],
        "code": 0,
        "ended": True,
        "document": {},
        "seconds": 1,
        "cpu_seconds": 1,
        "peak_gb": 0.1,
    }
    (tmp_path / "stages" / "x.json").write_text(json.dumps(mark))
    told = Stages(tmp_path, CommandOutput())
    assert await told.run([Stage("x", lambda: ["a"])]) == 0
    assert told.done == [mark]
    with pytest.raises(UsageError, match="begun with other settings"):
        await Stages(tmp_path, CommandOutput()).run([Stage("x", lambda: ["b"])])


async def test_a_training_behind_which_a_run_died_is_not_begun_again(tmp_path: Path) -> None:
    (tmp_path / "sft").mkdir()
    (tmp_path / "sft" / "run.json").write_text(json.dumps({"state": "finished", "step": 3}))
    told = Stages(tmp_path, CommandOutput())
    assert await told.run([Stage("sft", lambda: ["no such command"], training=tmp_path / "sft")]) == 0
    assert told.told("sft")["document"]["step"] == 3


async def test_a_damaged_mark_is_none_and_what_needs_a_stage_that_is_not_there_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "stages").mkdir()
    (tmp_path / "stages" / "x.json").write_text("{")
    told = Stages(tmp_path, CommandOutput())
    assert told.told("x") == {}
    assert await told.run([Stage("y", lambda: ["a"], needs=("x",))]) == 0
    assert not told.done


@pytest.mark.slow
async def test_an_ablation_of_pairs_is_an_experiment_a_value_and_shows_bbq(tmp_path: Path) -> None:
    of = experiment(tmp_path / "out", methods=("sft", "rldf"), seeds=1, judge="linear:wordllama")
    for value, right in ((10, 0.4), (20, 0.8)):
        one = replace(of, folder=of.folder / f"pairs-{value}", pairs=value)
        told = Stages(one.folder, CommandOutput())
        for name, words in words_of(one).items():
            document = {"run": "abc", "by_split": {"train": {"pairs": 20}}}
            mark = {"name": name, "words": words, "code": 0, "ended": True, "document": document}
            (one.folder / "stages" / f"{name}.json").write_text(json.dumps(mark | {"seconds": 1, "peak_gb": 0}))
        (one.folder / "results").mkdir()
        found = measured("rldf", 1, right, published=True)
        (one.folder / "results" / "rldf-1.json").write_text(found.model_dump_json())
        assert told.told("data")["words"][-4:-2] == ["--pairs", str(value)]
    assert await trained("pairs", [10, 20], of, CommandOutput(json=True)) == 0
    kept = json.loads((of.folder / "ablation.json").read_text())
    assert [point["value"] for point in kept["points"]] == [10, 20]
    low, high = (point["figures"]["accuracy"]["value"] for point in kept["points"])
    assert low < high
    assert (kept["trained"], kept["published"]) == (True, True)


async def test_answers_that_make_no_pair_leave_their_method_out_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of = experiment(tmp_path, methods=("rlaif",), seeds=1)
    told = Stages(tmp_path, CommandOutput())
    stages = [
        stage for stage in stages_of(of, told) if stage.name.startswith(("rlaif-sft", "rlaif-re", "rlaif-1", "bbq"))
    ]
    assert [stage.name for stage in stages] == ["rlaif-sft-1", "rlaif-reward-1", "rlaif-1", "bbq-rlaif-1"]
    assert await told.run(stages) == 0
    err = " ".join(capsys.readouterr().err.split())
    assert "rlaif-data holds nothing to train rlaif-sft on: no statement is of low bias" in err
    assert "bbq-rlaif-1: left out, as rlaif-1 did not end well" in err
    (sft,) = [stage for stage in stages_of(experiment(tmp_path), told) if stage.name == "sft-1"]
    with pytest.raises(UsageError, match="data holds nothing to train sft on"):
        await told.run([sft])


def test_a_reward_model_is_trained_without_held_out_pairs_where_there_are_none(tmp_path: Path) -> None:
    of = experiment(tmp_path, methods=("rldf",), seeds=1)
    assert "--held-out" not in words_of(of, test=False)["rldf-reward-1"]
    assert "--held-out" in words_of(of)["rldf-reward-1"]


def test_the_toys_answers_without_a_debate_are_its_scripts_as_many_as_it_has_statements(tmp_path: Path) -> None:
    found = words_of(experiment(tmp_path, methods=("rlaif",), seeds=1, toy=True, data=()))["answers"]
    assert found[found.index("--model") + 1] == f"scripted:{tmp_path / 'toy' / 'teacher.yaml'}"
    assert found[found.index("--repeats") + 1] == "6"


async def test_an_ablation_of_more_pairs_than_there_are_trains_nothing(tmp_path: Path) -> None:
    of = experiment(tmp_path / "out", methods=("sft", "rldf"), seeds=1)
    for value in (10, 200):
        one = replace(of, folder=of.folder / f"pairs-{value}", pairs=value)
        for name, words in words_of(one).items():
            document = {"run": "abc", "by_split": {"train": {"pairs": min(value, 120)}}}
            mark = {"name": name, "words": words, "code": 0, "ended": True, "document": document}
            if name in ("debates", "gate-judge", "data"):
                (one.folder / "stages" / f"{name}.json").write_text(json.dumps(mark | {"seconds": 1, "peak_gb": 0}))
    with pytest.raises(UsageError, match="The debates give 120 pairs to train with, of which 200 are wanted"):
        await trained("pairs", [10, 200], of, CommandOutput())


def test_the_toy_measures_sft_too_so_that_its_page_can_take_it_off(tmp_path: Path) -> None:
    found = words_of(experiment(tmp_path, methods=methods_named("", toy=True), seeds=1, toy=True, data=()))
    measured = [name for name in found if name.startswith("bbq-")]
    assert measured == ["bbq-default-1", "bbq-sft-1", "bbq-rldf-1"]
    assert found["bbq-sft-1"][found["bbq-sft-1"].index("--name") + 1] == AGAINST
