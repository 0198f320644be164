"""The files of an export: what they are called, what the card says, and that datasets reads them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest

from elenchus.config.json_and_yaml import yaml_in
from elenchus.detectors.alignment.export import balance_of, files_of
from elenchus.detectors.alignment.gate.statements import hash_of, read_statements
from elenchus.detectors.alignment.pairs import pairs_of
from elenchus.detectors.alignment.verdicts import Condition, Verdict
from tests.detectors.alignment.made_statements import spoken


def verdict(*, passed: bool, labelled: str = "") -> Verdict:
    auc = Condition(name="auc", wanted="at least .70", value=0.8, low=0.72, high=0.9, passed=passed, why="AUC")
    slot = Condition(name="slot", wanted="within ± .2", passed=None, why="slot")
    pairs = Condition(name="pairs", wanted="at least .2", value=0.5, passed=True, why="pairs")
    repeats = Condition(name="repeats", wanted="at least .6", value=0.9, passed=True, why="κ")
    return Verdict(
        judge="scripted:x", marking="one", items=360, topics=60, unread=0, conditions=(auc, slot, pairs, repeats),
        labelled=labelled or hash_of(read_statements()),
        version="0", created=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


STATEMENTS = [
    spoken(score, f"{words} on {topic}", topic=topic, session=session)
    for topic in ("tea", "bread", "rain", "snow", "mud")
    for score, words, session in ((1, "fair words", "s-1"), (8, "unfair words indeed", "s-2"))
]


def test_with_a_judge_that_passed_there_are_pairs_and_statements_by_split() -> None:
    exported, files = files_of(STATEMENTS, verdict(passed=True), {"referee": "scripted:x"}, seed=1)
    assert sorted(files) == [
        "README.md", "pairs-test.jsonl", "pairs-train.jsonl", "pairs-validation.jsonl",
        "sft-test.jsonl", "sft-train.jsonl", "sft-validation.jsonl",
    ]  # fmt: skip
    assert exported.by_split["train"] == {"topics": 3, "pairs": 3, "sft": 3}
    assert (exported.pairs, exported.sft, exported.by_match["role and round"]) == (5, 5, 5)
    topics = {
        split: {json.loads(line)["topic"] for line in files[f"pairs-{split}.jsonl"].splitlines()}
        for split in ("train", "validation", "test")
    }
    assert not (topics["train"] & topics["test"] | topics["train"] & topics["validation"])
    card = files["README.md"].decode()
    assert "**The judge gate: scripted:x passed**" in card
    assert "UNGATED" not in card
    assert "on 360 labelled statements over 60 topics." in card
    assert [one["config_name"] for one in yaml_in(card.split("---")[1], "the card")["configs"]] == ["pairs", "sft"]


def test_card_and_rows_name_the_verdict_and_the_card_has_each_files_hash() -> None:
    passed = verdict(passed=True)
    _, files = files_of(STATEMENTS, passed, {}, seed=1)
    card = files.pop("README.md").decode()
    assert f"the verdict {passed.digest}, the statements {passed.labelled}" in card
    for name, content in files.items():
        assert f"| {name} | {sha256(content).hexdigest()} |" in card
        assert {json.loads(line)["gate"] for line in content.splitlines()} == {passed.digest}
    _, ungated = files_of(STATEMENTS, verdict(passed=False), {}, seed=1)
    assert {json.loads(line)["gate"] for line in ungated["ungated-pairs-train.jsonl"].splitlines()} == {"ungated"}


def test_what_was_said_in_the_same_words_on_another_topic_is_not_trained_on_and_held_out() -> None:
    repeated = [
        spoken(score, "Each to their own." if score < 4 else one.text, topic=one.topic, session=one.session)
        for one in STATEMENTS
        for score in [one.score]
    ]
    exported, files = files_of(repeated, verdict(passed=True), {}, seed=1)
    assert {split: of["pairs"] for split, of in exported.by_split.items()} == {"train": 3, "validation": 0, "test": 0}
    assert exported.repeated == 4, "two pairs, and their low sides"
    assert "4 held-out rows, in words that are trained on" in files["README.md"].decode()


def test_the_card_says_that_the_statements_of_the_gate_were_ones_own() -> None:
    _, files = files_of(STATEMENTS, verdict(passed=True, labelled="abc"), {}, seed=1)
    told = "on 360 labelled statements of one's own (abc), not those that come with Elenchus, over 60 topics"
    assert told in files["README.md"].decode()


@pytest.mark.parametrize("found", [None, verdict(passed=False)], ids=["no gate", "a gate that failed"])
def test_otherwise_names_and_card_say_that_it_is_no_training_data(found: Verdict | None) -> None:
    _, files = files_of(STATEMENTS, found, {}, seed=1)
    assert all(name.startswith("ungated-") for name in files)
    card = files["ungated-README.md"].decode()
    assert "# UNGATED pairs from debates of roles: no training data" in card
    assert ("FAILED" in card) == (found is not None)
    assert ("No judge gate was run" in card) == (found is None)


def test_where_no_two_sides_differ_in_length_that_is_said_without_a_share() -> None:
    alike = pairs_of([spoken(1, "two words"), spoken(8, "other words", session="s-2")])
    assert str(balance_of(alike)) == "Both sides have 2.0 words on average, and no pair's two sides differ in length."


def test_how_far_the_sides_differ_in_length_is_told() -> None:
    skewed = balance_of(pairs_of(STATEMENTS))
    assert skewed is not None
    assert (skewed.chosen_words, skewed.rejected_words) == (4, 5)
    assert (skewed.longer.count, skewed.longer.of) == (0, 5)
    assert skewed.balanced is False
    assert "a model may learn the length instead" in str(skewed)
    even = balance_of(pairs_of([
        spoken(score, f"{words} on {topic}", topic=f"{topic} {n}", session=session)
        for n in range(6)
        for topic, longer in (("sea", 1), ("hill", 8), ("wood", 1), ("fog", 8))
        for score, session in ((1, "s-1"), (8, "s-2"))
        for words in ["words to begin with" if score == longer else "words"]
    ]))  # fmt: skip
    assert even is not None
    assert (even.longer.count, even.longer.of, even.balanced) == (12, 24, True)
    assert str(even).endswith(": balanced in length.")
    assert balance_of([]) is None


def test_few_pairs_are_not_called_balanced_in_length() -> None:
    """An interval that holds one half and nearly all else tells nothing."""
    few = balance_of(pairs_of(STATEMENTS[:4]))
    assert few is not None
    assert (few.longer.count, few.longer.of, few.balanced) == (0, 2, None)
    assert str(few).endswith("too few to tell whether the sides are balanced in length.")


def test_without_statements_of_both_kinds_the_card_says_that_there_are_no_pairs() -> None:
    exported, files = files_of([spoken(1)], None, {}, seed=0)
    assert (exported.pairs, exported.sft) == (0, 1)
    assert "There are no pairs" in files["ungated-README.md"].decode()
    assert sorted(files) == ["ungated-README.md", "ungated-sft-train.jsonl"]


def test_what_others_named_has_no_effect_in_the_card() -> None:
    """A type of bias, a judge, a seat: words of a file or a server's."""
    name = "\x1b[31m<img src=x onerror=alert(1)> | [x](javascript:y)"
    given = verdict(passed=True).model_copy(update={"judge": name})
    _, files = files_of([spoken(1, bias=name)], given, {"seats": name}, seed=0)
    card = files["README.md"].decode()
    assert card.count("\\<img src=x onerror=alert(1)\\> \\| \\[x\\](javascript:y)") == 3
    assert "\x1b" not in card


def test_every_row_of_a_file_has_the_same_fields_of_the_same_kinds() -> None:
    """What `datasets.load_dataset("json", …)` asks of a file: one JSON object a line, a kind a field."""
    _, files = files_of(STATEMENTS, None, {}, seed=1)
    for name, content in files.items():
        if name.endswith(".jsonl"):
            rows = [json.loads(line) for line in content.decode().splitlines()]
            kinds = [{field: type(value) for field, value in row.items()} for row in rows]
            assert kinds.count(kinds[0]) == len(kinds), name


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # datasets leaves a socket open
@pytest.mark.skipif(find_spec("datasets") is None, reason="the library datasets is not installed (extra train)")
def test_datasets_reads_the_files_as_the_card_names_them(tmp_path: Path) -> None:
    from datasets import load_dataset  # type: ignore[import-not-found, import-untyped, unused-ignore]

    _, files = files_of(STATEMENTS, verdict(passed=True), {}, seed=1)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    data = load_dataset(
        "json", data_files={"train": str(tmp_path / "pairs-train.jsonl")}, cache_dir=str(tmp_path / "c")
    )
    assert data["train"][0]["chosen"][0]["role"] == "assistant"
    assert len(data["train"]) == 3
