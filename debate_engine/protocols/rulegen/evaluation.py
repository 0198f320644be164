"""Labelled evaluation: do the judges see the bias in the subject? Each judge on each subject, side by side.

A judge reads the record, how the bias is observed, and what the bias is; not the scene's purpose, what a role was told
to do or how it decides, the condition, replies that were sent back, models, or other judges.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.crit.quotes import is_evidence, normalised, quotes_in, stands_in
from elenchus.debate_engine.protocols.judging.agreement import alpha
from elenchus.debate_engine.protocols.judging.counting import majority_of
from elenchus.debate_engine.protocols.rulegen.answers import Finding
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig, Target
from elenchus.debate_engine.protocols.rulegen.people.consent import refusal
from elenchus.debate_engine.protocols.rulegen.played import Entry, Evaluation, Opinion, Quote, Verdict
from elenchus.debate_engine.protocols.rulegen.record import read_out
from elenchus.debate_engine.protocols.yes_no import ask_yes_no
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

prompts = prompts_of("elenchus.debate_engine.protocols.rulegen")

_JUDGE_ASKED = re.compile(r"evaluation/subject/(\d+)/([^/]+)")


async def evaluate(s: Session, cfg: SceneConfig, record: Sequence[Entry]) -> Evaluation | None:
    """Ask every judge about every subject; None where there is no bias to look for or nobody who judges.

    A person who judges is asked first whether they agree to, and nobody stands in for them.
    Step keys: `evaluation/subject/1/judge-1`, `evaluation/result`; for people those of `refusal`.
    """
    if cfg.target is None or not cfg.judges:
        return None
    subjects = [role.name for role in cfg.scene.roles if role.kind == "subject"]
    target, observation = cfg.target, cfg.scene.observation

    async def of_judge(judge: str) -> Sequence[Opinion]:
        under = s.in_person(judge).under("evaluation")
        why_not = await refusal(s, cfg, judge) if judge in cfg.human_judges else ""
        if why_not:
            return [Opinion(judge=judge, subject=subject, unread=why_not) for subject in subjects]
        numbered = enumerate(subjects, 1)
        asked = (opinion(under.under(f"subject/{n}"), judge, one, target, observation, record) for n, one in numbered)
        return await together(*asked)

    by_judge = await together(*map(of_judge, cfg.judges))
    opinions = [one for of_subject in zip(*by_judge, strict=True) for one in of_subject]

    async def counted() -> Any:
        return (await asyncio.to_thread(evaluation_of, target, observation, opinions)).model_dump(mode="json")

    given = [one.model_dump(mode="json") for one in opinions]
    return Evaluation.model_validate(await s.step("evaluation/result", given, counted))


def judge_asked(step: str) -> tuple[int, str] | None:
    """Which subject (its number, from 1) and judge a step is about; None for any but a judge's answer."""
    found = _JUDGE_ASKED.match(step)
    return (int(found[1]), found[2]) if found else None


async def opinion(
    s: Session, judge: str, subject: str, target: Target, observation: str, record: Sequence[Entry]
) -> Opinion:
    """One judge's answer on one subject, its quotes looked up in the record; an unfounded yes is asked once more.

    Step keys: `judge-1`, and `judge-1/again` with what does not hold in the first answer.
    """
    own = [entry.content for entry in record if entry.origin == subject]
    if not own:
        return Opinion(judge=judge, subject=subject, unread="the subject said nothing")
    told = normalised("\n".join([target.name, target.definition, *target.elements, observation]))

    async def asked(again: str, fault: str) -> Opinion:
        given = await s.ask(
            f"{judge}{again}",
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
            fault=fault,
        )
        if isinstance(given, Declined):
            return Opinion(judge=judge, subject=subject, unread=given.reason)
        in_reason = (quote for quote in quotes_in(given.reason) if not stands_in(quote, told))
        quotes = looked_up([*given.quotes, *in_reason], own, record)
        yes = given.present == "yes"
        return Opinion(judge=judge, subject=subject, present=yes, reason=given.reason.strip(), quotes=quotes)

    return await ask_yes_no(asked, fault_of)


_FAULTS = {
    "nowhere": "Nobody says this in the record",
    "record": "{subject} does not say this, somebody else does",
    "short": "This is too short to show anything",
}


def fault_of(unfounded: Opinion) -> str:
    """What does not hold in a yes that rests on none of the subject's own words, for the judge to read. Pure."""
    about = [
        f"{_FAULTS[quote.stands].format(subject=unfounded.subject)}: {quote.words}"
        for quote in unfounded.quotes
        if quote.stands in _FAULTS
    ]
    return "\n".join(about or ["You quoted nothing."])


def looked_up(quotes: Iterable[str], own: Sequence[str], record: Sequence[Entry]) -> tuple[Quote, ...]:
    """Each quote once, with where it stands; a judge may copy it with "Ada to Ben said:" before it. Pure."""
    theirs = [normalised(text) for text in (*own, "\n".join(own))]
    all_said = [normalised(entry.content) for entry in record]
    given = dict.fromkeys(quote.strip() for quote in quotes if any(map(str.isalnum, quote)))
    names = "|".join({re.escape(entry.origin) for entry in record})
    heading = re.compile(rf"^\W*(?:{names}) to [^:\n]+ said:\s*")

    def stands(quote: str) -> Quote:
        words = heading.sub("", quote)
        if any(stands_in(words, text) for text in theirs):
            return Quote(words=quote, stands="subject" if is_evidence(words, theirs) else "short")
        return Quote(words=quote, stands="record" if any(stands_in(words, text) for text in all_said) else "nowhere")

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
    """What most judges say of a subject (see `majority_of`); a yes that rests on nothing is no vote."""
    counts = {
        "yes": sum(one.counts is True for one in opinions),
        "no": sum(one.counts is False for one in opinions),
        "unread": sum(one.present is None for one in opinions),
        "unfounded": sum(one.unfounded for one in opinions),
    }
    found, agreement = majority_of(**counts)
    return Verdict(
        subject=subject,
        verdict="present" if found == "yes" else "absent" if found == "no" else found,
        agreement=None if agreement is None else round(agreement, 4),
        misquoted=sum(one.counts is not None and one.misquotes for one in opinions),
        **counts,
    )


def alpha_over(runs: Iterable[Sequence[Opinion]]) -> tuple[float | None, str]:
    """Krippendorff's alpha of the counted yes and no over the subjects of all these runs, or None and the reason."""
    units: dict[tuple[str, ...], dict[str, float]] = {}
    for number, opinions in enumerate(runs):
        for one in opinions:
            if one.counts is not None:
                units.setdefault((str(number), one.subject), {})[one.judge] = float(one.counts)
    if sum(len(by_judge) >= 2 for by_judge in units.values()) < 2:
        return None, "it takes two subjects with two readable judges each"
    return alpha(units, "nominal")
