"""What is typed becomes options; the offer keeps within the day's budget, and has its price and its warnings."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest

from elenchus.bot.completions import Completions
from elenchus.bot.debate.seats import Defaults
from elenchus.bot.debate.spending import RemainingBudget
from elenchus.bot.debate.start_command import StartCommand, limits, offered, options_in
from elenchus.bot.offers import check_left
from elenchus.bot.panel import content
from elenchus.bot.rendering import costs
from elenchus.bot.rendering.amounts import dollars
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat, SessionFinished, SessionStarted
from elenchus.debate_engine.reports.spending import CallUsage
from elenchus.debate_engine.runner import started_of
from elenchus.service.lab.new_sessions import warnings
from elenchus.service.lab.options import DebateOptions
from tests.bot.people.seated import agree, result_of, turn_of
from tests.bot.stage import Stage, finished

OWN, SAME = "judges a debate in which they speak themselves", "judges with a model that debates too"
DEFAULTS = Defaults("scripted:a", ("scripted:b", "scripted:c"))


@pytest.mark.parametrize("motion", ["", "  ", "\u200b\u200d\u2060", "\u2800 \u3164", "\x00\x1b"])
def test_a_motion_that_nobody_can_see_is_no_motion(motion: str) -> None:
    with pytest.raises(UsageError, match="motion is empty"):
        options_in({"motion": motion}, DEFAULTS)
    assert options_in({"motion": f"{motion}🔥"}, DEFAULTS).motion


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("words", 19, "`words` must be between 20 and 400, not 19"),
        ("max_rounds", 21, "`rounds` must be between 1 and 20, not 21"),
        ("max_rounds", 0, "`rounds` must be between 1 and 20, not 0"),
        ("budget_usd", 0.0, "give `budget` a larger amount"),
    ],
)
def test_what_is_out_of_its_range_is_refused_by_the_name_that_discord_shows(
    field: str, value: float, said: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        options_in({"motion": "Motion", field: value}, DEFAULTS)


def test_the_command_has_every_option_of_a_debate_with_its_default_within_discords_25() -> None:
    nothing = cast("Any", None)
    start = StartCommand(nothing, nothing, nothing).command(Completions(nothing))
    called = {"rounds": "max_rounds", "budget": "budget_usd"}
    shown = {called.get(p.name, p.name): p for p in start.parameters}
    beside = {"private", "brief_file", "agenda_file"}
    of_the_server = {"seed", "budget_tokens", "price", "unpriced_ok"}  # its settings
    beyond_25 = {"vote_seconds", "speech_words"}
    assert len(shown) <= 25
    assert set(shown) - beside == set(DebateOptions.model_fields) - of_the_server - beyond_25
    for name in set(shown) - beside - {"motion"}:
        assert shown[name].default in (DebateOptions.model_fields[name].default, None, ""), name


def test_a_debate_that_may_cost_more_than_is_left_is_refused_and_told_both_sums() -> None:
    with pytest.raises(UsageError, match=r"\$0\.01 left.*\$0\.50"):
        check_left(0.5, 100, RemainingBudget(usd=0.01))
    with pytest.raises(UsageError, match=r"99 tokens left.*100"):
        check_left(None, 100, RemainingBudget(tokens=99))
    check_left(0.5, 100, RemainingBudget(usd=0.5, tokens=100))
    check_left(None, 100, RemainingBudget(usd=0.0))  # without a known price the money cannot be told beforehand


def test_a_debate_pauses_at_the_smaller_of_its_own_budget_and_what_is_left() -> None:
    assert limits(2.0, RemainingBudget(usd=1.0, tokens=7)) == (1.0, 7)
    assert limits(0.5, RemainingBudget(usd=1.0)) == (0.5, None)
    assert limits(None, RemainingBudget()) == (None, None)


def test_an_offer_tells_apart_what_hidden_reasoning_may_take_where_a_model_has_any() -> None:
    plan = {"calls": 60, "input_tokens": 64_485, "output_tokens": 12_904, "usd": 0.25, "minutes": 3.2}
    plain = costs.cost({**plan, "reasoning_tokens": 0, "reasoning_usd": 0.0})
    assert "**$0.2500** · about **3** min" in plain
    thinking = costs.cost({**plan, "reasoning_tokens": 480_000, "reasoning_usd": 2.4})
    assert thinking.startswith(plain)
    assert "hidden reasoning" in thinking.removeprefix(plain)
    assert "480,000 tokens out ($2.40)" in thinking.removeprefix(plain)
    assert "(unknown price)" in costs.cost({**plan, "reasoning_tokens": 480_000, "reasoning_usd": None})


def test_money_is_shown_as_none_where_there_is_none_alone() -> None:
    assert "$0.00 left today" in costs.budget(None, 0.0)
    assert "pauses at $0.0040" in costs.budget(0.004, None)
    assert "$0.0010 left and this may cost $0.0042" in msg(
        "debate-day-spent", left=dollars(0.001), needed=dollars(0.0042)
    )
    assert "· $0.0042\n10% of $0.04" in content.use_of_budget(
        CallUsage(3, known_usd=0.0042, priced=3), None, 0.042, None
    )
    assert "· under $0.0001" in content.use_of_budget(CallUsage(3, known_usd=0.000004, priced=3), None, None, None)
    assert "$0.0040" in costs.budget_of_day(0.004, None)


@pytest.mark.parametrize(
    ("judge", "told"),
    [("human:discord:1", OWN), ("scripted:x", SAME), ("scripted:y", "")],
)
def test_who_judges_a_debate_of_their_own_is_said_beforehand(judge: str, told: str) -> None:
    specs = {"pro": "human:discord:1", "con": "scripted:x", "crit": "scripted:z", "judge-1": judge}
    seats = tuple(Seat(name=name, spec=spec) for name, spec in specs.items())
    started = SessionStarted(protocol="socrasynth", title="Cars?", config={}, seats=seats, seed=1, version="0")
    cost = {"calls": 1, "input_tokens": 1, "output_tokens": 1, "usd": 0, "minutes": 1, "reasoning_tokens": 0}
    shown = offered(started, cost, False, RemainingBudget()).description
    assert {warning for warning in (OWN, SAME) if warning in shown} == set(filter(None, [told]))


def test_the_terminal_says_the_same_of_a_very_small_model() -> None:
    seats = tuple(Seat(name=name, spec="local:smollm2-135m") for name in ("pro", "con", "crit", "judge-1"))
    started = SessionStarted(protocol="socrasynth", title="Cars?", config={}, seats=seats, seed=1, version="0")
    cost = {"calls": 1, "input_tokens": 1, "output_tokens": 1, "usd": 0, "minutes": 1, "reasoning_tokens": 0}
    (told,) = [line for line in warnings(seats) if "small model" in line]
    assert f"-# {told}." in offered(started, cost, False, RemainingBudget()).description


@pytest.mark.slow
async def test_discord_has_the_options_of_the_terminal_and_they_reach_the_session(stage: Stage) -> None:
    facts = "Cars take up half of the streets. " * 300
    async with stage.running():
        thread = await stage.debate(
            brief_file=("facts.txt", facts.encode()), crit="scripted:demo?seed=2", coach=True, compare_qa=True,
            simultaneous=True, decay=2.0, floor=0.2, stop="paper", temperature=0.3,
        )  # fmt: skip
        await finished(thread)
        started = started_of(await stage.events(thread))
    config = started.config
    assert config["brief"] == facts.strip(), "a file may be longer than what can be typed"
    assert all(config[flag] for flag in ("coach", "compare_qa", "simultaneous"))
    assert (config["decay"], config["floor"], config["stop"], started.temperature) == (2.0, 0.2, "paper", 0.3)
    seats = {seat.name: seat for seat in started.seats}
    assert seats["crit"].spec == "scripted:demo?seed=2"
    assert seats["answerer"].spec == "scripted:demo"


async def test_whoever_starts_a_debate_may_approve_its_agenda_on_discord(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(topics=2, approve_agenda=True)
        turn = await turn_of(thread, stage.alice)
        opened = await agree(stage.alice, turn)
        await stage.alice.fill(opened.modal, {"Keep": "2"})
        await finished(thread)
        asked = await result_of(stage, thread, "agenda/approve")
        (finish,) = [r.event for r in await stage.events(thread) if isinstance(r.event, SessionFinished)]
    assert asked is not None
    assert len(finish.outcome["agenda"]) == 1, "the other topic was struck"
