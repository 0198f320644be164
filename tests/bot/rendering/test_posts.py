"""Every post of a thread, whatever the log holds: limits, marks, nothing that acts."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given

from elenchus.bot.rendering.embeds import EMBEDS, SUM, size
from elenchus.bot.rendering.post import Mark, Post, mark_in
from elenchus.bot.rendering.posts import posts_for
from elenchus.bot.rendering.safe import inline, units
from elenchus.debate_engine.events import Recorded, SessionStopped, StepDone
from elenchus.debate_engine.reports.view import SessionView
from tests.bot.rendering.threads import after, all_posts
from tests.debate_engine.reports.debates import started
from tests.debate_engine.reports.test_events_jsonl import any_log

ALL = ("debate", "with_people", "open_question", "unread", "hostile_debate")
ACTING = re.compile(r"<(?:@&|@!|#|/|:|a:)|@everyone|@here|\]\(|discord(?:app)?\.(?:gg|com)/", re.IGNORECASE)


@pytest.fixture
def log(request: pytest.FixtureRequest) -> list[Recorded]:
    found: list[Recorded] = request.getfixturevalue(request.param)
    return found


def texts(post: Post) -> Sequence[str]:
    inside = [t for e in post.embeds for t in (e.title, e.description, e.footer)]
    return [post.text, *inside, *(t for e in post.embeds for f in e.fields for t in (f.name, f.value))]


@pytest.mark.parametrize("log", ALL, indirect=True)
def test_every_post_is_within_discords_limits(log: list[Recorded]) -> None:
    for post in all_posts(log):
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
    posts = all_posts(log)
    marks = [post.mark for post in posts]
    assert marks == sorted(set(marks))
    assert [mark_in(post.text) for post in posts] == marks


@pytest.mark.parametrize("log", ALL, indirect=True)
def test_a_follower_that_begins_anywhere_makes_the_same_posts(log: list[Recorded]) -> None:
    whole = all_posts(log)
    for cursor in range(0, len(log), 7):
        view = SessionView.of("demo", log[:cursor])
        rest = []
        for r in log[cursor:]:
            view.apply(r)
            rest += posts_for(r, view)
        assert rest == [post for post in whole if post.mark.seq > cursor]


@pytest.mark.parametrize("log", ["unread"], indirect=True)
def test_an_answer_that_is_lost_is_told_with_whose_it_was_to_what_and_why(log: list[Recorded]) -> None:
    lost = [
        (r.seq, r.event.inputs["seat"], r.event.result["declined"])
        for r in log
        if isinstance(r.event, StepDone) and isinstance(r.event.inputs, dict) and r.event.inputs.get("answer_schema")
        if "declined" in r.event.result
    ]
    assert lost
    told = {post.mark.seq: post.text for post in all_posts(log)}
    for seq, _, why in lost:
        assert "no answer that can be used" in told[seq]
        assert inline(why)[:40] in told[seq]


@pytest.mark.parametrize("log", ["hostile_debate"], indirect=True)
def test_no_word_of_others_acts_in_any_part_of_a_post(log: list[Recorded]) -> None:
    for post in all_posts(log):
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
    for post in all_posts(events):
        assert units(post.text) <= 2_000
        assert mark_in(post.text) == post.mark
        assert sum(map(size, post.embeds)) <= SUM


def test_the_marks_of_a_motion_are_shown_and_reach_no_further_than_it() -> None:
    motion = "Is **C || `D` _ better?"
    first = started(motion=motion)
    for post in (after(first)[0], after(first, SessionStopped(by="discord:1", reason="enough"))[-1]):
        assert r"Is \*\*C \|\| \`D\` \_ better?" in post.text
