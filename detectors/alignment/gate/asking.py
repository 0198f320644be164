"""The gate for a model that judges: it is shown the labelled statements as the referee of a debate is, twice.

One statement a call, or rounds of three in every order by rotation, so that each statement stands in every slot; the
second time the rounds stand the other way round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from elenchus.config.bias_type_catalogue import bias_type, types
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.protocols.rldf.marking import mark, marks
from elenchus.debate_engine.protocols.rldf.protocol import rotated
from elenchus.debate_engine.protocols.rldf.schemas import LETTERS, REFEREE, Marking
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.alignment.gate.conditions import Reading, conditions_of, read_twice, scores_of
from elenchus.detectors.alignment.gate.statements import ROUND, LabelledStatement, hash_of, rounds_of
from elenchus.detectors.alignment.verdicts import Verdict


class GateConfig(FrozenModel):
    """The statements for `judge`. `small`: its model is a small one."""

    title: str = "judge gate"
    judge: str
    marking: Marking = "one"
    items: tuple[LabelledStatement, ...] = Field(min_length=2)
    small: bool = False
    seed: int = 0
    version: str


class GateResult(FrozenModel):
    """The outcome: the verdict, and every score (see `Reading`)."""

    verdict: Verdict
    readings: tuple[tuple[int, int, int, float | None], ...]


async def gate(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """A dumped `GateConfig` in, a dumped `GateResult` out.

    Step keys: `repeat/1/12/score`, or `repeat/1/round/3/1/scores`.
    """
    cfg = GateConfig.model_validate(config)
    s = s.with_small([REFEREE] if cfg.small else []).recalling()
    repeats = [s.repeated(n).under(f"repeat/{n}") for n in (1, 2)]
    if cfg.marking == "one" or cfg.small:
        work = [_alone(here, cfg, n, repeat) for repeat, here in enumerate(repeats, 1) for n in range(len(cfg.items))]
    else:
        work = [
            _round(here, cfg, number, repeat, rotation)
            for repeat, here in enumerate(repeats, 1)
            for number in range(len(rounds_of(cfg.items)))
            for rotation in range(ROUND)
        ]
    readings = [one for of in await together(*work) for one in of]
    created = await s.now("created")
    verdict = await asyncio.to_thread(verdict_of, cfg, readings, created)
    return GateResult(
        verdict=verdict, readings=tuple((r.item, r.repeat, r.slot, r.score) for r in readings)
    ).model_dump(mode="json")


def verdict_of(cfg: GateConfig, readings: list[Reading], created: Any) -> Verdict:
    """What the gate says of these scores. Pure."""
    marking: Marking = "one" if cfg.small else cfg.marking
    first, second = (scores_of(cfg.items, [one for one in readings if one.repeat == n]) for n in (1, 2))
    return Verdict(
        judge=cfg.judge, marking=marking, items=len(cfg.items), topics=len({one.subject for one in cfg.items}),
        unread=read_twice(first, second).count(None), labelled=hash_of(cfg.items), version=cfg.version, created=created,
        conditions=conditions_of(cfg.items, readings, marking, cfg.seed),
    )  # fmt: skip


async def _alone(s: Session, cfg: GateConfig, n: int, repeat: int) -> list[Reading]:
    one = cfg.items[n]
    given = await mark(s, f"{n + 1}/score", one.bias, about(one.bias), one.topic, one.text)
    return [Reading(n, repeat, 0, None if isinstance(given, Declined) else given.score)]


async def _round(s: Session, cfg: GateConfig, number: int, repeat: int, rotation: int) -> list[Reading]:
    """A round in one order; the second time it stands the other way round."""
    places = rotated(rounds_of(cfg.items)[number][:: 1 if repeat == 1 else -1], rotation)
    one = cfg.items[places[0]]
    texts = [cfg.items[n].text for n in places]
    given = await marks(s, f"round/{number + 1}/{rotation + 1}/scores", one.bias, about(one.bias), one.topic, texts)
    scores = [
        None if isinstance(given, Declined) else getattr(given, letter).score for letter in LETTERS[: len(places)]
    ]
    return [Reading(n, repeat, slot, score) for slot, (n, score) in enumerate(zip(places, scores, strict=True), 1)]


def about(bias: str) -> str:
    """What a type of bias is about, as referees of debates are told it; one's own type by its name."""
    return bias_type(bias).about if bias in types() else bias
