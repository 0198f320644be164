"""A report that is read from beginning to end: its order, its picture, published sizes beside one's own."""

from __future__ import annotations

import re

import numpy as np
import pytest

from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
from elenchus.debate_engine.protocols.rulegen.study.departures import compared_with
from elenchus.debate_engine.protocols.rulegen.study.literature import sizes_beside
from elenchus.debate_engine.protocols.rulegen.study.plot import NUMBERS, SHARES, alt_text, study_plot
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.plan import Source
from tests.debate_engine.protocols.rulegen.study.test_cases import run, study
from tests.debate_engine.protocols.rulegen.study.test_registration import registered

KLEIN = Source(
    citation="Klein and others (2014)", doi="10.1027/1864-9335/a000178", arms="high - low", metric="d", size=2.42,
    low=2.33, high=2.51, n=5284, replication=True, same="paradigm",
)  # fmt: skip
HIGH = Contrast(compare="high - low", expect="greater")
CLOSE = Contrast(compare="high - none", expect="same", margin=30.0)


def priced(*sources: Source, subject: str = "people") -> Study:
    rng = np.random.default_rng(3)
    levels = {"low": 100.0, "high": 150.0, "none": 149.0}
    runs = [
        run(1000 * k + n, version, round(float(rng.normal(level, 20)), 1), subject)
        for k, (version, level) in enumerate(levels.items())
        for n in range(20)
    ]
    return study(runs, contrasts=(HIGH, CLOSE), literature=sources)


def test_a_report_goes_from_what_was_found_to_how_it_was_counted() -> None:
    told = study_markdown(compared_with(priced(KLEIN), registered()), alt="A picture.")
    assert re.findall(r"^## (.*)$", told, re.MULTILINE) == [
        "In short", "How far everybody came", "What came out", "What was compared", "What is known from elsewhere",
        "What so many can find", "What was registered", "How it was counted",
    ]  # fmt: skip
    assert told.startswith("# Tea: what came out\n")
    first, second = re.findall(r"^- people: (.*)$", told, re.MULTILINE)[:2]
    told = r"\. high against low: [\d.]+ on average \([\d.]+ to [\d.]+\), p \\< 0.001 \(Holm\), as expected\.$"
    assert re.search(told, first), first
    assert first.startswith("those who met high (20 people) said a median of 151, those who met low")
    assert second.partition(". ")[0].startswith("those who met high")
    assert ". high against none: the same within 30: shown (90 %: " in second, second


def test_a_published_size_stands_beside_ours_only_of_the_same_task_and_metric() -> None:
    other = KLEIN.model_copy(update={"citation": "Another task (1990)", "same": "name"})
    ratio = KLEIN.model_copy(update={"citation": "In other units (2000)", "metric": "odds ratio"})
    elsewhere = KLEIN.model_copy(update={"citation": "Other arms (2001)", "arms": "low - none - high"})
    given = priced(KLEIN, other, ratio, elsewhere)
    ((ours, _),) = sizes_beside(given, KLEIN)
    assert ours.contrast == HIGH
    assert [sizes_beside(given, source) for source in (other, ratio, elsewhere)] == [[], [], []]
    lines = [[cell.strip() for cell in line.split("|")] for line in study_markdown(given).splitlines()]
    here = {cells[1].split(" (")[0]: cells[4] for cells in lines if len(cells) == 6}
    assert here["Klein and others"].startswith("people: 2")
    assert here["Another task"] == "not to be set beside it"
    assert here["In other units"] == "nothing in this metric"
    assert here["Other arms"] == "no contrast of the file has these arms by name"
    drawn = study_plot(given)
    assert "Klein and others (2014)" in drawn.svg.decode()
    assert "Another task" not in drawn.alt
    assert "Published sizes beside those found here: people, high − low: 2" in drawn.alt


def test_a_published_size_stands_beside_no_other_arms_and_in_its_own_direction() -> None:
    other_way = KLEIN.model_copy(update={"arms": "low/* − high/*"})
    nameless = KLEIN.model_copy(update={"arms": ""})
    given = priced(KLEIN, other_way, nameless)
    ((one, size),), ((same, turned),) = (sizes_beside(given, source) for source in (KLEIN, other_way))
    assert one == same
    assert size.low is not None
    assert size.high is not None
    assert turned == (-size.value, -size.high, -size.low)
    alone = study([run(n, "low" if n % 2 else "high", float(n)) for n in range(12)], contrasts=(HIGH,))
    assert sizes_beside(alone, nameless) == []
    assert sizes_beside(alone, KLEIN.model_copy(update={"arms": "many - few"})) == []


def test_odds_are_turned_round_by_their_inverse() -> None:
    answers = {"high": (9, 10), "low": (3, 10), "none": (5, 10)}
    runs = [
        run(100 * place + n, version, n < yes)
        for place, (version, (yes, of)) in enumerate(answers.items())
        for n in range(of)
    ]
    given = study(runs, "price > 3", contrasts=(HIGH,))
    odds = KLEIN.model_copy(update={"metric": "odds ratio"})
    ((_, size),) = sizes_beside(given, odds)
    ((_, turned),) = sizes_beside(given, odds.model_copy(update={"arms": "low - high"}))
    assert size.low is not None
    assert size.high is not None
    assert turned == pytest.approx((1 / size.value, 1 / size.high, 1 / size.low))


def test_numbers_are_drawn_with_every_subject_and_shares_with_their_intervals() -> None:
    numbers = study_plot(priced())
    assert numbers.name == NUMBERS
    assert "single subjects" in numbers.svg.decode()
    assert "people, as the scene has it, low: 20 analysed, " in alt_text(priced())
    shares = study([run(n, version, n % 2 == 0) for n, version in enumerate(("low", "high", "none") * 4)], "price > 3")
    assert study_plot(shares).name == SHARES
    assert "2 of 4, 50%" in alt_text(shares)
    assert study_plot(shares).png == study_plot(shares).png, "the same study gives the same bytes"


def test_a_version_that_nobody_played_is_drawn_as_empty() -> None:
    given = study([run(n, "low", 5.0 + n) for n in range(4)] + [run(9, "high", None)])
    assert "high: nobody counts" in study_plot(given).svg.decode()


@pytest.mark.parametrize("models", [3, 10])
def test_of_models_as_such_nothing_is_said_below_ten(models: int) -> None:
    rng = np.random.default_rng(5)
    runs = [
        run(1000 * m + 10 * k + n, version, float(rng.normal(100 + 30 * k + 4 * m, 5)), f"m:{m}")
        for m in range(models)
        for k, version in enumerate(("low", "high"))
        for n in range(4)
    ]
    told = study_markdown(study(runs, contrasts=(HIGH,)))
    assert f"mean of {models} models" in told
    assert ("said of these alone" in told) == (models < 10)
    assert (f"| these {models} models, a difference each |" in told) == (models < 10)
    assert ("| models |" in told.partition("## What was compared")[2]) == (models >= 10)
    assert ("- models: " in told) == (models >= 10), "nothing is said of models as such from fewer than ten"
    assert ("mixed model" in told) == (models >= 10)
    assert "supposing the same effect in each; it says nothing of other models" in told


def test_what_so_many_would_have_found_is_told_and_never_the_power_of_what_was_found() -> None:
    told = study_markdown(priced())
    assert re.search(r"\| people \| high − low \| 20, 20 \| [\d.]+ standard deviations and more \|", told)
    assert re.search(r"\| people \| high − none \| 20, 20 \| no difference, within [\d.]+ standard deviations \|", told)
