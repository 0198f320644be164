"""Many sessions of one plan, side by side: what they ask at the most, how the plan is kept, what came of them."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from elenchus.debate_engine.dry_run.estimate import pace_of, places, plan_document
from elenchus.debate_engine.dry_run.plan import side_by_side
from elenchus.debate_engine.dry_run.simulation import plan_of
from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import PlannedRun, RunLimit
from elenchus.debate_engine.run_ends import end_of
from elenchus.service.lab.options import RunOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Hashable, Iterable, Mapping, Sequence

    from elenchus.config.models import Price
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.dry_run.plan import Pace
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.log import EventLog

M = TypeVar("M", bound=BaseModel)
R = TypeVar("R", bound=PlannedRun)
K = TypeVar("K", bound="Hashable")
Document = dict[str, Any]

_MARGIN = 1.25
"""On what a run may use, as tokens are estimated and an attempt may be repeated."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The document of a dry run, what one session may use at the most, and how many go side by side."""

    document: Document
    need: RunLimit
    side_by_side: int


class KeptPlan(NamedTuple, Generic[M]):
    """A plan, and what one session of it may use at the most."""

    run: M
    need: RunLimit


async def rehearsed(
    first: Mapping[K, tuple[SessionStarted, int]],
    settings: Settings,
    registry: Registry,
    price: Price | None,
    width: int,
) -> tuple[Document, dict[K, Document]]:
    """What all sessions ask at the most, and what one of each kind does: it is played dry, off the event loop.

    `first` has the first event of one session of each kind, and how many of them there are.
    """

    def paced(spec: str) -> Pace:
        return pace_of(settings, registry, spec)

    plans = {kind: (await asyncio.to_thread(plan_of, started, paced), n) for kind, (started, n) in first.items()}
    whole = plan_document(side_by_side(list(plans.values()), paced, width), registry, price)
    return whole, {kind: plan_document(plan, registry, price) for kind, (plan, _) in plans.items()}


def need_of(documents: Iterable[Mapping[str, Any]]) -> RunLimit:
    """What a session of the dearest kind may use: all hidden reasoning too, as each call is held to its own most.

    Dollars are those of the models whose price is known.
    """
    each = list(documents)
    tokens = max(one["input_tokens"] + one["output_tokens"] + one["reasoning_tokens"] for one in each)
    usd = max(sum((row["usd"] or 0.0) + (row["reasoning_usd"] or 0.0) for row in one["by_seat"]) for one in each)
    return RunLimit(ceil(tokens * _MARGIN), usd * _MARGIN)


def width_of(
    specs: Collection[str], sessions: int, settings: Settings, registry: Registry, at_once: int | None = None
) -> int:
    """How many go side by side: so many, or half as many again as their models' providers take calls at once.

    A session writes down and reads between its calls; meanwhile another one's call has the place.
    """
    if at_once is None:
        calls = places(settings, registry, {spec for spec in specs if not is_human(spec)})
        at_once = calls + calls // 2
    return min(at_once, sessions)


def run_options_of(plan: BaseModel) -> RunOptions:
    """What a plan was told for all its sessions together."""
    return RunOptions.model_validate({name: getattr(plan, name) for name in RunOptions.model_fields})


def run_options_of_one(plan: BaseModel) -> RunOptions:
    """As `run_options_of`, without the budget: that is for all of them."""
    return run_options_of(plan).model_copy(update={"budget_tokens": None, "budget_usd": None})


async def keep(store: KeyValueStore, place: str, plan_id: str, kept: KeptPlan[M]) -> None:
    """Put it where whoever goes on with it finds it. Raises StorageError."""
    await store.put(place, plan_id, {"run": kept.run.model_dump(mode="json"), "need": asdict(kept.need)})


async def kept_plans(store: KeyValueStore, place: str, model: type[M]) -> dict[str, KeptPlan[M]]:
    """All that are kept there, by id. Raises StorageError."""
    return {
        plan_id: KeptPlan(model.model_validate(document["run"]), RunLimit(**document["need"]))
        for plan_id, document in (await store.all(place)).items()
    }


async def outcomes_of(log: EventLog, cells: Sequence[R], model: type[M]) -> AsyncIterator[tuple[R, M]]:
    """What came of the sessions that have finished."""
    for cell in cells:
        try:
            end = end_of(cell.session, await log.read(cell.session))
        except UnknownSession:
            continue
        if end is not None and end.outcome is not None:
            yield cell, model.model_validate(end.outcome)
