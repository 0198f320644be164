"""Results of which something is missing, and the room's vote: each says what it has, and no more."""

from __future__ import annotations

from elenchus.bot.rendering import audience, tables
from elenchus.bot.rendering.post import Embed
from elenchus.debate_engine.events import Event, Recorded, VoteClosed, Voted, now
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.schemas import ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import quality_of
from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.reports.view import SessionView
from tests.debate_engine.reports.debates import debate_in, started

NOTHING: dict[str, object] = {
    "gamma": None, "standing": None, "reasons": (), "rivals": (), "unread": (), "analysis": None, "consulted": (),
    "cycles": (),
}  # fmt: skip


def room(*votes: tuple[str, str, str], when: When) -> Embed:
    """What the thread shows when a vote of these is closed."""
    cast = [Voted.model_validate({"by": by, "when": w, "side": side}) for by, w, side in votes]
    events: list[Event] = [started(), *cast, VoteClosed(by="discord:1", when=when)]
    view = SessionView.of("demo", [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)])
    (embed,) = audience.result(when, view)
    return embed


def told(embeds: list[Embed]) -> str:
    """Everything in them."""
    return "\n".join(f"{e.title} {e.description} {[(f.name, f.value) for f in e.fields]}" for e in embeds)


def test_a_text_without_a_claim_has_no_score() -> None:
    result = DocumentResult.model_validate({"title": "A text", "claim": "", "unreadable": 0, **NOTHING})
    (embed,) = tables.document(result)
    assert "No claim was found" in embed.description
    assert "Γ" not in embed.description


def test_a_text_whose_scores_could_not_be_read_says_how_many() -> None:
    for count, words in ((1, "1 reason could not be scored"), (3, "3 reasons could not be scored")):
        result = DocumentResult.model_validate({"title": "A text", "claim": "Cars go.", "unreadable": count, **NOTHING})
        shown = told(tables.document(result))
        assert words in shown
        assert "Γ –" in shown


def scored(*reasons: tuple[int, float]) -> str:
    """The table of a debate on one topic whose reasons have this topic (0: none) and score."""
    read = [ScoredReason(side="pro", about="round 1", topic=n, reason="x", gamma=g, theta=5) for n, g in reasons]
    topic = Topic(pro_concern="Air", con_concern="Jobs", scope="The centre.")
    return told(tables.crit("round 1", quality_of(read, topics=1), None, [topic]))


def test_reasons_of_no_topic_have_a_row_as_they_count_in_the_sum() -> None:
    shown = scored((1, 2.0), (0, 8.0))
    assert "**Γ 5.0**" in shown
    (topic,) = [line for line in shown.splitlines() if line.startswith("1. Air")]
    (outside,) = [line for line in shown.splitlines() if line.startswith("of no single topic")]
    assert topic.split()[-2] == "2.0"
    assert outside.split()[-2] == "8.0"
    assert "of no single topic" not in scored((1, 2.0), (1, 8.0))


def test_a_comparison_without_a_plain_answer_says_why(debate: list[Recorded]) -> None:
    whole = debate_in(SessionView.of("demo", debate)).comparison
    assert whole is not None
    (embed,) = tables.comparison(whole.model_copy(update={"no_answer": "The *model* refused."}))
    assert embed.description == r"The \*model\* refused."


def test_the_vote_before_the_debate_tells_how_many_and_not_for_whom() -> None:
    shown = room(("a", "before", "pro"), ("b", "before", "con"), ("b", "before", "pro"), when="before")
    assert "2" in shown.description
    assert "For" not in shown.description


def test_a_vote_after_in_which_nobody_voted_both_times_has_no_swing() -> None:
    shown = room(("a", "before", "pro"), ("b", "after", "con"), when="after")
    assert "nobody voted both times" in shown.description
    assert "2 only once" in shown.description
    only_after = room(("a", "after", "pro"), when="after")
    assert "wins the room" not in only_after.description


def verdict_of(debate: list[Recorded]) -> Judgement:
    """The verdict of a whole debate."""
    judged = debate_in(SessionView.of("demo", debate)).verdict
    assert judged is not None
    return judged


def test_the_points_stand_beside_the_side_that_has_them_which_the_majority_may_not_be_with(
    debate: list[Recorded],
) -> None:
    split = {"winner": "B", "winner_by_majority": "B", "winner_by_total": "A", "a": 708.5, "b": 704.5}
    (embed,) = tables.verdict(verdict_of(debate).model_copy(update=split), str)
    lines = embed.description.splitlines()
    assert lines[:2] == [
        "**The side against the motion is ahead, but majority and points do not name the same side**",
        "By majority: Against · by points: For (708.5 – 704.5)",
    ]


def test_a_judges_name_has_the_column_to_itself_unless_another_bears_it(debate: list[Recorded]) -> None:
    names = {"judge-1": "The science editor (judge 1)", "judge-2": "The sceptic (judge 2)", "judge-3": "Bob"}
    (embed,) = tables.verdict(verdict_of(debate), names.__getitem__)
    rows = [line for line in embed.description.splitlines() if line.startswith("- **")]
    assert [row.removeprefix("- **").partition("**")[0] for row in rows] == ["The science editor", "The sceptic", "Bob"]
    (embed,) = tables.verdict(verdict_of(debate), lambda seat: f"Bo ({seat.replace('-', ' ')})")
    assert all(f"Bo \\(judge {n}\\)" in embed.description for n in (1, 2, 3))
