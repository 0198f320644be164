"""Finding the cognitive bias in a text (MindScope, section 5.3). NOTES.md maps this to the paper.

The visible loop of the full method is `by_tree`: screen, check, and a loser tree whose matches are debates.
"""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.protocols.loser_tree.protocol import loser_tree
from elenchus.debate_engine.session import Session
from elenchus.detectors import baselines
from elenchus.detectors.checks import agreed, check_all, label
from elenchus.detectors.context import Context
from elenchus.detectors.library import Library
from elenchus.detectors.matches import RATIONAL, REFEREES, Matches, decision_of
from elenchus.detectors.schemas import TREE_METHODS, Candidate, DetectConfig, Detection, Ranked, Verdict
from elenchus.detectors.screen import SCREENERS, Screened, screen

VOICE = "detection"
"""Under this name the moderator is told how far it is."""


async def detect(s: Session, config: dict[str, Any], library: Library) -> dict[str, Any]:
    """Run a detection on the seats of `seats_of`: a dumped `DetectConfig` comes in, a dumped `Detection` goes out.

    Raises pydantic.ValidationError, UsageError for a bias that the library does not know.
    """
    cfg = DetectConfig.model_validate(config)
    context = await Context.of(s, cfg, library)
    found = await _found(s, context)
    left_out = context.text.left_out
    notes = (*found.notes, *_notes(found, left_out))
    return found.model_copy(update={"left_out": left_out, "notes": notes}).model_dump(mode="json")


async def _found(s: Session, context: Context) -> Detection:
    if context.cfg.bias:
        known = await context.knowledge(s, [context.cfg.bias])
        return await label(s, context, known[context.cfg.bias])
    match context.cfg.method:
        case "zero-shot":
            return await baselines.zero_shot(s, context)
        case "cot":
            return await baselines.step_by_step(s, context)
        case "dialogue":
            return await baselines.dialogue(s, context)
        case "group":
            return await baselines.group(s, context)
        case "candidates":
            return await baselines.of_candidates(s, context, await screen(s, context))
    return await by_tree(s, context)


async def by_tree(s: Session, context: Context) -> Detection:
    """The full method, and its ablation `tree`."""
    screened = await screen(s, context)
    await _report(s, "screened", f"candidates: {_listed(screened.candidates) or 'none'}")
    knowledge = await context.knowledge(s, (candidate.bias for candidate in screened.candidates))
    checked = await check_all(s, context, screened.candidates, knowledge)
    confirmed = [candidate for candidate in checked if candidate.counts]
    await _report(s, "checked", f"their detectors say yes to: {_listed(confirmed) or 'none'}")
    if not confirmed:
        return _nothing(context, screened, checked)
    matches = Matches(context, knowledge)
    ranked = await loser_tree(s, [candidate.bias for candidate in confirmed], matches.play, context.cfg.top)
    played = tuple(matches.played(meeting) for meeting in ranked.matches)
    first = ranked.places[0]
    await _report(s, "ranked", f"the debates end with: {context.names[first]}")
    return Detection(
        verdict="found",
        bias=first,
        name=context.names[first],
        method=context.cfg.method,
        ranking=tuple(Ranked(place=n, bias=b, name=context.names[b]) for n, b in enumerate(ranked.places, 1)),
        candidates=checked,
        matches=played,
        decision=decision_of(context.cfg.method, context.cfg.weights, played),
        quotes=next(candidate.quotes for candidate in checked if candidate.bias == first),
        notes=screened.notes,
    )


def _nothing(context: Context, screened: Screened, checked: tuple[Candidate, ...]) -> Detection:
    """No yes stands: no bias, or none that could be told where a screener and most detectors were unreadable, or where
    they said yes by words that do not stand in the text.
    """
    verdict: Verdict = agreed(checked)[0] if checked else "unread" if screened.unread else "none"
    return Detection(
        verdict=verdict,
        bias=None,
        method=context.cfg.method,
        candidates=checked,
        decision=decision_of(context.cfg.method, context.cfg.weights, ()),
        notes=screened.notes,
    )


def _notes(found: Detection, left_out: int) -> list[str]:
    unread = [candidate.name for candidate in found.candidates if candidate.unread]
    unfounded = [candidate.name for candidate in found.candidates if candidate.unfounded]
    undecided = sum(match.undecided for match in found.matches)
    return [
        *([f"The last {left_out} words were not examined: the model's context is too small."]
          if left_out else []),
        *([f"No answer could be read of the detectors for: {', '.join(unread)}."] if unread else []),
        *([f"{', '.join(unfounded)}: not counted, for the detector's yes quotes nothing that stands in the text."]
          if unfounded else []),
        *([f"Undecided matches, in which the earlier-named candidate went on: {undecided}."] if undecided else []),
    ]  # fmt: skip


async def _report(s: Session, key: str, text: str) -> None:
    await s.say(f"told/{key}", VOICE, ["moderator"], text, "progress")


def _listed(candidates: list[Candidate] | tuple[Candidate, ...]) -> str:
    return ", ".join(candidate.name for candidate in candidates)


def seats_of(cfg: DetectConfig) -> tuple[str, ...]:
    """The seats that a detection asks, each to be given a model."""
    if cfg.bias:
        return ("detector",)
    screeners = () if cfg.labels else SCREENERS
    match cfg.method:
        case "dialogue":
            return ("expert", "psychologist")
        case "group":
            return ("expert", "psychologist", "critic", "manager")
        case "candidates":
            return (*screeners, "detector")
        case method if method in TREE_METHODS:
            return (*screeners, "detector", "debater", *(REFEREES if method == "full" else (RATIONAL,)))
    return ("detector",)
