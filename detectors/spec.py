"""Detection as a protocol: its name, its forms, and what front ends, reports and exports show of it.

It is light to import: whatever runs, rehearses or renders is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from elenchus.detectors.schemas import DetectConfig, Detection

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.rehearsal import PaceOf, Plan
    from elenchus.debate_engine.reports.document import Section
    from elenchus.debate_engine.reports.export import More
    from elenchus.debate_engine.reports.view import DebateView
    from elenchus.debate_engine.session import Session
    from elenchus.detectors.library import Library

NAME = "detect"
CONFIG = DetectConfig
OUTCOME = Detection
TITLE = "The bias looked for"
"""Of the outcome, in a front end and in the report."""

STEP_WORDS = (
    (r"(^|/)screen/(aggressive|conservative)$", "looks for suspects"),
    (r"(^|/)check/", "checks a bias"),
    (r"(^|/)label/\d+$", "looks for the bias"),
    (r"-vs-.*/(introduction|argument|refutation|summary)/", "debates"),
    (r"-vs-.*/(analytical|intuitive|rational)/", "judges a debate"),
    (r"(^|/)talk/", "talks"),
    (r"(^|/)(choose|reason|conclude)$", "names the bias"),
)
"""What a seat does in a step whose key holds this; where it is asked once more the key ends with `/again`."""


async def run(session: Session, config: dict[str, Any], library: Library | None = None) -> dict[str, Any]:
    """Run a detection; without a `library` the catalogue itself is what is known."""
    from elenchus.detectors.library import CatalogueLibrary
    from elenchus.detectors.protocol import detect

    return await detect(session, config, library or CatalogueLibrary())


def plan(cfg: DetectConfig, seats: Sequence[Seat], pace_of: PaceOf) -> Plan:
    """The calls at the most. Blocks for some tenths of a second; call it in a thread that runs no event loop."""
    from elenchus.detectors.dry_run import plan

    return plan(cfg, seats, pace_of)


def outcome_of(view: DebateView) -> Detection | None:
    """The outcome, where the session was a detection and is finished."""
    if view.started is None or view.started.protocol != NAME or view.outcome is None:
        return None
    return read(view.outcome)


def read(outcome: Mapping[str, Any]) -> Detection | None:
    """An outcome; None where it cannot be read."""
    try:
        return Detection.model_validate(outcome)
    except ValidationError:
        return None


def markdown(found: Detection) -> str:
    """What came of it, for the scrollback of a terminal."""
    from elenchus.detectors.report import of_detection

    return of_detection(found)


def more(view: DebateView) -> More:
    """What an export adds; nothing where it is not finished."""
    from elenchus.debate_engine.reports.export import More

    return More(tuple(sections(view)), files(view))


def sections(view: DebateView) -> list[Section]:
    """The outcome, the text and the debates, for the report; [] where it is not finished."""
    from elenchus.detectors.examined_text import ExaminedText
    from elenchus.detectors.report import sections

    found = outcome_of(view)
    if found is None or view.started is None:
        return []
    try:
        return sections(found, ExaminedText.of(DetectConfig.model_validate(view.started.config)))
    except ValidationError:
        return []


def files(view: DebateView) -> dict[str, str]:
    """What an export has in place of the table of debates; {} where it is not finished."""
    from elenchus.detectors.export import CODEBOOK, scores_of, tables_of

    found = outcome_of(view)
    return tables_of(CODEBOOK, scores_of(view.session_id, found), "a score of a referee") if found else {}
