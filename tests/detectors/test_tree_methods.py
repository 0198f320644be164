"""Screen, check, loser tree, debate, referees, decision: the full method and `tree`."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from elenchus.config.catalogue import load_biases
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, Scripted
from elenchus.detectors.decision.weights import built_in
from elenchus.detectors.report import of_detection
from elenchus.detectors.screen import union
from tests.detectors.scripted_detection import (
    GARBLED,
    IKEA,
    LOSS,
    NAMES,
    PLAN,
    QUOTE,
    SUNK,
    Answer,
    DetectionSession,
    Written,
    bias_in,
    by_bias,
    marks,
    prompt,
    suspecting,
    yes_to,
)

STAGES = ("introduction", "argument", "refutation", "summary")


async def test_the_full_method_finds_the_bias_with_the_better_case() -> None:
    detection = DetectionSession()
    found = await detection.found()
    assert (found.verdict, found.bias, found.name) == ("found", SUNK, NAMES[SUNK])
    assert [c.bias for c in found.candidates] == [SUNK, LOSS, IKEA, PLAN]
    assert detection.counted == Counter({"screen": 2, "check": 4, **dict.fromkeys(STAGES, 6), "marks": 24})
    assert {(m.first, m.second): m.winner for m in found.matches} == {
        (SUNK, LOSS): SUNK, (IKEA, PLAN): PLAN, (SUNK, PLAN): SUNK,
    }  # fmt: skip
    assert found.matches[0].totals == (8.0, 6.0)
    assert found.decision is not None
    assert (found.decision.flips, found.decision.pairs) == (0, 3)
    assert (await detection.told())[-1] == "the debates end with: Sunk cost fallacy"


async def test_a_candidate_keeps_its_place_in_both_lists_and_the_union_is_in_order_of_first_mention() -> None:
    found = await DetectionSession({"detectors/screen": suspecting([LOSS, SUNK, LOSS], [PLAN, SUNK])}).found()
    assert [(c.bias, c.aggressive, c.conservative) for c in found.candidates] == [
        (LOSS, 1, None), (SUNK, 2, 2), (PLAN, None, 1),
    ]  # fmt: skip
    assert [c.bias for c in union({"a": ["x"], "b": ["y", "x"]}, {"x": "X", "y": "Y"})] == ["x", "y"]


async def test_each_detector_knows_its_own_bias_with_its_signs_and_no_other_candidate() -> None:
    detection = DetectionSession()
    await detection.found()
    for call in detection.of("check"):
        assert f"bias: {NAMES[bias_in(call)]}?" in prompt(call)
    assert "Concorde" not in detection.words(f"check/{IKEA}")
    assert "There is a course of action into which money" in detection.words(f"check/{SUNK}")


async def test_when_all_detectors_say_no_there_is_no_bias_and_no_debate() -> None:
    detection = DetectionSession({"detectors/check": yes_to()})
    found = await detection.found()
    assert (found.verdict, found.bias, found.ranking, found.matches) == ("none", None, (), ())
    assert detection.counted == {"screen": 2, "check": 4}


async def test_a_candidate_without_one_quote_that_stands_does_not_pass_the_check() -> None:
    def inventing(call: Call) -> Written:
        quotes = [QUOTE] if bias_in(call) == LOSS else ["we never count what we spend"]
        return {"quotes": quotes, "reason": "So.", "present": "yes"}

    detection = DetectionSession({"detectors/check": inventing})
    found = await detection.found()
    assert (found.verdict, found.bias, found.matches) == ("found", LOSS, ()), "the others play no match"
    assert {c.bias for c in found.candidates if c.unfounded} == {SUNK, IKEA, PLAN}
    assert detection.counted == {"screen": 2, "check": 4 + 3}
    assert "This does not stand in the text: we never count" in detection.words(f"check/{SUNK}/again")
    assert "yes, but unfounded" in of_detection(found)
    assert "not counted, for the detector's yes quotes nothing" in found.notes[0]


@pytest.mark.parametrize("quotes", [["we never count what we spend"], [], ["the boat"]])
async def test_where_all_candidates_are_unfounded_no_bias_is_found_and_that_is_said(quotes: list[str]) -> None:
    found = await DetectionSession({"detectors/check": {"quotes": quotes, "reason": "So.", "present": "yes"}}).found()
    assert (found.verdict, found.bias, found.matches) == ("unfounded", None, ())
    assert "the yes quotes no words that stand in the text" in of_detection(found)


async def test_when_nothing_is_suspected_there_is_no_bias_and_nothing_more_is_asked() -> None:
    detection = DetectionSession({"detectors/screen": suspecting([], [])})
    assert (await detection.found()).verdict == "none"
    assert detection.counted == {"screen": 2}


async def test_screeners_and_detectors_that_cannot_be_read_are_no_verdict() -> None:
    assert (await DetectionSession({"detectors/screen": GARBLED}).found()).verdict == "unread"

    def one_list(call: Call) -> Written:
        return GARBLED if bias_in(call) == "conservative" else {"biases": []}

    half = await DetectionSession({"detectors/screen": one_list}).found()
    assert (half.verdict, half.notes) == ("unread", ("The list of the conservative screener could not be read.",))
    found = await DetectionSession({"detectors/check": GARBLED}).found()
    assert found.verdict == "unread"
    assert "No answer could be read" in found.notes[0]


async def test_one_unreadable_detector_neither_confirms_nor_ends_anything() -> None:
    def mostly(call: Call) -> Written:
        return GARBLED if bias_in(call) == PLAN else yes_to(LOSS)(call)

    found = await DetectionSession({"detectors/check": mostly}).found()
    assert (found.verdict, found.bias, found.matches) == ("found", LOSS, ())
    assert next(c for c in found.candidates if c.bias == PLAN).present is None


async def test_both_sides_speak_side_by_side_in_four_stages_having_heard_all_earlier_ones() -> None:
    detection = DetectionSession(settings={"labels": [SUNK, LOSS]})
    await detection.found()
    for n, stage in enumerate(STAGES):
        for side in (SUNK, LOSS):
            words = detection.words(f"{stage}/{side}")
            heard = [f"{earlier}/{speaker}]" in words for earlier in STAGES for speaker in (SUNK, LOSS)]
            assert heard == [i < 2 * n for i in range(8)]


async def test_a_speech_is_held_to_the_words_of_its_stage() -> None:
    long = " ".join(["One sentence of five words."] * 100)
    found = await DetectionSession({f"detectors/{stage}": long for stage in STAGES}, {"labels": [SUNK, LOSS]}).found()
    speeches = found.matches[0].speeches
    assert [len(speech.text.split()) for speech in speeches] == [100, 100, 100, 100, 150, 150, 200, 200]
    assert all(speech.shortened for speech in speeches)


async def test_a_quote_that_is_not_in_the_text_is_flagged_and_told_to_the_referees() -> None:
    def lying(call: Call) -> Written:
        return "It says “we never count the cost” here." if bias_in(call) == LOSS else f"It says “{QUOTE}”."

    detection = DetectionSession({"detectors/argument": lying}, {"labels": [SUNK, LOSS]})
    found = await detection.found()
    flagged = {(s.stage, s.bias): s.missing_quotes for s in found.matches[0].speeches if s.missing_quotes}
    assert flagged == {("argument", LOSS): ("we never count the cost",)}
    for call in detection.of("marks"):
        assert "do not stand in the text:\n~~~~~~\n“we never count the cost”" in prompt(call)


async def test_a_side_may_quote_its_rival_and_what_it_was_given_to_know() -> None:
    speeches: dict[str, Answer] = {
        "detectors/introduction": "A loss looms larger, as they say in Bergen.",
        "detectors/refutation": "“Looms larger, as they say” is no sign of “money, time or effort already spent”.",
    }
    found = await DetectionSession(speeches, {"labels": [SUNK, LOSS]}).found()
    assert not any(speech.missing_quotes for speech in found.matches[0].speeches)


async def test_every_referee_scores_one_side_a_call_with_each_side_shown_first() -> None:
    detection = DetectionSession(settings={"labels": [SUNK, LOSS]})
    found = await detection.found()
    cards = {(card.referee, card.side, card.shown_first) for card in found.matches[0].cards}
    assert cards == set(product(("analytical", "intuitive"), (SUNK, LOSS), (SUNK, LOSS)))
    shown = detection.words(f"analytical/{SUNK}/shown-second")
    assert "Score side 2, which claims Sunk cost fallacy against Loss aversion" in shown
    assert shown.index("Side 1 (Loss aversion), introduction") < shown.index("Side 2 (Sunk cost fallacy), introduction")


async def test_an_unreadable_card_is_no_score_and_the_mean_is_of_the_readable_ones() -> None:
    def mostly(call: Call) -> Written:
        if call.step.endswith(f"intuitive/{SUNK}/shown-first"):
            return GARBLED
        return marks(9 if "analytical" in call.step else 6) if SUNK in call.step.split("/") else marks(7)

    found = await DetectionSession({"detectors/marks": mostly}, {"labels": [SUNK, LOSS]}).found()
    (match,) = found.matches
    assert match.scores[0] is not None
    assert match.scores[0]["support"] == pytest.approx((9 + 9 + 6) / 3)
    assert [card.scores for card in match.cards].count(None) == 1
    assert (match.winner, match.undecided) == (SUNK, False)


@pytest.mark.parametrize("referees", [GARBLED, marks(5), Scripted(fault="down")])
async def test_a_tie_and_a_match_that_no_referee_could_read_let_the_earlier_candidate_go_on(referees: Written) -> None:
    found = await DetectionSession({"detectors/marks": referees}).found()
    assert found.bias == SUNK
    assert all(match.undecided and match.winner == match.first for match in found.matches)
    assert "Undecided matches, in which the earlier-named candidate went on: 3." in found.notes


async def test_a_winner_that_changes_with_the_order_of_showing_is_reported() -> None:
    def first_shown(call: Call) -> Written:
        return marks(9 if call.step.endswith("first") else 2)

    found = await DetectionSession({"detectors/marks": first_shown}, {"labels": [SUNK, LOSS]}).found()
    assert found.matches[0].flipped
    assert found.decision is not None
    assert (found.decision.flips, found.decision.pairs) == (1, 1)


async def test_where_one_order_of_showing_could_not_be_read_nothing_is_said_of_a_flip() -> None:
    def one_order(call: Call) -> Written:
        own, shown = call.step.split("/")[-2:]
        first = own if shown == "shown-first" else LOSS if own == SUNK else SUNK
        return GARBLED if first == LOSS else marks(8 if own == SUNK else 6)

    found = await DetectionSession({"detectors/marks": one_order}, {"labels": [SUNK, LOSS]}).found()
    (match,) = found.matches
    assert (match.winner, match.undecided, match.flipped) == (SUNK, False, None)
    assert found.decision is not None
    assert (found.decision.flips, found.decision.pairs) == (0, 0)


async def test_a_few_unreadable_detectors_do_not_keep_the_others_no_from_counting() -> None:
    def mostly_no(call: Call) -> Written:
        return GARBLED if bias_in(call) == IKEA else {"quotes": [], "reason": "So.", "present": "no"}

    found = await DetectionSession({"detectors/check": mostly_no}, {"labels": [SUNK, LOSS, IKEA]}).found()
    assert (found.verdict, found.bias) == ("none", None)
    assert found.notes == ("No answer could be read of the detectors for: IKEA effect.",)


async def test_the_weights_decide_what_counts() -> None:
    def split(call: Call) -> Written:
        return marks(4, refutation=10) if LOSS in call.step.split("/") else marks(4, support=6)

    for name, winner in (("mean", LOSS), ("dqn-genetic", SUNK)):
        settings = {"labels": [SUNK, LOSS], "weights": built_in()[name]}
        found = await DetectionSession({"detectors/marks": split}, settings).found()
        assert found.bias == winner
        assert found.decision is not None
        assert found.decision.weights is not None
        assert found.decision.weights.name == name


async def test_tree_has_one_rational_referee_who_is_asked_in_both_orders() -> None:
    detection = DetectionSession(settings={"method": "tree", "labels": [SUNK, LOSS]})
    found = await detection.found()
    assert (found.bias, found.matches[0].undecided) == (SUNK, False)
    assert detection.counted == Counter({"check": 2, **dict.fromkeys(STAGES, 2), "rational": 2})
    assert [ballot.shown_first for ballot in found.matches[0].ballots] == [SUNK, LOSS]


async def test_a_rational_referee_who_changes_his_mind_with_the_order_decides_nothing() -> None:
    def first_shown(call: Call) -> Written:
        return {"reason": "The first.", "bias": NAMES[SUNK if call.step.endswith(f"{SUNK}-first") else LOSS]}

    found = await DetectionSession(
        {"detectors/rational": first_shown}, {"method": "tree", "labels": [SUNK, LOSS]}
    ).found()
    assert found.matches[0].undecided
    assert found.matches[0].flipped


async def test_second_and_third_place_come_by_replaying_a_way_in_the_tree() -> None:
    detection = DetectionSession({"detectors/marks": by_bias({SUNK: 8, LOSS: 6, IKEA: 3, PLAN: 5})}, {"top": 3})
    found = await detection.found()
    assert [r.bias for r in found.ranking] == [SUNK, LOSS, PLAN]
    assert [(m.place, m.first, m.second) for m in found.matches] == [
        (1, SUNK, LOSS), (1, IKEA, PLAN), (1, SUNK, PLAN), (2, LOSS, PLAN),
    ]  # fmt: skip


async def test_given_labels_are_the_candidates_and_nobody_screens() -> None:
    detection = DetectionSession(settings={"labels": [IKEA, LOSS]})
    found = await detection.found()
    assert [c.bias for c in found.candidates] == [IKEA, LOSS]
    assert "screen" not in detection.counted


async def test_the_library_may_add_candidates_without_a_call() -> None:
    detection = DetectionSession({"detectors/screen": suspecting([LOSS], [])}, {"near": 3})
    found = await detection.found()
    assert found.candidates[0].bias == LOSS
    assert {1, 2, 3} == {c.library for c in found.candidates if c.library}
    assert detection.counted["screen"] == 2


@pytest.mark.slow
async def test_everything_independent_is_in_flight_at_once() -> None:
    eight = [bias.id for bias in load_biases()[:8]]
    detection = DetectionSession(
        {"detectors/check": yes_to(*eight), "detectors/marks": marks(5)}, {"labels": eight}, script=Script(latency=0.25)
    )
    await detection.found()
    assert detection.counted["check"] == 8
    assert detection.client.most_in_flight == 4 * 8  # the cards of the four matches of the first round


async def test_a_detection_that_was_interrupted_goes_on_where_it_was_and_ends_the_same() -> None:
    whole = DetectionSession()
    expected = await whole.found()
    events = await whole.recorded()
    again = DetectionSession()
    await again.log.restore("s", events[: len(events) // 2])
    assert await again.found() == expected
    assert 0 < len(again.client.asked) < len(whole.client.asked)


async def test_a_vendor_that_is_down_pauses_the_detection_instead_of_inventing_a_no() -> None:
    detection = DetectionSession({"detectors/check": Scripted(fault="down")})
    run = await detection.run()
    assert (run.state, run.exit_code) == ("paused", 3)
