"""What lies in the folders of a run: measurings, ratings, gates, trainings, probes, ablations. Blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from elenchus.config.documents import UnreadableDocument, read_bytes, read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.detectors.alignment.ablation import NAME, Ablation
from elenchus.detectors.alignment.bbq.results import Measured
from elenchus.detectors.alignment.lineage import is_training
from elenchus.detectors.alignment.probe.report import ProbeReport
from elenchus.detectors.alignment.rubric.figures import RatedReport
from elenchus.detectors.alignment.verdicts import Verdict

LARGEST = 50_000_000
_NOT_OURS = {"model", "checkpoints", "home", "base", "report"}
"""Folders that hold weights, or a report."""
_CURVES = "curves"


@dataclass
class RunContents:
    """All of it. `trainings` by the name of their folder (with the one above it where two are called alike): what
    `run.json` says; `curves` their pictures.
    """

    measured: list[Measured] = field(default_factory=list)
    rated: list[RatedReport] = field(default_factory=list)
    judges: list[Verdict] = field(default_factory=list)
    trainings: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    probes: list[ProbeReport] = field(default_factory=list)
    ablations: list[tuple[Ablation, Picture | None]] = field(default_factory=list)
    curves: dict[str, Picture] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not (self.measured or self.rated or self.judges or self.trainings or self.probes or self.ablations)


def found_in(places: Iterable[Path]) -> RunContents:
    """What these files and folders hold. In a folder what is none of ours is passed over; the values of an ablation of
    trained models are experiments with pages of their own, and are passed over beside it.

    Raises UsageError where a place is not there, or nothing is found, UnreadableDocument.
    """
    found, places = RunContents(), list(places)
    for place in places:
        if not place.exists():
            raise UsageError(f"There is nothing at {place}: name folders and files that `elenchus rldf` has written.")
        if not place.is_dir():
            json_in(read_text(place, LARGEST, "file of results"), f"The file {place}")
        for path in _files(place):
            _take(found, path)
    if found.is_empty:
        named = ", ".join(map(str, places))
        raise UsageError(f"{named}: nothing was measured there yet; `elenchus rldf bbq --out` writes such a file.")
    return found


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
        return
    passed_over = _NOT_OURS | _values_of(place)
    for inner in sorted(place.iterdir()):
        if inner.is_dir() and inner.name not in passed_over and not inner.name.startswith("."):
            yield from _files(inner)
        elif inner.suffix == ".json" and inner.is_file() and inner.stat().st_size <= LARGEST:
            yield inner


def _values_of(place: Path) -> set[str]:
    """The folders of an ablation's values, where one of trained models lies here."""
    try:
        ablation = Ablation.model_validate(json_in(read_text(place / f"{NAME}.json", LARGEST), str(place)))
    except (UnreadableDocument, ValidationError):
        return set()
    return {f"{ablation.axis}-{point.value}" for point in ablation.points} if ablation.trained else set()


def _take(found: RunContents, path: Path) -> None:
    """Put the file where it belongs; what is none of ours is passed over."""
    try:
        document = json_in(read_text(path, LARGEST, "file of results"), str(path))
    except UnreadableDocument:
        return
    if not isinstance(document, dict):
        return
    try:
        match document.get("kind"):
            case "rldf-bbq":
                found.measured.append(Measured.model_validate(document))
            case "rldf-rated":
                found.rated.append(RatedReport.model_validate(document))
            case "rldf-probe":
                found.probes.append(ProbeReport.model_validate(document))
            case "rldf-ablation":
                found.ablations.append((Ablation.model_validate(document), _picture(path, NAME)))
            case _:
                _unnamed(found, path, document)
    except ValidationError:
        return


def _unnamed(found: RunContents, path: Path, document: Mapping[str, Any]) -> None:
    if {"judge", "conditions", "labelled"} <= document.keys():
        known = {name: value for name, value in document.items() if name in Verdict.model_fields}
        verdict = Verdict.model_validate(known)
        told = [one.model_copy(update={"created": verdict.created}) for one in found.judges]
        if verdict not in told:  # a gate run again with the same end is one verdict
            found.judges.append(verdict)
    elif path.name == "run.json" and is_training(document):
        name = path.parent.name
        if name in found.trainings:
            name = f"{path.parent.parent.name}-{name}"
        found.trainings[name] = document
        if picture := _picture(path, _CURVES):
            found.curves[name] = Picture(f"curves-{name}", picture.png, picture.svg, f"The course of {name}")


def _picture(beside: Path, name: str) -> Picture | None:
    png, svg = beside.with_name(f"{name}.png"), beside.with_name(f"{name}.svg")
    if not (png.is_file() and svg.is_file()):
        return None
    return Picture(name, read_bytes(png, LARGEST, "picture"), read_bytes(svg, LARGEST, "picture"), name)
