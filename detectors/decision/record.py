"""Debates out of finished detections of texts whose bias is known, alone or in a bench. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import ValidationError

from elenchus.debate_engine.events import Recorded, SessionFinished, SessionStarted
from elenchus.detectors import spec
from elenchus.detectors.decision.data import Debate, ScoreSheet, Side
from elenchus.detectors.evaluation import spec as bench
from elenchus.detectors.evaluation.items import own_texts
from elenchus.detectors.evaluation.schemas import UnlabelledConfig, UnlabelledResult
from elenchus.detectors.schemas import DetectConfig, Detection, Match


class Extracted(NamedTuple):
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


def debates_of(events: Iterable[Recorded], label: str = "") -> Extracted | None:
    """The scored debates of a finished detection or bench; `label` is the id of the bias that a detection's text shows.

    Without a label a detection's text is looked up in our labelled set; None where that does not have it, or where the
    session is neither, or is not finished. A bench knows what its texts show; those that show none are passed over. A
    match counts where exactly one side is right; one without any scores teaches nothing. All debates about one text are
    one group, in whichever session they were held.
    """
    try:
        match _finished(events):
            case spec.SPEC.name, config, outcome:
                cfg, found = DetectConfig.model_validate(config), Detection.model_validate(outcome)
                text = plain(" ".join(turn.text for turn in cfg.turns))
                known = label or known_texts().get(text, "")
                return _extracted(found.matches, known, text) if known else None
            case bench.UNLABELLED.name, config, outcome:
                return _of_bench(UnlabelledConfig.model_validate(config), UnlabelledResult.model_validate(outcome))
    except ValidationError:  # of another version
        pass
    return None


def _of_bench(cfg: UnlabelledConfig, result: UnlabelledResult) -> Extracted | None:
    texts = {sample.id: plain(sample.text) for sample in cfg.samples}
    named = [one for one in result.named if one.truth and one.matches]
    extracted = [_extracted(one.matches, one.truth, texts[one.sample]) for one in named]
    if not extracted:
        return None
    debates = tuple(debate for of in extracted for debate in of.debates)
    return Extracted(debates, sum(of.without_right_side for of in extracted), sum(of.unscored for of in extracted))


def _extracted(matches: Sequence[Match], label: str, text: str) -> Extracted:
    sided = [match for match in matches if label in (match.first, match.second)]
    scored = [match for match in sided if any(card.scores is not None for card in match.cards)]
    group = hashlib.sha256(text.encode()).hexdigest()[:16]
    debates = tuple(_debate(match, label, group) for match in scored)
    return Extracted(debates, len(matches) - len(sided), len(sided) - len(scored))


def _debate(match: Match, label: str, group: str) -> Debate:
    def side(bias: str) -> Side:
        return "first" if bias == match.first else "second"

    sheets = tuple(
        ScoreSheet(
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


def _finished(events: Iterable[Recorded]) -> tuple[str, Any, Any] | None:
    """Protocol, settings and outcome of a session that has ended by itself."""
    started = outcome = None
    for recorded in events:
        match recorded.event:
            case SessionStarted() as first:
                started = first
            case SessionFinished() as finished:
                outcome = finished.outcome
    return None if started is None or outcome is None else (started.protocol, started.config, outcome)
