"""Which protocols there are, by the name in a session's first event.

Ours are listed here; any installed package adds its own by an entry point of the group `elenchus.protocols`, a program
by `register`. Nothing of a protocol is imported before somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.faults import fault_in, unusable
from elenchus.debate_engine.protocols.presentation import Presentation
from elenchus.debate_engine.protocols.spec import ProtocolSpec, UnusableProtocol, imported

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "elenchus.protocols"

BUILT_IN: Mapping[str, str] = {
    "socrasynth": "elenchus.debate_engine.protocols.socrasynth.spec:SPEC",
    "crit": "elenchus.debate_engine.protocols.crit.spec:SPEC",
    "sweep": "elenchus.debate_engine.protocols.sweep.spec:SPEC",
    "rulegen": "elenchus.debate_engine.protocols.rulegen.spec:SPEC",
    "scene-writing": "elenchus.debate_engine.protocols.scene_writing.spec:SPEC",
    "scene-reading": "elenchus.debate_engine.protocols.scene_reading.spec:SPEC",
    "cognition": "elenchus.debate_engine.protocols.cognition.spec:COGNITION",
    "mind": "elenchus.debate_engine.protocols.cognition.spec:MIND",
    "rldf": "elenchus.debate_engine.protocols.rldf.spec:SPEC",
    "rldf-topics": "elenchus.debate_engine.protocols.rldf.spec:TOPICS",
    "detect": "elenchus.detectors.spec:SPEC",
    "bench-static": "elenchus.detectors.evaluation.spec:STATIC",
    "bench-unlabelled": "elenchus.detectors.evaluation.spec:UNLABELLED",
    "bench-evaluator": "elenchus.detectors.evaluation.spec:EVALUATOR",
    "bench-questions": "elenchus.detectors.evaluation.spec:QUESTIONS",
    "cogbench-generate": "elenchus.detectors.evaluation.cogbench.spec:GENERATE",
    "rldf-gate": "elenchus.detectors.alignment.spec:GATE",
    "rldf-bbq": "elenchus.detectors.alignment.spec:BBQ",
    "rldf-answers": "elenchus.detectors.alignment.spec:ANSWERS",
    "rldf-rating": "elenchus.detectors.alignment.spec:RATING",
    "rldf-probe": "elenchus.detectors.alignment.spec:PROBE",
    "cogbench-judge": "elenchus.detectors.evaluation.cogbench.spec:JUDGING",
}
_registered: dict[str, ProtocolSpec] = {}


class UnknownProtocol(UsageError):
    """Nobody has registered a protocol of this name: install the package that brings it."""


def register(spec: ProtocolSpec) -> None:
    """Add a protocol of this process. Raises ValueError where there is another one of this name."""
    if spec.name in BUILT_IN or _registered.get(spec.name, spec) is not spec:
        raise ValueError(f"there is a protocol {spec.name!r} already")
    _registered[spec.name] = spec


def spec_of(name: str) -> ProtocolSpec:
    """The protocol of this name. Raises UnknownProtocol, UnusableProtocol."""
    if (spec := known(name)) is None:
        raise UnknownProtocol(f"There is no protocol {name!r} here: install the package that brings it.")
    return spec


def spec_or_default(name: str) -> ProtocolSpec:
    """The protocol of this name, or one that says nothing more than the log, where there is none that can be used."""
    try:
        return known(name) or ProtocolSpec(name=name, run="")
    except UnusableProtocol as error:
        return ProtocolSpec(name=name, run="", presentation=unusable(Presentation(), str(error)))


def known(name: str) -> ProtocolSpec | None:
    """The protocol of this name, or None. Raises UnusableProtocol."""
    if name in _registered:
        return _registered[name]
    if not (place := BUILT_IN.get(name) or _places().get(name)):
        return None
    found = _loaded(name, place)
    if isinstance(found, UnusableProtocol):
        raise found.with_traceback(None)
    return found


@dataclass(frozen=True, slots=True)
class Package:
    """A package that brings a protocol. `problem` says why the protocol cannot be used, "" where it can be."""

    protocol: str
    name: str
    version: str
    problem: str = ""


def packages() -> list[Package]:
    """The installed packages that bring protocols. Loads each."""
    loaded = {name: _loaded(name, place) for name, place in _places().items()}
    return [
        replace(package_of(name), problem=str(found) if isinstance(found, UnusableProtocol) else "")
        for name, found in loaded.items()
    ]


def registered() -> list[str]:
    """The protocols that this process has added by itself."""
    return list(_registered)


def package_of(protocol: str) -> Package:
    """The package that brings a protocol; without name and version where it is ours, or a program's own."""
    found = None if protocol in BUILT_IN or protocol in _registered else _installed().get(protocol)
    if found is None or found.dist is None:
        return Package(protocol, "", "")
    return Package(protocol, found.dist.name, found.dist.version)


@lru_cache
def _loaded(name: str, place: str) -> ProtocolSpec | UnusableProtocol:
    """What stands at this place, or why it cannot be used: it is tried once in the life of a process."""
    try:
        spec = imported(place)
        if not isinstance(spec, ProtocolSpec):
            raise TypeError(f"{place} is no ProtocolSpec")
        if spec.name != name:
            raise ValueError(f"{place} calls itself {spec.name!r}, and its package {name!r}")
    except Exception as error:  # noqa: BLE001 - whatever an import raises, all else is to go on
        package = package_of(name)
        by = f"the package {package.name} {package.version}".rstrip() if package.name else "the program"
        return UnusableProtocol(f"{fault_in(name, error, place)} It is brought by {by}: mend or replace that.")
    return spec


def _places() -> Mapping[str, str]:
    """Where installed packages have their protocols, which are not ours."""
    return {name: found.value for name, found in _installed().items() if name not in BUILT_IN}


@lru_cache(maxsize=1)
def _installed() -> Mapping[str, EntryPoint]:
    """What installed packages name. Reads every package's metadata: only where a name is not ours."""
    from importlib.metadata import entry_points

    return {found.name: found for found in entry_points(group=GROUP)}
