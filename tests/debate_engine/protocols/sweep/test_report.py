from __future__ import annotations

import csv
import io

import pytest
from pydantic import ValidationError

from elenchus.debate_engine.protocols.rulegen.study.statistics import holm
from elenchus.debate_engine.protocols.socrasynth.heat import BANDS
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.debate_engine.protocols.sweep.measures import measure
from elenchus.debate_engine.protocols.sweep.protocol import reading_of
from elenchus.debate_engine.protocols.sweep.report import (
    CODEBOOK,
    csv_rows,
    numbers_table,
    of_sweep,
    phrases_table,
    trends_table,
)
from elenchus.debate_engine.protocols.sweep.schemas import HEATS, Impression, Impressions, SweepConfig, Take
from elenchus.debate_engine.protocols.sweep.summary import spread
from tests.debate_engine.protocols.sweep.made_sweeps import MOTION, TEXTS, spoken, swept, unread


def cells(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[2:] if line]


def test_the_table_shows_each_side_beside_what_the_paper_expects_at_that_heat() -> None:
    rows = cells(phrases_table(swept()))
    assert [row[0] for row in rows[::3]] == ["**0.9**", "**0.7**", "**0.5**", "**0.3**", "**0**"]
    assert [row[1] for row in rows[:3]] == ["*expected*", "pro", "con"]
    assert BANDS[0].tone in rows[0][2]
    assert rows[1][2] == "words for 0.9: “This is unacceptable. The”"


def test_a_quote_that_does_not_stand_in_the_speech_is_marked() -> None:
    false = Impression(quote="never said", words="sharp")
    none = Impression(quote="…", words="dull")
    reading = reading_of(Impressions(tone=false, emphasis=none, language=none), TEXTS[0.9])
    report = "\n\n".join(of_sweep(swept([spoken(0.9, "pro", reading=reading)])))
    assert "sharp: “never said” **not in the speech**" in report
    assert "dull (nothing quoted)" in report
    assert "with a quote that does not stand in the speech: 1" in report


def test_an_unread_speech_is_shown_as_such_and_has_no_part_in_the_mean() -> None:
    sweep = swept([spoken(0.9, "pro", 1), unread(0.9, "pro", 2)], samples=2)
    assert sweep.row(0.9, "pro").numbers["support"].mean == 1.0
    assert sweep.row(0.9, "pro").numbers["support"].n == 1
    assert "1.0 (1 of 2)" in numbers_table(sweep)
    assert cells(phrases_table(swept([unread(0.9, "pro")])))[1][2:] == ["unread"] * 3
    assert cells(numbers_table(swept([unread(0.9, "pro")])))[0][2] == "unread"


def test_a_speech_in_another_language_is_not_measured_rather_than_zero() -> None:
    german = measure("Das ist nicht hinnehmbar, und die Stadt darf es nicht tun.")
    row = cells(numbers_table(swept([spoken(0.9, "pro", measures=german)])))[0]
    assert row == ["0.9", "pro", "1.0", *["not measured"] * 4, "11"]


def test_a_speech_without_risk_and_benefit_words_says_so_instead_of_a_share() -> None:
    plainly = measure("The city is to be closed to the cars of the people who live there.")
    assert cells(numbers_table(swept([spoken(0.9, "pro", measures=plainly)])))[0][6] == "no such words"


def test_a_long_quote_is_shortened_in_the_table_and_whole_in_the_data() -> None:
    long = Impression(quote="word " * 40, words="long")
    sweep = swept([spoken(0.9, "pro", reading=reading_of(Impressions(tone=long, emphasis=long, language=long), ""))])
    assert len(cells(phrases_table(sweep))[1][2]) < 160
    assert csv_rows(sweep)[0]["tone_quote"] == long.quote.strip()


def test_several_samples_give_means_with_deviations() -> None:
    sweep = swept([spoken(0.9, "pro", n, support=support) for n, support in enumerate((1, 2, 3), 1)], samples=3)
    assert "2.0 ± 1.0" in numbers_table(sweep)


def test_missing_numbers_are_left_out_of_means() -> None:
    assert (spread([1, None, 3]).mean, spread([1, None, 3]).n) == (2.0, 2)
    assert (spread([None]).mean, spread([4]).sd) == (None, None)


def test_trends_stand_beside_their_expected_direction() -> None:
    rows = {row[0]: row for row in cells(trends_table(swept())) if len(row) == 5}
    support = rows["support for the other side's position (1–10)"]
    assert support[1:3] == ["falls", "rho = −1.00, p = 0.017 (Holm 0.251), n = 5"]
    found = [of.trend for of in swept().trends]
    assert [of.adjusted for of in found] == holm([of.p for of in found]), "over all tests of the sweep"
    assert rows["share of risk words against benefit words"][4].startswith("rho = +")


def test_the_number_of_tests_and_their_method_are_told() -> None:
    tested = sum(t.trend.p is not None for t in swept().trends)
    told = f"{tested} tests (exact, 120 arrangements; exact, 14400 arrangements), corrected by Holm."
    assert told in trends_table(swept())


def test_repeated_instructions_are_told() -> None:
    report = "\n\n".join(of_sweep(swept([spoken(0.9, "pro", withheld=("Tone: …",), echoed=("unacceptable",))])))
    assert "repeat the instruction on the heat (neither shown to the evaluator nor measured): 1" in report
    assert "with example phrases of the instruction" in report


def test_the_words_that_were_counted_can_be_looked_up() -> None:
    assert "| 0.9 | pro |  |  | unacceptable | risks, harm, danger |  |" in "\n\n".join(of_sweep(swept()))


def test_words_of_others_have_no_effect_as_markdown() -> None:
    report = "\n\n".join(of_sweep(swept(motion="Ban <b>cars</b> | *now*")))
    assert "<b>" not in report
    assert "\\|" in report


def test_rows_of_data_have_the_columns_of_the_codebook_and_read_back() -> None:
    missing = Take(heat=0.5, side="con", sample=1, text="", declined="refused")
    rows = csv_rows(swept([spoken(0.9, "pro"), unread(0.7, "con"), missing]))
    assert [list(row) for row in rows] == [list(CODEBOOK)] * 3
    file = io.StringIO()
    writer = csv.DictWriter(file, CODEBOOK)
    writer.writeheader()
    writer.writerows(rows)
    read = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert (read[0]["support"], read[0]["risk_words"], read[0]["tone_quoted"]) == ("1", "3", "found")
    assert (read[1]["support"], read[1]["missing"]) == ("", "garbled")
    assert (read[2]["words"], read[2]["hedges"], read[2]["missing"]) == ("", "", "refused")


@pytest.mark.parametrize("heats", [(), (0.9, 0.901), (1.1,), (-0.1,)])
def test_heats_that_cannot_be_compared_are_refused(heats: tuple[float, ...]) -> None:
    with pytest.raises(ValidationError):
        SweepConfig(motion=MOTION, heats=heats)


def test_heats_are_taken_from_hot_to_cold() -> None:
    assert SweepConfig(motion=MOTION, heats=(0.0, 0.9, 0.3)).heats == (0.9, 0.3, 0.0)
    assert SweepConfig(motion=MOTION).heats == HEATS
    assert len(swept().rows) == len(HEATS) * len(SIDES)


@pytest.mark.parametrize("motion", ["", "x" * 2001])
def test_an_empty_or_enormous_motion_is_refused(motion: str) -> None:
    with pytest.raises(ValidationError):
        SweepConfig(motion=motion)
