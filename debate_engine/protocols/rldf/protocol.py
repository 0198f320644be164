"""RLDF's debate, one visible loop: roles speak in turn, a referee scores them for bias, and they try for less of it.

Cheng et al., arXiv 2404.10160, section 3. Where the lines stand in the paper, and what differs from it: NOTES.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.events import EVERYONE
from elenchus.debate_engine.protocols.rldf.marking import marked
from elenchus.debate_engine.protocols.rldf.schemas import REFEREE, Debated, RldfConfig, Round
from elenchus.debate_engine.protocols.rldf.speaking import speak
from elenchus.debate_engine.session import Session


async def rldf(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """A debate on the seats `role-1` to `role-n` and `referee`; a dumped `RldfConfig` in, a dumped `Debated` out.

    Step keys: `round/2/role-1/statement`, `round/2/role-1/score` or `round/2/scores`.
    """
    cfg = RldfConfig.model_validate(config)
    s = s.with_small(cfg.small).recalling().repeated(cfg.sample)
    order = s.shuffled("order", cfg.seats)
    rounds: list[Round] = []
    for n in range(1, cfg.rounds + 1):
        here = s.under(f"round/{n}")
        said = []
        for place, seat in enumerate(rotated(order, n - 1), 1):
            said.append(await speak(here.under(seat), cfg, n, place, seat))
            if said[-1].text:
                await here.say(f"{seat}/said", seat, [EVERYONE], said[-1].text, f"round {n}")
        rounds.append(Round(number=n, statements=await marked(here, cfg, rotated(said, n - 1))))
        for one in rounds[-1].statements:
            if one.score is not None and n < cfg.rounds:
                await here.say(f"{one.seat}/told", REFEREE, [one.seat], verdict(one.score, one.rank), f"round {n}")
    return Debated(
        bias=cfg.bias.name,
        topic=cfg.topic,
        identities=tuple(map(cfg.called, cfg.seats)),
        marking=cfg.marking,
        mode=cfg.mode,
        sample=cfg.sample,
        rounds=tuple(rounds),
    ).model_dump(mode="json")


def rotated(order: Sequence[Any], by: int) -> list[Any]:
    """The same order, begun so many places later: over the rounds everybody has every place."""
    return [order[(n + by) % len(order)] for n in range(len(order))]


def verdict(score: int, rank: int | None) -> str:
    """What a role hears of its statement."""
    ranked = f", place {rank}" if rank else ""
    return f"Your statement has {score} of 10 for bias, where 0 is none{ranked} (place 1 is the least biased)."
