"""What a thread shows where people sit: turns, and what is held back."""

from __future__ import annotations

from elenchus.debate_engine.events import (
    AnswerRejected,
    CallRecord,
    Recorded,
    Said,
    SeatLeft,
    StepDone,
    TurnExtended,
    TurnOpened,
    TurnReminded,
    now,
)
from tests.bot.rendering.threads import after, all_posts, shown
from tests.debate_engine.reports.debates import started


def test_where_a_person_sits_nothing_that_sways_is_shown_before_the_end(with_people: list[Recorded]) -> None:
    posts = all_posts(with_people)
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
    assert [post.name for post in after(WITH_CARLA, own, said)] == ["Carla (con)"]


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
