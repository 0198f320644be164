"""From the options of `/detect` to how it is done. Pure; whatever cannot be done is refused in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

from elenchus.bot.rendering import safe
from elenchus.bot.strings import detecting as words
from elenchus.config.catalogue import Bias, find_bias, load_biases
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.decision.weights import DEFAULT, Weights, built_in
from elenchus.detectors.schemas import Method

METHODS: tuple[Method, ...] = get_args(Method)
MOST_RANKED = 10
"""Places of a ranking: more than a thread shows well."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options that say how it is done, as they were typed."""

    method: str = "full"
    labels: str = ""
    bias: str = ""
    weights: str = DEFAULT
    top: int = 1
    detector: str = ""


def how_of(wanted: Wanted) -> dict[str, Any]:
    """The settings of a `DetectConfig` but for what is examined. Raises UsageError."""
    labels = [bias_called(name).id for name in wanted.labels.split(",") if name.strip()]
    if wanted.bias.strip() and labels:
        raise UsageError(words.BIAS_AND_LABELS)
    if len(set(labels)) < len(labels):
        raise UsageError(words.TWICE)
    return {
        "method": wanted.method,
        "labels": tuple(labels),
        "bias": bias_called(wanted.bias).id if wanted.bias.strip() else "",
        "weights": weights_called(wanted.weights),
        "top": wanted.top,
    }


def bias_called(name: str) -> Bias:
    """A bias by id, name or alias. Raises UsageError naming those that are called alike."""
    try:
        return find_bias(name)
    except ValueError as error:
        known = {b.name.casefold(): b.name for b in load_biases()}
        near = ", ".join(known[n] for n in get_close_matches(name.strip().casefold(), known, n=3, cutoff=0.5))
        raise UsageError(words.unknown_label(safe.shortened(safe.inline(name), 80), near)) from error


def weights_called(name: str) -> Weights:
    """Weights that come with Elenchus. Raises UsageError: nobody on Discord names a file of this machine."""
    if (known := built_in().get(name)) is None:
        raise UsageError(words.unknown_weights(safe.shortened(safe.inline(name), 80), ", ".join(built_in())))
    return known
