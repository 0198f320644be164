from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from hypothesis import given, settings, strategies as st

from elenchus.debate_engine.events import HeatSet, Recorded, VoteClosed, Voted
from elenchus.debate_engine.protocols.judging.votes import Choice, audience_vote

When = Literal["before", "after"]
AT = datetime(2024, 1, 1, tzinfo=UTC)
CHOICE: st.SearchStrategy[Choice] = st.sampled_from(["pro", "con", "undecided"])
WHEN: st.SearchStrategy[When] = st.sampled_from(["before", "after"])


def log_of(votes: Sequence[tuple[str, When, Choice]]) -> list[Recorded]:
    return [
        Recorded(seq=n, at=AT, event=Voted(by=by, when=when, side=side))
        for n, (by, when, side) in enumerate(votes, start=1)
    ]


def test_a_vote_after_the_vote_was_closed_does_not_count_and_the_other_vote_stays_open() -> None:
    cast = log_of(
        [("ada", "before", "con"), ("ada", "before", "pro"), ("ada", "after", "con"), ("ada", "after", "pro")]
    )
    closed = [VoteClosed(by="mo", when="before"), VoteClosed(by="mo", when="after")]
    late = [cast[0].event, closed[0], cast[1].event, cast[2].event, closed[1], cast[3].event]
    vote = audience_vote([Recorded(seq=n, at=AT, event=event) for n, event in enumerate(late, 1)])
    assert (vote.before.con, vote.before.pro, vote.after.con, vote.after.pro) == (1, 0, 1, 0)


def test_the_side_that_moved_more_votes_wins_although_the_other_has_more() -> None:
    votes: list[tuple[str, When, Choice]] = [
        ("ada", "before", "con"), ("ben", "before", "con"), ("cy", "before", "con"), ("dee", "before", "undecided"),
        ("ada", "after", "con"), ("ben", "after", "con"), ("cy", "after", "con"), ("dee", "after", "pro"),
    ]  # fmt: skip
    vote = audience_vote(log_of(votes))
    assert vote.after.con > vote.after.pro
    assert vote.winner == "pro"
    assert vote.swing_pro is not None
    assert (vote.swing_pro.votes, vote.swing_pro.points) == (1, 25.0)
    assert vote.swing_con is not None
    assert (vote.swing_con.votes, vote.swing_con.points) == (0, 0.0)
    assert [(m.before, m.after, m.voters) for m in vote.moves] == [("con", "con", 3), ("undecided", "pro", 1)]


def test_a_voters_last_vote_of_each_time_counts() -> None:
    votes: list[tuple[str, When, Choice]] = [
        ("ada", "before", "pro"), ("ada", "before", "con"), ("ada", "after", "con"), ("ada", "after", "pro"),
    ]  # fmt: skip
    vote = audience_vote(log_of(votes))
    assert (vote.voters, vote.before.con, vote.after.pro, vote.winner) == (1, 1, 1, "pro")


def test_who_voted_once_is_reported_apart_and_moves_nothing() -> None:
    votes: list[tuple[str, When, Choice]] = [
        ("ada", "before", "con"), ("ada", "after", "con"), ("ben", "before", "pro"), ("cy", "after", "pro"),
    ]  # fmt: skip
    vote = audience_vote(log_of(votes))
    assert (vote.voters, vote.winner) == (1, "tie")
    assert (vote.only_before.pro, vote.only_after.pro) == (1, 1)


def test_the_room_is_undecided_when_nobody_voted_both_times() -> None:
    vote = audience_vote(log_of([("ada", "before", "pro"), ("ben", "after", "con")]))
    assert (vote.winner, vote.swing_pro, vote.swing_con) == ("undecided", None, None)


def test_other_events_of_the_log_are_passed_over() -> None:
    other = Recorded(seq=1, at=AT, event=HeatSet(by="moderator", heat=0.5))
    assert audience_vote([other]).voters == 0


VOTES = st.lists(st.tuples(st.sampled_from("abcdef"), WHEN, CHOICE), max_size=40)


@settings(deadline=None)  # the machine may be busy
@given(VOTES)
def test_every_voter_is_counted_once(votes: list[tuple[str, When, Choice]]) -> None:
    vote = audience_vote(log_of(votes))
    assert vote.before.total == vote.after.total == vote.voters == sum(m.voters for m in vote.moves)
    assert vote.voters + vote.only_before.total + vote.only_after.total == len({by for by, _, _ in votes})


@settings(deadline=None)  # the machine may be busy
@given(VOTES)
def test_exchanging_the_sides_exchanges_the_winner(votes: list[tuple[str, When, Choice]]) -> None:
    turned: dict[str, Choice] = {"pro": "con", "con": "pro", "undecided": "undecided"}
    vote = audience_vote(log_of(votes))
    mirrored = audience_vote(log_of([(by, when, turned[side]) for by, when, side in votes]))
    assert (mirrored.swing_pro, mirrored.swing_con) == (vote.swing_con, vote.swing_pro)
    assert mirrored.winner == {"pro": "con", "con": "pro"}.get(vote.winner, vote.winner)


@settings(deadline=None)  # the machine may be busy
@given(VOTES, st.data())
def test_only_the_order_of_one_voters_own_votes_matters(
    votes: list[tuple[str, When, Choice]], data: st.DataObject
) -> None:
    by_voter = data.draw(st.permutations(sorted({by for by, _, _ in votes})))
    regrouped = [v for voter in by_voter for v in votes if v[0] == voter]
    assert audience_vote(log_of(regrouped)) == audience_vote(log_of(votes))


@settings(deadline=None)  # the machine may be busy
@given(VOTES)
def test_the_same_vote_after_as_before_is_a_tie(votes: list[tuple[str, When, Choice]]) -> None:
    same = [v for by, _, side in votes for v in ((by, "before", side), (by, "after", side))]
    vote = audience_vote(log_of(same))  # type: ignore[arg-type]
    assert vote.winner == ("tie" if votes else "undecided")
