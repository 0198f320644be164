"""Scores of CRIT as rows of `scores.csv`: a document's, and the parts that a debate's table shares. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.schemas import DocumentQuality, Quality, ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import by_topic
from elenchus.debate_engine.protocols.presentation import Column, Scores

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

Row = dict[str, Any]
_ROUNDS = {"opening": 0}

COLUMNS = (
    Column("session", "the session's id", "text"),
    Column("simulated", "whether every model of the session was a script", "yes, no"),
    Column("source", "who gave the score", "crit, judge, comparison"),
    Column("stage", "crit: the stage that the score is about; a reason's row: the speech that gave the reason",
           "opening, round 1, round 2 …, closing", "judge, comparison; sums of a plain document"),
    Column("round", "the same as a number", "0 (opening), 1, 2 …", "the closings; judge, comparison"),
    Column("topic", "the topic's number on the agenda", "1 to 10; crit: 0 for reasons that belong to no topic",
           "a score of the whole debate"),
    Column("topic_title", "the topic's title, pro's concern first", "text",
           "topic is empty, 0 or not on the agenda"),
    Column("side", "whose words are scored", "pro, con; comparison: debate, plain answer",
           "argument_quality, claim_standing, noise, document_credibility, winner, preferred"),
    Column("judge", "the seat that scored", "crit, judge-1, judge-2 …"),
    Column("model", "the model on that seat, as it was asked for", "provider:model, or human", "the seat is not known"),
    Column("configuration", "judge: which side claims; comparison: which text was shown first",
           "pro claims, con claims; debate first, plain answer first", "crit"),
    Column("item", "crit: the reason's number in its document, the same in its two rows and in the report", "1, 2 …",
           "argument_quality, claim_standing, noise, document_credibility; judge, comparison"),
    Column("document", "crit: the examined text, and behind an arrow each text at hand that was consulted on the way",
           "text → text", "a debate"),
    Column("scored_by", "crit: the text at hand whose claim the reason is: that claim's standing there is the "
           "validity, and the text's credibility the credibility", "text",
           "the crit seat scored the reason; all other rows"),
    Column("criterion", "what is scored (see below)", "see below"),
    Column("value", "the score, a number with a point as decimal mark", "1 to 10; noise: 0 and more",
           "there is no readable score (missing says why), or the row is a choice"),
    Column("choice", "what was chosen, for the criteria winner and preferred",
           "pro, con, tie; debate, plain answer, tie", "any other criterion, or not readable"),
    Column("missing", "why there is no score", "text", "there is one"),
    Column("reason", "crit: the reason that is scored, in the scorer's words", "text", "all other rows"),
    Column("quote", "crit: the words of the speech that it is traced to", "text", "none was given; all other rows"),
    Column("quotes_not_found", "crit: quotes of the scorer that do not stand in the speech", "text, divided by ¦",
           "all were found; all other rows"),
    Column("source_named", "crit: the source that the debater named: claimed, not checked", "text",
           "none; all other rows"),
    Column("justification", "why the scorer gave this score", "text",
           "no score; argument_quality, claim_standing, noise, document_credibility"),
)  # fmt: skip

CRITERIA = (
    (
        "crit",
        "validity",
        "γ: suppose the reason is true, how strongly does it bear on the claim?",
        "whole 1 to 10; 1 to 10 where scored_by names a text",
    ),
    ("crit", "credibility", "θ: how far can the reason's source be trusted?", "whole 1 to 10"),
    ("crit", "document_credibility", "how far can a consulted text be trusted?", "whole 1 to 10"),
    ("crit", "argument_quality", "Γ = Σθγ / Σθ over the reasons of both sides up to this stage", "1 to 10"),
    ("crit", "claim_standing", "how the claim stands with con's reasons counted against it; 5.5 is even", "1 to 10"),
    ("crit", "noise", "how far Γ may fall by chance in this round: 1.645 standard errors of independent reasons",
     "0 and more"),
)  # fmt: skip

CRITERIA_HEAD = ("source", "criterion", "meaning", "values")

INTRODUCTION = """One row is one score, or one choice.

