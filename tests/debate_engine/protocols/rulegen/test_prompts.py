"""What a role's prompt holds, and what none ever does."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.assignment import FirstPlace
from elenchus.debate_engine.protocols.rulegen.role_agent import SceneState, out_of_form, tidied
from elenchus.debate_engine.retrieval import WordOverlap
from elenchus.debate_engine.scenes.measures import Number
from elenchus.debate_engine.scenes.scene import PURPOSES, Purpose, Role, Rule
from tests.debate_engine.protocols.rulegen.leaks import leaks
from tests.debate_engine.protocols.rulegen.stage import (
    ADA,
    ASKS,
    BEN,
    CLEO,
    NAMES,
    OFF,
    SECRETS,
    SYS,
    TASTING,
    TELLS,
    WELCOME,
    Answer,
    Stage,
    scene,
)

TALK = Rule(
    mode="multicast", purpose="CON", initiator="Ben", receivers=("Ada", "Cleo"), content="discusses tea with her"
)
MAYBE = Rule(mode="unicast", purpose="JOK", initiator="Cleo", receivers=("Ben",), content="jokes, if the mood is low")
STATES = NAMES.model_copy(update={"content": "names the price", "measures": ("price",)})
LONG = scene(SYS, WELCOME, ASKS, NAMES, TELLS, TALK, MAYBE, NAMES, WELCOME, TELLS)


async def test_no_role_is_ever_shown_what_the_scene_is_about_or_what_others_are_to_do() -> None:
    """Every prompt of every role, with corrections and memories, is searched."""
    stage = Stage(
        LONG.model_copy(update={"rules": (*LONG.rules, STATES), "measures": (Number(name="price", ask="How much?"),)}),
        {"rulegen/supervise": OFF, "rulegen/state": {"price": 3}},
        short_term=1,
    )
    await stage.played()
    asks = await stage.asks()
    assert {ask.prompt_id.removeprefix("rulegen/") for ask in asks} == set(
        prompts_of("elenchus.debate_engine.protocols.rulegen").names()
    )
    assert len([ask for ask in asks if ask.seat in ("Ada", "Ben", "Cleo")]) > 80
    assert leaks(stage.cfg, asks) == []


async def test_the_search_finds_what_it_looks_for() -> None:
    stage = Stage(scene(NAMES.model_copy(update={"content": f"speaks of {SECRETS[0]}"})))
    await stage.played()
    assert {text for _, text in leaks(stage.cfg, await stage.asks())} == {SECRETS[0]}


async def test_a_scene_that_names_its_bias_to_a_role_is_refused() -> None:
    in_a_rule = scene(WELCOME, NAMES.model_copy(update={"content": "shows herd following"}))
    in_a_task = scene(NAMES, roles=(ADA, BEN.model_copy(update={"task": "Elicit Herd Following."}), CLEO))
    for played, where in ((in_a_rule, "rule 2: the rule"), (in_a_task, "the text of Ben")):
        run = await Stage(played).run()
        assert run.exit_code == 2
        assert f"{where} names the bias" in run.reason


async def test_a_role_is_told_who_it_is_what_it_heard_and_its_rule() -> None:
    stage = Stage()
    await stage.played()
    for step in ("answer/1", "plan", "reflect"):
        words = stage.words(f"rule/5/turn/1/{step}")
        assert BEN.background in words
        assert BEN.task in words
        assert "This is how you decide: brash." in words
        assert "Cleo said to everybody: words of rule/2" in words
        assert "speak to Ada and Cleo. Your direction: tells who took green" in words
        assert PURPOSES["PAS"].does in words


async def test_no_instruction_of_another_rule_reaches_a_role() -> None:
    stage = Stage(LONG, short_term=2)
    await stage.played()
    contents = {rule.content: rule.initiator for rule in LONG.rules if rule.content}
    for ask in await stage.asks():
        for content, initiator in contents.items():
            if ask.seat in ("Ada", "Ben", "Cleo") and content in ask.text:
                assert ask.seat == initiator, (ask.step, content)


@given(st.sampled_from(sorted(PURPOSES)), st.sampled_from(sorted(PURPOSES)))
def test_each_purpose_has_words_of_its_own(one: Purpose, other: Purpose) -> None:
    assert (PURPOSES[one].does == PURPOSES[other].does) is (one == other)


# ── nobody's prompt holds what it has not heard ──────────────────────────────────────────────────────────────────────

ROLES = (ADA, BEN, CLEO, Role(name="Dan", kind="other"))
NAMES_OF_ALL = [role.name for role in ROLES]


@st.composite
def moves(draw: st.DrawFn) -> Rule:
    """A rule of any mode between any of four roles."""
    who = draw(st.sampled_from(["system", *NAMES_OF_ALL]))
    others = [name for name in NAMES_OF_ALL if name != who]
    if who == "system":
        to = draw(st.lists(st.sampled_from(others), min_size=1, max_size=2, unique=True))
        return Rule(
            mode="self-receiving", purpose="SYS", initiator=who, receivers=tuple(to), message=draw(st.just("news"))
        )
    to = draw(st.lists(st.sampled_from(others), min_size=1, max_size=3, unique=True))
    mode = "broadcast" if len(to) == 3 else "unicast" if len(to) == 1 else "multicast"
    receivers = tuple(others) if mode == "broadcast" else tuple(to)
    return Rule(mode=mode, purpose=None, initiator=who, receivers=receivers, content="speaks")  # type: ignore[arg-type]


@settings(max_examples=12, deadline=None)
@given(st.lists(moves(), min_size=2, max_size=8), st.integers(1, 3))
async def test_nothing_unheard_is_ever_in_a_prompt_nor_recalled(rules: list[Rule], short_term: int) -> None:
    """Every speech is a word of its own; memories keep all words; each prompt's words are those that the role heard."""
    rules = [
        rule.model_copy(update={"message": f"[news-{n}]"}) if rule.initiator == "system" else rule
        for n, rule in enumerate(rules, 1)
    ]
    answers: dict[str, Answer] = {"rulegen/remember": echo, "rulegen/plan": "thinks", "rulegen/reflect": "thinks"}
    answers |= {f"rule/{n}/turn/1/answer/1": f"[word-{n}]" for n in range(1, len(rules) + 1)}
    stage = Stage(scene(*rules, roles=ROLES), answers, short_term=short_term, recalled=20, target=None)
    played = await stage.played()
    tokens = {entry.content: entry for entry in played.record}
    for ask in await stage.asks():
        for token, entry in tokens.items():
            if ask.seat in NAMES_OF_ALL and token in ask.text:
                assert ask.seat in entry.target or "*" in entry.target or ask.seat == entry.origin, (ask.step, token)
    for number, rule in enumerate(rules, 1):
        if rule.initiator != "system":
            shown = stage.words(f"rule/{number}/turn/1/answer/1")
            heard = [
                e for e in played.record[: number - 1] if rule.initiator in (*e.target, e.origin) or "*" in e.target
            ]
            assert all(entry.content in shown for entry in heard), "and nothing heard is lost"


