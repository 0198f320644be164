"""The sessions of CogBench beside those of the personas themselves: what makes a benchmark, and what judges reasons."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.detectors.evaluation.cogbench.generate_schemas import CHECKER, WRITER
from elenchus.detectors.evaluation.cogbench.judging import JUDGE

_HERE = "elenchus.detectors.evaluation.cogbench"

GENERATE = ProtocolSpec(
    name="cogbench-generate",
    noun="benchmark in the making",
    run=f"{_HERE}.generate:generate",
    seats=(WRITER, CHECKER),
    config=f"{_HERE}.generate_schemas:GenerateConfig",
    outcome=f"{_HERE}.generate_schemas:GenerateResult",
    step_words=(
        (r"(^|/)write/\d+$", "writes opinions"),
        (r"(^|/)check/\d+/\d+$", "checks an opinion"),
        (r"^profile/\d+$", "makes a profile"),
    ),
    dry_run=f"{_HERE}.presentation:GENERATE_DRY_RUN",
    presentation=f"{_HERE}.presentation:GENERATE",
)
JUDGING = ProtocolSpec(
    name="cogbench-judge",
    noun="rating of reasons",
    run=f"{_HERE}.judging:judge",
    seats=(JUDGE,),
    config=f"{_HERE}.judging:JudgeConfig",
    outcome=f"{_HERE}.judging:JudgeResult",
    step_words=((r"/score$", "rates a reason"),),
    tasks=((r"/score$", "a score"),),
    presentation=f"{_HERE}.presentation:JUDGING",
)
