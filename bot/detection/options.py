"""The options of `/detect`: what is offered while they are typed, and what they say of how it is done.

Whatever cannot be done is refused in one sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

from discord.app_commands import Choice

from elenchus.bot.completions import MOST, in_time, matches
from elenchus.bot.detection.sources import Sources
from elenchus.bot.interactions import Interaction, requester_of
from elenchus.bot.rendering import safe
from elenchus.bot.strings import msg
from elenchus.config.catalogue import Bias, find_bias, load_biases
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.decision.weights import Weights, built_in
from elenchus.detectors.schemas import Method

LONGEST = 100
"""Characters of a choice's name and value."""

METHODS: tuple[Method, ...] = get_args(Method)
MOST_RANKED = 10
"""Places of a ranking: more than a thread shows well."""


def named_in_catalogues(labels: str, bias: str, weights: str) -> dict[str, Any]:
    """What names biases and weights, for `lab.detection.DetectOptions`. Raises UsageError."""
    return {
        "labels": tuple(bias_called(name).id for name in labels.split(",") if name.strip()),
        "bias": bias_called(bias).id if bias.strip() else "",
        "weights": weights_called(weights).name if weights else "",
    }


def bias_called(name: str) -> Bias:
    """A bias that is looked for, by id, name or alias. Raises UsageError naming those that are called alike."""
    try:
        if (bias := find_bias(name)).detected:
            return bias
        raise ValueError(bias.name)
    except ValueError as error:
        known = {b.name.casefold(): b.name for b in load_biases() if b.detected}
        near = ", ".join(known[n] for n in get_close_matches(name.strip().casefold(), known, n=3, cutoff=0.5))
        shown = safe.shortened(safe.inline(name), 80)
        text = msg("detecting-unknown-label", name=shown)
        if near:
            text = msg("detecting-unknown-label-near", name=shown, near=near)
        raise UsageError(text) from error


def weights_called(name: str) -> Weights:
    """Weights that come with Elenchus. Raises UsageError: nobody on Discord names a file of this machine."""
    if (known := built_in().get(name)) is None:
        raise UsageError(
            msg("detecting-unknown-weights", name=safe.shortened(safe.inline(name), 80), known=", ".join(built_in()))
        )
    return known


# ── while they are typed ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DetectionCompletions:
    """Completes the options."""

    sources: Sources

    async def bias(self, _: Interaction, current: str) -> list[Choice[str]]:
        """Biases by their names and aliases."""
        return [Choice(name=name, value=name) for name in biases(current)][:MOST]

    async def labels(self, _: Interaction, current: str) -> list[Choice[str]]:
        """The same for the last of several, without those that stand there already."""
        before, comma, last = current.rpartition(",")
        begun = f"{before.strip()}{comma} " if comma else ""
        named = {part.strip().casefold() for part in before.split(",")}
        found = [f"{begun}{name}" for name in biases(last) if name.casefold() not in named]
        return [Choice(name=value, value=value) for value in found if len(value) <= LONGEST][:MOST]

    async def session(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Finished sessions by title and id, newest first; none where the storage takes too long to tell."""
        known = await in_time(self.sources.finished(requester_of(interaction)), [])
        return [
            Choice(name=safe.shortened(f"{safe.plain(info.title)} · {info.id}", LONGEST), value=info.id)
            for info in known
            if matches(current, f"{info.id} {info.title}")
        ][:MOST]

    async def speaker(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Who spoke in the session that was chosen."""
        session = str(getattr(interaction.namespace, "session", None) or "")
        found = await in_time(self.sources.speakers(requester_of(interaction), session), []) if session else []
        names = [name for name in found if len(name) <= LONGEST and matches(current, name)]
        return [Choice(name=safe.plain(name)[:LONGEST] or name, value=name) for name in names][:MOST]


def biases(typed: str) -> list[str]:
    """The names of the biases in which every word that was typed is found, those that begin so first."""
    found = [bias.name for bias in load_biases() if bias.detected and matches(typed, " ".join(bias.called()))]
    return sorted(found, key=lambda name: not name.casefold().startswith(typed.strip().casefold()))
