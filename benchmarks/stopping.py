"""Claim: of debates without any trend the paper's rule ends half after round 2, `--stop noise` one in twenty.

By round 5 the paper's rule has ended more than nine in ten of them, and `--stop noise` more than half too: two falls
running, the other thing that ends the rounds, are frequent by chance.

Simulated reasons, no model: a reason's γ is drawn around a mean (standard deviation 1.5, rounded, 1 to 10), its θ
evenly from 3 to 9. The first round scores openings and rebuttals, each further one as many rebuttals: two sides,
two reasons a topic. The mean stays (no trend), or falls or rises by one point or two from round to
round. What the table counts is our own code (`gamma_of`, `noise_of`, `weaker`) over 2,000 debates
each, of at most five rounds.

The noise takes the scores of reasons as independent. The second table is what that costs where they are not: no trend,
two topics, and a part of the variance of γ is common to all reasons of a round; and where the sides are of different
quality (means 8 and 4), so that the spread is more than noise.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import get_args

from elenchus.debate_engine.protocols.crit.schemas import ScoredReason
from elenchus.debate_engine.protocols.crit.scoring import gamma_of, noise_of
from elenchus.debate_engine.protocols.socrasynth.ending import weaker
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig, Round, StopRule

DEBATES, ROUNDS, SPREAD, START = 2_000, 5, 1.5, 6.0
TRENDS = {"none": 0.0, "falls by 1": -1.0, "falls by 2": -2.0, "rises by 1": 1.0}
DEPENDENT = {
    "independent": (0.0, 0.0),
    "20 % of the variance is a round's": (0.2, 0.0),
    "40 % of the variance is a round's": (0.4, 0.0),
    "sides of 8 and of 4": (0.0, 2.0),
}


def reasons(
    chance: random.Random, count: int, mean: float, common: float = 0.0, apart: float = 0.0
) -> list[ScoredReason]:
    """Return so many scored reasons around a mean; `common` of the variance is the round's, the sides differ by 2 ×
    `apart`.
    """
    made = []
    mean += chance.gauss(0, SPREAD * common**0.5) if common else 0.0
    for n in range(count):
        around = mean + (apart if n % 2 else -apart)
        gamma = float(min(10, max(1, round(chance.gauss(around, SPREAD * (1 - common) ** 0.5)))))
        made.append(ScoredReason(side="pro", about="", reason="r", gamma=gamma, theta=float(chance.randint(3, 9))))
    return made


def ended_after(
    cfg: DebateConfig, seed: int, topics: int, trend: float, common: float = 0.0, apart: float = 0.0
) -> int:
    """Return the round after which the quality ends a simulated debate; 0 where it does not within five."""
    chance = random.Random(seed)
    known: list[ScoredReason] = []
    rounds: list[Round] = []
    for n in range(1, ROUNDS + 1):
        new = reasons(chance, 4 * topics * (2 if n == 1 else 1), START + trend * (n - 1), common, apart)
        noise = noise_of(known, new)
        known = [*known, *new]
        rounds.append(Round(n=n, heat=0.5, gamma=gamma_of(known), noise=noise))
        if weaker(cfg, rounds):
            return n
    return 0


def shares(
    rule: StopRule, topics: int, trend: float, debates: int = DEBATES, *, common: float = 0.0, apart: float = 0.0
) -> list[float]:
    """Return the share of debates that have ended by rounds 2, 3, 4 and 5."""
    cfg = DebateConfig(motion="simulated", stop=rule)
    ends = Counter(ended_after(cfg, seed, topics, trend, common, apart) for seed in range(debates))
    return [sum(ends[n] for n in range(1, last + 1)) / debates for last in range(2, ROUNDS + 1)]


def main() -> None:
    """Print the table."""
    print("| topics | quality of new reasons | rule | ended by round 2 | by 3 | by 4 | by 5 |")
    print("| --: | :-- | :-- | --: | --: | --: | --: |")
    for topics in (2, 5):
        for name, trend in TRENDS.items():
            for rule in get_args(StopRule):
                told = " | ".join(f"{share:.0%}" for share in shares(rule, topics, trend))
                print(f"| {topics} | {name} | {rule} | {told} |")
    print("\n| scores of reasons, no trend, noise | ended by round 2 | by 3 | by 4 | by 5 |")
    print("| :-- | --: | --: | --: | --: |")
    for name, (common, apart) in DEPENDENT.items():
        told = " | ".join(f"{share:.0%}" for share in shares("noise", 2, 0.0, common=common, apart=apart))
        print(f"| {name} | {told} |")


if __name__ == "__main__":
    main()
