"""Every filter of a session's document, one after the other: what each viewer is told of the same session."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Event, Recorded, now
from elenchus.debate_engine.log import SessionInfo
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.prompts import Section
from elenchus.debate_engine.reports.blocks import Speech
from elenchus.service.lab.session_status import SessionStatus
from elenchus.service.lab.viewers import AUDIENCE, MODERATOR, Viewer, seat_viewer
from elenchus.service.web.documents import SessionDocument, block_document, session_document, session_row
from elenchus.service.web.turn_documents import TurnDocument
from tests.service.web.logs import CONFEDERATE, MEASURE, MODEL, SUBJECT, debate, scene

WORDS = "In your own words: what do you think?"
PRO, CON = seat_viewer("pro"), seat_viewer("con")
SCHEMA = {
    "type": "object",
    "properties": {MEASURE: {"type": "integer", "description": "How many?"}, "why": {"type": "string"}},
    "required": [MEASURE, "why"],
}


def status_of(first: ev.SessionStarted, *events: Event) -> SessionStatus:
    recorded = [Recorded(seq=n, at=now(), event=event) for n, event in enumerate((first, *events), 1)]
    return replace(SessionStatus.of("s", recorded), most_tokens=9_000)


def told(status: SessionStatus, *viewers: Viewer) -> list[SessionDocument]:
    return [session_document(status, viewer) for viewer in viewers]


def asked(seat: str, step: str, **more: Any) -> ev.TurnOpened:
    """A turn with a form, of which a model has prepared an answer."""
    ask = Ask(
        step=step, seat=seat, prompt_id="p", prompt_hash="", role="You speak.", task="Say what you think.",
        person=WORDS,
        material=(Section(title="", text="First."), Section(title="", text="Then.")), answer_schema=SCHEMA,
    )  # fmt: skip
    return ev.TurnOpened(step=step, seat=seat, asked=ask.model_dump(mode="json"), answer_schema=SCHEMA, **more)


def turns(status: SessionStatus, viewer: Viewer) -> list[TurnDocument]:
    return session_document(status, viewer).turns


# ── the session ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_why_it_stands_still_what_it_cost_and_what_can_be_done_is_for_moderators() -> None:
    status = status_of(debate(), ev.SessionPaused(why="budget", reason="The budget is used up."))
    moderator, *others = told(status, MODERATOR, PRO, AUDIENCE)
    assert moderator.reason == "The budget is used up."
    assert moderator.allowed[0] == "resume"
    assert moderator.spending is not None
    assert moderator.spending.most_tokens == 9_000
    for other in others:
        assert (other.state, other.reason, other.allowed, other.spending) == ("paused", "", (), None)


def test_what_was_asked_for_and_is_on_its_way_is_for_moderators() -> None:
    moderator, *others = told(status_of(debate(), ev.PauseAsked(by="m")), MODERATOR, PRO, AUDIENCE)
    assert moderator.asked == "pause"
    assert [other.asked for other in others] == ["", ""]


def test_each_is_told_as_whom_they_look() -> None:
    documents = told(status_of(debate()), MODERATOR, PRO, AUDIENCE)
    assert [(one.viewer, one.seat) for one in documents] == [("moderator", ""), ("seat", "pro"), ("audience", "")]


def test_in_a_debate_everybody_knows_who_sits_and_waits_and_moderators_which_models() -> None:
    status = status_of(debate(), asked("pro", "opening/pro"), ev.SeatLeft(by="x", seat="judge-1"))
    moderator, *others = told(status, MODERATOR, PRO, CON, AUDIENCE)
    assert {seat.model for seat in moderator.seats if seat.kind == "model"} >= {MODEL}
    for other in (moderator, *others):
        assert [seat.name for seat in other.seats] == [seat.name for seat in moderator.seats]
        assert [seat.name for seat in other.seats if seat.left] == ["judge-1"]
        assert other.waits_for == ["pro"]
        assert other.standing is not None
        assert other.votes is not None
    assert {seat.model for other in others for seat in other.seats} == {None}


def test_in_a_scene_who_takes_part_knows_of_nobody_else_and_who_runs_it_not_who_left() -> None:
    status = status_of(scene(), asked(SUBJECT, "rule/1/turn/1/stated"), ev.SeatLeft(by="x", seat=SUBJECT))
    moderator, subject, audience = told(status, MODERATOR, seat_viewer(SUBJECT), AUDIENCE)
    assert {seat.name for seat in moderator.seats} > {SUBJECT, CONFEDERATE}
    assert not [seat for seat in moderator.seats if seat.left]
    assert moderator.waits_for == [SUBJECT]
    assert [(seat.name, seat.left) for seat in subject.seats] == [(SUBJECT, True)]
    assert audience.seats == []
    for one in (subject, audience):
        assert (one.standing, one.votes, one.waits_for, one.spending) == (None, None, [], None)


def test_votes_are_counted_for_everybody_at_the_end_and_for_nobody_before() -> None:
    votes = (
        ev.Voted(by="audience a b1", when="before", side="pro"),
        ev.Voted(by="audience c", when="before", side="con"),
    )
    running, ended = (
        status_of(debate(), *votes),
        status_of(debate(), *votes, ev.SessionStopped(reason="enough", by="m")),
    )
    for viewer in (MODERATOR, PRO, AUDIENCE):
        before, after = session_document(running, viewer).votes, session_document(ended, viewer).votes
        assert before is not None
        assert (before.counts, before.by_open_code, list(before.open)) == (None, None, ["before"])
        assert after is not None
        assert after.counts is not None
        assert list(after.open) == ["before"], "a debate that waits for no votes takes them whenever they come"
        assert (after.counts["only_before"]["pro"], after.counts["only_before"]["con"], after.by_open_code) == (1, 1, 1)


def test_a_debate_that_waits_for_votes_takes_none_once_it_is_over() -> None:
    first = debate()
    asks = first.model_copy(update={"config": {**first.config, "vote_seconds": 60.0}})
    opened = ev.StepDone(step="vote/before/opened", input_hash="", inputs={}, result=now().isoformat(), calls=())
    ended = status_of(asks, opened, ev.SessionStopped(reason="enough", by="m"))
    for status, still_open in ((status_of(asks, opened), ["before"]), (ended, [])):
        votes = session_document(status, AUDIENCE).votes
        assert votes is not None
        assert list(votes.open) == still_open


def test_what_a_protocol_fails_at_is_for_moderators() -> None:
    status = status_of(debate())
    status.view.note_fault("The protocol is at fault: its plot.")
    moderator, *others = told(status, MODERATOR, PRO, AUDIENCE)
    assert moderator.faults == ["The protocol is at fault: its plot."]
    assert [other.faults for other in others] == [[], []]


@pytest.mark.parametrize(
    ("state", "owner", "begun", "shown"),
    [
        ("running", None, True, "interrupted"),
        ("running", None, False, "running"),
        ("running", "host 1", True, "running"),
        ("paused", None, True, "paused"),
    ],
)
def test_a_row_tells_who_runs_it_to_moderators_and_that_nobody_does_to_all(
    state: str, owner: str | None, begun: bool, shown: str
) -> None:
    info = SessionInfo("s", "T", "socrasynth", state, now(), owner, begun)
    assert [session_row(info, moderates=one).state for one in (True, False)] == [shown, shown]
    assert [session_row(info, moderates=one).owner for one in (True, False)] == [owner, None]


# ── a turn ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_asked_is_for_who_sits_there_and_that_it_is_asked_for_moderators() -> None:
    due = now() + timedelta(minutes=3)
    rejected = ev.AnswerRejected(step="opening/pro", answer_seq=1, reason="why is empty")
    opened = asked("pro", "opening/pro", due=due, prepared={MEASURE: 3, "why": "Because."})
    status = status_of(debate(), opened, rejected)
    (own,), (known,) = turns(status, PRO), turns(status, MODERATOR)
    assert [turns(status, one) for one in (CON, AUDIENCE)] == [[], []]
    for one in (own, known):
        assert (one.step, one.seat, one.task) == ("opening/pro", "pro", "the opening speech")
        assert one.due is not None
        assert abs(one.due - due) < timedelta(seconds=30)
    assert (known.asked, known.material, known.fields, known.prepared, known.rejected) == (None, None, [], None, ())
    assert own.asked == WORDS
    assert own.material is not None
    assert own.material.split("\n\n") == ["### \nFirst.", "### \nThen."]
    assert [(field.name, field.kind, bool(field.label)) for field in own.fields] == [
        (MEASURE, "number", True), ("why", "text", True),
    ]  # fmt: skip
    assert (own.prepared, own.rejected) == ({MEASURE: "3", "why": "Because."}, ("why is empty",))


def test_in_a_scene_fields_are_numbered_and_no_measure_is_named() -> None:
    rejected = ev.AnswerRejected(step="rule/1/turn/1/stated", answer_seq=1, reason=f"{MEASURE} must be a number")
    status = status_of(scene(), asked(SUBJECT, "rule/1/turn/1/stated"), rejected)
    (own,) = turns(status, seat_viewer(SUBJECT))
    assert [(field.name, field.label) for field in own.fields] == [("f1", ""), ("f2", "")]
    assert own.fields[0].help == "How many?"
    assert own.rejected == ("This cannot be the answer: look once more at what is asked.",)
    (known,) = turns(status, MODERATOR)
    assert (known.asked, known.fields, known.rejected) == (None, [], ())


def test_in_a_scene_the_kind_of_a_turn_is_told_by_which_a_page_asks_for_consent() -> None:
    (own,) = turns(status_of(scene(), asked(SUBJECT, f"consent/{SUBJECT}")), seat_viewer(SUBJECT))
    assert own.turn_kind == "consent"


def test_a_picture_is_told_by_its_hash_and_a_block_by_its_type() -> None:
    picture = ev.ShownPicture(sha256="0" * 64, media_type="image/png")
    document = block_document(Speech("Ada", "shown", "A line, 5 cm long", picture=picture))
    assert document["type"] == "speech"
    assert document["picture"] == {"sha256": "0" * 64, "media_type": "image/png", "lines": 1}
