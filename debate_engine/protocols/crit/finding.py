"""What CRIT looks for in a document: its claim, its reasons and rivals, and the rivals that it leaves unsaid.

A document that does not fit the model's context is read in parts, side by side, and what they gave is merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.llm.schema import bounded
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.crit.passages import Paragraph, paragraphs_of, parts_of
from elenchus.debate_engine.protocols.crit.reasons import SEAT, new_only, prompts, reply_tokens
from elenchus.debate_engine.protocols.crit.schemas import (
    Argument,
    Arguments,
    Claim,
    Objection,
    Objections,
    Picked,
    ScoredReason,
)
from elenchus.debate_engine.protocols.speech import written_in
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

Kind = Literal["reasons", "rivals", "unsaid"]
_GROUP = 24
"""So many sentences are compared in one call."""
_FRAME_TOKENS = 700
"""What a prompt needs beside the text and the reply: role, claim, task, schema."""
_MIN_ROOM = 200


@dataclass(frozen=True, slots=True)
class Document:
    """A text at hand, in parts that fit the model, each to be asked for at most `limit` reasons.

    `key` stands for it in step keys. `language` is what is to be written in about it, "" where nobody says.
    """

    name: str
    key: str
    text: str
    parts: tuple[str, ...]
    limit: int
    paragraphs: tuple[Paragraph, ...]
    normal: str
    language: str

    @classmethod
    def of(cls, name: str, key: str, text: str, context_tokens: int, limit: int, language: str) -> Document:
        """Cut the text into parts that leave room for a prompt and a reply; a small context allows fewer reasons."""
        while limit > 1 and reply_tokens(limit) > context_tokens // 3:
            limit -= 1
        room = max(_MIN_ROOM, context_tokens - _FRAME_TOKENS - reply_tokens(limit))
        paragraphs = paragraphs_of(text)
        normal = " ".join(p.normal for p in paragraphs)
        return cls(name, key, text, tuple(parts_of(text, room, estimate_tokens)), limit, paragraphs, normal, language)

    def part(self, n: int) -> str:
        """What to call part `n` (from 1); nothing where there is only one."""
        return f"part {n} of {len(self.parts)}" if len(self.parts) > 1 else ""


class ListedReasons(NamedTuple):
    """Reasons without scores, and the parts of the document whose reasons could not be listed."""

    reasons: list[ScoredReason]
    unread: list[str]


async def claim_of(s: Session, document: Document) -> str:
    """Step 1: what the document argues for, in one sentence; "" where nothing was found or could be read."""
    asks = (
        s.ask(
            f"claim/part-{n}",
            SEAT,
            prompts.claim,
            Claim,
            title=document.name,
            part=document.part(n),
            text=part,
            language=written_in(document.language),
        )
        for n, part in enumerate(document.parts, 1)
    )
    answers = await together(*asks)
    given = (answer.claim.strip() for answer in answers if not isinstance(answer, Declined))
    claims = list(dict.fromkeys(claim for claim in given if claim))
    chosen = await _narrowed(s.under("claim/merge"), prompts.pick_claim, claims, 1, title=document.name)
    return claims[chosen[0]] if chosen else ""


async def arguments_in(s: Session, document: Document, claim: str, kind: Kind, limit: int) -> ListedReasons:
    """Steps 2 and 4: the document's reasons for the claim, or its rival reasons, at most `limit`."""
    against = kind == "rivals"
    asks = (
        s.ask(
            f"{kind}/part-{n}",
            SEAT,
            prompts.arguments,
            bounded(Arguments, document.limit),
            max_tokens=reply_tokens(document.limit),
            claim=claim,
            against=against,
            part=document.part(n),
            text=part,
            limit=document.limit,
            language=written_in(document.language),
        )
        for n, part in enumerate(document.parts, 1)
    )
    reasons: list[ScoredReason] = []
    unread: list[str] = []
    for n, answer in enumerate(await together(*asks), 1):
        if isinstance(answer, Declined):
            unread.append(f"{document.name}, {kind}{f', {part}' if (part := document.part(n)) else ''}")
        else:
            reasons += [_reason(found, document, kind) for found in answer.reasons]
    distinct = new_only(reasons, claim)
    sentences = [reason.reason for reason in distinct]
    merge = s.under(f"{kind}/merge")
    chosen = await _narrowed(merge, prompts.pick_arguments, sentences, limit, claim=claim, against=against)
    return ListedReasons([distinct[i] for i in chosen], unread)


async def left_unsaid(
    s: Session, document: Document, claim: str, said: Sequence[ScoredReason], limit: int
) -> ListedReasons:
    """Step 4, the other half: rival reasons that the document does not mention, at most `limit`."""
    answer = await s.ask(
        "unsaid",
        SEAT,
        prompts.unsaid,
        bounded(Objections, limit),
        max_tokens=reply_tokens(limit),
        optional=True,
        claim=claim,
        reasons=[r.reason for r in said if r.side == "pro"],
        rivals=[r.reason for r in said if r.side == "con"],
        limit=limit,
        language=written_in(document.language),
    )
    if isinstance(answer, Declined):
        return ListedReasons([], [f"{document.name}, unsaid"])
    return ListedReasons(new_only((_reason(found, document, "unsaid") for found in answer.reasons), claim, said), [])


def _reason(found: Argument | Objection, document: Document, kind: Kind) -> ScoredReason:
    return ScoredReason(
        side="pro" if kind == "reasons" else "con",
        about=document.name,
        reason=found.reason.strip(),
        quote=found.quote.strip() if isinstance(found, Argument) else "",
        source=found.source.strip(),
        unsaid=kind == "unsaid",
    )


async def _narrowed(s: Session, prompt: Prompt, items: Sequence[str], limit: int, **variables: Any) -> list[int]:
    """The indices of at most `limit` of the items, in their order, as the crit seat chooses; many in groups first."""
    left = list(range(len(items)))
    level = 0
    while len(left) > limit:
        level += 1
        groups = [left[i : i + _GROUP] for i in range(0, len(left), _GROUP)]
        keep = limit if len(groups) == 1 else min(limit, _GROUP // 2)
        kept = await together(
            *(
                _picked(s.under(f"level-{level}/{g}"), prompt, items, group, keep, variables)
                for g, group in enumerate(groups, 1)
            )
        )
        left = [i for group in kept for i in group]
    return left


async def _picked(
    s: Session, prompt: Prompt, items: Sequence[str], group: Sequence[int], limit: int, variables: dict[str, Any]
) -> list[int]:
    """At most `limit` of the group; its first ones where the choice could not be read."""
    if len(group) <= limit:
        return list(group)
    if "limit" in prompt.variables:
        variables = {**variables, "limit": limit}
    sentences = [items[i] for i in group]
    answer = await s.ask(
        "picked", SEAT, prompt, bounded(Picked, len(group)), optional=True, items=sentences, **variables
    )
    numbers = [] if isinstance(answer, Declined) else [n for n in answer.numbers if 1 <= n <= len(group)]
    chosen = sorted(set(numbers[:limit])) or range(1, limit + 1)
    return [group[n - 1] for n in chosen]
