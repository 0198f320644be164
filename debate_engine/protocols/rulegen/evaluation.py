"""Labelled evaluation: do the judges see the bias in the subject? Each judge on each subject, side by side.

A judge reads the record, how the bias is observed, and what the bias is; not the scene's purpose, what a role was told
to do or how it decides, the condition, replies that were sent back, models, or other judges.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from debate_engine.participant import Declined
from debate_engine.prompts import prompts_of
from debate_engine.protocols.crit.quotes import normalised, quotes_in, stands_in
from debate_engine.protocols.judging.agreement import alpha
from debate_engine.protocols.rulegen.record import read_out
from debate_engine.protocols.rulegen.schemas import (
    Entry,
    Evaluation,
    Finding,
    Opinion,
    Quote,
    SceneConfig,
    Target,
    Verdict,
)
from debate_engine.session import Session, together

prompts = prompts_of("debate_engine.protocols.rulegen")


async def evaluate(s: Session, cfg: SceneConfig, record: Sequence[Entry]) -> Evaluation | None:
    """Ask every judge about every subject; None where there is no bias to look for or nobody who judges.

    Step keys: `subject/1/judge-1`, `result`.
    """
    if cfg.target is None or not cfg.judges:
        return None
    subjects = [role.name for role in cfg.scene.roles if role.kind == "subject"]
    target, observation = cfg.target, cfg.scene.observation
    opinions = await together(
        *(
            opinion(s.under(f"subject/{n}"), judge, subject, target, observation, record)
            for n, subject in enumerate(subjects, 1)
            for judge in cfg.judges
        )
    )

    async def counted() -> Any:
        return (await asyncio.to_thread(evaluation_of, target, observation, opinions)).model_dump(mode="json")

    given = [one.model_dump(mode="json") for one in opinions]
    return Evaluation.model_validate(await s.step("result", given, counted))


async def opinion(
    s: Session, judge: str, subject: str, target: Target, observation: str, record: Sequence[Entry]
) -> Opinion:
    """One judge's answer on one subject, its quotes looked up in the record."""
    own = [entry.content for entry in record if entry.origin == subject]
    if not own:
        return Opinion(judge=judge, subject=subject, unread="the subject said nothing")
    given = await s.ask(
        judge,
        judge,
        prompts.evaluate,
        Finding,
        optional=True,
        subject=subject,
        bias=target.name,
        definition=target.definition,
        elements=target.elements,
        observation=observation,
        record=read_out(record),
    )
    if isinstance(given, Declined):
        return Opinion(judge=judge, subject=subject, unread=given.reason)
    told = normalised("\n".join([target.name, target.definition, *target.elements, observation]))
    in_reason = (quote for quote in quotes_in(given.reason) if not stands_in(quote, told))
    quotes = looked_up([*given.quotes, *in_reason], own, record)
    return Opinion(
        judge=judge, subject=subject, present=given.present == "yes", reason=given.reason.strip(), quotes=quotes
    )


def looked_up(quotes: Iterable[str], own: Sequence[str], record: Sequence[Entry]) -> tuple[Quote, ...]:
    """Each quote once, with where it stands. Pure."""
    theirs = [normalised(text) for text in own]
    all_said = [normalised(entry.content) for entry in record]
    given = dict.fromkeys(quote.strip() for quote in quotes if any(map(str.isalnum, quote)))

    def stands(quote: str) -> Quote:
        if any(stands_in(quote, text) for text in theirs):
            return Quote(words=quote, stands="subject")
        return Quote(words=quote, stands="record" if any(stands_in(quote, text) for text in all_said) else "nowhere")

    return tuple(stands(quote) for quote in given)


# ── counting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def evaluation_of(target: Target, observation: str, opinions: Sequence[Opinion]) -> Evaluation:
    """The opinions with everything that is counted from them. Pure; slow the first time."""
    subjects = dict.fromkeys(one.subject for one in opinions)
    verdicts = [verdict_of(name, [one for one in opinions if one.subject == name]) for name in subjects]
    value, reason = alpha_over([opinions])
    return Evaluation(
        bias=target.name,
        observation=observation,
        verdicts=tuple(verdicts),
        opinions=tuple(opinions),
        alpha=value,
        alpha_reason=reason,
    )


def verdict_of(subject: str, opinions: Sequence[Opinion]) -> Verdict:
    """What most readable judges say of a subject. As many yes as no: undecided; fewer than half readable: unread."""
    yes = sum(one.present is True for one in opinions)
    no = sum(one.present is False for one in opinions)
    counts = {
        "yes": yes,
        "no": no,
        "unread": len(opinions) - yes - no,
        "unfounded": sum(one.present is not None and not one.founded for one in opinions),
    }
    if not yes + no or 2 * (yes + no) < len(opinions):
        return Verdict(subject=subject, verdict="unread", agreement=None, **counts)
    if yes == no:
        return Verdict(subject=subject, verdict="undecided", agreement=0.5, **counts)
    share = round(max(yes, no) / (yes + no), 4)
    return Verdict(subject=subject, verdict="present" if yes > no else "absent", agreement=share, **counts)


def alpha_over(runs: Iterable[Sequence[Opinion]]) -> tuple[float | None, str]:
    """Krippendorff's alpha of yes and no over the subjects of all these runs, or None and the reason."""
    units: dict[tuple[str, ...], dict[str, float]] = {}
    for number, opinions in enumerate(runs):
        for one in opinions:
            if one.present is not None:
                units.setdefault((str(number), one.subject), {})[one.judge] = float(one.present)
    if sum(len(by_judge) >= 2 for by_judge in units.values()) < 2:
        return None, "it takes two subjects with two readable judges each"
    return alpha(units, "nominal")
