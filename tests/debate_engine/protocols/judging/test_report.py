from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from elenchus.debate_engine.events import Recorded, Voted
from elenchus.debate_engine.protocols.judging.compare import comparison_of
from elenchus.debate_engine.protocols.judging.marks import First
from elenchus.debate_engine.protocols.judging.protocol import judgement_of
from elenchus.debate_engine.protocols.judging.report import of_comparison, of_judgement, of_vote
from elenchus.debate_engine.protocols.judging.schemas import LENGTH_WARNING, Cell, Preference, PreferenceCell, Ruling
from elenchus.debate_engine.protocols.judging.votes import audience_vote
from tests.debate_engine.protocols.judging.debate import TOPICS

AT = datetime(2024, 1, 1, tzinfo=UTC)


def ruled(judge: str, claimant: First, topic: int, a: int, b: int, winner: Literal["A", "B", "tie"]) -> Cell:
    scores = {"a_validity": a, "a_credibility": a, "b_validity": b, "b_credibility": b + 1}
    ruling = Ruling.model_validate({"rationale": "A | better\nargued", **scores, "winner": winner})
    return Cell(judge=judge, claimant=claimant, topic=topic, ruling=ruling)


def failing(judge: str, claimant: First, topic: int) -> Cell:
    return Cell(judge=judge, claimant=claimant, topic=topic, declined="the model refused")


CELLS = [
    ruled("judge-1", "A", 1, 8, 6, "A"), ruled("judge-1", "A", 2, 7, 7, "A"),
    ruled("judge-1", "B", 1, 7, 6, "A"), ruled("judge-1", "B", 2, 6, 7, "B"),
    ruled("judge-2", "A", 1, 6, 7, "B"), failing("judge-2", "A", 2),
    ruled("judge-2", "B", 1, 6, 6, "B"), ruled("judge-2", "B", 2, 6, 6, "tie"),
    *(failing("judge-3", claimant, topic) for claimant in ("A", "B") for topic in (1, 2)),
]  # fmt: skip


def test_the_report_of_a_judgement_has_a_table_by_claimant_with_totals_and_unread_cells() -> None:
    report = "\n\n".join(
        of_judgement(judgement_of(TOPICS, CELLS), {"judge-1": "Ada", "judge-2": "Bo", "judge-3": "Cy"}.__getitem__)
    )
    assert "| topic | Ada | Bo | Cy |" in report
    assert "| 1. Clean air vs. Shops' income | 8 – 6.5 | 6 – 7.5 | unread |" in report
    assert "| **total** | 15 – 14 | 6 – 7.5 (1 of 2 topics) | unread |" in report
    assert report.index("**A (pro) claims**") < report.index("**B (con) claims**")


def test_the_report_names_the_winner_by_majority_and_by_total_and_who_was_left_out() -> None:
    report = "\n\n".join(of_judgement(judgement_of(TOPICS, CELLS), str))
    told = "The side against the motion is ahead by points, but the judges agree no better than by chance"
    assert f"**{told}.** By majority of judges: B (con); by total: B (con) (46 – 48.5)." in report
    assert "Votes of the judges: judge-1 a tie (28 – 28), judge-2 B (con) (18 – 20.5)." in report
    assert "- judge-3: 0 of 4 readable; 4 × the model refused" in report
    assert (  # margins of A, A claiming and B claiming: 1.5 and 0.5, −0.5 and −1.5, −1.5 and −0.5
        "Effect of the swap: the change of roles moved the margin by 1.00 points on average; the claimant gained +0.17 "
        "points of margin by it. 1 of 3 named winners changed sides."
    ) in report
    assert "Krippendorff" in report
    assert "(1 of them against the judge's own points)" in report
    assert "- judge-1, topic 1, A claiming, winner A: A \\| better argued" in report


def test_the_report_of_a_panel_that_could_not_be_read_says_undecided_and_shows_no_number() -> None:
    cells = [failing("judge-1", claimant, topic) for claimant in ("A", "B") for topic in (1, 2)]
    report = "\n\n".join(of_judgement(judgement_of(TOPICS, cells), str))
    assert "**Undecided: too few judges could be read.**" in report
    assert "| 1. Clean air vs. Shops' income | unread |" in report
    assert "Effect of the swap: not known" in report
    assert "**Rationales**" not in report


def test_the_report_of_a_comparison_has_words_beside_the_points_and_warns_of_length() -> None:
    scores = {"first_depth": 8, "first_balance": 7, "first_accuracy": 7}
    scores |= {"second_depth": 5, "second_balance": 6, "second_accuracy": 6}
    given = Preference.model_validate({"rationale": "Deeper.", **scores, "preferred": "first"})
    cells = [
        PreferenceCell(judge="judge-1", debate_first=order, topic=n, preference=given)
        for order in (True, False)
        for n in (1, 2)
    ]
    comparison = comparison_of(TOPICS, [("one two three", "one"), ("one two", "one two")], cells, "…", "")
    report = "\n\n".join(of_comparison(comparison, str))
    assert "**Better information: a tie.**" in report
    assert "| 1. Clean air vs. Shops' income | 7.33 – 5.67 |" in report
    assert "| 1. Clean air vs. Shops' income | 3 | 1 |" in report
    assert LENGTH_WARNING in report
    assert "2 of 2 named winners changed sides" in report


def test_the_report_of_a_comparison_without_a_plain_answer_says_why() -> None:
    cells = [
        PreferenceCell(judge="judge-1", debate_first=order, topic=n, declined="nothing to compare")
        for order in (True, False)
        for n in (1, 2)
    ]
    report = "\n\n".join(
        of_comparison(comparison_of(TOPICS, [("a", ""), ("b", "")], cells, "", "the model refused"), str)
    )
    assert "There is no plain answer: the model refused." in report
    assert "undecided" in report


def test_the_report_of_the_rooms_vote_shows_the_swing_and_who_voted_once() -> None:
    votes = [("ada", "before", "con"), ("ada", "after", "pro"), ("ben", "before", "con"), ("ben", "after", "con"),
             ("cy", "after", "pro")]  # fmt: skip
    vote = audience_vote(
        Recorded(seq=n, at=AT, event=Voted.model_validate({"by": by, "when": when, "side": side}))
        for n, (by, when, side) in enumerate(votes, 1)
    )
    report = "\n\n".join(of_vote(vote))
    assert "**The room: pro.**" in report
    assert "| pro | 0 | 1 | +1 (+50 points) |" in report
    assert "| con | 2 | 1 | -1 (-50 points) |" in report
    assert "after the debate only: pro 1, con 0, undecided 0" in report


def test_a_room_without_voters_is_undecided() -> None:
    assert "undecided: nobody voted both times" in of_vote(audience_vote([]))[0]
