"""Short-term memory is full after so many words; recall finds what bears on a question, by one policy or the other."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.protocols.cognition.config import CognitionConfig
from elenchus.debate_engine.protocols.cognition.memory import chosen, park, perceived, pieces_of
from elenchus.debate_engine.protocols.cognition.schemas import Iteration, Mind, RatedOpinion, Statement
from elenchus.debate_engine.retrieval import RankedText
from elenchus.debate_engine.words import count_words
from tests.debate_engine.protocols.cognition.minds import Reader
from tests.debate_engine.protocols.cognition.profiles import GRETA

texts = st.lists(st.text("ab .\n町", max_size=300), max_size=4)


@given(texts, texts, st.integers(20, 60))
def test_no_filling_has_more_words_than_fit_and_no_word_is_lost(
    held: list[str], given_texts: list[str], capacity: int
) -> None:
    before = [piece for text in held for piece in pieces_of(text, capacity)][:1]
    fillings, rest = perceived(before, given_texts, capacity)
    assert all(count_words(one) <= capacity for one in fillings)
    assert sum(map(count_words, rest)) <= capacity
    letters = "".join("".join([*fillings, *rest]).split())
    assert letters == "".join("".join([*before, *given_texts]).split())


def test_a_text_is_cut_between_paragraphs_else_after_a_sentence_else_after_a_word() -> None:
    assert list(pieces_of("One two.\n\nThree four.", 20)) == ["One two.", "Three four."]
    sentences = "One two three four. " * 6
    assert all(piece.endswith("four.") for piece in pieces_of(sentences, 20))
    assert [count_words(piece) for piece in pieces_of("word " * 50, 20)] == [20, 20, 10]


def test_an_endless_word_is_cut_too() -> None:
    assert "".join(pieces_of("x" * 5_000, 20)) == "x" * 5_000


def remembering(*scores: int, **more: object) -> Mind:
    """A mind with memories, one learned in each iteration."""
    memories = [
        Statement(id=f"k{n}", iteration=n, subject=f"S{n}", predicate="is", object="x", score=score)
        for n, score in enumerate(scores, 1)
    ]
    return Mind.model_validate({"profile": GRETA, "memories": memories, **more})


def settings(**more: object) -> CognitionConfig:
    return CognitionConfig.model_validate({"profile": GRETA, "questionnaire": ["Tea is good."], **more})


NEAR = [RankedText(2, 0.9), RankedText(0, 0.8), RankedText(1, 0.5), RankedText(3, 0.1)]


def test_the_most_relevant_are_recalled() -> None:
    assert chosen(settings(), remembering(1, 1, 1, 1), NEAR, 5) == [2, 0, 1]


def test_the_mistake_of_the_released_code_leaves_out_the_likest_of_four() -> None:
    assert chosen(settings(least_similar=True), remembering(1, 1, 1, 1), NEAR, 5) == [3, 1, 0]


def test_importance_and_recency_count_where_that_is_the_policy() -> None:
    cfg = settings(policy="park", recall=2, decay=0.5)
    alike = [RankedText(place, 0.5) for place in range(4)]
    assert chosen(cfg, remembering(3, 3, 3, 3), alike, 4) == [3, 2]
    assert chosen(cfg, remembering(5, 1, 1, 1), alike, 4)[0] in (0, 3)
    assert park(cfg, remembering(5, 1, 1, 1), alike, 4)[0] == pytest.approx(1.0)


def test_what_was_recalled_lately_is_recent() -> None:
    cfg = settings(policy="park", recall=1, decay=0.5)
    alike = [RankedText(place, 0.5) for place in range(4)]
    assert chosen(cfg, remembering(3, 3, 3, 3, used={"k1": 5}), alike, 6) == [0]


def test_what_was_recalled_in_several_iterations_fades_slower_where_recall_is_spaced() -> None:
    alike = [RankedText(place, 0.5) for place in range(4)]
    mind = remembering(3, 3, 3, 3, used={"k1": 5, "k2": 6}, recalls={"k1": 4, "k2": 1})
    spaced, plain = settings(policy="park", spaced=True), settings(policy="park")
    assert chosen(plain, mind, alike, 20)[:2] == [1, 0], "the latest recall"
    assert chosen(spaced, mind, alike, 20)[:2] == [0, 1], "15 iterations in a strength of 5 are 3, 14 in 2 are 7"
    with pytest.raises(ValueError, match="spaced recall is of recency"):
        settings(spaced=True)


def test_recalls_of_one_iteration_are_one_and_of_two_are_two() -> None:
    mind = remembering(3)
    asked = RatedOpinion(question="Tea?", rating=3, recalled=("k1",))
    for iteration, recalls in ((1, 1), (1, 1), (2, 2), (4, 3)):
        mind = mind.after(Iteration(iteration=iteration, profile=GRETA, answers=(asked, asked)))
        assert (mind.used["k1"], mind.recalls["k1"]) == (iteration, recalls)


@pytest.mark.parametrize(("more", "seen"), [({}, 3), ({"recall": 1}, 1), ({"recall": 0}, 0), ({"policy": "park"}, 3)])
async def test_so_many_memories_stand_in_the_prompt(more: dict[str, object], seen: int) -> None:
    reader = Reader(settings={"forget_share": 0, **more})
    answers = (await reader.result()).iterations[1].answers
    assert len(answers[0].recalled) == seen
    shown = reader.words("iteration/1/answer/1")
    assert [f"{one}: " in shown for one in answers[0].recalled] == [True] * seen
