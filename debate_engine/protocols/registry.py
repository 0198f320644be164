"""Which protocols there are, by the name in a session's first event.

Ours are listed here; any installed package adds its own by an entry point of the group `elenchus.protocols`, a program
by `register`. Nothing of a protocol is imported before somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.spec import ProtocolSpec, imported

GROUP = "elenchus.protocols"

OURS: Mapping[str, str] = {
    "socrasynth": "elenchus.debate_engine.protocols.socrasynth.spec:SPEC",
    "crit": "elenchus.debate_engine.protocols.crit.spec:SPEC",
    "sweep": "elenchus.debate_engine.protocols.sweep.spec:SPEC",
    "rulegen": "elenchus.debate_engine.protocols.rulegen.spec:SPEC",
    "scene-writing": "elenchus.debate_engine.protocols.scene_writing.spec:SPEC",
    "scene-reading": "elenchus.debate_engine.protocols.scene_reading.spec:SPEC",
    "detect": "elenchus.detectors.spec:SPEC",
    "bench-static": "elenchus.detectors.evaluation.spec:STATIC",
    "bench-unlabelled": "elenchus.detectors.evaluation.spec:UNLABELLED",
    "bench-evaluator": "elenchus.detectors.evaluation.spec:EVALUATOR",
    "bench-questions": "elenchus.detectors.evaluation.spec:QUESTIONS",
}
_registered: dict[str, ProtocolSpec] = {}


class UnknownProtocol(UsageError):
    """Nobody has registered a protocol of this name: install the package that brings it."""


def register(spec: ProtocolSpec) -> None:
    """Add a protocol of this process. Raises ValueError where there is another one of this name."""
    if spec.name in OURS or _registered.get(spec.name, spec) is not spec:
        raise ValueError(f"there is a protocol {spec.name!r} already")
    _registered[spec.name] = spec


def spec_of(name: str) -> ProtocolSpec:
    """The protocol of this name. Raises UnknownProtocol."""
    if (spec := known(name)) is None:
        raise UnknownProtocol(f"There is no protocol {name!r} here: install the package that brings it.")
    return spec


def told_by(name: str) -> ProtocolSpec:
    """The protocol of this name, or one that says nothing more than the log, where nobody has registered it."""
    return known(name) or ProtocolSpec(name=name, run="")


def known(name: str) -> ProtocolSpec | None:
    """The protocol of this name, or None."""
    if name in _registered:
        return _registered[name]
    place = OURS.get(name) or _installed().get(name)
    return _imported(place) if place else None


@lru_cache
def _imported(place: str) -> ProtocolSpec:
    spec = imported(place)
    assert isinstance(spec, ProtocolSpec), f"{place} is no ProtocolSpec"
    return spec


@lru_cache(maxsize=1)
def _installed() -> Mapping[str, str]:
    """The places that installed packages name. Reads every package's metadata: only where a name is not ours."""
    from importlib.metadata import entry_points

    return {found.name: found.value for found in entry_points(group=GROUP)}
