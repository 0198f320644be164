"""Results of which something is missing, and the room's vote: each says what it has, and no more."""

from __future__ import annotations

from bot.rendering import audience, tables
from bot.rendering.post import Embed
from debate_engine.events import Event, Recorded, VoteClosed, Voted, now
from debate_engine.protocols.crit.document import DocumentResult
from debate_engine.reports.view import DebateView
from tests.debate_engine.reports.debates import started

NOTHING: dict[str, object] = {
    "gamma": None, "standing": None, "reasons": (), "rivals": (), "unread": (), "analysis": None, "consulted": (),
    "cycles": (),
}  # fmt: skip


def room(*votes: tuple[str, str, str], when: audience.When) -> Embed:
    """What the thread shows when a vote of these is closed."""
    cast = [Voted.model_validate({"by": by, "when": w, "side": side}) for by, w, side in votes]
    events: list[Event] = [started(), *cast, VoteClosed(by="discord:1", when=when)]
    view = DebateView.of("demo", [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(events, 1)])
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


def test_a_comparison_without_a_plain_answer_says_why(debate: list[Recorded]) -> None:
    whole = DebateView.of("demo", debate).course.comparison
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
