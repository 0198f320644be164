"""What is made of a motion, and what is taken of what a small model wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.debate_engine.protocols.socrasynth.small.agenda import concern_in, named_after, paired, ranked
from elenchus.debate_engine.protocols.socrasynth.small.claims import (
    denied,
    effect_of,
    lowered,
    sentence,
    statements,
    subject_of,
    verb_of,
)
from elenchus.debate_engine.protocols.socrasynth.small.speaking import reason_for
from elenchus.debate_engine.protocols.socrasynth.small.wording import (
    best,
    inventions,
    leaning_of,
    sentences,
    stems,
    trimmed,
)

MOTIONS = Path("benchmarks/small_debates_data/motions.txt").read_text(encoding="utf-8").splitlines()
CARS = "A city should ban private cars from its centre. clean air vs. local shops"
BEGIN = "A city should ban private cars from its centre, because clean air"


@pytest.mark.parametrize("motion", MOTIONS)
def test_every_motion_of_the_bench_has_a_statement_and_its_opposite(motion: str) -> None:
    given = sentence(motion)
    options = statements(given) or [given]
    assert all(option[0].isupper() and option.endswith(".") for option in options)
    for option in options:
        other = denied(option, verb_of(given))
        assert other != option
        assert " not " in f" {other} " or "cannot" in other


@pytest.mark.parametrize(
    "claim, verb, opposite",
    [
        ("Homework should be abolished.", "", "Homework should not be abolished."),
        ("Zoos do more harm than good.", "", "Zoos do not do more harm than good."),
        ("Zoos do more harm than good.", "do", "Zoos do not do more harm than good."),
        ("Tourism does more than foreign aid.", "", "Tourism does not do more than foreign aid."),
        ("Remote work does harm employees.", "does", "Remote work does not harm employees."),
        ("School uniforms hide what children do.", "", "It is not true that school uniforms hide what children do."),
        ("Robots can replace nurses.", "can", "Robots cannot replace nurses."),
        ("Rich countries ought to accept more refugees.", "", "Rich countries ought not to accept more refugees."),
        ("A city should not ban cars.", "", "A city should ban cars."),
        ("School uniforms improve learning.", "do", "School uniforms do not improve learning."),
        ("Remote work harms employees who are young.", "", "Remote work does not harm employees who are young."),
        ("School exams do measure intelligence.", "do", "School exams do not measure intelligence."),
        ("Food waste is a problem.", "", "Food waste is not a problem."),
        ("NASA costs too much.", "", "It is not true that NASA costs too much."),
        ("It is right that zoos should close.", "is", "It is not right that zoos should close."),
    ],
)
def test_the_opposite_of_a_claim_denies_its_verb(claim: str, verb: str, opposite: str) -> None:
    assert denied(claim, verb) == opposite


def test_a_question_gives_a_statement_for_every_place_of_its_verb() -> None:
    places = ["A should city ban cars.", "A city should ban cars.", "A city ban should cars."]
    assert statements("Should a city ban cars?") == places
    assert statements("Do uniforms improve learning?") == ["Uniforms improve learning."]
    assert statements("Do zoos do more harm than good?") == ["Zoos do more harm than good."]
    assert statements("Do exams measure wit?") == ["Exams do measure wit.", "Exams measure do wit."]
    assert statements("Homework should be abolished.") == []
    assert statements("What should we eat?") == []


def test_a_name_keeps_its_capital_within_a_sentence() -> None:
    assert lowered("Homework helps") == "homework helps"
    assert lowered("NATO helps") == "NATO helps"
    assert lowered("New York should grow") == "New York should grow"


def test_a_sample_is_cut_at_its_last_full_stop_and_at_two_sentences() -> None:
    text = f"{BEGIN} is good for people. Cars make the air dirty. Cars are loud. Cars are"
    kept = trimmed(BEGIN, text, CARS, ())
    assert kept
    assert kept.text == f"{BEGIN} is good for people. Cars make the air dirty."
    assert sentences("It cost 1.5 million here. And then") == ["It cost 1.5 million here."]


@pytest.mark.parametrize(
    "second",
    [
        "However, cars are useful.",
        "Critics say that cars are useful.",
        "This argument about cars has two sides.",
        "Let's explore the cars of the centre.",
        "Bananas grow on trees.",
        "In 1890 cars were banned by Queen Victoria.",
    ],
)
def test_a_sample_ends_before_the_sentence_that_leaves_side_subject_or_truth(second: str) -> None:
    kept = trimmed(BEGIN, f"{BEGIN} is good for people. {second}", CARS, ())
    assert kept
    assert kept.text == f"{BEGIN} is good for people."


@pytest.mark.parametrize(
    "rest", ["", " is", ".", " is good for people", "Air is for all people.", " matters to this debate. Cars stink."]
)
def test_a_sample_without_a_whole_sentence_of_its_own_is_not_used(rest: str) -> None:
    assert trimmed(BEGIN, BEGIN + rest, CARS, ()) is None


def test_the_best_sample_speaks_of_the_subject_and_does_not_repeat() -> None:
    rests = ("is a thing of value.", "needs a centre without cars.")
    off, on = (trimmed(BEGIN, f"{BEGIN} {rest}", CARS, ()) for rest in rests)
    assert on
    assert best([off, None, on]) == on.text
    again = trimmed(BEGIN, on.text, CARS, [on.text])
    assert best([again, off]) == (off.text if off else "")
    assert best([None]) == ""


def test_numbers_and_names_that_nobody_gave_are_inventions() -> None:
    assert inventions("The city of Oslo saved 40 lives.", CARS) == ["40", "Oslo"]
    assert inventions("Private Cars pollute. Air is for all.", CARS) == []


@pytest.mark.parametrize(
    "phrase, concern",
    [
        (" the importance of public safety in cities", "public safety"),
        (" the environment.", "the environment"),
        (" the economy and could lead to", "the economy"),
        (" everyone and ensure fairness", ""),
        ("ensure that nobody pays", ""),
        (" our economy as a whole", "the economy"),
        ("and it's essential", ""),
        (" other forms.", ""),
        (" children's education. By removing", "children's education"),
        (" protecting wildlife and nature", "wildlife"),
        (" the fact that", ""),
        (" private cars", ""),
        (" 1.2.2.1 vs", ""),
        (" things", ""),
        (" the safety of those on the road", "safety"),
        (" work-life balance, which", "work-life balance"),
    ],
)
def test_a_concern_is_a_few_plain_words_that_the_motion_does_not_hold_already(phrase: str, concern: str) -> None:
    assert concern_in(phrase, "A city should ban private cars from its centre.") == concern


def test_concerns_are_ranked_by_how_often_they_are_named_and_said_once() -> None:
    assert ranked(["safety", "jobs", "public safety", "jobs", "", "health"]) == ["jobs", "safety", "health"]


def test_concerns_are_paired_and_none_stands_on_both_sides() -> None:
    def titles(pro: list[str], con: list[str]) -> list[str]:
        return [topic.title for topic in paired(pro, con)]

    assert titles(["health", "jobs"], ["jobs", "trade", "peace"]) == ["health vs. trade", "jobs vs. peace"]
    assert titles(["health", "jobs"], []) == ["health vs. jobs"]
    assert titles([], ["health", "jobs"]) == ["jobs vs. health"]
    assert titles([], []) == []


def test_words_are_compared_without_their_endings() -> None:
    assert stems("Cars, schools and freedoms") == stems("car school freedom")
    assert not stems("it is and of")


@pytest.mark.parametrize(
    "claim, effect, subject",
    [
        ("A city should ban private cars.", "good", "a city"),
        ("A city should not ban private cars.", "bad", "a city"),
        ("Rich countries ought not to accept more refugees.", "bad", "rich countries"),
        ("It is right to keep animals.", "good", ""),
        ("It is not right to keep animals.", "bad", ""),
        ("It is wrong to keep animals.", "bad", ""),
        ("It is not wrong to keep animals.", "good", ""),
        ("It is not true that remote work harms young employees.", "good", "remote work"),
        ("Robots cannot replace nurses.", "", "robots"),
        ("NASA is worth its cost.", "good", "NASA"),
        ("NASA is not worth its cost.", "bad", "NASA"),
        ("School uniforms improve learning.", "good", "school uniforms"),
        ("School uniforms do not improve learning.", "bad", "school uniforms"),
        ("Advertising does more good than harm.", "good", "advertising"),
        ("Advertising does more harm than good.", "bad", "advertising"),
        ("Trees prevent traffic noise.", "good", "trees"),
        ("Football causes violence.", "bad", "football"),
        ("Exams would make pupils unhappy.", "bad", "exams"),
        ("It is not true that cats are useless.", "good", "cats"),
        ("Young employees are harmed by remote work.", "", "young employees"),
        ("Children need better schools.", "", ""),
        ("There is too much advertising.", "", ""),
        ("Cats can live where food is good.", "", "cats"),
    ],
)
def test_a_claim_says_whether_its_deed_or_its_subject_is_good_and_what_it_speaks_of(
    claim: str, effect: str, subject: str
) -> None:
    assert effect_of(claim) == effect
    assert subject_of(claim) == subject


def test_a_reason_begins_with_what_the_side_says_of_its_concern() -> None:
    ban, no_ban = "A city should ban cars", "A city should not ban cars"
    assert reason_for(ban, "clean air", 0) == "that would be good for clean air: it would"
    assert reason_for(no_ban, "local shops", 1) == "that would harm local shops: it would"
    assert reason_for(ban, "noise", 0) == "that would mean less noise: it would"
    assert reason_for(no_ban, "unemployment", -1) == "that would mean more unemployment: it would"
    assert reason_for("Zoos do not do more harm than good", "wildlife", 0) == "zoos are good for wildlife: they"
    assert reason_for("Zoos do harm", "wildlife", 1, further=True) == "zoos also harm wildlife: they"
    assert reason_for("Zoos do harm", "wildlife", 0, further=True) == "zoos are also bad for wildlife: they"
    assert reason_for("A sugar tax would make people healthier", "obesity", 0) == "a sugar tax means less obesity: it"
    assert reason_for("Children under ten can be dangerous", "peace", 1) == "children under ten harm peace: they"
    assert reason_for("Robots cannot replace nurses", "jobs", 0) == "when it comes to jobs, robots cannot"
    assert reason_for("School exams do not measure wit", "jobs", 0) == "when it comes to jobs, school exams do not"
    assert reason_for("School exams do measure wit", "jobs", 0) == "when it comes to jobs, school exams"
    assert reason_for("Money buys happiness", "order", 2) == "order"


def test_no_two_turns_of_a_side_begin_alike() -> None:
    for claim in ("A city should ban cars", "Zoos do more harm than good", "Robots can replace nurses"):
        assert len({reason_for(claim, "clean air", turn) for turn in (0, 1, 2, -1)}) == 4


def test_concerns_are_asked_for_as_what_the_deed_would_be_good_or_bad_for() -> None:
    assert named_after("A city should not ban cars.") == "A city should not ban cars, because that would be bad for"
    assert named_after("Zoos do harm.") == "Zoos do harm, because zoos are bad for"
    assert named_after("Robots can sing.") == "Robots can sing: the strongest reason to agree is about"


GOOD, BAD = "A city should ban private cars from its centre.", "A city should not ban private cars from its centre."


@pytest.mark.parametrize(
    "claim, second, kept",
    [
        (BAD, "Cars in the centre would improve under a ban.", False),
        (BAD, "Allowing cars leads to more accidents in the centre.", False),
        (BAD, "Shops of the centre would lose their customers.", True),
        (BAD, "Without cars people walk to the centre.", False),
        (GOOD, "Shops of the centre would lose their customers.", False),
        (GOOD, "Without cars the air of the centre would be better.", True),
        (GOOD, "A ban reduces the risk of accidents in the centre.", True),
    ],
)
def test_a_later_sentence_that_speaks_for_the_other_side_of_a_deed_is_left_out(
    claim: str, second: str, kept: bool
) -> None:
    found = trimmed(BEGIN, f"{BEGIN} matters to all people. {second}", CARS, (), leaning_of(claim, effect_of(claim)))
    assert found
    assert (second in found.text) == kept


def test_of_two_samples_the_one_that_speaks_for_its_own_side_is_trimmed() -> None:
    leaning = leaning_of(BAD, "bad")
    drifting, holding = (
        trimmed(BEGIN, f"{BEGIN} {rest}", CARS, (), leaning)
        for rest in ("would improve in a centre without cars.", "would suffer from longer ways.")
    )
    assert holding
    assert best([drifting, holding]) == holding.text


def test_a_claim_that_speaks_of_no_deed_leans_to_no_side() -> None:
    assert leaning_of("Zoos do more harm than good.", "")("Zoos harm animals.") == 0
