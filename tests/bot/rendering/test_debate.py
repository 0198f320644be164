"""Events of a debate as posts of its thread."""

from __future__ import annotations

from elenchus.bot.rendering.safe import units
from elenchus.debate_engine.events import (
    Event,
    Recorded,
    Redacted,
    Said,
    SessionFailed,
    SessionPaused,
    SessionResumed,
    SessionStopped,
    now,
)
from tests.bot.rendering.threads import after, all_posts, shown
from tests.debate_engine.reports.debates import MOTION, TOPICS, other, started


def test_every_speech_is_posted_by_its_persona_with_heat_and_round(debate: list[Recorded]) -> None:
    spoken = [post for post in all_posts(debate) if post.speaker]
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
    titles = [e.title for post in all_posts(debate) for e in post.embeds if e.title != "The room"]
    assert titles[:3] == ["Agenda", "CRIT · round 1", "CRIT · round 2"]
    side_by_side = {"Joint proposal", "CRIT · the whole debate", "The judges", "Debate or plain answer"}
    assert set(titles[3:]) == side_by_side
    assert len(titles) == 7
    told = shown(all_posts(debate))
    assert all(topic.title in told for topic in TOPICS)
    assert "[CRIT · round 2] **Γ " in told
    assert "(before: " in told


def test_scores_that_could_not_be_read_are_shown_as_such_and_never_as_zero(unread: list[Recorded]) -> None:
    told = shown(all_posts(unread))
    assert "**Γ –**" in told
    assert "unread" in told
    assert "could not be counted" in told
    assert "Γ 0" not in told


def test_the_closing_message_tells_the_debate_and_brings_the_files(debate: list[Recorded]) -> None:
    last = all_posts(debate)[-1]
    assert last.pending_file == "report"
    assert MOTION in last.text
    assert [post.pending_file for post in all_posts(debate) if post.pending_file] == ["plot", "report"]


def test_an_open_question_brings_answers_and_joint_recommendations_and_no_vote(open_question: list[Recorded]) -> None:
    posts = all_posts(open_question)
    assert "**Question:**" in posts[0].text
    assert any(e.title == "Joint recommendations" for post in posts for e in post.embeds)
    assert [b.custom_id for post in posts for b in post.buttons] == ["el:biases:demo"]


def test_the_moderators_words_to_a_side_are_shown_where_only_models_sit(debate: list[Recorded]) -> None:
    assert "*moderator → Ada (guidance):* Stay with the figures" in shown(all_posts(debate))


def test_the_audience_is_asked_before_the_first_speech_and_after_the_last(debate: list[Recorded]) -> None:
    asked = [post for post in all_posts(debate) if post.buttons]
    assert [b.custom_id for b in asked.pop().buttons] == ["el:biases:demo"], "the closing message asks for no vote"
    assert [[b.custom_id for b in post.buttons] for post in asked] == [
        [f"el:vote:demo:before:{side}" for side in ("pro", "con", "undecided", "close")],
        [f"el:vote:demo:after:{side}" for side in ("pro", "con", "undecided", "close")],
    ]


def test_the_end_of_the_vote_brings_the_swing_in_points_and_then_the_verdict(debate: list[Recorded]) -> None:
    posts = all_posts(debate)
    at = next(n for n, post in enumerate(posts) if "🗳 The vote is closed" in post.text)
    assert "The side for the motion wins the room" in posts[at].embeds[0].description
    assert r"\+2 \(+100 points\)" in posts[at].embeds[0].description
    judged = [n for n, post in enumerate(posts) if post.embeds and post.embeds[0].title == "The judges"]
    assert len(judged) == 1
    assert judged[0] > at


def test_a_pause_a_stop_and_a_failure_say_why() -> None:
    (post,) = after(started(), SessionPaused(why="provider", reason="pro: key refused"))
    assert "**Paused:** pro: key refused" in post.text
    stopped = after(started(), SessionStopped(reason="enough", by="discord:77"))[-1]
    assert "**Stopped** by <@77>: enough" in stopped.text
    assert stopped.pending_file == "report"
    failed = after(started(), SessionFailed(error="X", message="a mistake"))[-1]
    assert "**The session broke off:** a mistake" in failed.text
    assert "agenda" not in failed.text


def test_a_debate_without_an_agenda_tells_how_one_is_given_on_discord() -> None:
    failed = after(started(), SessionFailed(error="NoAgenda", message="neither side gave a readable list"))[-1]
    assert "`/debate start agenda:…`" in failed.text
    assert "--agenda" not in failed.text


def test_the_pause_between_two_runs_of_the_bot_is_not_told_and_any_other_is() -> None:
    between = (SessionPaused(why="interrupt", reason="interrupted: resume it to go on"), SessionResumed())
    wanted = (SessionPaused(why="moderator", reason="lunch"), SessionResumed())
    events: list[Event] = [started(), *between, *wanted]
    recorded = [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)]
    told = [(post.mark.seq, post.text) for post in all_posts(recorded) if post.mark.seq > 1]
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
    assert [post.pending_file for post in last] == ["report"]
