"""The paper's figures as they were handed to us: limits, criteria, weights, settings in the code, tables in the docs.

The page of facts is not part of the project; where it is not at hand, nothing is compared.
"""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import pytest

from elenchus.detectors import baselines, checks
from elenchus.detectors.decision.learning import searches
from elenchus.detectors.decision.weights import CRITERIA, built_in
from elenchus.detectors.matches import STAGES
from elenchus.detectors.replies import Marks
from elenchus.detectors.schemas import MOST_SUSPECTED

ROOT = Path(__file__).parents[2]
FACTS = ROOT.parent / "shared" / "paper-facts.md"
PAGES = (ROOT / "docs" / "detection.md", ROOT / "detectors" / "decision" / "NOTES.md")
NUMBER = re.compile(r"-?\d*\.?\d+")
LEARNERS = ("annealing", "genetic", "ant-colony", "dqn-genetic")
"""In the order of the paper's table."""


@pytest.fixture(scope="module")
def facts() -> str:
    """The part on detection. Skips the test where the page is not at hand."""
    if not FACTS.exists():
        pytest.skip(f"THE PAPER'S FIGURES ARE MISSING: there is no {FACTS}, so nothing is compared with them here")
    return FACTS.read_text(encoding="utf-8").partition("## MindScope: detection without labels")[2]


def numbers(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text.replace("−", "-"))]


def rows(text: str, head: str) -> list[list[str]]:
    """The rows of the table whose header begins so, cell by cell."""
    lines = takewhile(lambda line: line.startswith("|"), text.partition(f"| {head}")[2].splitlines()[1:])
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "---" not in line]


def told(text: str, pattern: str) -> int:
    found = re.search(pattern, text)
    assert found is not None, pattern
    return int(found[1])


def test_the_limits_of_words_and_names_are_the_papers(facts: str) -> None:
    stages = {"introduction": "opening", "argument": "argument", "refutation": "refutation", "summary": "summary"}
    limits = facts.partition("**Debate word limits**")[2]
    assert dict(STAGES) == {ours: told(limits, rf"{theirs} (\d+)") for ours, theirs in stages.items()}
    assert told(facts, r"conservative\): (\d+) names each") == MOST_SUSPECTED
    assert told(facts, r"\*\*Detectors\*\*: yes/no, reason ≤ (\d+) words") == checks.WORDS
    assert told(facts, r"plan-and-reflection of ≤ (\d+) words") == baselines.WORDS
    assert told(FACTS.read_text(encoding="utf-8"), r"Judge's reason ≤ (\d+) words") == checks.LABEL_WORDS


def test_the_criteria_are_the_papers_in_its_order_from_0_to_10(facts: str) -> None:
    theirs = facts.partition("**Six criteria, 0–10**: ")[2].partition(". Scale")[0]
    named = [one.partition(" (")[0] for one in re.sub(r"\([^)]*\)", "", theirs).split(";")]
    assert [ours for ours, name in zip(CRITERIA, named, strict=True) if ours not in name] == []
    bounds = Marks.model_json_schema()["properties"]
    assert {(bounds[name]["minimum"], bounds[name]["maximum"]) for name in CRITERIA} == {(0, 10)}


def test_the_weights_are_the_papers(facts: str) -> None:
    table = rows(facts, "learner | parameters")
    assert {name: list(built_in()[name].values) for name in LEARNERS} == {
        name: numbers(row[2]) for name, row in zip(LEARNERS, table, strict=True)
    }


def test_the_learners_have_the_papers_settings(facts: str) -> None:
    cooled, bred, ant, deep = (numbers(row[1].replace("T₀", "")) for row in rows(facts, "learner | parameters"))
    assert cooled == list(searches.Annealing())
    assert list(searches.GeneticSettings()) == bred
    assert ant == list(searches.AntColonySettings())
    assert deep == [2000, 0.95, 1, 0.01, 0.995, 0.005, 6, 6, 4, 5, 500, 20, 10, 0.1, 0.1], "see test_dqn.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_papers_accuracy_of_its_learners_is_quoted_as_it_is(facts: str, page: Path) -> None:
    quoted = [numbers(line.partition("|")[2].partition("|")[2]) for line in page.read_text("utf-8").splitlines()]
    theirs = [numbers(row[3]) for row in rows(facts, "learner | parameters")]
    assert len(theirs) == 4
    assert [row for row in theirs if row not in quoted] == []


def test_the_papers_accuracy_of_its_methods_is_quoted_as_it_is(facts: str) -> None:
    lines = PAGES[0].read_text(encoding="utf-8").partition("accuracies, in per cent, on its own 301 texts")[2]
    quoted = [numbers(line.partition("|")[2].partition("|")[2]) for line in lines.splitlines()]
    theirs = [numbers("|".join(row[1:])) for row in rows(facts, "accuracy %")]
    assert len(theirs) == 7
    assert [row for row in theirs if row not in quoted] == []
