"""10,000 simulated subjects of a 3 × 2 design in three strata are analysed and reported in less than 10 seconds.

People and eleven models, three judges each; once what came out is a number, once yes or no. The time of a fresh process
runs from the subjects, which are there, to the study, its report and its picture; the first imports are part of the
first of the two.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from elenchus.debate_engine.protocols.rulegen.played import Opinion, Quote
from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, study_of
from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.protocols.rulegen.study.plot import study_plot
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.plan import Plan

SUBJECTS, MODELS, LIMIT = 10_000, 11, 10.0
VERSIONS = tuple(f"{anchor}/{pressure}" for anchor in ("low", "high", "none") for pressure in ("cue", "quiet"))
WHO = (PEOPLE, *(f"openai:m{n}" for n in range(MODELS)))
PLAN = Plan(
    n=SUBJECTS,
    contrasts=(
        Contrast(compare="high/* - low/*", expect="greater"),
        Contrast(compare="*/cue - */quiet", expect="same", margin=0.05),
    ),
    strata=("school",),
)


def subjects(rng: np.random.Generator, *, numbers: bool) -> list[Observation]:
    """Everybody's run, judged by three."""
    found = []
    for n in range(SUBJECTS):
        version, subject = VERSIONS[n % len(VERSIONS)], WHO[n // len(VERSIONS) % len(WHO)]
        price = float(rng.normal(300 if version.startswith("high") else 200, 60))
        seen = bool(rng.random() < 0.5)
        quotes = (Quote(words="I say so", stands="subject"),) if seen else ()
        opinions = [
            Opinion(judge=f"judge-{k}", subject="Ada", present=seen, reason="so", quotes=quotes) for k in (1, 2, 3)
        ]
        found.append(
            Observation(
                session=f"s{n}", role="Ada", cell=Cell(subject=subject, style="", condition=version), seed=n,
                result="present" if seen else "absent", record=f"r{n}", temperature=None, opinions=tuple(opinions),
                outcome=price if numbers else price > 240,
                stated={"school": ("lower", "middle", "upper")[n * 7 % 10 % 3]},
            )
        )  # fmt: skip
    return found


def seconds(runs: list[Observation], outcome: str) -> tuple[float, float, float]:
    """How long analysis, report and picture take."""
    begun = time.perf_counter()
    study = study_of(
        StudiedScene(
            name="jar", title="The jar", bias="Anchoring", design=Design.between(VERSIONS), outcome=outcome, plan=PLAN
        ),
        runs,
    )
    analysed = time.perf_counter()
    study_markdown(study)
    reported = time.perf_counter()
    study_plot(study)
    return analysed - begun, reported - analysed, time.perf_counter() - reported


def main() -> int:
    """Measure both kinds, print the table."""
    rng = np.random.default_rng(1)
    print("| what came out | analysis, s | report, s | picture, s | together, s |\n| --- | ---: | ---: | ---: | ---: |")
    slowest = 0.0
    for name, outcome in (("a number", "price"), ("yes or no", "price > 240")):
        parts = seconds(subjects(rng, numbers=name == "a number"), outcome)
        slowest = max(slowest, sum(parts))
        print(f"| {name} | {' | '.join(f'{part:.2f}' for part in parts)} | **{sum(parts):.2f}** |")
    return int(slowest >= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
