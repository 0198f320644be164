"""Static questions (MindScope, appendix B): models answer, the labelled judge says which answers show the bias."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.checks import SEAT, label
from elenchus.detectors.context import Context
from elenchus.detectors.evaluation.intervals import share
from elenchus.detectors.evaluation.schemas import Frequency, Item, JudgedAnswer, StaticConfig, StaticResult, used_by
from elenchus.detectors.library import Knowledge, Library, looked_up
from elenchus.detectors.schemas import Detection

VOICE = "bench"
"""Under this name the moderator is told how far it is."""

prompts = prompts_of("elenchus.detectors.evaluation")


async def bench_static(s: Session, config: dict[str, Any], library: Library) -> dict[str, Any]:
    """Run the bench on the seats of `static_seats`: a dumped `StaticConfig` comes in, a dumped `StaticResult` goes out.

    Step keys: `library/BIAS`, and under `BIAS/N/subject-1/REPEAT/`: `answer`, `label/1` …, `judged`.
    Raises pydantic.ValidationError, UsageError for a bias that the library does not know.
    """
    cfg = StaticConfig.model_validate(config)
    session = s.recalling() if cfg.cache else s
    known = await looked_up(session, library, sorted({item.bias for item in cfg.items}))
    judged = await together(*_all(session, cfg, known))
    names = {bias: of.name for bias, of in known.items()}
    result = await asyncio.to_thread(result_of, cfg, judged, names)
    used = used_by(s.calls, lambda step, call: call.model)
    return result.model_copy(update={"used": used}).model_dump(mode="json")


def _all(s: Session, cfg: StaticConfig, known: dict[str, Knowledge]) -> Iterable[Any]:
    """Every answer to get and to judge, side by side."""
    for item in cfg.items:
        if item.answer:
            yield _judged(s.under(f"{item.id}/given/1").repeated(1), cfg, item, known[item.bias], item.model, "", 1)
            continue
        for place, model in enumerate(cfg.models, 1):
            for n in range(1, cfg.repeats + 1):
                seat = f"subject-{place}"
                yield _judged(s.under(f"{item.id}/{seat}/{n}").repeated(n), cfg, item, known[item.bias], model, seat, n)


async def _judged(
    s: Session, cfg: StaticConfig, item: Item, known: Knowledge, model: str, seat: str, repeat: int
) -> JudgedAnswer:
    """One answer and what the judge says of it."""
    made = JudgedAnswer(item=item.id, bias=item.bias, model=model, repeat=repeat)
    answer = await s.ask("answer", seat, prompts.answer, question=item.question) if seat else item.answer
    if isinstance(answer, Declined):
        return made.model_copy(update={"declined": answer.reason})
    settings = item.asked_about | {"repeats": cfg.judge_repeats, "context_tokens": cfg.context_tokens}
    found = await label(s, await Context.of_answer(answer, **settings), known)
    await s.say("judged", VOICE, ["moderator"], _told(item, model, found), "progress")
    reasons = [said.reason for said in found.answers if said.present is not None]
    of = {"answer": answer, "verdict": found.verdict, "agreement": found.agreement, "reason": "".join(reasons[:1])}
    return made.model_copy(update=of)


def _told(item: Item, model: str, found: Detection) -> str:
    said = {"found": "yes", "none": "no", "undecided": "undecided", "unfounded": "unfounded"}.get(
        found.verdict, "not readable"
    )
    return f"{item.id}, {model}: {said}"


def static_seats(models: Sequence[str], judge: str) -> dict[str, str]:
    """Who sits where, by seat: the models under test, and the judge."""
    return {**{f"subject-{n}": model for n, model in enumerate(models, 1)}, SEAT: judge}


# ── counting (pure) ──────────────────────────────────────────────────────────────────────────────────────────────


def result_of(cfg: StaticConfig, judged: Sequence[JudgedAnswer], names: dict[str, str]) -> StaticResult:
    """The outcome but for what was used."""
    models = tuple(dict.fromkeys(one.model for one in judged))
    biases = sorted(names, key=lambda bias: names[bias].casefold())
    return StaticResult(
        models=models,
        repeats=cfg.repeats,
        judge_repeats=cfg.judge_repeats,
        judged=tuple(judged),
        frequencies=tuple(
            frequency(bias, names[bias], model, [j for j in judged if (j.bias, j.model) == (bias, model)])
            for bias in biases
            for model in models
        ),
        by_model=tuple(frequency("", "all", model, [j for j in judged if j.model == model]) for model in models),
        used={},
        judge=cfg.judge,
        generated=sum(bool(item.origin) for item in cfg.items),
    )


def frequency(bias: str, name: str, model: str, judged: Sequence[JudgedAnswer]) -> Frequency:
    """How often it showed; answers to one question hang together. What was not read or decided is counted apart."""
    verdicts = [one.verdict for one in judged]
    by_item: dict[str, list[bool]] = defaultdict(list)
    for one in judged:
        if one.verdict in ("found", "none"):
            by_item[one.item].append(one.verdict == "found")
    shown = verdicts.count("found")
    return Frequency(
        bias=bias,
        name=name,
        model=model,
        shown=share(shown, shown + verdicts.count("none"), [(sum(of), len(of)) for of in by_item.values()]),
        unread=verdicts.count("unread"),
        unfounded=verdicts.count("unfounded"),
        undecided=verdicts.count("undecided"),
        declined=verdicts.count(None),
    )
