"""Detection, as front ends and reports look it up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.spec import ProtocolSpec

STEP_WORDS = (
    (r"^screen/", "looks for suspects"),
    (r"^check/", "checks a bias"),
    (r"-vs-.*/(introduction|argument|refutation|summary)/", "debates"),
    (r"-vs-.*/(analytical|intuitive|rational)/", "judges a debate"),
    (r"^talk/", "talks"),
    (r"(^|/)(choose|reason|conclude)$", "names the bias"),
)

SPEC = ProtocolSpec(
    name="detect",
    run="elenchus.detectors.protocol:detect",
    needs=("library",),
    config="elenchus.detectors.schemas:DetectConfig",
    outcome="elenchus.detectors.schemas:Detection",
    step_words=STEP_WORDS,
    presentation="elenchus.detectors.presentation:PRESENTATION",
)
