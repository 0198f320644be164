"""Debates out of finished detections of texts whose bias is known. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from pydantic import ValidationError

from debate_engine.events import Recorded, SessionFinished, SessionStarted
from detectors.decision.data import Debate, Sheet, Side
from detectors.evaluation.samples import own_texts
from detectors.schemas import DetectConfig, Detection, Match


class Taken(NamedTuple):
    """What one session gave: its debates, and why matches of it were left out, as counted reasons."""

    debates: tuple[Debate, ...] = ()
    without_right_side: int = 0
    unscored: int = 0


@lru_cache
def known_texts() -> Mapping[str, str]:
    """The bias of each text of our labelled set that shows one, by the text without its line breaks."""
    return {plain(sample.text): sample.bias for sample in own_texts() if sample.bias}


def plain(text: str) -> str:
    """A text with single spaces for all white space."""
    return " ".join(text.split())


def debates_of(events: Iterable[Recorded], label: str = "") -> Taken | None:
    """The scored debates of a finished detection; `label` is the id of the bias that its text shows.

    Without a label the text is looked up in our labelled set; None where that does not have it, or where the session
    is no finished detection. A match counts where exactly one side is right; one without any scores teaches nothing.
    All debates about one text are one group, in whichever session they were held.
    """
    found = _finished(events)
    if found is None:
        return None
    cfg, detection = found
    text = plain(" ".join(turn.text for turn in cfg.turns))
    label = label or known_texts().get(text, "")
    if not label:
        return None
    sided = [match for match in detection.matches if label in (match.first, match.second)]
    scored = [match for match in sided if any(card.scores is not None for card in match.cards)]
    group = hashlib.sha256(text.encode()).hexdigest()[:16]
    debates = tuple(_debate(match, label, group) for match in scored)
    return Taken(debates, len(detection.matches) - len(sided), len(sided) - len(scored))


def _debate(match: Match, label: str, group: str) -> Debate:
    def side(bias: str) -> Side:
        return "first" if bias == match.first else "second"

    sheets = tuple(
        Sheet(
            referee=card.referee,
            side=side(card.side),
            shown_first=side(card.shown_first),
            scores=None if card.scores is None else {name: float(score) for name, score in card.scores.items()},
        )
        for card in match.cards
    )
    return Debate(
        first=match.first, second=match.second, right=side(label), origin="recorded", sheets=sheets, group=group
    )


def _finished(events: Iterable[Recorded]) -> tuple[DetectConfig, Detection] | None:
    """Settings and outcome of a finished detection."""
    config = outcome = None
    for recorded in events:
        match recorded.event:
            case SessionStarted(protocol="detect") as started:
                config = started.config
            case SessionFinished() as finished:
                outcome = finished.outcome
    if config is None or outcome is None:
        return None
    try:
        return DetectConfig.model_validate(config), Detection.model_validate(outcome)
    except ValidationError:
        return None
