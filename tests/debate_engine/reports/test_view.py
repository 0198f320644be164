from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from elenchus.debate_engine.events import (
    AnswerRejected,
    CallRecord,
    Event,
    Recorded,
    Said,
    SeatLeft,
    SeatNamed,
    SessionPaused,
    SessionResumed,
    StepDone,
    StopAsked,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    VoteClosed,
)
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate
from elenchus.debate_engine.reports.document import markdown_of
from elenchus.debate_engine.reports.report import report_of
from elenchus.debate_engine.reports.view import SessionView
from tests.debate_engine.reports.debates import MOTION, debate_in, debated, failing, started

AT = datetime(2024, 1, 1, tzinfo=UTC)
PHASES = ["agenda", "opening", "round", "closing", "judging", "over"]


def numbered(events: Sequence[Event]) -> list[Recorded]:
    return [Recorded(seq=n, at=AT + timedelta(seconds=n), event=event) for n, event in enumerate(events, 1)]


def outcome_of(events: list[Recorded]) -> Debate:
    return Debate.model_validate(getattr(events[-1].event, "outcome"))  # noqa: B009 - the last event of a whole debate


def test_the_view_of_a_whole_debate_says_what_its_outcome_says(debate: list[Recorded]) -> None:
    view, outcome = SessionView.of("demo", debate), outcome_of(debate)
    assert (view.title, view.state, debate_in(view).phase) == (MOTION, "finished", "over")
    assert debate_in(view).agenda == outcome.agenda
    assert [(s.n, s.heat, s.gamma, s.standing) for s in debate_in(view).rounds()] == [
        (r.n, r.heat, r.gamma, r.standing) for r in outcome.rounds
    ]
    assert debate_in(view).verdict == outcome.judgement
    assert debate_in(view).final == outcome.quality
    assert debate_in(view).comparison == outcome.comparison
    assert debate_in(view).ended == outcome.ended
    assert debate_in(view).stages()[-1].heat == outcome.closing_heat
    assert outcome.judgement is not None
    assert outcome.judgement.winning_side == "pro"
    assert debate_in(view).unreadable == []
    assert view.failures.lost_events == 0


def test_everything_is_known_before_the_last_event(debate: list[Recorded]) -> None:
    whole, before = debate_in(SessionView.of("demo", debate)), debate_in(SessionView.of("demo", debate[:-1]))
    assert (before.agenda, before.verdict, before.final, before.proposal, before.comparison, before.ended) == (
        whole.agenda, whole.verdict, whole.final, whole.proposal, whole.comparison, whole.ended
    )  # fmt: skip
    assert before.stages() == whole.stages()
    assert before.phase == "judging"


def test_a_view_built_event_by_event_equals_one_built_at_once_and_known_events_change_nothing(
    debate: list[Recorded],
) -> None:
    view = SessionView("demo")
    for r in debate:
        assert view.apply(r)
        assert not view.apply(r)
    assert view == SessionView.of("demo", debate)


def test_the_phases_come_in_their_order_and_the_round_and_heat_are_those_of_the_moment(debate: list[Recorded]) -> None:
    view = SessionView("demo")
    seen: list[str] = []
    for r in debate:
        view.apply(r)
        if not seen or seen[-1] != debate_in(view).stage:
            seen.append(debate_in(view).stage)
    assert seen == ["agenda", "opening", "round 1", "round 2", "round 3", "closing", "judging", "over"]
    assert [p for p in PHASES if p in seen] == [p for p in PHASES if p != "round"]


def test_a_round_that_did_not_begin_is_not_among_the_rounds(debate: list[Recorded]) -> None:
    course = debate_in(SessionView.of("demo", debate))
    assert max(course.heats) == 3
    assert [s.name for s in course.stages()] == ["opening", "round 1", "round 2", "closing"]


def test_a_heat_that_the_moderator_set_is_marked(debate: list[Recorded]) -> None:
    opening, *later = debate_in(SessionView.of("demo", debate)).stages()
    assert (opening.heat, opening.set_by_moderator) == (0.8, True)
    assert not any(s.set_by_moderator for s in later)


