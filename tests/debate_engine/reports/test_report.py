from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.events import (
    BudgetRaised,
    CallFailed,
    PauseAsked,
    Recorded,
    SessionFailed,
    SessionFinished,
    SessionStarted,
    SessionStopped,
    StepDone,
    UnforeseenQuestion,
    Withdrawn,
)
from elenchus.debate_engine.participant import Ask, Declined
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.schemas import ScoredReason
from elenchus.debate_engine.protocols.socrasynth.summary import sentences
from elenchus.debate_engine.reports.document import markdown_of
from elenchus.debate_engine.reports.html import html_of
from elenchus.debate_engine.reports.report import lost, report_of
from elenchus.debate_engine.reports.view import SessionView
from tests.debate_engine.reports.debates import MOTION, debate_in, debated, failing, started, table
from tests.debate_engine.reports.test_view import numbered, outcome_of


def report_md(events: list[Recorded]) -> str:
    return markdown_of(report_of(SessionView.of("demo", events)))


def lacking(events: list[Recorded]) -> list[str]:
    view = SessionView.of("demo", events)
    return [*lost(view), *view.spec.present.missing(view)]


def section(markdown: str, title: str) -> str:
    """The text under a heading of the second level."""
    return markdown.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_report_holds_every_fact_of_the_outcome(debate: list[Recorded]) -> None:
    text, outcome = report_md(debate), outcome_of(debate)
    assert text.startswith(f"# {MOTION}\n")
    assert "| Judges' verdict | **The side for the motion" in section(text, "Result")
    for topic in outcome.agenda:
        assert f"**{topic.title}**: {topic.scope}" in section(text, "Agenda")
    course = section(text, "Heat and quality by round")
    for row in outcome.rounds:
        noise = "–" if row.noise is None else f"{row.noise:.2f}"
        assert f"| round {row.n} | {row.heat:.2f} | {row.gamma:.1f} | {noise} | {row.standing:.1f} | 0 |" in course
    assert "| opening | 0.80 (set by the moderator) | – | – | – |" in course
    assert "![Line plot" in course
    assert outcome.judgement is not None
    judges = section(text, "The judges")
    assert f"({outcome.judgement.a:g} – {outcome.judgement.b:g})" in judges
    assert "**A (pro) claims**" in judges
    assert "**B (con) claims**" in judges
    assert outcome.quality is not None
    crit = section(text, "The arguments weighed (CRIT)")
    assert f"{outcome.quality.gamma:.2f} of 10" in crit
    assert "Sources named (claimed, not checked):" in crit
    assert "for: Institute of Streets" in crit
    assert outcome.proposal is not None
    proposal = section(text, "Joint proposal")
    for agreement in outcome.proposal.topics:
        assert agreement.proposal in proposal
    assert "(signed by both sides)" in proposal


def test_the_report_names_the_participants_their_words_and_what_the_moderator_and_the_room_did(
    debate: list[Recorded],
) -> None:
    text = report_md(debate)
    assert "| Ada | pro | scripted:table | simulated |" in section(text, "Participants")
    assert "**Ada, round 1**\n\n> **1. Clean air vs. Shops' income**" in section(text, "What was said")
    moderator = section(text, "The moderator's interventions")
    for told in (
        "guided Ada: “Stay with the figures”",
        "asked Boris: “Who pays?”",
        "set the heat to 0.80",
        "asked Boris to deepen its weakest reason",
        "set the budget to \\$3.00",
    ):
        assert told in moderator
    assert "3 voted both times" in section(text, "The audience's vote")
    assert "the side for the motion won the room" in section(text, "In plain words")
    assert "Debate shown first" in section(text, "Debate against a plain answer")


def test_the_report_lists_what_went_wrong(debate: list[Recorded]) -> None:
    text, failures = report_md(debate), [r for r in debate if isinstance(r.event, CallFailed)]
    wrong = section(text, "What went wrong")
    assert wrong.count("ProviderBusy, 429: too many requests (tried again after 1.5 s)") == len(failures) > 0
    assert "Your opponent's speeches (summarised); 3000 tokens became 1800" in wrong
    assert f"{len(failures)} failed calls" in section(text, "In plain words")


async def test_a_debate_without_trouble_says_so() -> None:
    text = report_md(await debated())
    assert "Every call was answered" in section(text, "What went wrong")
    assert "Not everything worked" not in text


async def test_scores_that_could_not_be_read_are_no_score_and_nowhere_a_zero() -> None:
    events = await debated(answers=failing("crit", "judge-2"))
    text = report_md(events)
    course = section(text, "Heat and quality by round")
    assert "| round 1 | 0.75 | no score | – | no score | 0 |" in course
    judges = section(text, "The judges")
    assert "unread" in judges
    assert "judge-2: 0 of 4 readable; 4 × unreadable after one repair" in judges
    assert "1 judge could not be read" in section(text, "In plain words")
    assert re.search(r"\b0\.0\b", section(text, "The arguments weighed (CRIT)")) is None


