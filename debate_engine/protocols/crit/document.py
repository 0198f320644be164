"""CRIT on a plain document (SocraSynth, table 3), with the documents at hand as possible sources of its reasons.

The config (JSON): `title`, `document` (its text), `sources` ([{"name", "text"}]), `depth` (how far documents are
followed from the first one), `max_reasons` (of each kind: reasons, rivals, rivals left unsaid), `context_tokens` (of
the model on the seat `crit`), `language` (of all that is written about it, "" where nobody says) and `by` (whose text
it is, for who is to be forgotten). The outcome is a `DocumentResult`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.protocols.crit.finding import Document, Kind, arguments_in, claim_of, left_unsaid
from elenchus.debate_engine.protocols.crit.passages import passage_of
from elenchus.debate_engine.protocols.crit.reasons import SEAT, analyse, prompts, validate
from elenchus.debate_engine.protocols.crit.schemas import (
    Analysis,
    Credibility,
    DocumentQuality,
    Match,
    ScoredReason,
    Strength,
)
from elenchus.debate_engine.protocols.crit.scoring import quality_of
from elenchus.debate_engine.protocols.speech import written_in
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

DEPTH, MAX_REASONS, CONTEXT_TOKENS = 2, 5, 8192
_FIRST_WORDS = 400
"""So much of a document is shown where its credibility is asked for."""


class DocumentResult(FrozenModel):
    """The outcome: `reasons` and `rivals` (also those left unsaid), Γ, standing, and the documents consulted."""

    title: str
    claim: str
    gamma: Strength | None
    standing: Strength | None
    reasons: tuple[ScoredReason, ...]
    rivals: tuple[ScoredReason, ...]
    unreadable: int
    unread: tuple[str, ...]
    analysis: Analysis | None
    consulted: tuple[DocumentQuality, ...]
    cycles: tuple[str, ...]


@dataclass(frozen=True)
class Documents:
    """The documents at hand, the one under examination first, and what each claims (by key)."""

    documents: tuple[Document, ...]
    depth: int
    limit: int
    claims: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, config: dict[str, Any]) -> Documents:
        """The documents that the config describes."""
        limit, context = config.get("max_reasons", MAX_REASONS), config.get("context_tokens", CONTEXT_TOKENS)
        first = (config.get("title") or "the document", "document", config["document"])
        sources = config.get("sources") or []
        others = [(d["name"], f"source-{n}-{_slug(d['name'])}", d["text"]) for n, d in enumerate(sources, 1)]
        language = config.get("language", "")
        documents = tuple(Document.of(*document, context, limit, language) for document in (first, *others))
        return cls(documents, config.get("depth", DEPTH) if others else 0, limit)


@dataclass(frozen=True)
class ReasonScores:
    """Scored reasons by their key ("rivals/2"), and what was met on the way."""

    scores: dict[str, ScoredReason]
    consulted: tuple[DocumentQuality, ...] = ()
    cycles: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @classmethod
    def all_of(cls, several: Iterable[ReasonScores]) -> ReasonScores:
        """Several in one."""
        parts = list(several)
        return cls(
            {key: reason for part in parts for key, reason in part.scores.items()},
            tuple(d for part in parts for d in part.consulted),
            tuple(c for part in parts for c in part.cycles),
            tuple(u for part in parts for u in part.unread),
        )


async def crit_document(s: Session, config: dict[str, Any]) -> dict[str, Any]:
    """The protocol: the claims of all documents at hand, CRIT on the first of them, and the analysis of its score."""
    at_hand = await asyncio.to_thread(Documents.of, config)  # pure, but long for a long document
    first = at_hand.documents[0]
    to_read = at_hand.documents if at_hand.depth else at_hand.documents[:1]
    claims = await together(*(claim_of(s.under(document.key), document) for document in to_read))
    at_hand = replace(at_hand, claims={document.key: claim for document, claim in zip(to_read, claims, strict=True)})
    whole = await _crit(s.under(first.key), at_hand, (first,))
    analysis: Analysis | None = None
    if whole.quality.reasons:
        analysis = await analyse(s.under(first.key), whole.claim, whole.quality, first.language)
    return _result(whole, analysis).model_dump(mode="json")


async def _crit(s: Session, at_hand: Documents, path: tuple[Document, ...]) -> DocumentQuality:
    """Steps 2–6 for the last document of `path`; the others are those that led to it."""
    document, claim = path[-1], at_hand.claims[path[-1].key]
    if not claim:
        return DocumentQuality(name=document.name, claim="", quality=quality_of([]))
    reasons, rivals = await together(
        arguments_in(s, document, claim, "reasons", at_hand.limit),
        arguments_in(s, document, claim, "rivals", at_hand.limit),
    )
    said = numbered("reasons", reasons.reasons) | numbered("rivals", rivals.reasons)
    weighed = ReasonScores.all_of(await together(_weighed(s, at_hand, path, said), _unsaid(s, at_hand, document, said)))
    order = [*said, *(key for key in weighed.scores if key not in said)]
    return DocumentQuality(
        name=document.name,
        claim=claim,
        quality=quality_of(
            [weighed.scores[key] for key in order], unread=[*reasons.unread, *rivals.unread, *weighed.unread]
        ),
        consulted=weighed.consulted,
        cycles=weighed.cycles,
    )


async def _weighed(
    s: Session, at_hand: Documents, path: tuple[Document, ...], said: dict[str, ScoredReason]
) -> ReasonScores:
    """Steps 3 and 5: each reason by CRIT on the document whose claim it is, else by a call of its own."""
    sources = await together(*(_source_of(s.under(f"match/{key}"), at_hand, path, r) for key, r in said.items()))
    plain: dict[str, ScoredReason] = {}
    by_source: dict[str, dict[str, ScoredReason]] = {}
    cycles: list[str] = []
    for (key, reason), source in zip(said.items(), sources, strict=True):
        if source is None:
            plain[key] = reason
        elif source in path:
            cycles.append(" → ".join(d.name for d in (*path[path.index(source) :], source)))
            plain[key] = reason
        else:
            by_source.setdefault(source.key, {})[key] = reason
    if cycles:
        await s.record("cycles", cycles)
    consults = (
        _by_document(s, at_hand, path, document, by_source[document.key])
        for document in at_hand.documents
        if document.key in by_source
    )
    weighed = ReasonScores.all_of(await together(_plainly(s, at_hand, path[-1], plain), *consults))
    return ReasonScores(
        weighed.scores, weighed.consulted, (*dict.fromkeys([*cycles, *weighed.cycles]),), weighed.unread
    )


async def _plainly(
    s: Session, at_hand: Documents, document: Document, reasons: dict[str, ScoredReason]
) -> ReasonScores:
    """Each reason validated by a call of its own, side by side; without the model the session waits."""
    claim = at_hand.claims[document.key]
    scored = await together(
        *(
            validate(
                s.under(f"validate/{key}"),
                claim,
                r,
                passage_of(document.paragraphs, r.quote, r.reason),
                document.normal,
                document.language,
                optional=False,
            )
            for key, r in reasons.items()
        )
    )
    return ReasonScores(dict(zip(reasons, scored, strict=True)))


async def _unsaid(s: Session, at_hand: Documents, document: Document, said: dict[str, ScoredReason]) -> ReasonScores:
    """The rivals that the document leaves unsaid, with their scores."""
    found = await left_unsaid(s, document, at_hand.claims[document.key], [*said.values()], at_hand.limit)
    weighed = await _plainly(s, at_hand, document, numbered("unsaid", found.reasons))
    return ReasonScores(weighed.scores, unread=tuple(found.unread))


async def _source_of(
    s: Session, at_hand: Documents, path: tuple[Document, ...], reason: ScoredReason
) -> Document | None:
    """The document at hand whose claim the reason is; None where there is none, or at the deepest level."""
    candidates = [d for d in at_hand.documents if d != path[-1] and at_hand.claims.get(d.key)]
    if len(path) > at_hand.depth or not candidates:
        return None
    answer = await s.ask(
        "source",
        SEAT,
        prompts.match,
        Match,
        optional=True,
        reason=reason.reason,
        source=reason.source,
        claims=[f"{d.name}: {at_hand.claims[d.key]}" for d in candidates],
    )
    number = 0 if isinstance(answer, Declined) else answer.number
    return candidates[number - 1] if 1 <= number <= len(candidates) else None


async def _by_document(
    s: Session, at_hand: Documents, path: tuple[Document, ...], source: Document, reasons: dict[str, ScoredReason]
) -> ReasonScores:
    """Reasons that are the claim of another document: how that claim stands there is their validity, and the
    document's credibility their source's. Where either cannot be told they are validated like any other.

    The standing, not Γ: a claim that strong rivals have demolished is argued about well (a high Γ) and supports little.
    """
    inner = s.under(f"consult/{source.key}")
    quality, trust = await together(_crit(inner, at_hand, (*path, source)), _credibility(inner, source))
    if quality.quality.standing is None or trust is None:
        plain = await _plainly(s, at_hand, path[-1], reasons)
        return ReasonScores(plain.scores, (quality,), quality.cycles)
    gamma, theta = quality.quality.standing, float(trust.credibility)
    score = {"gamma": gamma, "theta": theta, "justification": trust.justification.strip(), "document": source.name}
    scored = {key: reason.model_copy(update=score) for key, reason in reasons.items()}
    return ReasonScores(scored, (quality.model_copy(update={"theta": theta}),), quality.cycles)


async def _credibility(s: Session, document: Document) -> Credibility | None:
    start = " ".join(document.text.split(" ")[:_FIRST_WORDS])
    answer = await s.ask(
        "credibility", SEAT, prompts.credibility, Credibility, optional=True,
        name=document.name, text=start, language=written_in(document.language),
    )  # fmt: skip
    return None if isinstance(answer, Declined) else answer


def _result(whole: DocumentQuality, analysis: Analysis | None) -> DocumentResult:
    quality = whole.quality
    return DocumentResult(
        title=whole.name,
        claim=whole.claim,
        gamma=quality.gamma,
        standing=quality.standing,
        reasons=tuple(r for r in quality.reasons if r.side == "pro"),
        rivals=tuple(r for r in quality.reasons if r.side == "con"),
        unreadable=quality.unreadable,
        unread=quality.unread,
        analysis=analysis,
        consulted=whole.consulted,
        cycles=whole.cycles,
    )


def numbered(kind: Kind, reasons: Sequence[ScoredReason]) -> dict[str, ScoredReason]:
    """The reasons by the keys "reasons/1", "reasons/2" and so on."""
    return {f"{kind}/{n}": reason for n, reason in enumerate(reasons, 1)}


def _slug(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name).strip("-") or "document"
