"""Events of a session as posts of its thread."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given

from bot.rendering.embeds import EMBEDS, SUM, size
from bot.rendering.post import Mark, Post, mark_in
from bot.rendering.posts import posts_for
from bot.rendering.safe import units
from debate_engine.events import (
    AnswerRejected,
    CallRecord,
    Event,
    Recorded,
    Redacted,
    Said,
    SeatLeft,
    SessionFailed,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    StepDone,
    TurnExtended,
    TurnOpened,
    TurnReminded,
    VoteClosed,
    now,
)
from debate_engine.reports.view import DebateView
from tests.bot.rendering.threads import shown, thread_of
from tests.debate_engine.reports.debates import MOTION, TOPICS, other, started
from tests.debate_engine.reports.test_events_jsonl import any_log

ALL = ("debate", "with_people", "open_question", "unread", "hostile_debate")
ACTING = re.compile(r"<(?:@&|@!|#|/|:|a:)|@everyone|@here|\]\(|discord(?:app)?\.(?:gg|com)/", re.IGNORECASE)


@pytest.fixture
def log(request: pytest.FixtureRequest) -> list[Recorded]:
    found: list[Recorded] = request.getfixturevalue(request.param)
    return found


def after(first: SessionStarted, *events: Event) -> list[Post]:
    """Return the posts of the last of these events."""
    recorded = [Recorded(seq=n, at=now(), event=event) for n, event in enumerate([first, *events], 1)]
    return [post for post in thread_of(recorded) if post.mark.seq == len(recorded)]


def texts(post: Post) -> Sequence[str]:
    inside = [t for e in post.embeds for t in (e.title, e.description, e.footer)]
    return [post.text, *inside, *(t for e in post.embeds for f in e.fields for t in (f.name, f.value))]


# ── every post ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("log", ALL, indirect=True)
def test_every_post_is_within_discords_limits(log: list[Recorded]) -> None:
    for post in thread_of(log):
        assert 1 <= units(post.text) <= 2_000
        assert len(post.embeds) <= EMBEDS
        assert sum(map(size, post.embeds)) <= SUM
        assert all(1 <= len(b.custom_id) <= 100 and 1 <= units(b.label) <= 80 for b in post.buttons)
        assert (post.speaker is None) == (post.name == "")
        assert post.name == "" or (
            1 <= units(post.name) <= 80 and not re.search("discord|clyde", post.name, re.IGNORECASE)
        )


@pytest.mark.parametrize("log", ALL, indirect=True)
def test_marks_rise_and_are_read_back_from_the_text_alone(log: list[Recorded]) -> None:
    posts = thread_of(log)
    marks = [post.mark for post in posts]
    assert marks == sorted(set(marks))
    assert [mark_in(post.text) for post in posts] == marks


@pytest.mark.parametrize("log", ALL, indirect=True)
def test_a_follower_that_begins_anywhere_makes_the_same_posts(log: list[Recorded]) -> None:
    whole = thread_of(log)
    for cursor in range(0, len(log), 7):
        view = DebateView.of("demo", log[:cursor])
        rest = []
        for r in log[cursor:]:
            view.apply(r)
            rest += posts_for(r, view)
        assert rest == [post for post in whole if post.mark.seq > cursor]


@pytest.mark.parametrize("log", ["hostile_debate"], indirect=True)
def test_no_word_of_others_acts_in_any_part_of_a_post(log: list[Recorded]) -> None:
    for post in thread_of(log):
        for text in texts(post):
            assert not ACTING.search(text)
            assert text.count("```") % 2 == 0


def test_a_mark_in_the_middle_or_in_anothers_words_is_no_mark() -> None:
    assert mark_in("so\n-# round 1 · heat 0.75 · #128.1") == Mark(128, 1)
    assert mark_in("-# #3.2") == Mark(3, 2)
    assert mark_in("#3.2") is None
    assert mark_in("-# #3.2\nand more") is None
    assert mark_in("\u200b-# #3.2") is None


@given(any_log)
def test_no_event_whatever_it_holds_stops_the_thread(events: list[Recorded]) -> None:
    for post in thread_of(events):
        assert units(post.text) <= 2_000
        assert mark_in(post.text) == post.mark
        assert sum(map(size, post.embeds)) <= SUM


# ── a debate ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_speech_is_posted_by_its_persona_with_heat_and_round(debate: list[Recorded]) -> None:
    spoken = [post for post in thread_of(debate) if post.speaker]
    said = [r.event for r in debate if isinstance(r.event, Said) and r.event.about != "agenda" and "*" in r.event.to]
    assert [post.speaker for post in spoken] == [s.speaker for s in said]
    assert {post.name for post in spoken} == {"Ada", "Boris"}
    assert spoken[2].text.endswith(f"-# round 1 · heat 0.67 · {spoken[2].mark}")
    assert "This is point 1 of round/1/pro." in spoken[2].text


def test_a_long_speech_comes_in_numbered_parts() -> None:
    text = "\n\n".join(f"Paragraph {n} " + "word " * 80 for n in range(10))
    said = Said(step="opening/pro/said", input_hash="", speaker="pro", to=("*",), text=text, about="opening")
    posts = after(started(), said)
    assert [post.mark.part for post in posts] == [1, 2, 3]
    assert all(f" · {n}/3 · " in post.text for n, post in enumerate(posts, 1))


def test_agenda_scores_verdict_proposal_and_comparison_are_embeds(debate: list[Recorded]) -> None:
    titles = [e.title for post in thread_of(debate) for e in post.embeds]
    assert titles[:3] == ["Agenda", "CRIT · round 1", "CRIT · round 2"]
    side_by_side = {"Joint proposal", "CRIT · the whole debate", "The judges", "Debate or plain answer"}
    assert set(titles[3:]) == side_by_side
    assert len(titles) == 7
    told = shown(thread_of(debate))
    assert all(topic.title in told for topic in TOPICS)
    assert "[CRIT · round 2] **Γ " in told
    assert "(before: " in told


def test_scores_that_could_not_be_read_are_shown_as_such_and_never_as_zero(unread: list[Recorded]) -> None:
    told = shown(thread_of(unread))
    assert "**Γ –**" in told
    assert "unread" in told
    assert "could not be counted" in told
    assert "Γ 0" not in told


def test_the_closing_message_tells_the_debate_and_brings_the_files(debate: list[Recorded]) -> None:
    last = thread_of(debate)[-1]
    assert last.making == "report"
    assert MOTION in last.text
    assert [post.making for post in thread_of(debate) if post.making] == ["plot", "report"]


def test_an_open_question_brings_answers_and_joint_recommendations_and_no_vote(open_question: list[Recorded]) -> None:
    posts = thread_of(open_question)
    assert "**Question:**" in posts[0].text
    assert any(e.title == "Joint recommendations" for post in posts for e in post.embeds)
    assert not [b for post in posts for b in post.buttons]


def test_the_moderators_words_to_a_side_are_shown_where_only_models_sit(debate: list[Recorded]) -> None:
    assert "*moderator → Ada (guidance):* Stay with the figures" in shown(thread_of(debate))


# ── people on seats ──────────────────────────────────────────────────────────────────────────────────────────────


def test_where_a_person_sits_nothing_that_sways_is_shown_before_the_end(with_people: list[Recorded]) -> None:
    posts = thread_of(with_people)
    end = with_people[-1].seq
    before = shown([post for post in posts if post.mark.seq < end])
    for hidden in ("CRIT ·", "The judges", "Joint proposal", "Stay with the figures", "scripted:", "Γ"):
        assert hidden not in before
    at_end = [e.title for post in posts if post.mark.seq == end for e in post.embeds]
    assert at_end == [
        "CRIT · round 1", "CRIT · round 2", "CRIT · the whole debate", "The judges", "Joint proposal",
        "Debate or plain answer",
    ]  # fmt: skip
    assert "People sit in this debate" in posts[0].text


WITH_CARLA = started({"con": "Carla"}, {"con": "human:discord:42"})
OPENED = TurnOpened(step="round/1/con", seat="con", asked={}, due=now())


def test_an_open_turn_pings_its_member_alone_and_brings_the_buttons() -> None:
    (post,) = after(WITH_CARLA, OPENED)
    assert post.mention == 42
    assert "<@42>" in post.text
    assert "a refutation" in post.text
    assert [b.custom_id for b in post.buttons] == [
        f"el:turn:demo:2:{action}" for action in ("answer", "read", "longer", "pass", "leave")
    ]


def test_a_model_that_stands_in_does_not_speak_under_the_persons_name() -> None:
    done = StepDone(step="round/1/con", input_hash="", inputs={"seat": "con"}, calls=(CallRecord(model="x:y"),))
    said = Said(step="round/1/con/said", input_hash="", speaker="con", to=("*",), text="No.", about="round 1")
    own = done.model_copy(update={"calls": ()})
    assert [post.name for post in after(WITH_CARLA, done, said)] == ["Stand-in (con)"]
    assert [post.name for post in after(WITH_CARLA, own, said)] == ["Carla"]


def test_a_turn_without_a_deadline_offers_no_more_time() -> None:
    (post,) = after(WITH_CARLA, OPENED.model_copy(update={"due": None}))
    assert "longer" not in "".join(b.custom_id for b in post.buttons)


def test_a_reminder_and_a_rejection_ping_the_member_again_with_the_buttons() -> None:
    for event in (
        TurnReminded(step="round/1/con", seat="con", due=now()),
        AnswerRejected(step="round/1/con", answer_seq=3, reason="the answer is empty"),
    ):
        (post,) = after(WITH_CARLA, OPENED, event)
        assert post.mention == 42
        assert post.buttons[0].custom_id == "el:turn:demo:3:answer"


def test_a_person_whom_discord_does_not_know_is_named_and_not_pinged() -> None:
    (post,) = after(started({"con": "Bo"}, {"con": "human:bo"}), OPENED)
    assert post.text.startswith("Waiting for Bo")
    assert (post.mention, post.buttons) == (None, ())


def test_more_time_and_a_left_seat_are_told() -> None:
    later = OPENED.due.replace(year=OPENED.due.year + 1) if OPENED.due else now()
    (post,) = after(WITH_CARLA, OPENED, TurnExtended(by="discord:77", step="round/1/con", due=later))
    assert post.text.startswith("<@77> gave more time")
    (post,) = after(WITH_CARLA, OPENED, SeatLeft(by="discord:42", seat="con"))
    assert post.text.startswith("Carla has left the seat. Nobody takes over")


# ── audience, pauses, ends ───────────────────────────────────────────────────────────────────────────────────────


def test_the_audience_is_asked_before_the_first_speech_and_after_the_last(debate: list[Recorded]) -> None:
    asked = [post for post in thread_of(debate) if post.buttons]
    assert [[b.custom_id for b in post.buttons] for post in asked] == [
        [f"el:vote:demo:before:{side}" for side in ("pro", "con", "undecided")],
        [f"el:vote:demo:after:{side}" for side in ("pro", "con", "undecided", "close")],
    ]


def test_the_end_of_the_vote_brings_the_swing_and_the_report_again(debate: list[Recorded]) -> None:
    closed = Recorded(seq=debate[-1].seq + 1, at=now(), event=VoteClosed(by="discord:77", when="after"))
    post = thread_of([*debate, closed])[-1]
    assert post.making == "report"
    assert "The side for the motion wins the room" in post.embeds[0].description
    assert "+2 (+100 %)" in post.embeds[0].description


def test_a_pause_a_stop_and_a_failure_say_why() -> None:
    (post,) = after(started(), SessionPaused(why="provider", reason="pro: key refused"))
    assert "**Paused:** pro: key refused" in post.text
    stopped = after(started(), SessionStopped(reason="enough", by="discord:77"))[-1]
    assert "**Stopped** by <@77>: enough" in stopped.text
    assert stopped.making == "report"
    failed = after(started(), SessionFailed(error="X", message="a mistake"))[-1]
    assert "**The session broke off:** a mistake" in failed.text


def test_the_pause_between_two_runs_of_the_bot_is_not_told_and_any_other_is() -> None:
    between = (SessionPaused(why="interrupt", reason="interrupted: resume it to go on"), SessionResumed())
    wanted = (SessionPaused(why="moderator", reason="lunch"), SessionResumed())
    events: list[Event] = [started(), *between, *wanted]
    recorded = [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)]
    told = [(post.mark.seq, post.text) for post in thread_of(recorded) if post.mark.seq > 1]
    assert [seq for seq, _ in told] == [4, 5]
    assert "lunch" in told[0][1]
    assert "goes on" in told[1][1]


def test_a_redaction_is_told_without_the_name() -> None:
    (post,) = after(started(), Redacted(seat="[redacted]", strings=3))
    assert "The words of somebody were removed from the record in 3 places" in post.text


def test_a_text_that_is_scored_stands_above_its_report_shortened() -> None:
    text = "Cars must go, because @everyone says so. " * 200
    (post,) = after(other("crit", title="A text", document=text))
    assert post.text.startswith("**The text that is scored**\nCars must go")
    assert "@everyone" not in post.text
    assert units(post.text) < 1_700


def test_a_report_comes_again_when_words_are_removed_from_a_debate_that_is_over() -> None:
    last = after(started(), SessionStopped(reason="enough", by="x"), Redacted(seat="[redacted]", strings=1))
    assert [post.making for post in last] == ["report"]
