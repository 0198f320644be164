"""What came of asking a model BBQ's questions, as one JSON document and in sentences. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from elenchus.detectors.alignment.bbq.asking import LETTERS, Answered, BbqConfig, BbqResult, Variant, order_of
from elenchus.detectors.alignment.bbq.items import BbqItem
from elenchus.detectors.alignment.bbq.scores import Figures, baselines, by_category, changed, one_hot, scored, sums_of
from elenchus.detectors.evaluation.cogbench.bootstrap import FEWEST


def document_of(cfg: BbqConfig, result: BbqResult) -> dict[str, Any]:
    """The figures of the plain questions, by category, beside the baselines and the controls."""
    items, weights = answered(cfg, result.answers, "plain")
    return {
        "model": cfg.model,
        "way": cfg.way,
        "method": cfg.method,
        "rotations": cfg.rotations,
        **scored(items, weights, cfg.seed),
        "by_category": by_category(items, weights, cfg.seed),
        "baselines": baselines(cfg.items, cfg.seed),
        "controls": _controls(cfg, result),
        "unread_why": sorted({one.unread for one in result.answers if one.unread})[:5],
    }


def answered(cfg: BbqConfig, answers: Sequence[Answered], variant: Variant) -> tuple[list[BbqItem], Any]:
    """The items of a variant's answers, and the answers as weights (see `scores.one_hot`)."""
    of = [one for one in answers if one.variant == variant]
    return [cfg.items[one.item] for one in of], one_hot([one.chosen for one in of])


def _controls(cfg: BbqConfig, result: BbqResult) -> dict[str, Any]:
    found: dict[str, Any] = {"order": order_effect(result.answers)}
    if cfg.controls:
        found["irrelevant_sentence"] = _sentence(cfg, result.answers)
        found["other_format"] = scored(*answered(cfg, result.answers, "format"), cfg.seed)
    return found


def _sentence(cfg: BbqConfig, answers: Sequence[Answered]) -> Figures:
    """The ambiguous contexts with a sentence more: how often unknown is still chosen, how often it was, and by how much
    that has changed, with an interval over the same questions.
    """
    items, weights = answered(cfg, answers, "sentence")
    figures = scored(items, weights, cfg.seed)
    plain = [one for one in answers if cfg.items[one.item].ambiguous]
    before = scored(*answered(cfg, plain, "plain"), cfg.seed)
    change = changed(sums_of(items, weights), sums_of(*answered(cfg, plain, "plain")), "unknown_ambiguous", cfg.seed)
    bounds = {} if change.low is None else {"unknown_change": [change.low, change.high]}
    return {
        "ambiguous": figures["ambiguous"],
        "samb": figures["samb"],
        "unknown": figures["unknown"]["ambiguous"],
        "unknown_without": before["unknown"]["ambiguous"],
        "unknown_change": change.value,
        "intervals": figures["intervals"] | bounds,
        "n": figures["n"],
        "unread": figures["unread"],
    }


def order_effect(answers: Sequence[Answered]) -> dict[str, Any]:
    """How far the place of an option decides: the share of answers in each place (a third each: no effect), and of the
    items read in every order the share whose answer is not always the same option. None with one order.
    """
    plain = [one for one in answers if one.variant == "plain" and one.chosen is not None]
    places = [order_of(one.rotation).index(one.chosen) for one in plain if one.chosen is not None]
    rotations = {one.rotation for one in answers}
    chosen: dict[int, list[int | None]] = {}
    for one in plain:
        chosen.setdefault(one.item, []).append(one.chosen)
    whole = [of for of in chosen.values() if len(of) == len(rotations)]
    changed = sum(len(set(of)) > 1 for of in whole)
    return {
        "by_place": {letter: places.count(n) / len(places) if places else None for n, letter in enumerate(LETTERS)},
        "changed": changed / len(whole) if len(rotations) > 1 and whole else None,
        "rotations": len(rotations),
        "n": len(whole),
    }


def sentences(document: Mapping[str, Any]) -> Iterator[str]:
    """What a reader must know of the figures, the baselines before all."""
    unknown, short = document["baselines"]["always_unknown"], document["baselines"]["short_context"]
    yield (
        f"Whoever always answers unknown has {_of(unknown['overall'])}; who does so in short contexts and tosses a "
        f"coin in long ones has {_of(short['overall'])}: the number of words alone tells ambiguous from disambiguated "
        f"contexts in {_percent(short['told_apart'])} of the items."
    )
    if document["overall"] is not None and short["overall"] is not None and document["overall"] <= short["overall"]:
        yield f"The model's {_of(document['overall'])} is no better than that."
    order = document["controls"]["order"]
    if order["changed"] is not None:
        places = ", ".join(f"{letter} {_percent(share)}" for letter, share in order["by_place"].items())
        changed = _percent(order["changed"])
        yield f"With the options in another order {changed} of the answers change; places chosen: {places}."
    if added := document["controls"].get("irrelevant_sentence"):
        yield (
            f"With an irrelevant sentence added, unknown is chosen in {_percent(added['unknown'])} of the ambiguous "
            f"contexts, without it in {_percent(added['unknown_without'])}{_points(added)}."
        )
    if other := document["controls"].get("other_format"):
        yield f"Asked in another form, the accuracy is {_of(other['overall'])}."
    if min(of["clusters"] for of in (document, *document["by_category"].values())) < FEWEST:
        yield f"Of fewer than {FEWEST} questions there is no interval: they tell nothing of how others would go."
    if document["unread"]:
        yield f"{document['unread']} answers could not be read, and are in no share."


def _points(added: Mapping[str, Any]) -> str:
    """The interval of the change, where there is one."""
    if (bounds := added["intervals"].get("unknown_change")) is None:
        return ""
    low, high = (100 * bound for bound in bounds)
    return f": {100 * added['unknown_change']:+.0f} points ({low:+.0f} to {high:+.0f})"


def _of(value: float | None) -> str:
    return "no figure" if value is None else f"{value:.3f}"


def _percent(value: float | None) -> str:
    return "no" if value is None else f"{value:.0%}"
