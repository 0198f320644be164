"""What a detection or a bench asks of its models, at the most: it is rehearsed with stand-ins (see `rehearsal`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan, side_by_side
from elenchus.debate_engine.dry_run.simulation import simulate
from elenchus.debate_engine.dry_run.stubs import SchemaFiller
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted
from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.founded import AGAIN
from elenchus.debate_engine.protocols.registry import spec_of
from elenchus.detectors.evaluation.schemas import Sample, UnlabelledConfig
from elenchus.detectors.library import CatalogueLibrary
from elenchus.detectors.schemas import MOST_SUSPECTED, DetectConfig

CLASSES = 4
"""The texts of a detection bench fall into so many classes of like size; each is rehearsed with its longest."""


def plan(cfg: DetectConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls of a detection whose screeners name as many different biases as they may, all of them confirmed, but
    only when they are asked once more.

    Blocks for some tenths of a second; call it in a thread that runs no event loop.
    """
    spoken = (turn.text for turn in cfg.turns if cfg.speaker in ("", turn.speaker))
    return rehearsed("detect", cfg, seats, pace_of, max(spoken, key=len))


# ── benches ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def plan_bench(protocol: str, cfg: FrozenModel, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls of a bench in which nothing is kept yet and every screener names all that it may.

    Blocks, for a large bench some seconds; call it in a thread that runs no event loop.
    """
    if not isinstance(cfg, UnlabelledConfig) or len(cfg.samples) <= CLASSES:
        return rehearsed(protocol, cfg, seats, pace_of)
    classes = [
        (rehearsed(protocol, cfg.model_copy(update={"samples": (longest,)}), seats, pace_of), times)
        for longest, times in by_size(cfg.samples)
    ]
    return side_by_side(classes, pace_of)


def rehearsed(
    protocol: str, cfg: FrozenModel, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace(), text: str = ""
) -> Plan:
    """The protocol played through as it is; its stand-ins quote from `text`. Blocks: about a millisecond a call."""
    spec = spec_of(protocol)
    run = partial(spec.runs, **({"library": Widest()} if spec.needs else {}))
    config = cfg.model_dump(mode="json")
    started = SessionStarted(
        protocol=protocol, title="rehearsal", config=config, seats=tuple(seats), seed=0, version=""
    )
    return simulate(started, run, StandIn(text), pace_of)


def by_size(samples: Sequence[Sample]) -> list[tuple[Sample, int]]:
    """`CLASSES` classes of like size: the longest text of each, and how many texts are in it."""
    ranked = sorted(samples, key=lambda sample: estimate_tokens(sample.text))
    ends = [len(ranked) * n // CLASSES for n in range(CLASSES + 1)]
    return [(ranked[end - 1], end - start) for start, end in pairwise(ends)]


# ── stand-ins ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Widest(CatalogueLibrary):
    """The catalogue, finding near a text what no screener names."""

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """Biases that the stand-in screeners do not name."""
        return tuple(await self.names())[2 * MOST_SUSPECTED :][:most]


class StandIn:
    """Anybody in a detection: suspects all that it may, confirms it, and is never content with a talk.

    What it quotes does not stand in the text; asked once more, a detector quotes from `text` (default: from the line
    of what it is shown that is longest), so that its yes counts.
    """

    def __init__(self, text: str = "") -> None:
        self._filler = SchemaFiller()
        self._text = text

    def __call__(self, ask: Ask) -> Any:
        """An answer of the asked form."""
        if ask.answer_schema is None:
            return self._filler.words(ask.max_tokens // 2)
        value = self._filler.fill(ask.answer_schema)
        match ask.schema_name:
            case "Suspected":
                names = ask.answer_schema["properties"]["biases"]["items"]["enum"]
                first = MOST_SUSPECTED if ask.seat == "conservative" else 0
                return {"biases": names[first : first + MOST_SUSPECTED]}
            case "Critique":
                return value | {"settled": "no"}
            case "Check" if ask.step.endswith(AGAIN):
                return value | {"quotes": [quotable(self._text or _shown(ask))]}
        return value


def quotable(text: str) -> str:
    """The first words of the longest line of a text, as many as a quote may have at the least."""
    return " ".join(max(text.splitlines(), key=len).split()[:8])[:200]


def _shown(ask: Ask) -> str:
    return next((section.text for section in ask.material if section.title == "The text"), "")
