"""A room for detections: whole sessions over a log in memory, with one scripted model on every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Session
from elenchus.detectors.library import CatalogueLibrary, Library
from elenchus.detectors.protocol import detect, seats_of
from elenchus.detectors.schemas import DetectConfig, Detection, Turn
from tests.debate_engine.scripted_session import GARBLED, Answer, ScriptedSession, Written, shown as prompt, written

__all__ = ["GARBLED", "Answer", "DetectionSession", "Written", "prompt"]

TEXT = (
    "We have put three years and all our savings into the boat. Everybody says it will never float. "
    "But if we stopped now, all that money would have been for nothing, so we build on."
)
SUNK, LOSS, IKEA, PLAN = "sunk-cost-fallacy", "loss-aversion", "ikea-effect", "planning-fallacy"
NAMES = {SUNK: "Sunk cost fallacy", LOSS: "Loss aversion", IKEA: "IKEA effect", PLAN: "Planning fallacy"}
QUOTE = "all that money would have been for nothing"


def bias_in(call: Call) -> str:
    """The bias that a step's key ends with."""
    return call.step.removesuffix("/again").rsplit("/", 1)[-1]


def marks(score: int, **other: int) -> dict[str, Any]:
    """A referee's card with the same score everywhere, but for those named."""
    names = ("support", "consistency", "refutation", "completeness", "persuasiveness", "reasonableness")
    return {"remark": "As told.", **dict.fromkeys(names, score), **other}


def by_bias(strength: dict[str, int]) -> Callable[[Call], Written]:
    """A referee whose scores follow from the bias alone: a consistent one."""
    return lambda call: marks(strength[call.step.split("/")[-2]])


def suspecting(bold: list[str], careful: list[str]) -> Callable[[Call], Written]:
    """Two screeners with these lists of ids."""
    lists = {"aggressive": bold, "conservative": careful}
    return lambda call: {"biases": [NAMES.get(bias, bias) for bias in lists[bias_in(call)]]}


def yes_to(*biases: str, quote: str = QUOTE) -> Callable[[Call], Written]:
    """Detectors of which these say yes, by these words of the text."""
    return lambda call: {
        "quotes": [quote],
        "reason": f"About {bias_in(call)}.",
        "present": "yes" if bias_in(call) in biases else "no",
    }


PLAIN: dict[str, Answer] = {
    "detectors/screen": suspecting([SUNK, LOSS, IKEA], [SUNK, PLAN]),
    "detectors/check": yes_to(SUNK, LOSS, IKEA, PLAN),
    **{
        f"detectors/{stage}": lambda call: f"[{call.step}] They say “{QUOTE}”."
        for stage in ("introduction", "argument", "refutation", "summary")
    },
    "detectors/marks": by_bias({SUNK: 8, LOSS: 6, IKEA: 3, PLAN: 5}),
    "detectors/rational": lambda call: {"reason": "Clear.", "bias": NAMES[call.step.split("/")[1].split("-vs-")[0]]},
}
"""What the models answer unless a test says otherwise; what is not here is filler."""


@dataclass
class DetectionSession(ScriptedSession):
    """A detection to run and to look at. `answers` go by prompt."""

    package = "detectors"

    answers: dict[str, Answer] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    text: str = TEXT
    script: Script = field(default_factory=Script)
    library: Library = field(default_factory=CatalogueLibrary)
    log: MemoryLog = field(default_factory=MemoryLog)

    def __post_init__(self) -> None:
        turns = self.settings.pop("turns", (Turn(text=self.text),))
        mean = {"name": "mean", "source": "", "values": (1 / 6,) * 6}
        self.cfg = DetectConfig.model_validate({"turns": turns, "weights": mean, **self.settings})
        self.client = ScriptedClient(self.script, self._answer)

    def _answer(self, call: Call) -> Written:
        return written({**PLAIN, **self.answers}.get(call.prompt_id), call)

    async def run(self) -> Run:
        """Start the detection, or go on with it."""
        return await self.run_by(self.runner())

    def runner(self) -> Runner:
        """Who runs it."""

        async def protocol(s: Session, config: dict[str, Any]) -> dict[str, Any]:
            return await detect(s, config, self.library)

        return Runner(self.log, {"detect": protocol}, self.seat, frozenset({"provider"}))

    def started(self) -> SessionStarted:
        seats = tuple(Seat(name=name, spec="scripted:test") for name in seats_of(self.cfg))
        return SessionStarted(
            protocol="detect", title="t", config=self.cfg.model_dump(mode="json"), seats=seats, seed=1, version="0"
        )

    async def found(self) -> Detection:
        """The outcome of the whole detection."""
        run = await self.run()
        assert run.state == "finished", run.reason
        return Detection.model_validate(run.outcome)

    # ── what happened ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def counted(self) -> Counter[str]:
        """Calls by prompt, without the package's name."""
        return Counter(call.prompt_id.removeprefix("detectors/") for call in self.client.asked)

    def words(self, ending: str) -> str:
        """All that the model was shown at the one step that ends so."""
        (call,) = (call for call in self.client.asked if call.step.endswith(ending))
        return prompt(call)

    async def told(self) -> list[str]:
        """What the moderator was told on the way."""
        return [said.text for said in await self.said()]
