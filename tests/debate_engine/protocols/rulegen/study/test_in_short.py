"""What a class asks: what those said who met the one version, and those who met the other; also of very few."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.export.points import points_plots
from elenchus.debate_engine.protocols.rulegen.study.in_short import in_short
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation
from elenchus.debate_engine.protocols.rulegen.study.plot import study_plot
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.plan import Plan
from tests.debate_engine.protocols.rulegen.study.crossover import BETWEEN, WITHIN, crossover, subject
from tests.debate_engine.protocols.rulegen.study.export.experiment import run

VERSIONS = ("high/cue", "high/quiet", "low/cue", "low/quiet")
PLAN = Plan(contrasts=(Contrast(compare="high/* - low/*", expect="greater"), Contrast(compare="*/cue - */quiet")))


def a_class(each: int, *, shares: bool = False, who: str = "people") -> Study:
    """So many in each version; the numbers of each are its hundreds, and one more each."""
    runs = [
        run(100 * k + n, version, (k < 2) == (n > 0) if shares else 500.0 - 100 * k + n, who)
        for k, version in enumerate(VERSIONS)
        for n in range(each)
    ]
    outcome = "price > 3" if shares else "price"
    return counted(runs, outcome, "" if shares else "beads")


def counted(runs: list[Observation], outcome: str = "price", unit: str = "") -> Study:
    design = Design.between(VERSIONS)
    scene = StudiedScene(name="jar", title="The jar", design=design, outcome=outcome, unit=unit, plan=PLAN)
    return study_of(scene, runs)


def test_one_in_each_version_has_the_plain_picture_and_one_honest_sentence() -> None:
    study = a_class(1)
    anchor, pressure, untested = in_short(study)
    assert anchor == (
        "people: those who met high (2 people) said a median of 450 beads, "
        "those who met low (2 people) one of 250 beads."
    )
    assert pressure.endswith("one of 300 beads.")
    assert untested == (
        "people: not tested: high against low and cue against quiet: with one alone in a group, an effect and chance "
        "cannot be told apart."
    )
    told = study_markdown(study)
    assert told.count("cannot be told apart") == 2, "in short, and below the table"
    assert "Over all versions at once" not in told
    assert "95 %)" not in told.partition("## What came out")[2].partition("##")[0]


def test_the_medians_of_both_sides_stand_before_their_difference() -> None:
    first, second = in_short(a_class(7))
    assert first.startswith(
        "people: those who met high (14 people) said a median of 453 beads, "
        "those who met low (14 people) one of 253 beads. high against low: 200 beads on average ("
    )
    assert second.startswith("people: those who met cue (14 people)")


@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("people", "people: price > 3: 6 of 8 who met high, 2 of 8 who met low."),
        ("openai:robot", "openai:robot: price > 3: 6 of 8 runs with high, 2 of 8 runs with low."),
    ],
)
def test_of_yes_and_no_so_many_of_so_many_are_told(who: str, told: str) -> None:
    assert in_short(a_class(4, shares=True, who=who))[0].startswith(told)


def test_subjects_who_met_both_are_told_at_each() -> None:
    runs = [subject(n, "cue/gain-loss", 6.0 + n, 2.0 + n) for n in range(3)]
    within, *_ = in_short(crossover(runs, WITHIN, BETWEEN, outcome="risk"))
    assert within.startswith(
        "people: those who met gain (3 people) said a median of 7, those who met loss (3 people) one of 3."
    )


def test_models_are_told_one_by_one_and_never_together() -> None:
    both = [one for who in ("openai:robot", "openai:other") for one in a_class(3, who=who).observed]
    runs = [one.model_copy(update={"session": f"s{n}", "record": f"r{n}"}) for n, one in enumerate(both)]
    lines = in_short(counted(runs))
    assert [line.partition(": ")[0] for line in lines] == ["openai:other"] * 2 + ["openai:robot"] * 2


def test_a_picture_names_its_unit_and_promises_no_intervals_that_it_lacks() -> None:
    alone, several = study_plot(a_class(1)), study_plot(a_class(3))
    assert "price, in beads" in alone.svg.decode()
    assert "95 %" not in alone.svg.decode()
    assert "95 %" not in alone.alt
    assert "means with 95 % intervals" in several.svg.decode()
    assert "share of yes: price &gt; 3" in study_plot(a_class(3, shares=True)).svg.decode()
    (points,) = points_plots(a_class(1), {})
    assert "95 %" not in points.svg.decode()


def test_a_p_that_was_corrected_says_so() -> None:
    found = a_class(7)
    (one, other), (first, second) = found.contrasts[:2], in_short(found)
    assert one.adjusted is not None
    assert one.p is not None
    assert one.adjusted > one.p
    assert "(Holm)" in first, "an interval beside it is of this one comparison alone, and may leave out 0"
    assert ("(Holm)" in second) == (other.adjusted != other.p)


def test_per_cents_differ_by_percentage_points() -> None:
    runs = [run(100 * k + n, version, 60.0 - 10 * k + n) for k, version in enumerate(VERSIONS) for n in range(5)]
    study = counted(runs, unit="per cent")
    first, *_ = in_short(study)
    assert "of 60 per cent" not in first
    assert "high against low: 20 percentage points on average (" in first
    assert "| 20 percentage points (" in study_markdown(study)
