"""SocraSynth, one visible loop (Chang, arXiv 2402.06634, table 2). `NOTES.md` maps it to the paper."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from debate_engine.events import CloseAsked, RoundAsked
from debate_engine.protocols.crit.schemas import Quality
from debate_engine.protocols.crit.scoring import fell
from debate_engine.protocols.socrasynth.aftermath import Held, aftermath, listed, scored
from debate_engine.protocols.socrasynth.agenda import agree_agenda
from debate_engine.protocols.socrasynth.audience import vote
from debate_engine.protocols.socrasynth.coaching import asked_to_deepen, show_weakest, tell_unreadable
from debate_engine.protocols.socrasynth.ending import at_limit, sides_are_done
from debate_engine.protocols.socrasynth.floor import STANCES, Floor, prompts
from debate_engine.protocols.socrasynth.open_question import Opened, open_floor
from debate_engine.protocols.socrasynth.schemas import DebateConfig, Round
from debate_engine.protocols.socrasynth.small.claims import Claims, small_claims
from debate_engine.protocols.speech import SIDES
from debate_engine.session import Session
from debate_engine.tasks import together


async def socrasynth(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """Run a debate. `config` is a dumped DebateConfig, the outcome a dumped Debate."""
    cfg = DebateConfig.model_validate(config)
    s = s.with_small(() if cfg.open_question else cfg.small)
    claims = await small_claims(s, cfg.motion)
    opened, _ = await together(agreed(s, cfg, claims), vote(s, "before", cfg.vote_seconds))
    floor = Floor(cfg, opened.agenda, opened.stances, claims)
    held = await openings_and_rounds(s, floor, opened)
    closings = await floor.side_by_side(s, "closing", prompts.closing, held.heat, "closing")
    debate, _ = await together(aftermath(s, floor, opened, held, closings), vote(s, "after", cfg.vote_seconds))
    return debate.model_dump(mode="json")


async def agreed(s: Session, cfg: DebateConfig, claims: Claims) -> Opened:
    """What the debate starts from: the sides' answers to an open question, or the agenda."""
    return await open_floor(s, cfg) if cfg.open_question else Opened(await agree_agenda(s, cfg, claims), STANCES)


async def openings_and_rounds(s: Session, floor: Floor, opened: Opened) -> Held:
    """Table 2's loop: the sides open, then refute each other as the heat falls, until one of the ends is reached."""
    cfg = floor.cfg
    refute = floor.side_by_side if cfg.simultaneous else floor.in_turn
    heat = await s.heat("opening", cfg.heat)
    speeches = unscored = await floor.side_by_side(s, "opening", prompts.opening, heat, "opening")
    rounds: list[Round] = []
    quality: Quality | None = None
    ended = ""
    for n in itertools.count(1):
        here = f"round/{n}"
        heat = await s.heat(here, heat / cfg.decay)
        if await s.wished(f"{here}/to-closing", CloseAsked):
            ended = "the moderator called for the closings"
            break
        if (ended := at_limit(cfg, n, heat)) and not await s.wished(f"{here}/although-at-limit", RoundAsked):
            break
        for side in SIDES:
            await asked_to_deepen(s, here, cfg, quality, side)
        said, ahead = await together(
            refute(s, here, prompts.refutation, heat, f"round {n}"),
            listed(s.under(f"{here}/crit"), floor, opened, unscored),
        )
        speeches = [*speeches, *said]
        now, ended = await together(
            scored(s.under(f"{here}/crit"), floor, opened, [*unscored, *said], quality, ahead),
            sides_are_done(s.under(f"{here}/done"), floor),
        )
        quality, unscored = now, []
        rounds.append(Round(n=n, heat=heat, gamma=now.gamma, standing=now.standing))
        await show_weakest(s, here, now)
        await tell_unreadable(s, here, rounds)
        if not ended and fell([r.gamma for r in rounds]):
            ended = "argument quality fell"
        if ended and not await s.wished(f"{here}/although-over", RoundAsked):
            break
    await s.record("rounds/ended", ended)
    return Held(speeches, unscored, rounds, quality, heat, ended)