**Missing scores.** A score that could not be read has an empty `value` and a `missing`; it is never 0 and stands in no
sum. A judge or a topic without any readable score has rows all the same.

**Units.** All scores are ordinal judgements of a model or a person on a scale of 1 to 10, without a unit.
`argument_quality` and `claim_standing` are computed from `validity` and `credibility`, and unrounded; so is a
`validity` that is the standing of a claim in another text (`scored_by`)."""


def rows(view: SessionView) -> Iterator[Row]:
    """The rows of a document that was scored: its sums and reasons, then those of the texts consulted for it."""
    if (result := view.outcome_as(DocumentResult)) is None:
        return
    known = {"gamma": result.gamma, "standing": result.standing, "unreadable": result.unreadable}
    whole = Quality.model_validate({**known, "reasons": (*result.reasons, *result.rivals)})
    named = {"name": result.title, "claim": result.claim, "consulted": result.consulted}
    models = {s.seat: s.model or "human" for s in view.speakers}
    for row in _document((), DocumentQuality.model_validate({**named, "quality": whole})):
        yield {**row, "model": models.get(row["judge"], "")}


SCORES = Scores(COLUMNS, rows, INTRODUCTION, CRITERIA_HEAD, CRITERIA)


def _document(path: tuple[str, ...], document: DocumentQuality) -> Iterator[Row]:
    """A text's sums and reasons, then those of the texts that were consulted for it."""
    here = (*path, document.name)
    place = {"document": " → ".join(here)}
    if document.theta is not None:
        known = {"source": "crit", "judge": "crit", "criterion": "document_credibility"}
        yield {**place, **known, "value": document.theta}
    for row in (*sums("", None, document.quality), *reasons(document.quality.reasons)):
        yield {**place, **row}
    for consulted in document.consulted:
        yield from _document(here, consulted)


def reasons(scored: Sequence[ScoredReason]) -> Iterator[Row]:
    """Two rows for each reason."""
    for item, reason in enumerate(scored, 1):
        yield from _reason(item, reason)


def sums(stage: str, n: int | None, quality: Quality) -> Iterator[Row]:
    """Γ and the standing of the whole and of each topic after a stage (`n`: its round)."""
    place = {"source": "crit", "judge": "crit", "stage": stage, "round": n}
    unread = f"{quality.unreadable} of {len(quality.reasons)} reasons could not be read"
    wholes = [("", quality.gamma, quality.standing), *((t.number, t.gamma, t.standing) for t in by_topic(quality))]
    for topic, gamma, standing in wholes:
        for criterion, value in (("argument_quality", gamma), ("claim_standing", standing)):
            yield {**place, "topic": topic, "criterion": criterion, "value": value, "missing": why(value, unread)}


def _reason(item: int, r: ScoredReason) -> Iterator[Row]:
    known = {
        "source": "crit",
        "judge": "crit",
        "stage": r.about,
        "round": _round_of(r.about),
        "topic": r.topic,
        "side": r.side,
        "item": item,
        "scored_by": r.document,
        "reason": r.reason,
        "quote": r.quote,
        "quotes_not_found": " ¦ ".join(r.missing_quotes),
        "source_named": r.source,
        "justification": r.justification,
    }
    for criterion, value in (("validity", r.gamma), ("credibility", r.theta)):
        yield {**known, "criterion": criterion, "value": value, "missing": why(value, r.unread or "not readable")}


def _round_of(stage: str) -> int | None:
    number = stage.removeprefix("round ")
    return int(number) if number.isascii() and number.isdigit() else _ROUNDS.get(stage)


def why(value: Any, reason: str) -> str:
    """Why there is no score, "" where there is one."""
    return "" if value is not None else reason or "not readable"
