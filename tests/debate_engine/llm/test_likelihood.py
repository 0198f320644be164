"""How likely the embedded model finds an answer: it is told for each token, before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp
from pathlib import Path

import pytest

from elenchus.config.settings import Settings
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.client import Reply
from elenchus.debate_engine.llm.gguf_tokens import division_of
from elenchus.debate_engine.llm.likelihood import LocalLikelihood, NoLikelihood
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.llm.weights import SMOLLM2, installed


@pytest.mark.local_model
async def test_a_likely_answer_is_likelier_than_an_unlikely_one_and_no_answer_is_certain(tmp_path: object) -> None:
    registry = Registry(Settings(home=tmp_path))  # type: ignore[arg-type]
    likelihood = LocalLikelihood(registry)
    try:
        text = "What is the capital of France?"
        answers = ("The capital of France is Paris.", "Turnips “quietly” \\ resent Tuesdays.")
        likely, unlikely = await likelihood.of("local:smollm2-135m", text, answers)
    finally:
        await registry.aclose()
    assert len(likely) == 7, "a word a token, and the full stop"
    assert all(one < 0 for one in (*likely, *unlikely))
    assert sum(likely) / len(likely) > -0.5
    assert exp(sum(unlikely) / len(unlikely)) < 0.05


@pytest.mark.slow
@pytest.mark.local_model
async def test_a_figure_hangs_neither_on_what_was_read_before_nor_on_the_order_of_the_answers(tmp_path: object) -> None:
    registry = Registry(Settings(home=tmp_path))  # type: ignore[arg-type]
    likelihood, told = LocalLikelihood(registry), "A grandson and his grandfather stood at the desk. " * 6
    try:
        text, answers = f"{told}Who asked for help?", ("The grandson", "Not known", "The grandfather did")
        found = await likelihood.of("local:smollm2-135m", text, answers)
        await likelihood.of("local:smollm2-135m", f"{told}Who left?", answers[:1])
        again = await likelihood.of("local:smollm2-135m", text, answers)
        turned = await likelihood.of("local:smollm2-135m", text, answers[::-1])
    finally:
        await registry.aclose()
    assert found == again
    assert found == turned[::-1]


@dataclass
class Kept:
    """A `ReplyCache` in memory."""

    replies: dict[str, Reply] = field(default_factory=dict)

    async def get(self, key: str) -> Reply | None:
        return self.replies.get(key)

    async def put(self, key: str, model: str, reply: Reply) -> None:
        assert model == "local:smollm2-135m"
        self.replies[key] = reply


@pytest.mark.slow
@pytest.mark.local_model
async def test_a_figure_that_was_read_is_kept_by_model_text_and_answers(tmp_path: Path) -> None:
    registry, kept = Registry(Settings(home=tmp_path)), Kept()
    likelihood = LocalLikelihood(registry, kept)
    try:
        found = await likelihood.of("local:smollm2-135m", "Who left?", ("The boy", "The girl"))
        assert len(kept.replies) == 1
        (key,) = kept.replies
        kept.replies[key] = replace(kept.replies[key], text="[[-1.5], [-2.5, -0.5]]")
        again = await likelihood.of("local:smollm2-135m", "Who left?", ("The boy", "The girl"))
        turned = await likelihood.of("local:smollm2-135m", "Who left?", ("The girl", "The boy"))
        other = await likelihood.of("local:smollm2-135m", "Who came?", ("The boy", "The girl"))
    finally:
        await registry.aclose()
    assert again == [(-1.5,), (-2.5, -0.5)], "what is kept is read no more"
    assert turned == found[::-1]
    assert other != found
    assert len(kept.replies) == 3


async def test_who_does_not_tell_is_refused(tmp_path: object) -> None:
    registry = Registry(Settings(home=tmp_path))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="scripted:demo does not tell how likely its words are"):
        await LocalLikelihood(registry).of("scripted:demo", "a", ["b"])
    with pytest.raises(UsageError, match="no models are at hand"):
        await NoLikelihood().of("local:smollm2-135m", "a", ["b"])
    await registry.aclose()


@pytest.mark.local_model
async def test_an_answer_is_read_in_the_tokens_that_its_tokenizer_makes_of_it(tmp_path: Path) -> None:
    """By letters alone it was "No", "t", " ", "a", …: of "Not answerable" a mean of -9.9 in place of -2.0."""
    source = installed(SMOLLM2, tmp_path)
    assert source is not None
    division = division_of(source)
    assert division is not None
    assert division("Not enough info 42") == [5884, 2001, 8667, 216, 36, 34]
    registry = Registry(Settings(home=tmp_path))
    text = (
        "I saw a boy and his grandmother at the shop.\n\nWho was forgetful?\nOptions:\n- Not answerable\n- The boy\n"
        "- The grandmother\nAnswer with one of the options."
    )
    answers = ("Not answerable", "The grandmother", "Größe 3,5 €")
    try:
        found = await LocalLikelihood(registry).of("local:smollm2-135m", text, answers)
    finally:
        await registry.aclose()
    assert [len(one) for one in found] == [len(division(one)) for one in answers]
    assert sum(found[0]) / len(found[0]) > -4
