"""Debates as JSON lines, and the generator of simulated ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elenchus.detectors.decision.data import Debate, origin_in_words, read_debates, write_debates
from elenchus.detectors.decision.learning.objective import Table
from elenchus.detectors.decision.simulate import COMMON, simulate, worth
from elenchus.detectors.decision.weights import CRITERIA, built_in
from tests.detectors.decision.made_debates import planted

SIX = dict.fromkeys(CRITERIA, 5)
LINE: dict[str, Any] = {
    "first": "sunk-cost-fallacy", "second": "loss-aversion", "right": "first", "origin": "imported",
    "sheets": [{"referee": "analytical", "side": "first", "scores": SIX},
               {"referee": "analytical", "side": "second", "scores": None}],
}  # fmt: skip


def with_scores(scores: dict[str, Any]) -> str:
    return json.dumps(LINE | {"sheets": [{"referee": "r", "side": "first", "scores": scores}]})


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    debates = (*simulate(30, 1), *planted(5))
    write_debates(tmp_path / "d.jsonl", debates)
    assert read_debates(tmp_path / "d.jsonl") == debates
    assert origin_in_words(debates) == "5 imported and 30 simulated debates"


def test_a_line_needs_no_more_than_sides_sheets_label_and_origin(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(f"\ufeff{json.dumps(LINE)}\r\n\n{json.dumps(LINE)}\n")
    debates = read_debates(tmp_path / "d.jsonl")
    assert len(debates) == 2
    assert debates[0].cards_of("first") == [dict.fromkeys(CRITERIA, 5.0)]
    assert debates[0].cards_of("second") == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2: it is not valid JSON"),
        ("[1]", "line 2: not a JSON object"),
        ("[" * 100_000, "line 2: lists and mappings stand more than 64 deep"),
        ('{"first": "a"}', "line 2: second"),
        (json.dumps(LINE | {"right": "both"}), "line 2: right"),
        (json.dumps(LINE | {"origin": "guessed"}), "line 2: origin"),
        (json.dumps(LINE | {"sheets": []}), "line 2: sheets"),
        (json.dumps(LINE | {"sheets": 5}), "line 2: sheets"),
        (json.dumps(LINE | {"sheets": "text"}), "line 2: sheets → 0"),
        (with_scores(SIX | {"support": 11}), "support"),
        (with_scores(SIX | {"support": -1}), "support"),
        (with_scores(SIX | {"support": "9"}), "support"),
        (with_scores({"support": 1}), "exactly"),
        (json.dumps(LINE | {"extra": 1}), "line 2: extra"),
        (json.dumps(LINE | {"second": LINE["first"]}), "line 2: the line: a debate is between two biases"),
    ],
)  # fmt: skip
def test_a_ragged_line_is_named_with_its_field(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "d.jsonl").write_text(f"{json.dumps(LINE)}\n{line}\n")
    with pytest.raises(ValueError, match=r"d\.jsonl(, line 2: | cannot be read \(line 2: )") as caught:
        read_debates(tmp_path / "d.jsonl")
    assert told in str(caught.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        read_debates(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(ValueError, match="holds no debates"):
        read_debates(tmp_path / "empty.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="not UTF-8"):
        read_debates(tmp_path / "bytes.jsonl")


# ── simulated ────────────────────────────────────────────────────────────────────────────────────────────────────

MANY = simulate(3000, 11)


def scores(debates: tuple[Debate, ...], **of: str) -> np.ndarray[Any, Any]:
    """The readable scores (rows, by CRITERIA) of all sheets with these fields."""
    sheets = (sheet for debate in debates for sheet in debate.sheets)
    held = [s.scores for s in sheets if s.scores and all(getattr(s, name) == value for name, value in of.items())]
    return np.array([[card[name] for name in CRITERIA] for card in held])


def test_every_simulated_debate_says_so_and_a_seed_gives_the_same_ones() -> None:
    assert {debate.origin for debate in MANY} == {"simulated"}
    assert simulate(50, 1) == simulate(50, 1) != simulate(50, 2)
    assert all(len(debate.sheets) == 8 for debate in MANY)


def test_sides_are_right_about_equally_often_and_some_sheets_are_unread() -> None:
    assert 0.46 < sum(debate.right == "first" for debate in MANY) / len(MANY) < 0.54
    unread = sum(sheet.scores is None for debate in MANY for sheet in debate.sheets) / (8 * len(MANY))
    assert 0.005 < unread < 0.02


def test_the_intuitive_referee_has_the_stronger_halo_and_position_effect() -> None:
    halo = {
        name: np.corrcoef(scores(MANY, referee=name).T)[np.triu_indices(6, 1)].mean()
        for name in ("analytical", "intuitive")
    }
    assert halo["intuitive"] > halo["analytical"] + 0.05
    gain = {
        name: scores(MANY, referee=name, side="first", shown_first="first").mean()
        - scores(MANY, referee=name, side="first", shown_first="second").mean()
        for name in ("analytical", "intuitive")
    }  # fmt: skip
    assert 0.1 < gain["analytical"] < 0.3 < gain["intuitive"] < 0.7


def test_the_same_referee_scores_the_same_side_differently_and_the_intuitive_one_more_so() -> None:
    """Between the two orders of showing; rounding alone would give a spread of about 0.4."""

    def of(debate: Debate, referee: str, shown: str) -> dict[str, float] | None:
        sheets = (s for s in debate.sheets if (s.referee, s.side, s.shown_first) == (referee, "second", shown))
        return next(sheets).scores

    spread = {}
    for name in ("analytical", "intuitive"):
        both = [(of(debate, name, "first"), of(debate, name, "second")) for debate in MANY[:800]]
        spread[name] = np.std([a[c] - b[c] for a, b in both if a and b for c in CRITERIA])
    assert 0.9 < spread["analytical"] < 1.3 < spread["intuitive"] < 1.8


def test_what_a_side_is_worth_is_not_linear_in_its_qualities() -> None:
    rng = np.random.default_rng(5)
    quality = rng.normal(size=(4000, 1)) * COMMON**0.5 + rng.normal(size=(4000, 6)) * (1 - COMMON) ** 0.5
    of = worth(quality)
    design = np.column_stack([quality, np.ones(len(of))])
    fitted = design @ np.linalg.lstsq(design, of, rcond=None)[0]
    assert 1 - ((of - fitted) ** 2).sum() / ((of - of.mean()) ** 2).sum() < 0.8


def test_no_published_weights_are_what_decides_there() -> None:
    table = Table.of(MANY)
    rng = np.random.default_rng(6)
    best = table.accuracies(rng.uniform(-1, 1, (3000, 6))).max()
    for weights in built_in().values():
        assert table.accuracy(np.array(weights.values)) < best
