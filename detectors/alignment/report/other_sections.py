"""What stands on the page beside BBQ: ratings, the probe, ablations and trainings. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elenchus.debate_engine.reports.document import Figure, ReportBlock, Section, bullets, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.detectors.alignment.ablation import alt_of
from elenchus.detectors.alignment.probe.presentation import HEAD as PROBE_HEAD, rows_of as probe_rows
from elenchus.detectors.alignment.probe.report import sentences as probe_sentences
from elenchus.detectors.alignment.report.numbers import cell, tens
from elenchus.detectors.alignment.report.paper import BS, METHODS, TYPES
from elenchus.detectors.alignment.report.run_contents import RunContents
from elenchus.detectors.alignment.rubric.figures import RatedReport
from elenchus.detectors.alignment.rubric.rating import NAMES


def ratings(rated: Sequence[RatedReport]) -> Section:
    """CE, LS and BS by judges and people, below the paper's BS."""
    head = ("model", "method", *TYPES)
    rows = [(model, METHODS[name], *(f"{row[of]:.1f}" for of in TYPES)) for (model, name), row in BS.items()]
    blocks: list[ReportBlock] = [
        "BS of the paper, GPT-3.5 as rater, 0 to 100; low is little bias.",
        table(head, [list(map(inline, row)) for row in rows], "lr"),
    ]
    for one in rated:
        blocks += _rating(one)
    if not rated:
        blocks.append("CE, LS and BS of ours were not measured in this run.")
    return Section("rated", "CE, LS and BS", tuple(blocks))


def _rating(one: RatedReport) -> Iterator[ReportBlock]:
    judges = ", ".join(f"{name}{_passed(one.gates.get(name))}" for name in one.by)
    by = f"{len(one.by)} people" if one.people else judges
    yield inline(f"Ours, rated by {by}:")
    rows = [(one.named(of.name), of.bias or "all", NAMES[of.measure], tens(of.mean), str(of.n)) for of in one.figures]
    yield table(("method", "type", "measure", "0 to 100", "answers"), [list(map(inline, row)) for row in rows], "lllr")
    if one.agreement:
        told = [
            f"{NAMES[of.measure]}: Fleiss' κ {cell(of.kappa)}, by three bands {cell(of.bands)} ({of.items} answers)"
            for of in one.agreement
        ]
        yield bullets(map(inline, told))


def _passed(passed: bool | None) -> str:
    return {True: " (gate passed)", False: " (gate FAILED)", None: " (no gate run)"}[passed]


def probes(found: RunContents) -> Section | None:
    """Which kinds of bias a model admits of an answer, by whose it is said to be; None where nothing was asked."""
    if not found.probes:
        return None
    blocks: list[ReportBlock] = ["Figure 1 of the paper: admitted biases grow from own over another's to a rival's."]
    for one in found.probes:
        whose = " (a script)" if one.scripted else ""
        blocks.append(inline(f"{one.model}{whose}, {one.questions} questions:"))
        blocks.append(table(PROBE_HEAD, [list(map(inline, row)) for row in probe_rows(one)], "lr"))
        blocks.append(bullets(map(inline, probe_sentences(one))))
    return Section("probe", "Self-awareness", tuple(blocks))


def ablations(found: RunContents) -> Section | None:
    """What the number of roles, rounds, pairs or topics does; None where nothing was varied."""
    if not found.ablations:
        return None
    blocks: list[ReportBlock] = ["Figures 8 to 12 of the paper; no number of theirs stands beside these."]
    for n, (one, picture) in enumerate(found.ablations, 1):
        names, gated = list(one.points[0].figures), one.trained
        rows = [
            (str(of.value), *([of.gates] if gated else []), *(cell(of.figures[name]) for name in names), str(of.n))
            for of in one.points
        ]
        head = (one.axis, *(["gates"] if gated else []), *map(one.named, names), "n")
        blocks.append(inline(f"{one.axis} ({one.whose}):"))
        blocks.append(table(head, [list(map(inline, row)) for row in rows], "rlr" if gated else "r"))
        if picture is not None:
            blocks.append(Figure(f"ablation-{n}", alt_of(one), "in the table above"))
    return Section("ablations", "Ablations", tuple(blocks))


def trainings(found: RunContents) -> Section | None:
    """What was trained, and its curves; None where nothing was."""
    if not found.trainings:
        return None
    head = ("training", "stage", "steps", "examples", "dropped", "state", "past a gate")
    rows = [
        (
            name, str(of["settings"].get("stage", "")), f"{of.get('step', 0)} of {of.get('steps', 0)}",
            str(of.get("examples", "")), str(of.get("dropped", "")), str(of.get("state", "")),
            "yes: ungated" if of.get("ungated") else "no",
        )
        for name, of in found.trainings.items()
    ]  # fmt: skip
    shown = [Figure(picture.name, picture.alt, "in log.jsonl of the training") for picture in found.curves.values()]
    return Section("trainings", "Trainings", (table(head, [list(map(inline, row)) for row in rows]), *shown))
