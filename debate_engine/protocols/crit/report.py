"""CRIT's findings as Markdown: pure rendering, for the terminal, files and chat alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.schemas import Analysis, DocumentQuality, NamedSource, Quality, ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import by_topic, sources_of
from elenchus.debate_engine.protocols.markdown import plain
from elenchus.debate_engine.protocols.speech import Topic

NO_SCORE = "–"
_LEGEND = (
    "γ is the validity of a reason (suppose it is true: how strongly does it bear on the claim?), θ the credibility of "
    "its source, both from 1 to 10 as the model gave them. Γ, the quality of all the arguments, is Σθγ / Σθ. In the "
    "standing, reasons against count against the claim; 5.5 is even."
)
_AT_HAND = (
    "A reason that is the claim of a document at hand was not scored by the model: its γ is that claim's standing in "
    "CRIT on the document, which is computed, and its θ the document's credibility."
)


def of_quality(claim: str, topics: Sequence[Topic], quality: Quality, analysis: Analysis | None = None) -> str:
    """The state of a debate: result, topics, all reasons of both sides, and the analysis where there is one."""
    blocks = [
        _result(claim, quality.gamma, quality.standing),
        *_by_topic(topics, quality),
        *_reasons(quality.reasons),
        *_notes(quality.unreadable, quality.unread),
        *_analysis(analysis),
        _LEGEND,
    ]
    return "\n\n".join(blocks) + "\n"


def of_document(result: DocumentResult) -> str:
    """CRIT on a document: result, reasons and rivals, the documents consulted, and the analysis."""
    if not result.claim:
        return f"# {plain(result.title)}\n\nNo claim was found: the text argues for nothing, or could not be read.\n"
    blocks = [
        f"# {plain(result.title)}",
        _result(result.claim, result.gamma, result.standing),
        *_reasons([*result.reasons, *result.rivals], result.title),
        *_notes(result.unreadable, result.unread),
        *_consulted(result.consulted),
        *([_bullets("Documents that lead back to themselves (not followed):", result.cycles)] if result.cycles else []),
        *_analysis(result.analysis),
        _LEGEND,
        *([_AT_HAND] if any(reason.document for reason in (*result.reasons, *result.rivals)) else []),
    ]
    return "\n\n".join(blocks) + "\n"


def score(value: float | None) -> str:
    """A score with at most one decimal; a dash where there is none."""
    return NO_SCORE if value is None else f"{value:.1f}".removesuffix(".0")


# ── parts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _result(claim: str, gamma: float | None, standing: float | None) -> str:
    return (
        f"**Claim:** {plain(claim)}\n\n"
        f"**Quality of the arguments (Γ):** {_told(gamma)} · **Standing of the claim:** {_told(standing)}"
    )


def _told(value: float | None) -> str:
    return "could not be told" if value is None else f"{value:.2f} of 10"


def _by_topic(topics: Sequence[Topic], quality: Quality) -> list[str]:
    if not quality.by_topic:
        return []
    titles = {0: "of no single topic", **{n: plain(topic.title) for n, topic in enumerate(topics, 1)}}
    rows = [
        f"| {t.number or NO_SCORE} | {titles[t.number]} | {score(t.gamma)} | {score(t.standing)} |"
        for t in by_topic(quality)
    ]
    return ["\n".join(["| # | topic | Γ | standing |", "| --: | :-- | --: | --: |", *rows])]


def _reasons(reasons: Sequence[ScoredReason], document: str = "", level: int = 2) -> list[str]:
    """A table with the scores, then why each was given, numbered alike. `document` names the text they are from."""
    if not reasons:
        return ["No reasons were found."]
    rows = [
        f"| {n} | {'for' if r.side == 'pro' else 'against'} | {_where(r, document)} | {plain(r.reason)} "
        f"| {score(r.gamma)} | {score(r.theta)} | {_source(r)} |"
        for n, r in enumerate(reasons, 1)
    ]
    table = [
        "| # | side | where | reason | γ | θ | source named |",
        "| --: | :-- | :-- | :-- | --: | --: | :-- |",
        *rows,
    ]
    marks = "#" * level
    why = [f"{n}. {told}" for n, r in enumerate(reasons, 1) if (told := _why(r))]
    explained = [f"{marks} Why these scores", "\n".join(why)] if why else []
    named = [_named(source) for source in sources_of(reasons)]
    claimed = [_bullets("Sources named (claimed, not checked):", named)] if named else []
    return [f"{marks} Reasons", "\n".join(table), *explained, *claimed]


def _named(source: NamedSource) -> str:
    side = "for" if source.side == "pro" else "against"
    return f"{side}: {source.name}" + (f" ({source.times}×)" if source.times > 1 else "")


def _where(r: ScoredReason, document: str) -> str:
    if r.unsaid:
        return "left unsaid"
    if r.about == document:
        return "in the text"
    return plain(r.about) + (f", topic {r.topic}" if r.topic else "")


def _source(r: ScoredReason) -> str:
    at_hand = f"at hand: {plain(r.document)}" if r.document else ""
    return " · ".join(filter(None, [plain(r.source), at_hand])) or NO_SCORE


def _why(r: ScoredReason) -> str:
    if not r.readable:
        why = f"No score: {plain(r.unread)}"
    elif r.document:
        why = f"Scored by CRIT on {plain(r.document)}. Of its credibility: {plain(r.justification)}"
    else:
        why = plain(r.justification)
    if not r.missing_quotes:
        return why
    return f"{why} **Not in the text:** {'; '.join(f'“{plain(quote)}”' for quote in r.missing_quotes)}"


def _notes(unreadable: int, unread: Sequence[str]) -> list[str]:
    notes = [f"{unreadable} without a readable score, left out of the sums."] if unreadable else []
    return [*notes, *([_bullets("Could not be read:", unread)] if unread else [])]


def _consulted(documents: Sequence[DocumentQuality]) -> list[str]:
    return [block for document in documents for block in _one_document(document)]


def _one_document(document: DocumentQuality) -> list[str]:
    quality = document.quality
    return [
        f"## Consulted: {plain(document.name)} (credibility {score(document.theta)})",
        _result(document.claim, quality.gamma, quality.standing),
        *_reasons(quality.reasons, document.name, level=3),
        *_notes(quality.unreadable, quality.unread),
        *_consulted(document.consulted),
    ]


def _analysis(analysis: Analysis | None) -> list[str]:
    if analysis is None:
        return []
    return [
        f"## How the score came about\n\n{plain(analysis.how)}",
        f"## Where else the claim would hold\n\n{plain(analysis.holds)}",
        f"## Where it would fail\n\n{plain(analysis.fails)}",
    ]


def _bullets(title: str, lines: Iterable[str]) -> str:
    return "\n".join([title, "", *(f"- {plain(line)}" for line in lines)])