async def test_single_reasons_without_a_score_are_counted_and_listed() -> None:
    def half(ask: Ask) -> Any:
        return Declined("the model refused") if "/validate/con" in ask.step else table(ask)

    view = SessionView.of("demo", await debated(answers=half))
    final = debate_in(view).final
    assert final is not None
    unreadable = final.unreadable
    assert unreadable > 0
    text = markdown_of(report_of(view))
    assert f"{unreadable} reasons without a readable score" in section(text, "In plain words")
    assert "Reasons whose score could not be read: no score" in section(text, "What went wrong")


def test_an_unfinished_debate_says_what_is_missing(debate: list[Recorded]) -> None:
    until = next(i for i, r in enumerate(debate) if getattr(r.event, "step", "") == "round/1/crit/quality")
    told = lacking(debate[: until + 1])
    assert told[0] == "This session is not finished (running, or interrupted)."
    assert told[1] == (
        "Not there yet: the closings, the final score, the judges' verdict, the joint proposal, "
        "the comparison with a plain answer."
    )
    assert lacking(debate) == []


def test_every_prefix_of_a_log_makes_a_report(debate: list[Recorded], open_question: list[Recorded]) -> None:
    for events in (debate, open_question):
        view = SessionView("demo")
        for r in events:
            view.apply(r)
            report = report_of(view)
            assert MOTION in markdown_of(report)
            if r.seq % 6 == 0:
                assert "</html>" in html_of(report, {})


@given(data=st.data())
def test_any_part_of_a_log_makes_a_report(debate: list[Recorded], data: st.DataObject) -> None:
    kept = data.draw(st.sets(st.integers(0, len(debate) - 1)))
    view = SessionView.of("demo", [debate[i] for i in sorted(kept)])
    assert markdown_of(report_of(view))


def test_a_log_without_events_makes_a_report() -> None:
    assert report_md([]).startswith("# A session\n")


def test_simulated_and_weak_runs_are_labelled_above_everything_else(debate: list[Recorded]) -> None:
    assert "> **Simulated.**" in report_md(debate).split("## In plain words")[0]
    weak = started(specs=dict.fromkeys(("pro", "con"), "local:smollm2-135m"))
    text = report_md(numbered([weak]))
    assert "> **Weak model.** pro and con ran on" in text
    assert "embedded model, weak" in text
    assert "Simulated." not in text


async def test_a_person_is_shown_by_name_and_has_no_model() -> None:
    text = report_md(numbered([started({"con": "Boris"}, {"pro": "human:Ann", "con": "human"})]))
    assert "| Ann | pro | – | a person |" in text
    assert "| Boris | con | – | a person |" in text


def test_an_open_question_has_answers_an_outcome_and_recommendations(open_question: list[Recorded]) -> None:
    text = report_md(open_question)
    assert "**pro:** The answer of pro (confidence 60 %)" in section(text, "First answers")
    assert "| The question ended | conceded by con |" in section(text, "Result")
    joint = section(text, "Joint recommendations")
    assert "fever?" in joint
    assert "signed by pro and con." in joint or "signed by pro." in joint or "signed by con." in joint
    assert "drafted the joint recommendation |" in section(text, "Result")
    assert "A cough for two weeks." in section(text, "Agenda")


def test_a_report_on_an_open_question_speaks_of_answers_and_of_no_motion(open_question: list[Recorded]) -> None:
    text = report_md(open_question)
    told = [section(text, name) for name in ("In plain words", "Result", "The judges", "Joint recommendations")]
    assert not [line for part in told for line in part.splitlines() if "motion" in line.lower()]
    assert "**The answer of " in section(text, "Result")
    assert "A is pro with its answer" in section(text, "The judges")
    assert "Answer: The answer of pro" in section(text, "The arguments weighed (CRIT)")


def test_a_report_says_who_merged_the_agenda_and_who_drafted_the_proposal(debate: list[Recorded]) -> None:
    drawn = next(line for line in section(report_md(debate), "Result").splitlines() if "Drawn by lot" in line)
    merger, drafter = ("pro", "con") if "pro merged the agenda" in drawn else ("con", "pro")
    assert drawn == f"| Drawn by lot | {merger} merged the agenda; {drafter} drafted the joint proposal |"


def test_the_summary_is_made_of_sentences_that_end(debate: list[Recorded]) -> None:
    told = sentences(SessionView.of("demo", debate))
    assert len(told) >= 9
    assert all(sentence.endswith(".") and "  " not in sentence for sentence in told)


