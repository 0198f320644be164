"""Reads a scene's script in whatever form it comes: canonical where it has front matter, leniently otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.checks import giveaways, late_exclusions, orders_to_models, unknown_bias
from elenchus.debate_engine.scenes.consistency import ONLY_DESCRIBED, left_open
from elenchus.debate_engine.scenes.faults import Fault, FaultyScene, Finding, Place, warning
from elenchus.debate_engine.scenes.lenient.reader import LARGEST, decoded, read_script
from elenchus.debate_engine.scenes.lenient.reading import Reading, ReadRule
from elenchus.debate_engine.scenes.plan_faults import uneven_cells, untold_deception
from elenchus.debate_engine.scenes.review import left_to_review
from elenchus.debate_engine.scenes.rule_faults import never_told
from elenchus.debate_engine.scenes.scene import Scene

__all__ = ["LARGEST", "check_any", "read_any"]

_LOOKS = (left_to_review, unknown_bias, giveaways, orders_to_models)
_OF_A_PLAN = (late_exclusions, never_told, uneven_cells, untold_deception)
_LENIENTLY = warning(
    1, "the file has no front matter, so it was read leniently", "`elenchus scene parse` writes its canonical form"
)


def read_any(source: str | bytes) -> Reading:
    """What the script holds. Raises FaultyScene where nothing of a scene is in it."""
    text = decoded(source)
    if isinstance(text, Finding):
        raise FaultyScene((text,))
    reading = _canonically(text) if canonical.is_canonical(text) else read_script(text)
    if not reading.readable:
        raise FaultyScene(reading.findings)
    return reading


def check_any(source: str | bytes, *more: canonical.Check, bias: str = "") -> tuple[Finding, ...]:
    """All findings of the script by line; the grave ones keep it from being a scene.

    A script without front matter does not say which bias it is about: `bias` (an id) does. `more` is what else a scene
    in canonical form is looked through for.
    """
    text = decoded(source)
    if isinstance(text, Finding):
        return (text,)
    if canonical.is_canonical(text):
        return canonical.check(text, *_LOOKS, *more, of_a_plan=_OF_A_PLAN)[1]
    reading = read_script(text)
    return tuple(sorted((_LENIENTLY, *reading.findings, *_looked_through(reading, bias))))


def _looked_through(reading: Reading, bias: str) -> list[Finding]:
    """What a script read leniently leaves open or tells those who play, on the lines where rules and roles begin."""
    scene = reading.scene(bias=bias)
    found = [fault for look in (_left_open, unknown_bias, giveaways, orders_to_models) for fault in look(scene)]
    lines = {"rule": [rule.line for rule in reading.rules], "role": reading.role_lines}

    def line_of(place: Place) -> int:
        return lines[place.part][place.index] if place.part in lines else 1

    return [warning(line_of(fault.place), fault.what, fault.remedy) for fault in found]


def _left_open(scene: Scene) -> Iterator[Fault]:
    """What is left open; that no observation was found the reader says itself."""
    for fault in left_open(scene):
        if fault.what == ONLY_DESCRIBED:
            yield replace(
                fault, remedy="write its very words in the canonical form, or have a model do so (`--assist`)"
            )
        elif fault.place.part != "observation":
            yield fault


def _canonically(text: str) -> Reading:
    scene, findings = canonical.check(text)
    lines = canonical.lines_of_rules(text)
    return Reading(
        title=scene.title,
        purpose=scene.purpose,
        background=scene.background,
        observation=scene.observation,
        debrief=scene.debrief,
        roles=scene.roles,
        rules=tuple(ReadRule(rule, line) for rule, line in zip(scene.rules, lines, strict=True)),
        findings=findings,
        written=scene,
    )
