"""What the panel goes by: asked for and not yet come about."""

from __future__ import annotations

import pytest

from elenchus.bot.panel import content
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Event, Recorded, now
from elenchus.service.lab.session_status import SessionStatus
from tests.debate_engine.reports.debates import debate_in, debated, started

PAUSE, RESUME = ev.PauseAsked(by="x", reason=""), ev.ResumeAsked(by="x")
ROUND, CLOSE = ev.RoundAsked(by="x"), ev.CloseAsked(by="x")
HEAT = ev.StepDone(step="round/2/heat", input_hash="", result={"heat": 0.5, "set_by": []})
ENDED = ev.StepDone(step="rounds/ended", input_hash="", result="floor")


def qualities(status: SessionStatus) -> list[float | None]:
    """Γ so far, as the panel is given it."""
    return [*status.standing.qualities] if status.standing else []


def status(*events: Event) -> SessionStatus:
    """The status of a debate in which this happened."""
    return SessionStatus.of("demo", [Recorded(seq=n, at=now(), event=e) for n, e in enumerate([started(), *events], 1)])


@pytest.mark.parametrize(
    "events, asked",
    [
        ([PAUSE], "pause"),
        ([PAUSE, RESUME], ""),
        ([PAUSE, ev.SessionPaused(why="moderator", reason="x")], ""),
        ([ROUND], "round"),
        ([ROUND, HEAT], ""),
        ([ROUND, RESUME], "round"),
        ([CLOSE], "close"),
        ([CLOSE, HEAT], "close"),
        ([CLOSE, ENDED], ""),
        ([ROUND, ENDED], ""),
        ([ev.StopAsked(by="x", reason="x"), ENDED], "stop"),
    ],
)
def test_what_was_asked_for_stands_until_it_comes_about(events: list[Event], asked: str) -> None:
    assert status(*events).asked == asked


async def test_the_panel_shows_state_round_heat_quality_and_what_is_spent_of_the_budget() -> None:
    first = started().model_copy(update={"budget_usd": 2.5, "budget_tokens": 90_000})
    events = await debated(first)
    last = next(r.seq for r in events if getattr(r.event, "step", "") == "round/2/crit/quality")
    status = SessionStatus.of("demo", [r for r in events if r.seq <= last])
    shown = content.shown(status).embed
    fields = {field.name: field.value for field in shown.fields}
    gammas = [f"{gamma:.1f}" for gamma in qualities(status) if gamma is not None]
    use = status.view.spending.total
    assert "Running" in shown.description
    assert "2" in fields["Stage"]
    assert fields["Heat"].endswith(" 0.63\nthe closings 0.52")
    assert len(gammas) == 2
    assert all(gamma in fields["Argument quality (Γ)"] for gamma in gammas)
    assert f"{use.calls} calls" in fields["Spent"]
    assert f"{use.tokens.input_tokens + use.tokens.output_tokens:,}" in fields["Spent"]
    assert "90,000" in fields["Spent"]
    assert "2.50" in fields["Spent"]


@pytest.mark.parametrize(
    ("ceiling", "price", "told"),
    [
        (10.0, None, "price unknown\n50% of $2.00, no price: $10.00 a million tokens"),
        (10.0, 0.5, "$0.50\n25% of $2.00"),
        (None, None, "price unknown\nan unknown share of $2.00"),
    ],
)
def test_the_panel_counts_calls_without_a_price_as_the_budget_does(
    ceiling: float | None, price: float | None, told: str
) -> None:
    call = ev.CallRecord(
        model="scripted:x", input_tokens=60_000, output_tokens=40_000, cost_usd=price, seconds=1.0, outcome="ok"
    )
    first = started().model_copy(update={"budget_usd": 2.0, "unpriced_usd": ceiling})
    events: list[Event] = [first, ev.StepDone(step="opening/pro", input_hash="", result={}, calls=(call,))]
    status = SessionStatus.of("demo", [Recorded(seq=n, at=now(), event=e) for n, e in enumerate(events, 1)])
    assert content.spent(status).endswith(told)


async def test_the_panel_of_a_debate_that_is_over_shows_the_quality_after_the_closings() -> None:
    status = SessionStatus.of("demo", await debated(started()))
    final = debate_in(status.view).final
    assert final is not None
    assert qualities(status)[-1] == final.gamma
    assert len(qualities(status)) == len(debate_in(status.view).rounds()) + 1


def test_a_raised_limit_leaves_the_other_as_it_was() -> None:
    first = ev.BudgetRaised(by="x", tokens=5_000, usd=2.0)
    raised = status(first, ev.BudgetRaised(by="x", tokens=9_000), ev.BudgetRaised(by="x", usd=3.0))
    assert (raised.most_tokens, raised.most_usd) == (9_000, 3.0)


def test_the_wanted_heat_counts_until_the_next_turn_has_its_own() -> None:
    wanted = ev.HeatSet(by="x", heat=0.2)
    assert status(wanted).wanted_heat == 0.2
    assert status(wanted).next_turn == ("opening", 0.9, 0.2)
    assert status(wanted, HEAT).wanted_heat is None


@pytest.mark.parametrize(
    "events, waits",
    [
        ([], False),
        ([PAUSE], True),
        ([ev.SessionPaused(why="moderator", reason="")], True),
        ([ev.SessionPaused(why="budget", reason="")], True),
        ([ev.SessionPaused(why="interrupt", reason="")], False),
        ([ev.SessionFailed(error="X", message="x")], True),
    ],
)
def test_only_what_the_bot_itself_interrupted_goes_on_of_itself(events: list[Event], waits: bool) -> None:
    assert status(*events).waits_for_moderator is waits
