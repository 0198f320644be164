"""What a detection will ask of its models, at the most: the detection rehearsed with stand-ins (see `rehearsal`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.founded import AGAIN
from elenchus.debate_engine.rehearsal import Filler, Pace, PaceOf, Plan, rehearse
from elenchus.debate_engine.session import Session
from elenchus.detectors.library import CatalogueLibrary, Library
from elenchus.detectors.protocol import detect
from elenchus.detectors.schemas import MOST_SUSPECTED, DetectConfig


def plan(
    cfg: DetectConfig,
    seats: Sequence[Seat],
    pace_of: PaceOf = lambda _: Pace(),
    library: Library | None = None,
) -> Plan:
    """The calls of a detection whose screeners name as many different biases as they may, all of them confirmed, but
    only when they are asked once more.

    Blocks for some tenths of a second; call it in a thread that runs no event loop.
    """
    known = library or Widest()

    async def run(s: Session, config: dict[str, Any]) -> dict[str, Any]:
        return await detect(s, config, known)

    started = SessionStarted(
        protocol="detect", title=cfg.title, config=cfg.model_dump(mode="json"), seats=tuple(seats), seed=0, version=""
    )
    spoken = (turn.text for turn in cfg.turns if cfg.speaker in ("", turn.speaker))
    return rehearse(started, run, StandIn(max(spoken, key=len)), pace_of)


class Widest(CatalogueLibrary):
    """The catalogue, finding near a text what no screener names."""

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """Biases that the stand-in screeners do not name."""
        return tuple(await self.names())[2 * MOST_SUSPECTED :][:most]


class StandIn:
    """Anybody in a detection: suspects all that it may, confirms it, and is never content with a talk.

    What it quotes does not stand in the text; asked once more, a detector quotes from `text` (default: from the line
    of what it is shown that is longest), so that its yes counts.
    """

    def __init__(self, text: str = "") -> None:
        self._filler = Filler()
        self._text = text

    def __call__(self, ask: Ask) -> Any:
        """An answer of the asked form."""
        if ask.answer_schema is None:
            return self._filler.words(ask.max_tokens // 2)
        value = self._filler.fill(ask.answer_schema)
        match ask.schema_name:
            case "Suspected":
                names = ask.answer_schema["properties"]["biases"]["items"]["enum"]
                first = MOST_SUSPECTED if ask.seat == "conservative" else 0
                return {"biases": names[first : first + MOST_SUSPECTED]}
            case "Critique":
                return value | {"settled": "no"}
            case "Check" if ask.step.endswith(AGAIN):
                return value | {"quotes": [quotable(self._text or _shown(ask))]}
        return value


def quotable(text: str) -> str:
    """The first words of the longest line of a text, as many as a quote may have at the least."""
    return " ".join(max(text.splitlines(), key=len).split()[:8])[:200]


def _shown(ask: Ask) -> str:
    return next((section.text for section in ask.material if section.title == "The text"), "")
