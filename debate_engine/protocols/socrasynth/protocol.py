"""SocraSynth, one visible loop (Chang, arXiv 2402.06634, table 2). `NOTES.md` maps it to the paper."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from elenchus.debate_engine.events import CloseAsked, RoundAsked
from elenchus.debate_engine.protocols.crit.schemas import Quality
from elenchus.debate_engine.protocols.crit.scoring import noise_after
from elenchus.debate_engine.protocols.socrasynth.agenda import agree_agenda, merger_of
from elenchus.debate_engine.protocols.socrasynth.audience import vote
from elenchus.debate_engine.protocols.socrasynth.claim import claim_of
from elenchus.debate_engine.protocols.socrasynth.coaching import (
    ask_to_deepen,
    show_weakest,
    tell_unmet,
    tell_unreadable,
)
from elenchus.debate_engine.protocols.socrasynth.conciliation import CONCILIATION_HEAT
from elenchus.debate_engine.protocols.socrasynth.conclusion import Exchange, argued, conclude, listed, scored, settled
from elenchus.debate_engine.protocols.socrasynth.ending import at_limit, sides_are_done, weaker
from elenchus.debate_engine.protocols.socrasynth.open_question import DebateStart, moved, open_floor
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig, Round
from elenchus.debate_engine.protocols.socrasynth.small.claims import small_claims
from elenchus.debate_engine.protocols.socrasynth.turns import CLAIM_STANCES, STANCES, DebateSetup, prompts
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together


async def socrasynth(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """Run a debate. `config` is a dumped DebateConfig, the outcome a dumped Debate."""
    cfg = DebateConfig.model_validate(config)
    s = s.with_small(() if cfg.open_question else cfg.small)
    start, _ = await together(agreed(s, cfg), vote(s, "before", cfg.vote_seconds))
    if start.same:
        return (await settled(s, start)).model_dump(mode="json")
    held = await openings_and_rounds(s, start)
    await ask_to_deepen(s, "closing", held.quality)
    await tell_unmet(s, "closing")
    closings = await held.setup.simultaneously(s, "closing", prompts.closing, held.heat, "closing")
    debate, _ = await together(conclude(s, start, held, closings), vote(s, "after", cfg.vote_seconds))
    return debate.model_dump(mode="json")


async def agreed(s: Session, cfg: DebateConfig) -> DebateStart:
    """What the debate starts from: the sides' answers to an open question, or the agenda and the claim."""
    return await (open_floor(s, cfg, merger_of(s)) if cfg.open_question else prepared(s, cfg))


async def prepared(s: Session, cfg: DebateConfig) -> DebateStart:
    """The setup of a debate on a motion: its agenda, and the claim for one that is put as a question."""
    claims = await small_claims(s, cfg.motion)
    agenda, claim = await together(agree_agenda(s, cfg, claims), claim_of(s, cfg, claims))
    return DebateStart(DebateSetup(cfg, agenda, CLAIM_STANCES if claim else STANCES, merger_of(s), claim, claims))


async def openings_and_rounds(s: Session, start: DebateStart) -> Exchange:
    """Table 2's loop: the sides open, then refute each other as the heat falls, until one of the ends is reached."""
    setup, cfg = start.setup, start.setup.cfg
    heat = await s.heat("opening", cfg.heat)
    speeches = unscored = await setup.simultaneously(s, "opening", prompts.opening, heat, "opening")
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
        await ask_to_deepen(s, here, quality, cfg.coach)
        refute = setup.simultaneously if cfg.simultaneous else setup.in_turn
        said, ahead = await together(
            refute(s, here, prompts.refutation, heat, f"round {n}"),
            listed(s.under(f"{here}/crit"), start, unscored),
        )
        speeches = [*speeches, *said]
        now, wishes = await together(
            scored(s.under(f"{here}/crit"), start, [*unscored, *argued(setup, said)], quality, ahead),
            sides_are_done(s.under(f"{here}/done"), setup),
        )
        noise, quality, unscored = noise_after(quality, now), now, []
        rounds.append(Round(n=n, heat=heat, gamma=now.gamma, standing=now.standing, noise=noise))
        await show_weakest(s, here, now)
        await tell_unreadable(s, here, rounds)
        if (setup := moved(setup, wishes.ended, wishes.answers)).outcome:
            heat = min(CONCILIATION_HEAT, heat)
        ended = wishes.ended or weaker(cfg, rounds)
        if ended and not await s.wished(f"{here}/although-over", RoundAsked):
            break
    await s.record("rounds/ended", ended)
    if setup.outcome:
        heat = await s.heat("closing", heat)
    return Exchange(setup, speeches, unscored, rounds, quality, heat, ended)
