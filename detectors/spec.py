"""Detection, as front ends and reports look it up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

STEP_WORDS = (
    (r"(^|/)screen/(aggressive|conservative)$", "looks for suspects"),
    (r"(^|/)check/", "checks a bias"),
    (r"(^|/)label/\d+$", "looks for the bias"),
    (r"-vs-.*/(introduction|argument|refutation|summary)/", "debates"),
    (r"-vs-.*/(analytical|intuitive|rational)/", "judges a debate"),
    (r"(^|/)talk/", "talks"),
    (r"(^|/)(choose|reason|conclude)$", "names the bias"),
)
"""Those of a detection, which in a bench stand under a prefix."""

SPEC = ProtocolSpec(
    name="detect",
    run="elenchus.detectors.protocol:detect",
    needs=("library",),
    config="elenchus.detectors.schemas:DetectConfig",
    outcome="elenchus.detectors.schemas:Detection",
    step_words=STEP_WORDS,
    dry_run="elenchus.detectors.dry_run:DRY_RUN",
    presentation="elenchus.detectors.presentation:PRESENTATION",
)
