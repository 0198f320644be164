"""`elenchus cogbench`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from elenchus.detectors.evaluation.cogbench.shapes import write_json
from tests.detectors.evaluation.cogbench.made_files import noisy_records, record, written
from tests.detectors.evaluation.cogbench.test_comparison import of_two
from tests.service.cli.program import Program, Result


def test_a_file_is_scored_as_one_json_document(elenchus: Program, inside: Callable[..., Result]) -> None:
    written(elenchus.folder, [*noisy_records(2), record(3, [(-1, 4)])])
    result = inside("cogbench", "score", "eval_cogbench_a.json", "--method", "CoT", "--json")
    assert (result.code, result.err) == (0, "")
    found = result.json
    assert list(found)[:3] == ["authenticity", "rationality", "left_out"]
    assert found["left_out"] == 1
    for part in ("authenticity", "rationality"):
        assert {"average", "fifth", "tenth", "by_iteration"} <= set(found[part])
        assert found[part]["averaged"] == 10


def test_the_json_document_has_the_figures_of_scikit_learn_null_for_what_has_none_and_why(
    elenchus: Program, inside: Callable[..., Result]
) -> None:
    pairs = [(1, 2), (2, 2), (4, 5), (3, 3)]
    records = [
        record(1, pairs, rationality=3), record(2, [(4, 4), (4, 4)], rationality=-1),
        record(5, [(3, 1), (3, 5)], rationality=4), record(10, [(-1, 4), (2, -1)], rationality=-1),
    ]  # fmt: skip
    written(elenchus.folder, records)
    found = inside("cogbench", "score", "eval_cogbench_a.json", "--method", "CoT", "--json").json
    kappa = cohen_kappa_score(*zip(*pairs, strict=True))
    authenticity, rationality = found["authenticity"], found["rationality"]
    assert authenticity["by_iteration"] == {str(n): None for n in range(11)} | {"1": kappa, "5": 0.0}
    assert (authenticity["average"], authenticity["averaged"]) == (kappa / 2, 2), "over those that have a value"
    assert (authenticity["fifth"], authenticity["tenth"]) == (0.0, None), "one constant side gives 0"
    assert authenticity["undefined"]["2"].startswith("both sides say 4 of everything")
    assert authenticity["undefined"]["7"] == authenticity["undefined"]["10"] == "nothing was rated by both"
    assert (found["left_out"], authenticity["left_out"], rationality["left_out"]) == (2, 2, 4)
    assert (rationality["average"], rationality["fifth"], rationality["tenth"]) == (3.5, 4, None)
    assert rationality["undefined"]["2"] == "nothing was rated"


def test_a_file_is_scored_as_a_table_that_says_what_has_no_figure(
    elenchus: Program, inside: Callable[..., Result]
) -> None:
    written(elenchus.folder, [record(1, [(4, 4), (4, 4)]), record(2, [(1, 1), (2, 3)])])
    result = inside("cogbench", "score", "eval_cogbench_a.json", "--method", "CoT")
    assert result.code == 0
    assert "authenticity (κ)" in result.out
    assert "no authenticity (κ) in iteration 1: both sides say 4 of everything" in result.out
    assert "no rationality in iteration 0, 3, 4, 5, 6, 7, 8, 9, 10: nothing was rated" in result.out


def test_two_methods_are_compared_on_the_same_answers_as_a_document_and_as_a_table(
    elenchus: Program, inside: Callable[..., Result]
) -> None:
    written(elenchus.folder, of_two(3))
    command = ("cogbench", "score", "eval_cogbench_a.json", "--method", "CogGPT", "--against", "CoT")
    found = inside(*command, "--json").json
    compared = found["compared"]
    assert list(found)[:3] == ["authenticity", "rationality", "left_out"]
    assert (compared["method"], compared["against"], compared["clusters"], compared["answers"]) == (
        "CogGPT", "CoT", 12, 384,
    )  # fmt: skip
    average = compared["differences"]["authenticity"]["average"]
    assert 0 < average["low"] < average["value"] < average["high"]
    told = inside(*command)
    assert "CogGPT less CoT: 384 answers of each to the same questions, 0 left out of κ; 384 reasons" in told.out
    assert f"{average['value']:+.3f} ({average['low']:+.3f} to {average['high']:+.3f})" in told.out
    other = elenchus.folder / "other.json"
    write_json(other, of_two(3, CogGPT=0.4))
    refused = inside("cogbench", "score", "eval_cogbench_a.json", "--method", "CogGPT", "--against-file", "other.json")
    assert (refused.code, "people have rated" in refused.err, refused.out) == (2, True, "")
    same = inside(*command[:3], "--method", "CoT", "--against", "CoT")
    assert (same.code, "CoT is compared with itself" in same.err) == (2, True)


@pytest.mark.parametrize("arguments", [("missing.json", "--method", "CoT"), ("eval.json", "--method", "ToT")])
def test_what_cannot_be_scored_is_told_in_one_sentence(
    elenchus: Program, inside: Callable[..., Result], arguments: tuple[str, ...]
) -> None:
    write_json(elenchus.folder / "eval.json", [record(1, [(1, 2)])])
    result = inside("cogbench", "score", *arguments)
    assert result.code == 2
    assert len(result.err.strip().splitlines()) == 1


def test_a_ragged_file_is_refused_and_stays_as_it_is(elenchus: Program, inside: Callable[..., Result]) -> None:
    ragged = record(1, [(1, 2), (2, 2)])
    del ragged["questionnaire"][1]["answer"]["CoT"]
    path = written(elenchus.folder, [ragged])
    before = path.read_bytes()
    result = inside("cogbench", "score", path.name, "--method", "CoT", "--json")
    assert result.code == 2
    assert result.json["error"]["kind"] == "UsageError"
    assert "CoT has answered 1 of its 2 questions" in result.json["error"]["message"]
    assert path.read_bytes() == before


def test_sheets_go_out_and_come_back_as_a_majority(elenchus: Program, inside: Callable[..., Result]) -> None:
    written(elenchus.folder, [record(1, [(-1, 4), (-1, 2)], rationality=-1)])
    made = inside("cogbench", "sheet", "eval_cogbench_a.json", "--out", "sheets", "--json")
    assert made.json["items"] == 2
    folder = elenchus.folder / "sheets"
    for rater in (1, 2):
        path = folder / f"sheet-{rater}.csv"
        header, *rows = path.read_text(encoding="utf-8-sig").splitlines()
        path.write_text("\n".join([header, *(row[:-1] + "4," for row in rows)]))
    names = ("eval_cogbench_a.json", "sheets/key.json", "sheets/sheet-1.csv", "sheets/sheet-2.csv")
    result = inside("cogbench", "collect", *names, "--out", "rated.json")
    assert result.code == 0
    assert "2 items have a majority; 0 of them are ties" in result.out
    assert inside("cogbench", "score", "rated.json", "--method", "CoT", "--json").json["rationality"]["average"] == 4
    assert "4,4,4," in (elenchus.folder / "rated-ratings.csv").read_text(encoding="utf-8-sig")
    again = inside("cogbench", "collect", *names, "--out", "rated.json")
    assert (again.code, "is there already" in again.err) == (2, True)
    assert "holds such sheets already" in inside("cogbench", "sheet", names[0], "--out", "sheets").err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--what", "taste"), "--what is rationality or ratings"),
        (("--what", "ratings", "--method", "CoT"), "--method goes with --what rationality"),
        (("--method", "ToT"), "has no answers of the method"),
        (("--raters", "1"), "--raters"),
    ],
)
def test_sheets_that_cannot_be_made_are_refused(
    elenchus: Program, inside: Callable[..., Result], arguments: tuple[str, ...], said: str
) -> None:
    written(elenchus.folder, [record(1, [(-1, 4)])])
    result = inside("cogbench", "sheet", "eval_cogbench_a.json", "--out", "sheets", *arguments)
    assert result.code == 2
    assert said in result.err
    assert not (elenchus.folder / "sheets").exists()
