"""A small design for the tests: a frame that varies within subjects, a pressure that varies between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.cases import Outcome
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.plan import Plan

LEVELS, PRESSURES = ("gain", "loss"), ("cue", "quiet")
ORDERS = ("gain-loss", "loss-gain")
DESIGN = Design(
    cells=tuple(f"{level}/{pressure}" for level in LEVELS for pressure in PRESSURES),
    factors=("frame", "pressure"),
    within=(True, False),
    met={
        f"{pressure}/{order}": tuple((level, f"{level}/{pressure}") for level in order.split("-"))
        for pressure in PRESSURES
        for order in ORDERS
    },
)
WITHIN, BETWEEN = "gain/* - loss/*", "*/cue - */quiet"
ONE_LEVEL, MIXED = "gain/cue - gain/quiet", "(gain/cue - loss/cue) - (gain/quiet - loss/quiet)"


def subject(n: int, version: str, gain: Outcome, loss: Outcome, who: str = PEOPLE) -> Observation:
    """One subject with what came out at both levels."""
    return Observation(
        session=f"s{n}", role="Ada", cell=Cell(subject=who, style="", condition=version), result="not judged",
        record=f"r{n}", seed=n, temperature=None,
        outcomes={level: {"gain": gain, "loss": loss}[level] for level in version.rpartition("/")[2].split("-")},
    )  # fmt: skip


def subjects(
    each: int = 8, seed: int = 1, *, shares: bool = False, who: Sequence[str] = (PEOPLE,)
) -> list[Observation]:
    """So many in each version: more at gain, more yet under pressure."""
    chance, made = np.random.default_rng(seed), list[Observation]()
    for name in who:
        for version in DESIGN.met:
            for _ in range(each):
                own = float(chance.normal(50, 10))
                gain = own + float(chance.normal(8 if version.startswith("cue") else 3, 6))
                loss = own + float(chance.normal(0, 6))
                if shares:
                    made.append(subject(len(made), version, gain > 52, loss > 52, name))
                else:
                    made.append(subject(len(made), version, round(gain, 2), round(loss, 2), name))
    return made


def crossover(runs: Sequence[Observation], *contrasts: str | Contrast, outcome: str = "risk", **plan: object) -> Study:
    """The study over them."""
    named = tuple(one if isinstance(one, Contrast) else Contrast(compare=one) for one in contrasts)
    made = Plan.model_validate({"contrasts": named, **plan})
    return study_of(StudiedScene(name="frames", title="Frames", design=DESIGN, outcome=outcome, plan=made), runs)
