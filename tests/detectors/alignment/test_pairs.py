"""Pairs of statements: what goes with what, the splits, and the rows that trainers read."""

from __future__ import annotations

from hypothesis import given, strategies as st

from elenchus.config.bias_type_catalogue import subject_of
from elenchus.debate_engine.protocols.rldf.schemas import Debated, Round, Statement
from elenchus.detectors.alignment.pairs import (
    Spoken,
    pairs_of,
    preference_row,
    sft_row,
    splits_of,
    spoken_in,
)
from tests.detectors.alignment.made_statements import spoken


def test_the_same_role_in_the_same_round_goes_first_then_the_same_role_then_the_topic() -> None:
    low = [
        spoken(0, session="s-1"),
        spoken(1, session="s-1", round=2, role="Forty", seat="role-2"),
        spoken(2, session="s-1", role="Sixty", seat="role-3"),
    ]
    high = [
        spoken(9, session="s-2"),
        spoken(8, session="s-2", role="Forty", seat="role-2"),
        spoken(7, session="s-2", role="Eighty", seat="role-4"),
    ]
    found = {pair.match: pair for pair in pairs_of([*high, *low])}
    assert list(found) == ["role and round", "role", "topic"]
    assert (found["role and round"].chosen, found["role and round"].rejected) == (low[0], high[0])
    assert (found["role"].chosen, found["role"].rejected) == (low[1], high[1])
    assert (found["topic"].chosen, found["topic"].rejected) == (low[2], high[2])
    assert found["role"].prompt.startswith("You are 20 years old. What is good")
    assert found["topic"].prompt.startswith("What is good"), "of two roles neither may stand in the prompt"


def test_three_is_low_and_four_is_high() -> None:
    assert len(pairs_of([spoken(3), spoken(4, session="s-2")])) == 1
    assert pairs_of([spoken(3), spoken(3, "other words")]) == []
    assert pairs_of([spoken(4), spoken(9, "other words")]) == []


def test_nothing_is_paired_over_two_topics_or_two_types_of_bias() -> None:
    assert pairs_of([spoken(0), spoken(9, topic="tea")]) == []
    assert pairs_of([spoken(0), spoken(9, bias="beauty")]) == []


def test_of_several_the_two_nearest_in_length_are_paired() -> None:
    low = spoken(0, "one two three four five six")
    near, far = spoken(9, "a b c d e"), spoken(9, "a b", session="s-2")
    (pair,) = pairs_of([far, low, near])
    assert pair.rejected == near


def test_words_that_were_scored_both_low_and_high_are_neither() -> None:
    found = pairs_of([spoken(0, "It depends."), spoken(9, "it  depends.", session="s-2"), spoken(1), spoken(8, "No.")])
    assert [pair.chosen.score for pair in found] == [1]


STATEMENTS = st.builds(
    spoken,
    st.integers(0, 10),
    st.text("ab ", min_size=1).filter(str.strip),
    topic=st.sampled_from(["tea", "bread"]),
    role=st.sampled_from(["Twenty", "Forty"]),
    round=st.integers(1, 3),
    session=st.sampled_from(["s-1", "s-2", "s-3"]),
)


@given(st.lists(STATEMENTS, max_size=20), st.randoms())
def test_a_statement_stands_in_one_pair_at_the_most_and_the_order_does_not_count(given: list[Spoken], chance) -> None:  # type: ignore[no-untyped-def]
    pairs = pairs_of(given)
    sides = [(side.topic, " ".join(side.text.split())) for pair in pairs for side in (pair.chosen, pair.rejected)]
    assert len(set(sides)) == len(sides)
    assert all(pair.chosen.score <= 3 < pair.rejected.score for pair in pairs)
    assert all(pair.chosen.topic == pair.rejected.topic for pair in pairs)
    shuffled = chance.sample(given, len(given))
    if len({(o.topic, o.session, o.round, o.seat, o.role) for o in given}) == len(given):
        assert {(p.chosen.text, p.rejected.text) for p in pairs_of(shuffled)} == {
            (p.chosen.text, p.rejected.text) for p in pairs
        }


@given(st.sets(st.text(min_size=1), max_size=60), st.integers(0, 9))
def test_every_topic_has_one_split_and_of_three_topics_on_each_split_has_one(topics: set[str], seed: int) -> None:
    splits = splits_of(topics, seed)
    assert splits.keys() == topics
    assert splits == splits_of(sorted(topics), seed)
    subjects = {subject_of(topic): split for topic, split in splits.items()}
    assert {(subject_of(topic), split) for topic, split in splits.items()} == set(subjects.items()), "one split each"
    assert len(set(splits.values())) == (3 if len(subjects) >= 3 else min(1, len(subjects)))
    if len(subjects) >= 3:
        held = sum(split == "test" for split in subjects.values())
        assert held == max(1, round(len(subjects) / 10))


def test_a_topic_that_two_types_of_bias_write_otherwise_is_not_trained_on_here_and_measured_there() -> None:
    own = [
        f"{one} {n}" for n, one in enumerate(("Baseball game", "Garden", "the legal adulthood", "School", "Tea") * 4)
    ]
    others = [f"{n} {one.rpartition(' ')[0].casefold()}s." for n, one in enumerate(own)]
    splits = splits_of([*own, *others], 3)
    assert [splits[a] for a in own] == [splits[b] for b in others]
    assert len({*splits.values()}) == 3


def test_rows_are_conversations_with_where_both_sides_come_from() -> None:
    (pair,) = pairs_of([spoken(1, "Kind."), spoken(8, "Unkind.", session="s-2", slot=2)])
    row = preference_row(pair)
    assert row["chosen"] == [{"role": "assistant", "content": "Kind."}]
    assert row["rejected"] == [{"role": "assistant", "content": "Unkind."}]
    assert [message["role"] for message in row["prompt"]] == ["user"]
    assert (row["chosen_score"], row["rejected_score"], row["rejected_slot"]) == (1, 8, 2)
    assert (row["topic"], row["bias_type"], row["referee"], row["chosen_seed"]) == ("gardening", "age", "scripted:x", 7)
    assert (row["rejected_session"], row["rejected_step"]) == ("s-2", "round/1/role-1/statement")
    assert sft_row(pair.chosen)["completion"] == row["chosen"]


def test_what_has_no_score_and_what_people_said_is_left_out() -> None:
    said = [
        Statement(seat=f"role-{n}", identity=name, round=1, place=n, step="x", text=name, score=score)
        for n, (name, score) in enumerate((("Twenty", 1), ("Forty", None), ("Sixty", 5)), 1)
    ]
    debated = Debated(
        bias="age", topic="tea", identities=("Twenty", "Forty", "Sixty"), marking="one", mode="self", sample=1,
        rounds=(Round(number=1, statements=tuple(said)),),
    )  # fmt: skip
    where = {"about": "age", "who": ("20", "40", "60"), "session": "s", "seed": 1, "referee": "r"}
    assert [one.text for one in spoken_in(debated, **where)] == ["Twenty", "Sixty"]  # type: ignore[arg-type]
    assert [one.who for one in spoken_in(debated, **where, without=["role-1"])] == ["60"]  # type: ignore[arg-type]
    (twenty, _) = spoken_in(debated, **where, speakers={"role-1": "scripted:x"})  # type: ignore[arg-type]
    assert sft_row(twenty)["speaker"] == "scripted:x"
