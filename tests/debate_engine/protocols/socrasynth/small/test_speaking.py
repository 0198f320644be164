"""How a small model's reason begins."""

from __future__ import annotations

from elenchus.debate_engine.protocols.socrasynth.small.speaking import reason_for


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
