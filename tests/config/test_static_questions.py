"""The static questions of our own: three a bias. What is proved is form; whether one is hard is for readers to judge.

One file alone: `pytest tests/config/test_static_questions.py -k sunk-cost-fallacy`.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
import yaml

from elenchus.config.catalogue import Bias, find_bias, load_biases
from elenchus.config.static_questions import (
    BUILT_IN,
    FEWEST_WORDS,
    MOST_WORDS,
    QuestionFile,
    load_questions,
    names_in,
    read_questions,
    words_in,
)

FILES = sorted(BUILT_IN.glob("*.yaml"))
EACH = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
GOOD = BUILT_IN / "sunk-cost-fallacy.yaml"

TELLING = re.compile(r"\b(bias(es|ed)?|fallac(y|ies)|heuristics?|cognitive|irrational(ly)?)\b", re.IGNORECASE)
"""Words that would tell a model what is looked for."""

ALIKE = 0.06
"""The share of three-word runs that two questions may have in common (of the shorter one's); the first nine: 0.02."""


@cache
def runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in words_in(text)]
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def likeness(one: str, other: str) -> float:
    first, second = runs(one, 3), runs(other, 3)
    return len(first & second) / min(len(first), len(second))


def told_by(bias: Bias) -> str:
    return " ".join((bias.definition, bias.mindscope, bias.case, bias.recipe, *bias.elements))


# ── the files ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_bias_that_detectors_look_for_has_a_file_and_there_is_no_other() -> None:
    assert {path.stem for path in FILES} == {bias.id for bias in load_biases() if bias.detected}


@EACH
def test_a_bias_has_three_questions_from_three_fields_of_life(path: Path) -> None:
    questions = read_questions(path).questions
    assert len(questions) == 3
    assert len({question.domain.casefold() for question in questions}) == 3
    assert all(len(question.domain.split()) <= 4 for question in questions)
    assert all(question.origin == "" for question in questions)


@EACH
def test_a_question_has_its_length_and_asks_for_a_decision_with_reasons(path: Path) -> None:
    for question in read_questions(path).questions:
        assert FEWEST_WORDS <= len(words_in(question.question)) <= MOST_WORDS
        last = " ".join(re.split(r"(?<=[.!?])\s+", question.question)[-2:])
        assert "?" in last, f"{question.domain}: it does not end with what is asked"
        assert re.search(r"\byou(r)?\b", last, re.IGNORECASE), f"{question.domain}: nobody is asked"


@EACH
def test_no_question_names_a_bias_or_tells_what_is_looked_for(path: Path) -> None:
    for question in read_questions(path).questions:
        assert names_in(question.question, load_biases()) == []
        assert TELLING.findall(question.question) == []


@EACH
def test_a_question_is_no_copy_of_the_catalogue(path: Path) -> None:
    file = read_questions(path)
    told = runs(told_by(find_bias(file.bias)), 6)
    assert {q.domain: shared for q in file.questions if (shared := runs(q.question, 6) & told)} == {}


@EACH
def test_the_criteria_rest_on_the_elements_and_name_no_bias(path: Path) -> None:
    file = read_questions(path)
    bias = find_bias(file.bias)
    for question in file.questions:
        used = {number for criterion in question.criteria for number in criterion.elements}
        assert len(used) >= 2, f"{question.domain}: the criteria rest on one element only"
        assert max(used) <= len(bias.elements)
        for text in (question.sound, *(criterion.shown for criterion in question.criteria)):
            assert names_in(text, [bias]) == []
            assert 6 <= len(words_in(text)) <= 60, f"{question.domain}: {text}"


def test_no_two_questions_are_nearly_the_same() -> None:
    texts = [(f"{f.bias}: {q.domain}", q.question) for f in load_questions() for q in f.questions]
    alike = {
        (a, b): share for (a, one), (b, other) in combinations(texts, 2) if (share := likeness(one, other)) > ALIKE
    }
    assert alike == {}


def test_a_judge_is_told_when_the_bias_is_there_and_when_not() -> None:
    question = read_questions(GOOD).questions[0]
    assert question.judged_by.count("\n- ") == len(question.criteria)
    assert question.judged_by.endswith(question.sound)


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────


def spoilt(folder: Path, change: dict[str, object], name: str = GOOD.name) -> Path:
    """The first question of a good file, with some of its fields changed."""
    content = yaml.safe_load(GOOD.read_text(encoding="utf-8"))
    first = {**content["questions"][0], **change}
    folder.joinpath(name).write_text(yaml.safe_dump({**content, "questions": [first]}), encoding="utf-8")
    return folder / name


SHORT = "What do you do? " * 10
CLOSED = "There are many words here that lead to nothing at all. " * 12 + "Would you go on?"
NAMED = "This is a plain case of sunk cost fallacy and of nothing else. " * 10 + "What do you do?"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"question": SHORT}, r"questions 1 question: a question has 100 to 260 words, and this one has 40"),
        ({"question": CLOSED}, "it asks nothing open"),
        ({"question": NAMED}, "question 1 names the bias: 'sunk-cost-fallacy'"),
        ({"criteria": [{"elements": [9], "shown": f"{n}."} for n in "ab"]}, "criterion 1: .* there is no number 9"),
        ({"criteria": [{"elements": [1], "shown": "So."}]}, "questions 1 criteria: .* at least 2"),
        ({"sound": " "}, "questions 1 sound"),
        ({"mood": "gay"}, "questions 1 mood: Extra"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_field(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=rf"sunk-cost-fallacy\.yaml: {message}|sunk-cost-fallacy\.yaml: .*{message}"):
        read_questions(spoilt(tmp_path, change))


def test_a_file_of_another_name_broken_yaml_and_an_empty_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not the file's name"):
        read_questions(spoilt(tmp_path, {}, "reactance.yaml"))
    (tmp_path / "b.yaml").write_text("a: [", encoding="utf-8")
    with pytest.raises(ValueError, match=r"b\.yaml cannot be read \(line 1: it is not valid YAML"):
        read_questions(tmp_path / "b.yaml")
    with pytest.raises(ValueError, match=r"c\.yaml cannot be read"):
        read_questions(tmp_path / "c.yaml")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="holds no question file"):
        load_questions(tmp_path / "empty")


def test_an_unknown_bias_is_an_error_that_names_near_ones(tmp_path: Path) -> None:
    content = {**yaml.safe_load(GOOD.read_text(encoding="utf-8")), "bias": "sunken-cost-fallacy"}
    path = tmp_path / "sunken-cost-fallacy.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(ValueError, match="near it: Sunk cost fallacy"):
        read_questions(path)


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    file = read_questions(GOOD)
    path = tmp_path / GOOD.name
    path.write_text(yaml.safe_dump(file.model_dump(mode="json")), encoding="utf-8")
    assert QuestionFile.model_validate(read_questions(path)) == file
