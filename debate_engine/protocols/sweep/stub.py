"""The dry run of a sweep over heats: a debate's stub models, who all answer."""

from __future__ import annotations

from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.protocols.socrasynth import stub as debate
from elenchus.debate_engine.protocols.spec import DryRun
from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig


def stub(config: SweepConfig) -> Stub:
    """Anybody in a dry run: a debate's stub models."""
    return debate.stub(config.debate)


DRY_RUN = DryRun(stub=stub, drawn=True)
