"""The benches of `elenchus bench`, as front ends and reports look them up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec
from elenchus.detectors.spec import STEP_WORDS

_WORDS = (
    (r"/answer$", "answers a question"),
    (r"^write/\d+$", "writes a question"),
    *STEP_WORDS,
)
_HERE = "elenchus.detectors.evaluation"


def _bench(kind: str, needs: tuple[str, ...] = ("library",)) -> ProtocolSpec:
    """A bench whose parts are all named after its kind."""
    return ProtocolSpec(
        name=f"bench-{kind}",
        run=f"{_HERE}.{kind}:bench_{kind}",
        needs=needs,
        config=f"{_HERE}.schemas:{kind.title()}Config",
        outcome=f"{_HERE}.schemas:{kind.title()}Result",
        step_words=_WORDS,
        dry_run="elenchus.detectors.dry_run:DRY_RUN",
        presentation=f"{_HERE}.presentation:{kind.upper()}",
    )


STATIC = _bench("static")
UNLABELLED = _bench("unlabelled")
EVALUATOR = _bench("evaluator")
QUESTIONS = _bench("questions", needs=())
