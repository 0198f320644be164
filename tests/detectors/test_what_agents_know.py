"""What each agent of a detection is told of itself, of its own bias and of its rival's."""

from __future__ import annotations

import pytest

from elenchus.config.catalogue import find_bias
from tests.detectors.scripted_detection import LOSS, NAMES, QUOTE, SUNK, TEXT, DetectionSession

OWN, OTHER = find_bias(SUNK), find_bias(LOSS)


async def debated() -> DetectionSession:
    """A detection with one match, of the two given labels."""
    detection = DetectionSession(settings={"labels": [SUNK, LOSS]})
    await detection.found()
    return detection


async def test_one_screener_is_bold_and_the_other_careful() -> None:
    detection = DetectionSession()
    await detection.found()
    bold, careful = "You are bold:", "You are careful:"
    told = {name: detection.words(f"screen/{name}") for name in ("aggressive", "conservative")}
    assert bold in told["aggressive"]
    assert careful not in told["aggressive"]
    assert careful in told["conservative"]
    assert bold not in told["conservative"]


@pytest.mark.parametrize(
    ("stage", "knowledge", "signs", "rivals"),
    [
        ("introduction", True, False, False),
        ("argument", False, True, False),
        ("refutation", True, False, True),
        ("summary", False, False, False),
    ],
)
async def test_a_side_knows_in_each_stage_what_the_paper_gives_it(
    stage: str, knowledge: bool, signs: bool, rivals: bool
) -> None:
    words = (await debated()).words(f"{stage}/{SUNK}")
    assert f"You hold that the bias it shows is {OWN.name}; your rival holds that it is {OTHER.name}" in words
    assert TEXT in words
    told = [OWN.definition in words, OWN.elements[0] in words, OTHER.definition in words, OTHER.elements[0] in words]
    assert told == [knowledge, signs, rivals, False]


async def test_one_referee_is_analytical_and_the_other_intuitive_and_each_scores_the_side_that_is_named() -> None:
    detection = await debated()
    for referee, other in (("analytical", "intuitive"), ("intuitive", "analytical")):
        words = detection.words(f"{referee}/{LOSS}/shown-first")
        assert f"You are {referee}:" in words
        assert f"You are {other}:" not in words
        assert f"Score side 1, which claims {NAMES[LOSS]} against {NAMES[SUNK]}" in words
        assert f"how well {NAMES[LOSS]} itself is grounded in the text" in words


async def test_the_debate_is_shown_in_the_order_that_the_cards_step_says() -> None:
    detection = await debated()
    for side, other in ((SUNK, LOSS), (LOSS, SUNK)):
        for place, first, second in (("first", side, other), ("second", other, side)):
            words = detection.words(f"analytical/{side}/shown-{place}")
            assert words.index(f"Side 1 ({NAMES[first]}), summary") < words.index(f"Side 2 ({NAMES[second]}), summary")


async def test_the_words_that_a_verdict_rests_on_are_those_of_the_winners_detector() -> None:
    def quoting(call: object) -> dict[str, object]:
        words = QUOTE if str(getattr(call, "step", "")).endswith(LOSS) else "it will never float"
        return {"quotes": [words], "reason": "So.", "present": "yes"}

    found = await DetectionSession({"detectors/check": quoting}, {"labels": [LOSS, SUNK]}).found()
    assert found.bias == SUNK
    assert [quote.words for quote in found.quotes] == ["it will never float"]


async def test_what_did_not_fit_into_the_model_is_told_in_the_outcome() -> None:
    long = "We have put three years into the boat, and so we build on. " * 400
    settings = {"labels": [SUNK], "context_tokens": 2048}
    found = await DetectionSession(settings=settings, text=long).found()
    assert found.left_out > 0
    assert any(note.startswith(f"The last {found.left_out} words were not examined") for note in found.notes)
    assert not (await DetectionSession(settings={"labels": [SUNK]}).found()).notes


async def test_in_a_talk_the_manager_announces_and_an_expert_concludes() -> None:
    for method, told in (("group", "You lead a group"), ("dialogue", "you draw the conclusion from a talk")):
        detection = DetectionSession(settings={"method": method})
        await detection.found()
        assert told in detection.words("conclude")


async def test_one_who_thinks_about_candidates_is_told_that_screeners_suspect_them() -> None:
    for method, suspected in (("candidates", True), ("cot", False)):
        detection = DetectionSession(settings={"method": method})
        await detection.found()
        assert ("Two screeners suspect" in detection.words("reason")) is suspected