async def test_an_unreadable_gamma_is_told_apart_from_one_that_is_not_there_yet() -> None:
    events = await debated(answers=failing("crit"))
    rounds = debate_in(SessionView.of("demo", events)).rounds()
    assert [(s.gamma, s.unreadable) for s in rounds] == [(None, True), (None, True)]
    first = next(i for i, r in enumerate(events) if getattr(r.event, "step", "") == "round/1/crit/quality")
    assert [(s.gamma, s.unreadable) for s in debate_in(SessionView.of("demo", events[:first])).rounds()] == [
        (None, False)
    ]


async def test_the_judges_progress_counts_readable_and_unreadable_rulings() -> None:
    view = SessionView.of("demo", await debated(answers=failing("judge-2")))
    standing = view.projection.standing
    assert standing is not None
    assert standing.progress == "12 of 12 rulings"
    assert len([n for n in view.failures.no_answers if n.seat == "judge-2"]) == 4


def test_a_person_is_called_by_the_name_that_came_with_the_agreement() -> None:
    named = SeatNamed(by="discord:7", seat="pro", title="Ann")
    nameless = SeatNamed(by="[removed]", seat="pro", title="")
    first = started(specs={"pro": "human:discord:7"}, titles={"pro": "pro"})
    assert [SessionView.of("s", numbered([first, named])[:n]).name("pro") for n in (1, 2)] == ["pro", "Ann"]
    assert SessionView.of("s", numbered([first, nameless])).name("pro") == "pro"  # forgotten


def test_the_person_who_is_asked_is_known_until_the_answer_is_taken_in() -> None:
    opened = TurnOpened(step="opening/pro", seat="pro", asked={"task": "Speak."}, due=AT)
    answered = TurnAnswered(step="opening/pro", seat="pro", by="Ann", answer="")
    events: list[Event] = [
        started(specs={"pro": "human"}),
        opened,
        answered,
        AnswerRejected(step="opening/pro", answer_seq=3, reason="the answer is empty"),
        answered,
        StepDone(step="opening/pro", input_hash="", result={"value": "I speak."}),
    ]
    asked = [[(t.seat, t.rejected) for t in SessionView.of("s", numbered(events)[:n]).asked] for n in range(1, 7)]
    rejected = ("the answer is empty",)
    assert asked == [[], [("pro", ())], [], [("pro", rejected)], [], []]


def test_a_pause_has_its_reason_until_the_session_goes_on() -> None:
    events = numbered([started(), SessionPaused(why="budget", reason="12 tokens left"), SessionResumed()])
    assert SessionView.of("s", events[:2]).pause_reason == "12 tokens left"
    assert SessionView.of("s", events[:2]).state == "paused"
    assert SessionView.of("s", events).pause_reason == ""


def test_lost_events_are_counted(debate: list[Recorded]) -> None:
    assert SessionView.of("demo", [*debate[:5], *debate[9:]]).failures.lost_events == 4


def test_a_command_is_kept_with_the_stage_in_which_it_came(debate: list[Recorded]) -> None:
    stop = Recorded(seq=debate[-1].seq, at=AT, event=StopAsked(by="Mo", reason="The bell rang"))
    (*_, last) = SessionView.of("demo", [*debate[:-1], stop]).moderation.interventions
    assert (last.stage, last.command) == ("judging", stop.event)


def test_money_is_unknown_without_prices_and_partly_known_with_some() -> None:
    def paid(*prices: float | None) -> SessionView:
        calls = tuple(CallRecord(model="openai:m", input_tokens=10, output_tokens=5, cost_usd=p) for p in prices)
        return SessionView.of("s", numbered([started(), StepDone(step="a", input_hash="", calls=calls)]))

    assert paid().spending.total.usd is None
    assert paid(None, None).spending.total.usd is None
    partly = paid(0.25, None, 0.5).spending.total
    assert (partly.usd, partly.unpriced, partly.tokens.input_tokens) == (0.75, 1, 30)
    assert paid(0.0).spending.total.usd == 0.0


