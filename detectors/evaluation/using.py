"""What a bench has used, put together from the calls of its steps. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from elenchus.debate_engine.events import CallRecord
from elenchus.detectors.evaluation.schemas import Used


def used_by(calls: Mapping[str, Sequence[CallRecord]], group: Callable[[str, CallRecord], str]) -> dict[str, Used]:
    """The calls, grouped by what `group` makes of a step's key and a call."""
    grouped: dict[str, list[CallRecord]] = defaultdict(list)
    for step, made in calls.items():
        for call in made:
            grouped[group(step, call)].append(call)
    return {name: used(of) for name, of in sorted(grouped.items())}


def used(calls: Iterable[CallRecord]) -> Used:
    """All of these together; a recalled answer counts with what it had used."""
    total = {"calls": 0, "recalled": 0, "input_tokens": 0, "output_tokens": 0, "seconds": 0.0}
    for call in calls:
        of = call.recalled or call
        total["calls"] += 1
        total["recalled"] += call.recalled is not None
        total["input_tokens"] += of.input_tokens
        total["output_tokens"] += of.output_tokens
        total["seconds"] += of.seconds
    return Used.model_validate(total)
