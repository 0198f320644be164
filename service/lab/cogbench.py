"""A run of CogBench: checked, estimated, kept, and its results. Front ends run it by the `GridRunner`."""

from __future__ import annotations

import re
import secrets
from importlib.metadata import version
from typing import TYPE_CHECKING

from pydantic import Field, field_validator

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.schemas import Feedback, MethodName
from elenchus.debate_engine.runner import new_id
from elenchus.detectors.evaluation.cogbench.runs import CALLED, CogBenchCell, CogBenchRun, cells_of
from elenchus.detectors.evaluation.cogbench.topics import Material
from elenchus.service.lab.batches import Estimate, need_of, rehearsed, run_options_of_one, width_of
from elenchus.service.lab.new_sessions import first_event
from elenchus.service.lab.options import RunOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.debate_engine.llm.registry import Registry

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
    title = f"{run.called}: {cell.profile}, {cell.topic}{' (control)' if cell.control else ''}"
    return first_event("cognition", title, run.config(cell), [seat_of(run)], run_options_of_one(run), cell.seed)


# ── the estimate ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def planned(run: CogBenchRun, settings: Settings, registry: Registry, at_once: int | None = None) -> Estimate:
    """What the run asks at the most: of each topic one session is played dry."""
    times = len(run.material.profiles)
    firsts: dict[tuple[str, bool], CogBenchCell] = {}
    for cell in run.runs:
        firsts.setdefault((cell.topic, cell.control), cell)
    first = {of: (started_of(run, cell), times) for of, cell in firsts.items()}
    width = width_of([run.model], len(run.runs), settings, registry, at_once)
    whole, topics = await rehearsed(first, settings, registry, run.price, width)
    document = {
        **{name: value for name, value in whole.items() if name not in ("by_seat", "longest_chain", "of_people")},
        "method": run.called, "model": run.model, "sessions": len(run.runs), "side_by_side": width,
        "by_topic": [
            {"topic": topic, "control": control, "sessions": times, "calls": one["calls"],
             "tokens": one["input_tokens"] + one["output_tokens"], "usd": one["usd"]}
            for (topic, control), one in topics.items()
        ],
    }  # fmt: skip
    return Estimate(document, need_of(topics.values()), width)