def echo(call: Call) -> str:
    """A memory that keeps everything."""
    return call.messages[-1].content


# ── the form of a reply ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_speakers_own_name_in_front_is_taken_off() -> None:
    for text in ("Ada: I take it.", "**Ada:** I take it.", "Ada (smiling): I take it.", '"I take it."', "I take it."):
        assert tidied(text, "Ada") == "I take it."
    assert tidied("Ada and I: both of us.", "Ada") == "Ada and I: both of us."
    assert tidied("Ada:", "Ada") == "Ada:", "a reply never becomes empty"


def test_a_reply_of_more_than_a_hundred_words_or_that_names_the_style_is_out_of_form() -> None:
    assert out_of_form("word " * 100, BEN) is None
    assert "101 words" in str(out_of_form("word " * 101, BEN))
    assert out_of_form("I decide in a brash way.", BEN) is not None
    assert out_of_form("I decide in a brash way.", ADA) is None


def test_a_text_without_blanks_is_counted_by_its_letters() -> None:
    assert out_of_form("茶" * 200, ADA) is None
    assert out_of_form("茶" * 201, ADA) is not None


def test_a_role_is_found_by_its_name() -> None:
    assert SceneState(Stage(TASTING).cfg, WordOverlap(), FirstPlace()).role("Ben") == BEN
