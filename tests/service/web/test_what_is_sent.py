"""Who reads what: over any log, every byte that a viewer is sent is held against who heard what."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from elenchus.debate_engine.events import Recorded, SeatLeft, now
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.session_status import SessionStatus
from elenchus.service.lab.viewers import AUDIENCE, MODERATOR, Viewer, seat_viewer, sees_drafts
from elenchus.service.web.documents import session_document
from elenchus.service.web.viewer_documents import ViewerItems, message
from tests.debate_engine.reports.debates import debated, started
from tests.service.web.logs import (
    CONFEDERATE,
    DEBATE_STEPS,
    JUDGE,
    LEADER,
    MODEL,
    SCENE_STEPS,
    SUBJECT,
    Log,
    debate,
    logs,
    names_measure,
    scene,
    secrets_in,
    sweep,
    words_in,
)

MANY = settings(max_examples=40)


def sent(log: Log, viewer: Viewer) -> str:
    """All that a stream sends while these events come, and the documents of each moment."""
    status, told = SessionStatus.of("s", ()), b""
    for r in log.events:
        status.take(r)
        told += message("status", session_document(status, viewer).model_dump(mode="json"))
    return (told + b"".join(item.message() for item in fed(log, viewer).items)).decode()


def fed(log: Log, viewer: Viewer) -> ViewerItems:
    """What is there after these events."""
    viewed, status = ViewerItems(viewer), SessionStatus.of("s", ())
    for r in log.events:
        status.take(r)
        viewed.take(r, status.view)
    return viewed


@pytest.mark.slow
@MANY
@given(log=logs(debate(), DEBATE_STEPS))
@pytest.mark.parametrize("seat", ["pro", "con", "judge-1"])
def test_who_sits_in_a_debate_reads_what_reached_the_seat_and_its_own_turns(log: Log, seat: str) -> None:
    text = sent(log, seat_viewer(seat))
    assert words_in(text, log) <= log.heard_by(seat) | log.asked_of(seat) | log.rejected_of(seat)
    assert log.heard_by(seat) <= words_in(text, log), "nothing that was heard is missing"
    assert list(secrets_in(text)) == []


@MANY
@given(log=logs(debate(), DEBATE_STEPS))
def test_the_audience_of_a_debate_reads_what_everybody_heard(log: Log) -> None:
    text = sent(log, AUDIENCE)
    assert words_in(text, log) == log.public
    assert list(secrets_in(text)) == []


@MANY
@given(log=logs(scene(), SCENE_STEPS))
@pytest.mark.parametrize("seat", [SUBJECT, LEADER, CONFEDERATE])
def test_who_plays_in_a_scene_reads_what_reached_the_seat_its_own_turns_and_no_measure(log: Log, seat: str) -> None:
    text = sent(log, seat_viewer(seat))
    assert words_in(text, log) <= log.heard_by(seat) | log.asked_of(seat)
    assert log.heard_by(seat) <= words_in(text, log)
    assert not names_measure(text)
    assert list(secrets_in(text)) == []


@MANY
@given(log=logs(scene(), SCENE_STEPS))
def test_who_judges_a_scene_hears_nothing_of_it_and_reads_what_it_is_asked(log: Log) -> None:
    text = sent(log, seat_viewer(JUDGE))
    assert words_in(text, log) <= log.asked_of(JUDGE)
    assert not names_measure(text)


@MANY
@given(log=logs(scene(), SCENE_STEPS))
def test_the_audience_of_a_scene_reads_nothing_of_it(log: Log) -> None:
    text = sent(log, AUDIENCE)
    assert words_in(text, log) == set()
    assert list(secrets_in(text)) == []
    assert not names_measure(text)


@MANY
@given(log=logs(scene(), SCENE_STEPS))
def test_who_runs_a_scene_reads_all_that_is_said_and_not_who_left_or_what_was_answered(log: Log) -> None:
    text = sent(log, MODERATOR)
    paused = {word for r in log.events if r.event.kind == "session_paused" for word in words_in(r.event.reason, log)}
    assert log.said <= words_in(text, log)
    assert words_in(text, log) <= log.said | log.outcome | paused
    assert '"left": true' not in text


@MANY
@given(log=logs(debate(), DEBATE_STEPS))
def test_who_moderates_a_debate_reads_all_of_it(log: Log) -> None:
    text = sent(log, MODERATOR)
    assert words_in(text, log) == log.words
    assert MODEL in text


@pytest.mark.slow
@MANY
@given(log=logs(sweep(), DEBATE_STEPS))
def test_words_are_kept_from_whom_they_do_not_reach_whatever_a_protocol_would_show(log: Log) -> None:
    assert words_in(sent(log, AUDIENCE), log) <= log.public | log.outcome
    assert words_in(sent(log, seat_viewer("pro")), log) <= log.heard_by("pro") | log.asked_of("pro") | log.rejected_of(
        "pro"
    )


@pytest.mark.slow
@given(log=logs(scene(), SCENE_STEPS))
@pytest.mark.parametrize("viewer", [AUDIENCE, MODERATOR, seat_viewer(SUBJECT)], ids=lambda one: one.role)
def test_in_a_scene_nobody_is_told_that_something_happened_of_which_nothing_is_shown(log: Log, viewer: Viewer) -> None:
    for item in fed(log, viewer).items:
        assert item.blocks or item.kind == "redacted"


@pytest.mark.slow
@given(log=logs(debate(), DEBATE_STEPS))
def test_what_is_sent_is_one_json_document_on_one_line(log: Log) -> None:
    for line in sent(log, MODERATOR).splitlines():
        assert line == "" or line.startswith(("event: ", "id: ")) or json.loads(line.removeprefix("data: "))


def status_after(log: Log) -> SessionStatus:
    return SessionStatus.of("s", log.events)


@pytest.mark.slow
@given(log=logs(scene(), SCENE_STEPS))
@pytest.mark.parametrize("seat", [SUBJECT, JUDGE])
def test_nobody_on_a_seat_of_a_scene_knows_of_others_turns_or_of_others(log: Log, seat: str) -> None:
    document = session_document(status_after(log), seat_viewer(seat))
    assert {turn.seat for turn in document.turns} <= {seat}
    assert (document.waits_for, [one.name for one in document.seats]) == ([], [seat])
    left = {r.event.seat for r in log.events if isinstance(r.event, SeatLeft)}
    assert not left & {turn.seat for turn in session_document(status_after(log), MODERATOR).turns}
    assert session_document(status_after(log), AUDIENCE).turns == []


def qualities(status: SessionStatus, viewer: Viewer) -> list[float | None]:
    standing = session_document(status, viewer).standing
    return standing.qualities if standing else []


async def test_what_was_scored_is_for_moderators_while_a_debate_runs_and_for_everybody_at_its_end() -> None:
    status, listeners, scored = SessionStatus.of("s", ()), (AUDIENCE, seat_viewer("pro")), False
    for r in await debated():
        status.take(r)
        scored = scored or bool(qualities(status, MODERATOR))
        assert status.ended or [qualities(status, one) for one in listeners] == [[], []]
        assert [session_document(status, one).next_turn for one in listeners] == [None, None]
    assert scored
    assert [qualities(status, one) for one in listeners] == [qualities(status, MODERATOR)] * 2


@pytest.mark.parametrize("viewer", [AUDIENCE, seat_viewer("con")], ids=lambda one: one.role)
async def test_who_listens_to_a_whole_debate_reads_speeches_without_models_and_the_verdict_at_the_end(
    viewer: Viewer,
) -> None:
    log = Log(events=await debated(started(specs={"pro": MODEL, "crit": MODEL})))
    *before, last = fed(log, viewer).items
    kinds = {type(block).__name__ for item in before for block in item.blocks}
    assert kinds <= {"Speech", "Heading", "Paragraph", "Note"}, "the agenda, and what was said"
    assert not any("gamma" in item.message().decode() for item in before)
    assert "verdict" in last.message().decode()
    assert MODEL not in sent(log, viewer)


def test_what_is_being_written_is_for_moderators_of_debates_alone() -> None:
    def seen(first: Recorded, viewer: Viewer) -> bool:
        return sees_drafts(viewer, SessionView.of("s", [first]), "opening/con")

    for_debate, for_scene = (Recorded(seq=1, at=now(), event=one) for one in (debate(), scene()))
    assert seen(for_debate, MODERATOR)
    assert not any(seen(for_debate, viewer) for viewer in (AUDIENCE, seat_viewer("pro"), seat_viewer("con")))
    assert not any(seen(for_scene, viewer) for viewer in (AUDIENCE, seat_viewer(SUBJECT), MODERATOR))
