"""Detection without labels, its methods side by side over texts whose bias is known (MindScope, section 6.3)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, get_args

from elenchus.config.catalogue import kebab
from elenchus.debate_engine.protocols.rulegen.study.statistics import holm, mcnemar
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.evaluation.intervals import Share, share
from elenchus.detectors.evaluation.schemas import (
    MethodAnswer,
    MethodRow,
    Pair,
    Sample,
    UnlabelledConfig,
    UnlabelledResult,
    UsageTotals,
    used_by,
)
from elenchus.detectors.library import Library
from elenchus.detectors.protocol import detect, seats_of
from elenchus.detectors.schemas import DetectConfig, Detection, Method, Turn

VOICE = "bench"
METHODS: tuple[Method, ...] = get_args(Method)


async def bench_unlabelled(s: Session, config: dict[str, Any], library: Library) -> dict[str, Any]:
    """Run the bench on the seats of `unlabelled_seats`: an `UnlabelledConfig` in, an `UnlabelledResult` out, dumped.

    Step keys: under `METHOD/SAMPLE/` those of a detection, then `named`. Methods that ask the same question each get an
    answer of their own, so that their results are independent. Raises pydantic.ValidationError.
    """
    cfg = UnlabelledConfig.model_validate(config)
    session = s.recalling() if cfg.cache else s
    named = await together(
        *(_named(session, cfg, library, method, sample) for method in cfg.methods for sample in cfg.samples)
    )
    used = used_by(s.calls, lambda step, call: step.partition("/")[0])
    result = await asyncio.to_thread(result_of, cfg.methods, named, used)
    return result.model_copy(update={"near": cfg.near}).model_dump(mode="json")


async def _named(s: Session, cfg: UnlabelledConfig, library: Library, method: Method, sample: Sample) -> MethodAnswer:
    """What a method says of a text. The text's own label is shown to nobody."""
    under = s.under(f"{method}/{sample.id}").repeated(METHODS.index(method) + 1)
    detection = DetectConfig(
        turns=(Turn(text=sample.text),),
        method=method,
        weights=cfg.weights,
        near=cfg.near,
        context_tokens=cfg.context_tokens,
    )
    found = Detection.model_validate(await detect(under, detection.model_dump(mode="json"), library))
    said = MethodAnswer(
        sample=sample.id,
        truth=sample.bias,
        method=method,
        verdict=found.verdict,
        bias=named_by(found),
        right=right(found, sample),
        matches=tuple(match.model_copy(update={"speeches": ()}) for match in found.matches if match.cards),
    )
    told = f"{said.bias} (unfounded)" if found.verdict == "unfounded" else found.name or found.verdict
    await under.say("named", VOICE, ["moderator"], f"{method}, {sample.id}: {told}", "progress")
    return said


def right(found: Detection, sample: Sample) -> bool | None:
    """Where a bias is there, only its name is right; where none is, only "none". A name by words that do not stand in
    the text is wrong: it was given, where "none" needs no words. None: no answer could be read.
    """
    if found.verdict == "unfounded":
        return False
    return (found.bias or "") == sample.bias if found.verdict in ("found", "none") else None


def named_by(found: Detection) -> str:
    """The id of the bias that was named, also without foundation (then all of them); "" for none."""
    unfounded = (candidate.bias for candidate in found.candidates if candidate.unfounded)
    return found.bias or ("; ".join(unfounded) or kebab(found.name) if found.verdict == "unfounded" else "")


def unlabelled_seats(methods: Iterable[Method]) -> tuple[str, ...]:
    """All seats that these methods ask."""
    turn = (Turn(text="any"),)
    return tuple(dict.fromkeys(seat for m in methods for seat in seats_of(DetectConfig(turns=turn, method=m))))


def result_of(methods: Sequence[str], named: Sequence[MethodAnswer], used: dict[str, UsageTotals]) -> UnlabelledResult:
    """The outcome. Pure."""
    by_method = {method: [one for one in named if one.method == method] for method in methods}
    rows = tuple(_row(method, of, used.get(method, UsageTotals())) for method, of in by_method.items())
    return UnlabelledResult(named=tuple(named), rows=rows, pairs=tuple(pairs_of(methods, named)))


def pairs_of(methods: Sequence[str], named: Sequence[MethodAnswer]) -> list[Pair]:
    """Each two methods on the same texts; nothing for one method alone."""
    of = {method: {one.sample: one.right for one in named if one.method == method} for method in methods}
    counts = {pair: _both(of[pair[0]], of[pair[1]]) for pair in combinations(methods, 2)}
    ps = [mcnemar(c[True, False], c[False, True]) if c.total() else None for c in counts.values()]
    return [
        Pair(
            first=first,
            second=second,
            both=c[True, True],
            only_first=c[True, False],
            only_second=c[False, True],
            neither=c[False, False],
            p=p,
            adjusted=adjusted,
        )
        for ((first, second), c), p, adjusted in zip(counts.items(), ps, holm(ps), strict=True)
    ]


def _both(one: Mapping[str, bool | None], other: Mapping[str, bool | None]) -> Counter[tuple[bool, bool]]:
    """How often which of two methods is right, over the texts on which both are known to be or not to be."""
    return Counter(
        (mine, theirs) for sample, mine in one.items() if mine is not None and (theirs := other.get(sample)) is not None
    )


def _row(method: str, named: Sequence[MethodAnswer], used: UsageTotals) -> MethodRow:
    return MethodRow(
        method=method,
        texts=len(named),
        unread=sum(one.right is None for one in named),
        unfounded=sum(one.verdict == "unfounded" for one in named),
        all=_share(named),
        present=_share([one for one in named if one.truth]),
        none=_share([one for one in named if not one.truth]),
        founded=_share([one for one in named if one.verdict != "unfounded"]),
        used=used,
    )


def _share(named: Sequence[MethodAnswer]) -> Share:
    read = [one.right for one in named if one.right is not None]
    return share(sum(read), len(read))
