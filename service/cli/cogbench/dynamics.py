"""`elenchus cogbench dynamics`: whether ratings move where the articles push, as a document or as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.cognition.schemas import Flow
from elenchus.detectors.evaluation.cogbench.dynamics import Centre, Dynamics, dynamics
from elenchus.detectors.evaluation.cogbench.in_words import flow_text
from elenchus.detectors.evaluation.cogbench.results import Results, read_results
from elenchus.detectors.evaluation.cogbench.topics import Material, Topic, own_set
from elenchus.service.cli.live.status import counted
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.tables import WordTable


@dataclass(frozen=True)
class Check:
    """A check that can be shown."""

    found: Dynamics

    @property
    def document(self) -> dict[str, Any]:
        """As JSON."""
        return self.found.model_dump(mode="json")

    def show(self, out: CommandOutput) -> None:
        """Tables and sentences."""
        rows = [
            (c.topic, c.profile, c.interest or "", _steps(c.pushed), _steps(c.control), _steps(c.difference))
            for c in self.found.changes
        ]
        headings = ("topic", "profile", "interest", "moved", "control", "difference")
        title = "steps towards where the articles push, from iteration 0 to the last"
        out.show(WordTable.of(headings, rows, numbers=3, title=title))
        out.line("")
        for line in _sentences(self.found):
            out.line(line)


def tell_dynamics(method: str, pushed: Results, control: Results, material: Material) -> Check | None:
    """The check of two results; None where nothing was coded, or nothing is there. Raises UsageError."""
    coded = all(topic.coded is not None for topic in material.topics.values())
    if not (coded and pushed.records and control.records):
        return None
    return Check(dynamics(method, pushed.answers(method), control.answers(method), material))


def tell_files(file: Path, control: Path, method: str, tasks: Path | None, out: CommandOutput) -> None:
    """Check two files. Raises UsageError, UnreadableDocument."""
    material = own_set() if tasks is None else own_set(tasks)
    pushed, still = read_results(file), read_results(control)
    if _read_in(pushed, material, lambda _: material.control):
        raise UsageError(f"{file} is of the control: give the results first, and those of the control second.")
    if _read_in(still, material, lambda topic: topic.flows):
        raise UsageError(f"{control} is of no control: give the results first, and those of the control second.")
    check = Check(dynamics(method, pushed.answers(method), still.answers(method), material))
    out.document(check.document)
    if not out.json:
        check.show(out)


def _read_in(results: Results, material: Material, of: Callable[[Topic], Sequence[Flow]]) -> bool:
    """Whether any record says that these flows were read. Of what says nothing of it nothing is known."""
    for record in results.records:
        topic, n = material.topics.get(str(record.get("topic"))), record["iteration"]
        said = record.get("information_flow")
        read = [text for one in said if (text := flow_text(one))] if isinstance(said, list) else []
        if topic and 0 < n <= len(flows := of(topic)) and any(flows[n - 1].texts[0] in text for text in read):
            return True
    return False


def _sentences(found: Dynamics) -> list[str]:
    of = found.interest
    still = {None: "cannot be told", True: "not moved", False: "not shown to be still"}[found.still]
    how = "exact" if found.moved.exact else "drawn"
    lines = [
        f"Moved, minus control: {_centre(found.moved)}, p {_p(found.moved.p)}",
        f"(two-sided, {how}: signs flipped over {counted(found.moved.n, 'pair')} of a topic and a profile)",
        f"Control: {_centre(found.control)}; within ±{found.margin:g} means not moved: {still}",
    ]
    if of.topics:
        lines.append(
            f"Interest, within {counted(of.topics, 'topic')}: high {_steps(of.high)}, low {_steps(of.low)}, difference "
            f"{_steps(of.difference)}, p {_p(of.p)}"
        )
    if found.left_out:
        lines.append(f"left out: {counted(found.left_out, 'question')} of which one of four ratings could not be read")
    return lines


def _centre(of: Centre) -> str:
    between = "no interval" if of.low is None or of.high is None else f"{of.low:+.2f} to {of.high:+.2f}"
    return f"{_steps(of.mean)} steps ({of.level:.0%}: {between})"


def _steps(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"


def _p(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
