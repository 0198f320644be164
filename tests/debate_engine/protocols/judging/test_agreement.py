from __future__ import annotations

from elenchus.debate_engine.protocols.judging.agreement import agreement_of, alpha
from elenchus.debate_engine.protocols.judging.marks import First, Mark, Pick


def mark(judge: str, first: First, topic: int, a: float, b: float, winner: Pick) -> Mark:
    return Mark(judge=judge, first=first, topic=topic, a=a, b=b, winner=winner)


def test_alpha_of_the_textbook_example() -> None:
    """Krippendorff's reliability data with three coders and gaps: interval 0.811, nominal 0.691."""
    coders = {
        "a": [None, None, None, None, None, 3, 4, 1, 2, 1, 1, 3, 3, None, 3],
        "b": [1, None, 2, 1, 3, 3, 4, 3, None, None, None, None, None, None, None],
        "c": [None, None, 2, 1, 3, 4, 4, None, 2, 1, 1, 3, 3, None, 4],
    }
    units: dict[tuple[str, ...], dict[str, float]] = {
        (str(i),): {coder: float(v) for coder, values in coders.items() if (v := values[i]) is not None}
        for i in range(15)
    }
    assert alpha(units, "interval") == (0.8108, "")
    assert alpha(units, "nominal") == (0.6914, "")


def test_judges_who_say_the_same_agree_fully() -> None:
    cells = [m for j in ("judge-1", "judge-2") for m in (mark(j, "A", 1, 8, 5, "A"), mark(j, "A", 2, 3, 5, "B"))]
    agreement = agreement_of(cells)
    assert (agreement.scores, agreement.winners) == (1.0, 1.0)


def test_agreement_of_one_judge_is_not_known_and_says_why() -> None:
    agreement = agreement_of([mark("judge-1", "A", 1, 8, 5, "A"), mark("judge-1", "B", 1, 7, 5, "A")])
    assert agreement.scores is None
    assert agreement.winners is None
    assert agreement.scores_reason == agreement.winners_reason == "no topic could be read from two judges"


def test_agreement_without_any_variation_is_not_known_and_says_why() -> None:
    agreement = agreement_of([mark("judge-1", "A", 1, 5, 5, "tie"), mark("judge-2", "A", 1, 5, 5, "tie")])
    assert agreement.scores is None
    assert "every value is the same" in agreement.scores_reason


def test_agreement_of_no_cells_is_not_known() -> None:
    assert agreement_of([]).scores is None


def test_the_two_orders_and_sides_are_units_of_their_own() -> None:
    """Opposite scores in the two orders must not pass for disagreement between judges."""
    cells = [m for j in ("judge-1", "judge-2") for m in (mark(j, "A", 1, 9, 2, "A"), mark(j, "B", 1, 2, 9, "B"))]
    assert agreement_of(cells).scores == 1.0
