"""What roles remember, all of it from the log."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.events import Said
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Scripted
from elenchus.debate_engine.protocols.rulegen.memory import RoleMemory, line_for, rounds_of, rule_of
from elenchus.debate_engine.protocols.rulegen.record import DEVIATION
from elenchus.debate_engine.retrieval import WordOverlap
from elenchus.debate_engine.scenes.scene import Rule, Scene
from elenchus.storage.embeddings import RecallByMeaning, recall_of_this_machine
from tests.debate_engine.protocols.rulegen.stage import ADA, NAMES, Stage, scene, shown

SMALL_TALK = (
    "The weather will be fine on Sunday, they say.",
    "My brother has bought new shoes for running.",
    "There is a queue in front of the bakery again.",
    "The cinema shows an old film about sailors.",
    "Somebody has left an umbrella in the hall.",
    "The lift is being repaired until Thursday.",
    "I have painted the fence on my side.",
    "The neighbours' dog barked all night long.",
)
FACT = "The green tea costs eleven crowns a bag."
PRICE = Rule(
    mode="unicast", purpose="PAS", initiator="Ada", receivers=("Cleo",), content="says what the tea costs a bag"
)


def system(text: str, *to: str) -> Rule:
    return Rule(mode="self-receiving", purpose="SYS", initiator="system", receivers=to, message=text)


TEN_RULES: Scene = scene(system(FACT, "Ada"), *(system(text, "Ada") for text in SMALL_TALK), PRICE)


def note(call: Call) -> str:
    """A memory of what is to be remembered, in its own words: the sentences that it was given."""
    return "I remember: " + " ".join(line.partition(": ")[2] for line in shown(call).splitlines() if "informed" in line)


async def test_with_two_rounds_in_mind_a_fact_of_rule_one_reaches_rule_ten_by_recall() -> None:
    stage = Stage(TEN_RULES, {"rulegen/remember": note}, short_term=2, recalled=1, recall=RecallByMeaning())
    await stage.played()
    for step in ("plan", "answer/1"):
        words = stage.words(f"rule/10/turn/1/{step}")
        assert f"- I remember: {FACT}" in words
        assert f"You were informed: {FACT}" not in words, "it is no longer known word for word"
        assert all(text in words for text in SMALL_TALK[-2:]), "the last two rounds are"
        assert not any(text in words for text in SMALL_TALK[1:-2]), "what does not bear on it does not come to mind"
    assert [step for step in stage.steps if "memory" in step] == [
        f"rule/10/turn/1/memory/{part}" for part in ("1-2", "3-4", "5-6", "7-7")
    ]


@pytest.mark.parametrize("place", [1, 3, 6])
async def test_what_comes_to_mind_is_what_bears_on_the_rule_wherever_it_was_heard(place: int) -> None:
    heard = [*SMALL_TALK[:place], FACT, *SMALL_TALK[place:]]
    rules = scene(*(system(text, "Ada") for text in heard), PRICE)
    stage = Stage(rules, {"rulegen/remember": note}, short_term=2, recalled=1, recall=RecallByMeaning())
    await stage.played()
    words = stage.words("rule/10/turn/1/answer/1")
    assert FACT in words
    assert sum(text in words for text in heard[:-2]) <= 2, "one memory of two rounds, and no other"


async def test_what_one_role_was_told_is_never_recalled_by_another() -> None:
    secret = system("The green tea costs nothing at all for Ben.", "Ben")
    rules = (secret, *TEN_RULES.rules)
    stage = Stage(scene(*rules), {"rulegen/remember": note}, short_term=2, recalled=20, recall=RecallByMeaning())
    await stage.played()
    assert FACT in stage.words("rule/11/turn/1/answer/1")
    assert not [ask.step for ask in await stage.asks() if ask.seat == "Ada" and "for Ben" in f"{ask.role}{ask.text}"]


async def test_short_term_memory_holds_the_last_three_rounds_word_for_word_unless_told_otherwise() -> None:
    stage = Stage(TEN_RULES, recalled=0)
    await stage.played()
    words = stage.words("rule/10/turn/1/answer/1")
    assert [text in words for text in (FACT, *SMALL_TALK)] == [False] * 6 + [True] * 3


async def test_each_round_is_summarised_once_when_it_no_longer_fits() -> None:
    rules = [rule for text in SMALL_TALK for rule in (system(text, "Ada"), NAMES)]
    stage = Stage(scene(*rules), short_term=2)
    await stage.played()
    parts = [step.rpartition("/")[2].split("-") for step in stage.steps if "memory" in step]
    rounds = [n for first, last in parts for n in range(int(first), int(last) + 1)]
    assert rounds == list(range(1, 14)), "when rule 16 is reached, 14 and 15 are still in mind"


async def test_without_a_summary_the_words_themselves_are_remembered() -> None:
    stage = Stage(TEN_RULES, {"rulegen/remember": Scripted(fault="empty")}, short_term=2, recalled=20)
    await stage.played()
    assert f"You were informed: {FACT}" in stage.words("rule/10/turn/1/answer/1")


async def test_a_plan_precedes_the_answer_and_a_reflection_reaches_the_next_plan() -> None:
    stage = Stage(scene(NAMES, NAMES))
    await stage.played()
    order = ["plan", "answer/1", "check/1", "reflect"]
    assert stage.steps[:8] == [f"rule/{n}/turn/1/{step}" for n in (1, 2) for step in order]
    assert "planned at rule/1/turn/1/plan" in stage.words("rule/1/turn/1/answer/1")
    assert "words of rule/1/turn/1/answer/1" in stage.words("rule/1/turn/1/reflect")
    assert "reflected at rule/1/turn/1/reflect" in stage.words("rule/2/turn/1/plan")
    assert "reflected at" not in stage.words("rule/1/turn/1/plan")


async def test_thoughts_are_nobody_elses() -> None:
    stage = Stage()
    await stage.played()
    for ask in await stage.asks():
        for thinker, rule in (("Cleo", 2), ("Cleo", 3), ("Ada", 4), ("Ben", 5)):
            if ask.seat != thinker:
                assert f"planned at rule/{rule}" not in ask.text
                assert f"reflected at rule/{rule}" not in ask.text


async def test_a_role_that_cannot_plan_or_reflect_still_speaks() -> None:
    silent = Scripted(fault="busy")
    stage = Stage(answers={"rulegen/plan": silent, "rulegen/reflect": silent})
    played = await stage.played()
    assert all(turn.text for turn in played.turns)


def test_a_new_mind_is_empty() -> None:
    assert RoleMemory() == RoleMemory(memories=[], remembered=0, reflection="")
    assert rounds_of(ADA.name, []) == []


STEPS = st.sampled_from([
    "opening", "rule/1/said", "rule/2/turn/1/said", "listen/moderator/Ada/9", "rule/2/unscripted/1/said", "rule/3/said",
])  # fmt: skip
HEARD = st.lists(st.tuples(STEPS, st.sampled_from(["", DEVIATION]), st.text("ab\n", max_size=4)), max_size=20)


@given(heard=HEARD, breaks=st.lists(st.integers(0, 20)))
def test_what_is_heard_bit_by_bit_makes_the_same_rounds_as_what_is_heard_at_once(
    heard: list[tuple[str, str, str]], breaks: list[int]
) -> None:
    said = [
        Said(step=step, speaker="Ben", to=(ADA.name,), text=text, about=about, input_hash="")
        for step, about, text in heard
    ]
    memory = RoleMemory()
    for until in sorted(breaks):
        memory.hear(ADA.name, said[:until])
    rounds = memory.hear(ADA.name, said)
    by_rule = [[(one.rule, line) for line in one.lines] for one in rounds]
    assert [rule for (rule, _), *_ in by_rule] == [one.rule for one in rounds], "no round is empty"
    assert rounds == rounds_of(ADA.name, said)
    told = [one for one in said if one.about != DEVIATION]
    assert [line for one in rounds for line in one.lines] == [line_for(ADA.name, one) for one in told]
    of_rules = [rule_of(one) for one in told]
    last = 0
    for place, rule in enumerate(of_rules):
        of_rules[place] = last = rule or last
    assert [rule for each in by_rule for rule, _ in each] == of_rules
    assert all(one.rule != other.rule for one, other in pairwise(rounds))


def test_what_was_heard_before_is_not_looked_at_again() -> None:
    """So that five hundred judgements in a row cost each as much as the first."""
    heard = [Said(step=f"rule/{n}/said", speaker="Ben", to=(ADA.name,), text="Hm.", input_hash="") for n in (1, 2, 3)]
    memory = RoleMemory()
    first, *_ = memory.hear(ADA.name, heard[:2])
    again, *_ = memory.hear(ADA.name, [*[heard[0].model_copy(update={"text": "Another."})] * 2, heard[2]])
    assert again is first
    assert first.text == "Ben said to you: Hm."


# ── recall ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_meaning_finds_what_shares_no_word() -> None:
    recall = recall_of_this_machine()
    assert isinstance(recall, RecallByMeaning)
    texts = ["The cat slept on the sofa.", "Her automobile needed new brakes.", "They sang in the choir."]
    assert await recall.nearest("Who repairs cars?", texts, 1) == [1]


async def test_recall_gives_each_place_once_the_nearest_first_and_no_more_than_there_are() -> None:
    for recall in (RecallByMeaning(), WordOverlap()):
        texts = ["green tea is cheap", "", "black coffee", "green tea costs eleven crowns"]
        assert (await recall.nearest("what does green tea cost in crowns", texts, 2))[0] in (0, 3)
        assert sorted(await recall.nearest("tea", texts, 9)) == [0, 1, 2, 3]
        assert await recall.nearest("tea", [], 3) == []
        assert await recall.nearest("tea", texts, 0) == []
        assert len(await recall.nearest("", texts, 2)) == 2
