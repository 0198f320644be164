"""A run of CogBench: checked, estimated, kept, and its results. Front ends run it by the `GridRunner`."""

from __future__ import annotations

import asyncio
import re
import secrets
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field, field_validator

from elenchus.debate_engine import events
from elenchus.debate_engine.dry_run.estimate import pace_of, places, plan_document
from elenchus.debate_engine.dry_run.plan import side_by_side
from elenchus.debate_engine.dry_run.simulation import plan_of
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.schemas import CognitionResult, Feedback, MethodName
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import RunLimit
from elenchus.debate_engine.runner import end_of, new_id
from elenchus.detectors.evaluation.cogbench.runs import CALLED, CogBenchCell, CogBenchRun, cells_of
from elenchus.detectors.evaluation.cogbench.topics import Material
from elenchus.service.lab.grid_estimate import need_of
from elenchus.service.lab.new_sessions import first_event
from elenchus.service.lab.options import RunOptions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from elenchus.config.settings import Settings
    from elenchus.debate_engine.dry_run.plan import Pace
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.log import EventLog

KEPT = "cogbench-runs"
"""Where runs are kept."""
TOLD = ("react", "reflexion")
"""Methods that are told what people said of their last answers."""


class CogBenchOptions(RunOptions):
    """A method over topics and profiles. `called`: its name in the results (default: the paper's).

    `control`: everything once more with flows that push nobody. At the most `at_once` sessions go side by side (None:
    half as many again as the calls that the model's provider takes at once).
    """

    method: MethodName
    called: str = Field(default="", max_length=60)
    topics: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    control: bool = False
    at_once: int | None = Field(default=None, ge=1, le=1_000, examples=[16])

    @field_validator("called")
    @classmethod
    def _a_name(cls, called: str) -> str:
        if not re.fullmatch(r"[\w .()+-]*", called) or called.strip() == "human_rating":
            raise ValueError("{called} is what the results call the method: letters, digits, spaces, and . ( ) + - _")
        return called


class KeptRun(NamedTuple):
    """A run, and what one session of it may use at the most."""

    run: CogBenchRun
    need: RunLimit


class Estimate(NamedTuple):
    """The document of a dry run, what one session may use at the most, and how many go side by side."""

    document: dict[str, Any]
    need: RunLimit
    side_by_side: int


def run_of(
    options: CogBenchOptions,
    spec: str,
    material: Material,
    registry: Registry,
    feedback: Mapping[str, tuple[tuple[Feedback, ...], ...]] | None = None,
) -> CogBenchRun:
    """The plan of a run. Raises UsageError where it cannot be played."""
    if is_human(spec):
        raise UsageError("CogBench measures models: give --model provider:model. A person rates on a sheet.")
    if feedback and options.method not in TOLD:
        raise UsageError(f"Only {' and '.join(TOLD)} are told what people said: leave out the feedback.")
    chosen, run_id = material.only(options.topics, options.profiles), new_id()
    seed = secrets.randbelow(2**31) if options.seed is None else options.seed
    return CogBenchRun(
        id=run_id,
        called=options.called.strip() or CALLED[options.method],
        method=options.method,
        model=spec,
        material=chosen,
        feedback=feedback or {},
        runs=cells_of(run_id, spec, chosen, seed, control=options.control),
        small=bool(registry.small_seats([Seat(name=PERSONA, spec=spec)])),
        version=version("elenchus"),
        created=events.now(),
        **{name: getattr(options, name) for name in RunOptions.model_fields},
    )


def seat_of(run: CogBenchRun) -> Seat:
    """The persona's."""
    return Seat(name=PERSONA, spec=run.model, price=run.price)


def started_of(run: CogBenchRun, cell: CogBenchCell) -> SessionStarted:
    """The first event of a session, without a budget."""
    options = RunOptions.model_validate({name: getattr(run, name) for name in RunOptions.model_fields})
    alone = options.model_copy(update={"budget_tokens": None, "budget_usd": None})
    title = f"{run.called}: {cell.profile}, {cell.topic}{' (control)' if cell.control else ''}"
    return first_event("cognition", title, run.config(cell), [seat_of(run)], alone, cell.seed)


# ── the estimate ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def planned(run: CogBenchRun, settings: Settings, registry: Registry, at_once: int | None = None) -> Estimate:
    """What the run asks at the most: of each topic one session is played dry, off the event loop."""

    def paced(spec: str) -> Pace:
        return pace_of(settings, registry, spec)

    firsts: dict[tuple[str, bool], CogBenchCell] = {}
    for cell in run.runs:
        firsts.setdefault((cell.topic, cell.control), cell)
    plans = {of: await asyncio.to_thread(plan_of, started_of(run, cell), paced) for of, cell in firsts.items()}
    width = width_of(run, settings, registry, at_once)
    times = len(run.material.profiles)
    whole = plan_document(side_by_side([(plan, times) for plan in plans.values()], paced, width), registry, run.price)
    topics = {of: plan_document(plan, registry, run.price) for of, plan in plans.items()}
    document = {
        **{name: value for name, value in whole.items() if name not in ("by_seat", "longest_chain", "of_people")},
        "method": run.called,
        "model": run.model,
        "sessions": len(run.runs),
        "side_by_side": width,
        "by_topic": [
            {
                "topic": topic,
                "control": control,
                "sessions": times,
                "calls": one["calls"],
                "tokens": one["input_tokens"] + one["output_tokens"],
                "usd": one["usd"],
            }
            for (topic, control), one in topics.items()
        ],
    }
    return Estimate(document, need_of(list(topics.values())), width)


def width_of(run: CogBenchRun, settings: Settings, registry: Registry, at_once: int | None = None) -> int:
    """How many sessions go side by side: so many, or half as many again as the provider takes calls at once."""
    if at_once is None:
        calls = places(settings, registry, [run.model])
        at_once = calls + calls // 2
    return min(at_once, len(run.runs))


# ── kept, and its results ────────────────────────────────────────────────────────────────────────────────────────────


async def keep(store: KeyValueStore, kept: KeptRun) -> None:
    """Put it where whoever goes on with it finds it. Raises StorageError."""
    document = {"run": kept.run.model_dump(mode="json"), "need": asdict(kept.need)}
    await store.put(KEPT, kept.run.id, document)


async def kept_runs(store: KeyValueStore) -> dict[str, KeptRun]:
    """All runs by id. Raises StorageError."""
    return {
        run_id: KeptRun(CogBenchRun.model_validate(document["run"]), RunLimit(**document["need"]))
        for run_id, document in (await store.all(KEPT)).items()
    }


async def outcomes_of(log: EventLog, cells: Sequence[CogBenchCell]) -> dict[str, CognitionResult]:
    """What came of the sessions that have finished, by id."""
    found = {}
    for cell in cells:
        try:
            end = end_of(cell.session, await log.read(cell.session))
        except UnknownSession:
            continue
        if end is not None and end.outcome is not None:
            found[cell.session] = CognitionResult.model_validate(end.outcome)
    return found
