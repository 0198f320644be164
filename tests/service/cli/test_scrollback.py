"""What is printed for good on a narrow terminal: no score's line is torn, and what goes on below stands indented."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console, RenderableType

from elenchus.debate_engine.protocols.crit.schemas import Quality, ScoredReason, TopicQuality
from elenchus.debate_engine.protocols.judging.protocol import judgement_of
from elenchus.debate_engine.protocols.judging.schemas import Cell, Ruling
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.service.cli.show.items import Ended, Note, Scored
from elenchus.service.cli.show.render import rendered

REASONS = tuple(ScoredReason(side="pro", about="round 2", reason=f"Reason {n}.") for n in range(12))
BY_TOPIC = tuple(TopicQuality(number=n, gamma=6.0, standing=5.0) for n in range(1, 6))
QUALITY = Quality(gamma=5.9, standing=4.7, reasons=REASONS, by_topic=BY_TOPIC, unreadable=2)


def lines(what: RenderableType, columns: int) -> list[str]:
    """What stands on a terminal of so many columns, without empty lines."""
    console = Console(width=columns, file=StringIO())
    console.print(what)
    assert isinstance(console.file, StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines() if line.strip()]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_score_keeps_its_line_whole_and_what_it_is_made_of_stands_below(columns: int) -> None:
    about = "the whole debate"
    head, *below = lines(rendered(Scored(about=about, heat=None, quality=QUALITY, before=4.9)), columns)
    assert head == " Γ 5.9 (+1.0)  argument quality after the whole debate"
    assert all(line.startswith("   ") for line in below)
    told = " ".join(line.strip() for line in below)
    assert told.startswith("claim's standing 4.7 · 12 reasons weighed, 2 of them could not be read · by topic 1: 6.0")


@pytest.mark.parametrize("columns", [60, 80])
def test_the_end_of_a_debate_is_indented_to_its_last_line(columns: int) -> None:
    ruling = Ruling(a_validity=6, a_credibility=6, b_validity=7, b_credibility=6, winner="B", rationale="so")
    cells = [Cell(judge="judge-1", claimant=claimant, topic=1, ruling=ruling) for claimant in ("A", "B")]
    judgement = judgement_of([Topic(pro_concern="air", con_concern="trade", scope="all")], cells).model_dump()
    outcome = {
        "judgement": judgement, "quality": {"gamma": 5.9, "standing": 4.7}, "rounds": [1, 2],
        "ended": "argument quality fell",
    }  # fmt: skip
    heading, *below = lines(rendered(Ended("finished", "socrasynth", outcome)), columns)
    assert heading.startswith("VERDICT ")
    assert below[0].startswith("   The side against the motion is ahead: how far judges")
    assert all(line.startswith("   ") for line in below)
    told = " ".join(line.strip() for line in below)
    assert "swapping the roles moved the margin by 0.0 points on average" in told
    assert told.endswith("standing 4.7 (1–10, 5.5 is even) 2 rounds: argument quality fell")


@pytest.mark.parametrize("columns", [60, 80])
def test_a_debate_ends_with_sentences_that_need_no_knowledge_of_its_scores(columns: int) -> None:
    outcome = {"quality": {"gamma": 5.9, "standing": 4.7}, "rounds": [1], "ended": "the limit of 1 round was reached"}
    told = (
        "The motion was “Zoos should close”.",
        "The judges' verdict: a tie " + "as far as can be told " * 6 + "\x1b[31m",
    )
    shown = lines(rendered(Ended("finished", "socrasynth", outcome, told=told)), columns)
    at = next(n for n, line in enumerate(shown) if line.startswith("IN SHORT"))
    assert all(line.startswith("   ") for line in shown[at + 1 :])
    assert shown[at + 1].strip() == told[0]
    assert "as far as can be told" in " ".join(shown[at + 2 :])
    assert "\x1b" not in "".join(shown)


@pytest.mark.parametrize("columns", [60, 80])
def test_a_note_goes_on_below_its_first_word(columns: int) -> None:
    first, *below = lines(rendered(Note("crit → moderator: " + "a long reason " * 12, "moderator")), columns)
    assert first.startswith(" » crit → moderator")
    assert below
    assert all(line.startswith("   ") and line[3] != " " for line in below)