def test_a_record_of_unexpected_form_is_named_and_does_no_harm() -> None:
    odd: list[tuple[str, Any]] = [
        ("agenda/agreed", "what?"), ("round/1/heat", []), ("judging/judgement", {"winner": "A"}),
        ("round/2/crit/quality", None),
    ]  # fmt: skip
    events = numbered([started(), *(StepDone(step=step, input_hash="", result=result) for step, result in odd)])
    assert debate_in(SessionView.of("s", events)).unreadable == [step for step, _ in odd]


def test_two_seats_with_one_title_keep_their_seats_names() -> None:
    first = started({"pro": "Ada", "con": "Ada", "judge-1": "Kay"}, {"judge-2": "human:Jo"})
    view = SessionView.of("s", numbered([first]))
    assert [view.name(seat) for seat in ("pro", "con", "judge-1", "judge-2", "moderator")] == [
        "Ada (pro)", "Ada (con)", "Kay", "Jo", "moderator"
    ]  # fmt: skip


def test_the_end_of_an_open_turn_is_put_off_but_never_brought_forward() -> None:
    opened = TurnOpened(step="round/1/con", seat="con", asked={}, due=AT + timedelta(hours=1))
    sooner, later = AT + timedelta(minutes=5), AT + timedelta(hours=2)
    changes = [TurnExtended(by="mo", step="round/1/con", due=due) for due in (later, sooner)]
    view = SessionView.of("demo", numbered([started(), opened, *changes]))
    assert [turn.due for turn in view.asked] == [later]


@pytest.mark.parametrize(("protocol", "still_asked"), [("rulegen", []), ("socrasynth", ["con"])])
def test_the_step_after_which_nobody_is_asked_any_more_is_the_protocols_own(
    protocol: str, still_asked: list[str]
) -> None:
    begun = started().model_copy(update={"protocol": protocol})
    opened, ended = TurnOpened(step="a", seat="con", asked={}), StepDone(step="ended", input_hash="")
    view = SessionView.of("demo", numbered([begun, opened, ended]))
    assert [turn.seat for turn in view.asked] == still_asked


def test_leaving_extending_and_closing_the_vote_are_interventions_and_no_vote_is_cast_by_them() -> None:
    events: list[Event] = [
        started(),
        TurnOpened(step="round/1/con", seat="con", asked={}, due=AT),
        TurnExtended(by="mo", step="round/1/con", due=AT + timedelta(hours=1)),
        SeatLeft(by="mo", seat="con"),
        VoteClosed(by="mo", when="after"),
    ]
    view = SessionView.of("demo", numbered(events))
    assert [i.command.kind for i in view.moderation.interventions] == ["extend", "leave", "vote_closed"]
    assert view.moderation.left == {"con"}
    assert view.moderation.audience() is None
    told = markdown_of(report_of(view))
    for words in ("gave more time", "took con off its person", "closed the audience's vote after the debate"):
        assert words in told


def test_who_stood_in_for_a_person_is_named_as_such_in_report_and_summary() -> None:
    seats = tuple(
        seat.model_copy(update={"spec": "human:bo", "title": "Bo"}) if seat.name == "con" else seat
        for seat in started().seats
    )
    said = {"step": "round/1/con/said", "input_hash": "", "speaker": "con", "to": ("*",), "about": "round 1"}
    events: list[Event] = [
        started().model_copy(update={"seats": seats}),
        StepDone(step="round/1/con", input_hash="", inputs={"seat": "con"}, calls=(CallRecord(model="x:y"),)),
        Said.model_validate({**said, "text": "By a model."}),
    ]
    view = SessionView.of("demo", numbered(events))
    told = markdown_of(report_of(view))
    assert r"Stand-in (con), round 1" in told
    assert "A model stood in for Bo in 1 turn." in told


async def test_a_round_beyond_those_that_there_were_to_be_is_not_counted_against_them() -> None:
    events = await debated(started(max_rounds=1))
    at = {r.event.step: n for n, r in enumerate(events, 1) if isinstance(r.event, StepDone)}
    counted = []
    for step in ("opening/heat", "round/1/heat", "round/2/heat"):
        standing = SessionView.of("demo", events[: at[step]]).projection.standing
        assert standing is not None
        counted.append((standing.stages[standing.at], standing.of))
    assert counted == [("opening", 0), ("round 1", 1), ("round 2", 0)]
