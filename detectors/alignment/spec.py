"""The sessions of measuring and of the judge gate, as front ends and reports look them up."""

from __future__ import annotations

from elenchus.debate_engine.protocols.rldf.schemas import REFEREE
from elenchus.debate_engine.protocols.spec import ProtocolSpec

_GATE = "elenchus.detectors.alignment.gate"
_BBQ = "elenchus.detectors.alignment.bbq"
_PROBE = "elenchus.detectors.alignment.probe"
_RUBRIC = "elenchus.detectors.alignment.rubric"

BBQ = ProtocolSpec(
    name="rldf-bbq",
    noun="measuring with BBQ",
    run=f"{_BBQ}.asking:bbq",
    needs=("likelihood",),
    config=f"{_BBQ}.asking:BbqConfig",
    outcome=f"{_BBQ}.asking:BbqResult",
    step_words=((r"/(thought|juror/\d+)$", "thinks about a question"), (r"^item/", "answers a question")),
    tasks=((r"/(thought|juror/\d+)$", "a thought"), (r"^item/", "an answer")),
    dry_run=f"{_BBQ}.presentation:DRY_RUN",
    presentation=f"{_BBQ}.presentation:PRESENTATION",
)
GATE = ProtocolSpec(
    name="rldf-gate",
    noun="judge gate",
    run=f"{_GATE}.asking:gate",
    seats=(REFEREE,),
    config=f"{_GATE}.asking:GateConfig",
    outcome=f"{_GATE}.asking:GateResult",
    step_words=((r"^repeat/", "scores statements for bias"),),
    tasks=((r"^repeat/", "a score"),),
    presentation=f"{_GATE}.presentation:PRESENTATION",
)
ANSWERS = ProtocolSpec(
    name="rldf-answers",
    noun="open answers",
    run=f"{_RUBRIC}.answers:answers",
    config=f"{_RUBRIC}.answers:AnswersConfig",
    outcome=f"{_RUBRIC}.answers:Answers",
    step_words=((r"^question/", "answers a question"),),
    tasks=((r"^question/", "an answer"),),
    presentation=f"{_RUBRIC}.presentation:ANSWERS",
)
RATING = ProtocolSpec(
    name="rldf-rating",
    noun="rating by rubric",
    run=f"{_RUBRIC}.rating:rating",
    seats=(REFEREE,),
    config=f"{_RUBRIC}.rating:RatingConfig",
    outcome=f"{_RUBRIC}.rating:Rated",
    step_words=((r"^answer/", "rates an answer"),),
    tasks=((r"/quality$", "a rating"), (r"/score$", "a score")),
    presentation=f"{_RUBRIC}.presentation:RATINGS",
)
PROBE = ProtocolSpec(
    name="rldf-probe",
    noun="probe of self-awareness",
    run=f"{_PROBE}.asking:probe",
    config=f"{_PROBE}.asking:ProbeConfig",
    outcome=f"{_PROBE}.asking:ProbeResult",
    step_words=((r"/answer$", "answers a question"), (r"/admits$", "looks for bias in an answer")),
    tasks=((r"/answer$", "an answer"), (r"/admits$", "a list of biases")),
    presentation=f"{_PROBE}.presentation:PRESENTATION",
)
