"""CRIT's findings as blocks of a report. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.schemas import Analysis, DocumentQuality, NamedSource, Quality, ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import by_topic, sources_of
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.reports.document import bullets, table
from elenchus.debate_engine.reports.escape import inline

TITLE = "The arguments weighed (CRIT)"
NO_SCORE = "–"
_SIDE = {"pro": "for", "con": "against"}
_LEGEND = (
    "γ is the validity of a reason (suppose it is true: how strongly does it bear on the claim?), θ the credibility of "
    "its source, both from 1 to 10 as the model gave them. Γ, the quality of all the arguments, is Σθγ / Σθ. In the "
    "standing, reasons against count against the claim; 5.5 is even."
)
_AT_HAND = (
    "A reason that is the claim of a document at hand was not scored by the model: its γ is that claim's standing in "
    "CRIT on the document, which is computed, and its θ the document's credibility."
)


def of_quality(claim: str, topics: Sequence[Topic], quality: Quality, analysis: Analysis | None = None) -> list[str]:
    """The state of a debate: result, topics, all reasons of both sides, and the analysis where there is one."""
    return [
        *_result(claim, quality.gamma, quality.standing),
        *_by_topic(topics, quality),
        *_reasons(quality.reasons, level=3),
        *_notes(quality.unreadable, quality.unread),
        *_analysis(analysis, level=3),
        _LEGEND,
    ]


def of_document(result: DocumentResult) -> list[str]:
    """CRIT on a document: result, reasons and rivals, the documents consulted, and the analysis."""
    title = f"### {inline(result.title)}"
    if not result.claim:
        return [title, "No claim was found: the text argues for nothing, or could not be read."]
    reasons = [*result.reasons, *result.rivals]
    return [
        title,
        *_result(result.claim, result.gamma, result.standing),
        *_reasons(reasons, result.title, level=4),
        *_notes(result.unreadable, result.unread),
        *_consulted(result.consulted),
        *_listed("Documents that lead back to themselves (not followed):", result.cycles),
        *_analysis(result.analysis, level=4),
        _LEGEND,
        *([_AT_HAND] if any(reason.document for reason in reasons) else []),
    ]


def score(value: float | None) -> str:
    """A score with at most one decimal; a dash where there is none."""
    return NO_SCORE if value is None else f"{value:.1f}".removesuffix(".0")


# ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _result(claim: str, gamma: float | None, standing: float | None) -> list[str]:
    return [
        f"**Claim:** {inline(claim)}",
        f"**Quality of the arguments (Γ):** {_told(gamma)} · **Standing of the claim:** {_told(standing)}",
    ]


def _told(value: float | None) -> str:
    return "could not be told" if value is None else f"{value:.2f} of 10"


def _by_topic(topics: Sequence[Topic], quality: Quality) -> list[str]:
    if not quality.by_topic:
        return []
    titles = {0: "of no single topic", **{n: inline(topic.title) for n, topic in enumerate(topics, 1)}}
    told = by_topic(quality)
    rows = [[str(t.number or NO_SCORE), titles[t.number], score(t.gamma), score(t.standing)] for t in told]
    return [table(["#", "topic", "Γ", "standing"], rows, "rlr")]


def _reasons(reasons: Sequence[ScoredReason], document: str = "", *, level: int) -> list[str]:
    """A table with the scores, then why each was given, numbered alike. `document` names the text they are from."""
    if not reasons:
        return ["No reasons were found."]
    rows = [
        [str(n), _SIDE[r.side], _where(r, document), inline(r.reason), score(r.gamma), score(r.theta), _source(r)]
        for n, r in enumerate(reasons, 1)
    ]
    marks = "#" * level
    why = [f"{n}. {told}" for n, r in enumerate(reasons, 1) if (told := _why(r))]
    return [
        f"{marks} Reasons",
        table(["#", "side", "where", "reason", "γ", "θ", "source named"], rows, "rlllrrl"),
        *([f"{marks} Why these scores", "\n".join(why)] if why else []),
        *_listed("Sources named (claimed, not checked):", [_named(source) for source in sources_of(reasons)]),
    ]


def _named(source: NamedSource) -> str:
    return f"{_SIDE[source.side]}: {source.name}" + (f" ({source.times}×)" if source.times > 1 else "")


def _where(r: ScoredReason, document: str) -> str:
    if r.unsaid:
        return "left unsaid"
    if r.about == document:
        return "in the text"
    return inline(r.about) + (f", topic {r.topic}" if r.topic else "")


def _source(r: ScoredReason) -> str:
    at_hand = f"at hand: {inline(r.document)}" if r.document else ""
    return " · ".join(filter(None, [inline(r.source), at_hand])) or NO_SCORE


def _why(r: ScoredReason) -> str:
    if not r.readable:
        why = f"No score: {inline(r.unread)}"
    elif r.document:
        why = f"Scored by CRIT on {inline(r.document)}. Of its credibility: {inline(r.justification)}"
    else:
        why = inline(r.justification)
    if not r.missing_quotes:
        return why
    return f"{why} **Not in the text:** {'; '.join(f'“{inline(quote)}”' for quote in r.missing_quotes)}"


def _notes(unreadable: int, unread: Sequence[str]) -> list[str]:
    notes = [f"{unreadable} without a readable score, left out of the sums."] if unreadable else []
    return [*notes, *_listed("Could not be read:", unread)]


def _consulted(documents: Sequence[DocumentQuality]) -> list[str]:
    return [block for document in documents for block in _one_document(document)]


def _one_document(document: DocumentQuality) -> list[str]:
    quality = document.quality
    return [
        f"#### Consulted: {inline(document.name)} (credibility {score(document.theta)})",
        *_result(document.claim, quality.gamma, quality.standing),
        *_reasons(quality.reasons, document.name, level=5),
        *_notes(quality.unreadable, quality.unread),
        *_consulted(document.consulted),
    ]


def _analysis(analysis: Analysis | None, *, level: int) -> list[str]:
    if analysis is None:
        return []
    told = {
        "How the score came about": analysis.how,
        "Where else the claim would hold": analysis.holds,
        "Where it would fail": analysis.fails,
    }
    return [block for title, text in told.items() for block in (f"{'#' * level} {title}", inline(text))]


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    return [title, bullets(map(inline, lines))] if lines else []
