from __future__ import annotations

import json
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.alignment.export import files_of
from elenchus.detectors.alignment.training.data import prompts_of, read_examples
from elenchus.detectors.alignment.training.settings import Stage
from tests.detectors.alignment.made_statements import spoken
from tests.detectors.alignment.training.made import pairs, statements, written


def test_what_an_export_writes_is_read(tmp_path: Path) -> None:
    said = [spoken(score, topic=f"topic {n}") for n in range(9) for score in (1, 8)]
    _, files = files_of(said, None, {}, 0)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    found, read = read_examples([tmp_path / "ungated-pairs-train.jsonl"], "reward")
    assert found[0].chosen != found[0].rejected
    assert read[0].ungated, "and that its judge has passed no gate is not forgotten"
    assert read_examples([tmp_path / "ungated-sft-train.jsonl"], "sft")[0][0].chosen


@pytest.mark.parametrize("kind", ["pairs", "sft"])
def test_rows_of_an_ungated_export_are_ungated_under_another_name_too(tmp_path: Path, kind: str) -> None:
    said = [spoken(score, topic=f"topic {n}") for n in range(9) for score in (1, 8)]
    _, files = files_of(said, None, {}, 0)
    renamed = tmp_path / f"{kind}-train.jsonl"
    renamed.write_bytes(files[f"ungated-{kind}-train.jsonl"])
    _, read = read_examples([renamed], "sft" if kind == "sft" else "dpo")
    assert read[0].ungated


def test_only_rows_that_all_name_a_verdict_are_of_a_judge_that_has_passed(tmp_path: Path) -> None:
    """A file of one's own names none: nobody has measured who made it."""
    gated = [{**row, "gate": "90750abe4302a618"} for row in pairs(3)]
    for rows, ungated in ((gated, False), (pairs(3), True), ([*gated, pairs(1, first=9)[0]], True)):
        _, read = read_examples([written(tmp_path / "pairs-train.jsonl", rows)], "dpo")
        assert read[0].ungated is ungated
    for other in (None, "", 7, True, "ungated"):
        _, read = read_examples([written(tmp_path / "x.jsonl", [*gated, {**gated[0], "gate": other}])], "dpo")
        assert read[0].ungated


@pytest.mark.parametrize(
    ("broken", "stage", "said"),
    [
        ({"rejected": None}, "reward", "line 2: `rejected` is missing or empty"),
        ({"chosen": [{"role": "assistant", "content": " "}]}, "dpo", "line 2: `chosen` is missing or empty"),
        ({"prompt": "text"}, "reward", "line 2: `prompt` is no list of messages"),
        ({}, "sft", "line 1: `completion` is missing or empty (it takes statements"),
    ],
)
def test_a_file_with_one_side_missing_is_refused_with_its_line(
    tmp_path: Path, broken: dict[str, object], stage: Stage, said: str
) -> None:
    first, second = pairs(2)
    file = written(tmp_path / "x.jsonl", [first, {**second, **broken}])
    with pytest.raises(UsageError) as refused:
        read_examples([file], stage)
    assert said in str(refused.value)


def test_what_is_no_file_of_rows_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "no.jsonl").write_text("{\n")
    (tmp_path / "list.jsonl").write_text("[]\n")
    (tmp_path / "empty.jsonl").write_text("\n")
    for name in ("no.jsonl", "list.jsonl", "empty.jsonl", "missing.jsonl", "."):
        with pytest.raises(UsageError, match=r"\.$"):
            read_examples([tmp_path / name], "sft")
    with pytest.raises(UsageError, match="device"):
        read_examples([Path("/dev/zero")], "sft")


def test_a_policy_takes_the_prompts_of_either_file_each_once(tmp_path: Path) -> None:
    files = [written(tmp_path / "p.jsonl", pairs(3)), written(tmp_path / "s.jsonl", statements(4))]
    found, read = read_examples(files, "rloo")
    assert [len(one.sha256) for one in read] == [64, 64]
    assert (len(found), len(prompts_of(found))) == (7, 4)


def test_a_line_is_ended_by_a_line_break_alone(tmp_path: Path) -> None:
    row = pairs(1)[0] | {"chosen": [{"role": "assistant", "content": "a\u2028b"}]}
    file = tmp_path / "x.jsonl"
    file.write_text(json.dumps(row, ensure_ascii=False) + "\n", "utf-8")
    assert read_examples([file], "dpo")[0][0].chosen == "a\u2028b"
