"""How far judges agree with one another: by subject and version, never of what was added up."""

from __future__ import annotations

import json

import pytest

from elenchus.debate_engine.protocols.rulegen.evaluation import alpha_over
from elenchus.debate_engine.protocols.rulegen.study.export.methods import methods_markdown
from elenchus.debate_engine.protocols.rulegen.study.export.run_json import study_run
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from tests.debate_engine.protocols.rulegen.study.test_cases import run, study
from tests.debate_engine.protocols.rulegen.test_evaluation import opinion

Pair = tuple[bool | None, bool | None]
THREE_OF_FOUR: list[Pair] = [(True, True), (True, True), (False, False), (True, False)]
"""By hand 0.5333 (see `test_evaluation`)."""


def judged(version: str, given: list[Pair], subject: str = "people") -> list[Observation]:
    begin = 1000 * ["low", "none"].index(version) + 10_000 * (subject != "people")
    return [
        run(
            begin + n, version, True, subject, result="present", opinions=(opinion("judge-1", a), opinion("judge-2", b))
        )
        for n, (a, b) in enumerate(given)
    ]


def test_judges_agree_so_far_in_each_version_of_each_subject() -> None:
    runs = [*judged("low", THREE_OF_FOUR), *judged("none", THREE_OF_FOUR[1:], "openai:robot")]
    people, robot = study(runs, "price >= 3").judges_agree
    assert (people.subject, people.version, people.runs, people.alpha) == ("people", "low", 4, 0.5333)
    assert (robot.subject, robot.version, robot.runs, robot.alpha) == ("openai:robot", "none", 3, 0.4444)


def test_judges_who_agree_as_chance_has_it_in_each_version_do_not_agree_because_versions_differ() -> None:
    often: list[Pair] = [*[(True, True)] * 16, *[(True, False), (False, True)] * 4, (False, False)]
    seldom: list[Pair] = [(not a, not b) for a, b in often]
    runs = [*judged("low", often), *judged("none", seldom)]
    low, none, within = study(runs, "price >= 3").judges_agree
    assert low.alpha is not None
    assert none.alpha is not None
    assert within.alpha is not None
    assert [low.alpha, none.alpha, within.alpha] == pytest.approx([0, 0, 0], abs=0.03)
    assert (within.version, within.runs) == ("", 50)
    pooled, _ = alpha_over(one.opinions for one in runs)
    assert pooled is not None
    assert pooled > 0.3


def test_over_versions_stands_the_mean_of_theirs_by_their_runs_and_no_word_of_subjects_together() -> None:
    runs = [
        *judged("low", THREE_OF_FOUR),
        *judged("none", THREE_OF_FOUR[2:] * 4),
        *judged("low", [(True, True)] * 3, "a:b"),
    ]
    low, none, within, robot = study(runs, "price >= 3").judges_agree
    assert low.alpha is not None
    assert none.alpha is not None
    assert within.alpha == pytest.approx((4 * low.alpha + 8 * none.alpha) / 12)
    assert (robot.alpha, robot.reason) == (None, "every value is the same, so agreement cannot be told from chance")


def test_one_judge_or_one_run_tells_nothing_of_agreement() -> None:
    (found,) = study(judged("low", [(True, None), (None, False), (True, True)]), "price >= 3").judges_agree
    assert (found.runs, found.alpha) == (1, None)
    assert "two" in found.reason
    assert study([run(1, "low", True)], "price >= 3").judges_agree == ()


def test_report_methods_and_run_json_tell_it_by_subject_and_version() -> None:
    runs = [*judged("low", THREE_OF_FOUR), *judged("none", THREE_OF_FOUR), *judged("low", [(True, True)] * 3, "a:b")]
    given = study(runs, "price >= 3")
    told = study_markdown(given)
    assert "| people | low | 4 | 0.53 |" in told
    assert "| people | within versions | 8 | 0.53 |" in told
    assert "| a:b | low | 3 | – (every value is the same" in told
    assert "over all runs" not in told
    methods = methods_markdown(given, [], None, 0)
    assert "11 runs had been judged; Krippendorff's α of the judges was 0.53 for people within versions" in methods
    assert "for a:b in low α cannot be told." in methods
    (first, *_) = json.loads(json.dumps(study_run(given, {}, None)))["judges_agree"]
    assert (first["subject"], first["version"], first["runs"], first["alpha"]) == ("people", "low", 4, 0.5333)
