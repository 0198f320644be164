"""Fitting a prompt into a small context by the stated policy: what is left out, shortened, cut, and what stays."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.config.models import ModelInfo
from elenchus.debate_engine.events import PromptTrimmed, StepDone
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.prompts import Section
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.truncation import digest, shorter, truncated
from tests.debate_engine.toy import toy, toy_started

AGENDA = Section(title="The agenda", text="1. rest vs. practice", policy="keep")
LAST = Section(title="The last speech", text="## 1. rest\nPupils sleep too little. A study says so.", policy="keep")
OWN = Section(
    title="Your speeches", text="## 1. rest\nSleep matters. " + "It does so very much. " * 60, policy="digest"
)
STYLE = Section(title="On style", text="Be brief. " * 80, policy="drop")
ALL = (AGENDA, STYLE, OWN, LAST)


def size(*sections: Section) -> int:
    return sum(estimate_tokens(s.text) + estimate_tokens(s.title) for s in sections)


def test_what_fits_is_not_touched() -> None:
    fitted = truncated(ALL, size(*ALL), estimate_tokens)
    assert (fitted.material, fitted.left_out) == (ALL, ())
    assert fitted.tokens_before == fitted.tokens_after == size(*ALL)


def test_sections_that_may_be_dropped_go_first_and_nothing_else_then() -> None:
    fitted = truncated(ALL, size(*ALL) - 1, estimate_tokens)
    assert fitted.material == (AGENDA, OWN, LAST)
    assert fitted.left_out == ("On style (left out)",)


def test_of_several_that_may_be_dropped_only_so_many_go_as_must() -> None:
    second = Section(title="On manners", text="Be kind. " * 80, policy="drop")
    fitted = truncated((*ALL, second), size(*ALL, second) - 1, estimate_tokens)
    assert fitted.left_out == ("On style (left out)",)
    assert second in fitted.material


def test_the_agenda_the_last_exchange_and_a_running_summary_stay() -> None:
    fitted = truncated(ALL, size(AGENDA, LAST) + 30, estimate_tokens)
    assert fitted.left_out == ("On style (left out)", "Your speeches (summarised)")
    assert [s.title for s in fitted.material] == ["The agenda", "Your speeches", "The last speech"]
    assert (fitted.material[0], fitted.material[2]) == (AGENDA, LAST)
    assert fitted.material[1].text == "## 1. rest\nSleep matters."
    assert fitted.tokens_after <= size(AGENDA, LAST) + 30 < fitted.tokens_before


def test_a_summary_keeps_headings_and_the_first_sentence_of_each_paragraph() -> None:
    text = "## 1. rest\nSleep matters. It does.\n\n## 2. marks\nWhy marks? Nobody knows!\n"
    assert digest(text) == "## 1. rest\nSleep matters.\n## 2. marks\nWhy marks?"


@pytest.mark.parametrize("words", ["Wide streets invite walking. " * 200, "宽阔的人行道有助于商店" * 200])
def test_the_longest_section_is_cut_down_to_a_floor_in_any_script(words: str) -> None:
    long = Section(title="Long", text=words, policy="keep")
    fitted = truncated((AGENDA, long), 200, estimate_tokens)
    assert fitted.tokens_after <= 200
    assert fitted.left_out == ("Long (cut)",)
    assert fitted.material[0] == AGENDA
    assert words.startswith(fitted.material[1].text)
    floor = truncated((AGENDA, long), 1, estimate_tokens)
    assert 30 < estimate_tokens(floor.material[1].text) <= 60
    assert floor.material[0] == AGENDA


def test_a_text_is_cut_between_words_where_there_are_any() -> None:
    assert shorter("one two three four five") == "one two three"
    assert shorter("x" * 10) == "x" * 8


policies, texts = st.sampled_from(["keep", "digest", "drop"]), st.text(max_size=600)
sections = st.lists(
    st.builds(Section, title=st.text(max_size=10), text=st.text(max_size=600), policy=policies), max_size=5
)


@given(sections, st.integers(-50, 600))
def test_any_material_ends_no_larger_and_what_fits_is_left_alone(material: list[Section], context: int) -> None:
    fitted = truncated(material, context, estimate_tokens)
    assert fitted.tokens_before == size(*material)
    assert fitted.tokens_after == size(*fitted.material) <= fitted.tokens_before
    assert (fitted.left_out == ()) == (list(fitted.material) == material)
    kept = [s.title for s in material if s.policy != "drop"]
    assert [s.title for s in fitted.material if s.policy != "drop"] == kept, "only what may be dropped is left out"


# ── in a session ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_log_says_what_a_model_with_a_small_context_was_not_shown() -> None:
    log, client = MemoryLog(), ScriptedClient(answerer=lambda call: None if call.schema else "A long speech. " * 150)
    model = Model("scripted:small", "small", client, Limits(), ModelInfo(context=1_500))
    runner = Runner(log, {"toy": toy}, lambda seat, context: ModelSeat(context, model, Persona(seat.name)))
    run = await runner.run(await runner.create(toy_started(rounds=2), "s"))
    assert run.state == "finished", run.reason
    recorded = await log.read("s")
    trimmed = {r.event.step: r.event for r in recorded if isinstance(r.event, PromptTrimmed)}
    assert trimmed["round/2/a"].left_out[0] == "What you heard (summarised)"
    assert trimmed["round/2/a"].tokens_after < trimmed["round/2/a"].tokens_before
    done = next(r.event for r in recorded if isinstance(r.event, StepDone) and r.event.step == "round/2/a")
    assert done.calls[0].sent is not None, "what was really sent is recorded where it differs from the step's input"
    assert len(str(done.calls[0].sent)) < len(str(done.inputs))