@pytest.mark.parametrize(
    "picks, told",
    [
        ("A", "it saw the side for the motion ahead"),
        (("tie", "tie"), "both saw a tie"),
        ("BBB", "all saw the side against"),
        ("ABB", "1 saw the side for the motion ahead and 2 saw the side against"),
    ],
)
def test_the_summary_says_how_many_of_the_judges_saw_what(
    debate: list[Recorded], picks: Sequence[str], told: str
) -> None:
    view = SessionView.of("demo", debate)
    verdict = debate_in(view).verdict
    assert verdict is not None
    judges = tuple(f"judge-{n}" for n, _ in enumerate(picks, 1))
    votes = tuple(
        verdict.votes[0].model_copy(update={"judge": j, "vote": p}) for j, p in zip(judges, picks, strict=True)
    )
    debate_in(view)._judged = verdict.model_copy(update={"votes": votes, "judges": judges})
    assert told in " ".join(sentences(view))


def test_a_session_that_broke_off_says_with_which_error() -> None:
    events = numbered([started(), SessionFailed(error="NoAgenda", message="neither side gave a readable list")])
    text = report_md(events)
    assert "This session is broken off by an error: neither side gave a readable list." in text
    assert "The session broke off: NoAgenda: neither side gave a readable list." in text


@pytest.mark.parametrize("secret", ["sk-proj-abcdefghijklmnop", "AIzaSyA1234567890abcdefghij", "/home/ann/models"])
def test_keys_and_home_folders_in_failures_are_not_shown(secret: str) -> None:
    failed = CallFailed(step="a", model="openai:m", attempt=1, error="MissingKey", message=f"refused {secret} twice")
    declined = StepDone(step="b", input_hash="", inputs={"seat": "pro", "prompt_id": "x"}, result={"declined": secret})
    assert secret not in report_md(numbered([started(), failed, declined]))


def test_crit_on_a_document_has_its_report_too() -> None:
    reason = ScoredReason(side="pro", about="", reason="Fumes harm lungs", gamma=8.0, theta=7.0, source="WHO")
    result = DocumentResult(
        title="Leader", claim="Close the centre", gamma=8.0, standing=7.9, reasons=(reason,), rivals=(), unreadable=0,
        unread=(), analysis=None, consulted=(), cycles=(),
    )  # fmt: skip
    first = SessionStarted(protocol="crit", title="Leader", config={"document": "…"}, seats=(), seed=1, version="0")
    text = report_md(numbered([first, SessionFinished(outcome=result.model_dump(mode="json"))]))
    assert "Fumes harm lungs" in section(text, "The arguments weighed (CRIT)")
    assert "claimed, not checked" in text


def test_what_is_asked_beside_the_rules_of_a_scene_stands_in_no_stage_of_a_debate() -> None:
    first = SessionStarted(protocol="rulegen", title="Tea", config={}, seats=(), seed=1, version="0")
    asked, gone = UnforeseenQuestion(by="P-abcdef", seat="Ada", text="Why?"), Withdrawn(by="P-abcdef", seat="Ada")
    text = report_md(numbered([first, asked, PauseAsked(by="Mo"), gone]))
    beside = section(text, "Asked and wished by those who took part")
    moderator = section(text, "The moderator's interventions")
    assert re.search(r"\| – \| P-abcdef \| .*Why\?", beside)
    assert "stopped taking part" in beside
    assert "P-abcdef" not in moderator
    assert "Mo | asked for a pause" in moderator


@pytest.mark.parametrize(
    ("tokens", "usd", "told"),
    [(50, None, "50 tokens |"), (None, 2.5, "$2.50 |"), (200_000, 0.05, "200,000 tokens and $0.0500 |")],
)
def test_a_budget_that_was_set_is_told_with_what_was_set_of_it(
    tokens: int | None, usd: float | None, told: str
) -> None:
    text = report_md(numbered([started(), BudgetRaised(by="Mo", tokens=tokens, usd=usd)]))
    moderator = section(text, "The moderator's interventions").replace("\\$", "$")
    assert f"set the budget to {told}" in moderator


def test_a_session_that_is_over_and_called_no_model_does_not_say_that_nothing_has_happened() -> None:
    first = SessionStarted(protocol="crit", title="Leader", config={"document": "…"}, seats=(), seed=1, version="0")
    assert "Nothing has happened yet." in section(report_md(numbered([first])), "What went wrong")
    over = section(report_md(numbered([first, SessionStopped(by="Mo", reason="enough")])), "What went wrong")
    assert "Nothing: no model was called." in over


async def test_one_judge_counts_in_no_sum_and_several_count_in_none() -> None:
    one, two = [report_md(await debated(answers=failing(*seats))) for seats in (("judge-2",), ("judge-1", "judge-2"))]
    assert "1 judge could not be read and counts in no sum." in one
    assert "2 judges could not be read and count in no sum." in two
