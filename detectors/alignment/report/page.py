"""The page: ours beside the paper's tables, each figure with the verdict of its gate, and what is not shown. Pure.

What a script said, and what was asked of questions that are not BBQ's, stands in tables of its own: never in a column
with a figure of the paper's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.document import Report, ReportBlock, Section, bullets, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.detectors.alignment.bbq.comparison import Compared, compared, joined
from elenchus.detectors.alignment.bbq.results import Measured
from elenchus.detectors.alignment.gate.presentation import HEAD as GATE_HEAD, rows_of as gate_rows
from elenchus.detectors.alignment.report import other_sections
from elenchus.detectors.alignment.report.gates import gates_of
from elenchus.detectors.alignment.report.numbers import DASH, cell, three
from elenchus.detectors.alignment.report.paper import BBQ, METHODS, NOT_SHOWN
from elenchus.detectors.alignment.report.run_contents import RunContents
from elenchus.detectors.alignment.training.reward_gate import has_passed
from elenchus.detectors.evaluation.intervals import Estimate

TITLE = "RLDF: what was measured, beside the paper"
PLUMBING = (
    "This run proves the plumbing, not the effect. Scripted debates, a few steps of a tiny model and questions of our "
    "own say nothing of bias, and stand in no table with the paper's."
)


def page(found: RunContents, under: str, *, together: bool = False) -> tuple[Report, dict[str, Picture]]:
    """The report, and the pictures that it shows; `together`: measurings of other questions count as one. Raises
    UsageError where two of those hold the same question.
    """
    measured = joined(found.measured) if together else found.measured
    methods = compared(measured)
    real = [one for one in methods if one.published and not (one.scripted or one.taught)]
    others = [one for one in methods if one not in real]
    simulated = {(one.base, one.items, one.name) for one in others}
    ours = [
        one.model_copy(update={"differences": {}}) if (one.base, one.items, one.against) in simulated else one
        for one in real
    ]
    pictures = {picture.name: picture for picture in found.curves.values()}
    for n, (_, picture) in enumerate(found.ablations, 1):
        if picture is not None:
            pictures[f"ablation-{n}"] = Picture(f"ablation-{n}", picture.png, picture.svg, picture.alt)
    sections = [
        _gates(found), _table_1(ours, measured), _others(others, measured),
        _baselines(found.measured), other_sections.ratings(found.rated), other_sections.probes(found),
        other_sections.ablations(found), other_sections.trainings(found),
        Section("not-shown", "What is not shown", (bullets(map(inline, NOT_SHOWN)),)),
    ]  # fmt: skip
    plumbing = not ours and bool(others)
    report = Report(
        title=TITLE, under=inline(under), notices=(inline(PLUMBING),) if plumbing else (),
        summary=tuple(map(inline, _summary(found, ours, others))),
        sections=tuple(one for one in sections if one is not None),
    )  # fmt: skip
    return report, pictures


def _summary(found: RunContents, ours: Sequence[Compared], others: Sequence[Compared]) -> Iterator[str]:
    apart = f"{len(others)} apart from them (other questions, a script, or what it taught)"
    yield f"Measured: {len(ours)} methods beside the paper's, {apart}."
    yield from _no_better(found.measured, (*ours, *others))
    twice = len(found.measured) - len({(one.base, one.items, one.name, one.seed) for one in found.measured})
    if twice:
        yield f"{twice} measurings are there twice, with one method, model, seed and questions: the last one counts."
    for judge in found.judges:
        yield f"The judge {judge.judge} {'passes' if judge.passed else 'fails'} the judge gate."
    for name, of in found.trainings.items():
        if gate := of.get("gate"):
            yield f"{name}: its reward model {'passes' if has_passed(gate) else 'fails'} the reward gate."
    for one in (*ours, *others):
        if difference := one.differences.get("overall"):
            whose = "of BBQ" if one in ours else "that are not BBQ's, or simulated"
            yield f"{one.name} less {one.against}, {one.n} questions {whose}: {_told(difference)}."


def _no_better(measured: Sequence[Measured], methods: Sequence[Compared]) -> Iterator[str]:
    """For each set of questions the methods that a rule without understanding is as good as."""
    for items, document in {one.items: one.document for one in measured}.items():
        short = document["baselines"].get("short_context", {}).get("overall")
        accuracies = [(one.name, one.figures["overall"].mean.value) for one in methods if one.items == items]
        names = [name for name, value in accuracies if value is not None and short is not None and value <= short]
        if names:
            rule = f"unknown in short contexts and a coin in long ones ({short:.3f})"
            yield f"No better than {rule}: {', '.join(names)} ({document['n']} questions)."


def _told(of: Estimate) -> str:
    if of.value is None:
        return "no figure"
    if of.low is None or of.high is None:
        return f"{of.value:+.3f}, without an interval"
    shown = "no difference is shown" if of.low <= 0 <= of.high else "a difference"
    return f"{of.value:+.3f} ({of.low:+.3f} to {of.high:+.3f}): {shown} over these questions"


# ── gates ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _gates(found: RunContents) -> Section:
    blocks: list[ReportBlock] = []
    for one in found.judges:
        ended = "passed" if one.passed else "FAILED"
        blocks.append(f"**Judge gate: {inline(one.judge)}, {ended}** ({inline(one.shown)})")
        blocks.append(table(GATE_HEAD, [list(map(inline, row)) for row in gate_rows(one)]))
    for name, of in found.trainings.items():
        if of.get("gate") and of["settings"].get("stage") == "reward":
            blocks += _reward_gate(name, of["gate"])
    return Section(
        "gates", "The gates", tuple(blocks) or ("No gate was run: nothing here was judged or trained behind one.",)
    )


def _reward_gate(name: str, gate: Any) -> Iterator[ReportBlock]:
    yield f"**Reward gate: {inline(name)}, {'passed' if has_passed(gate) else 'FAILED'}**"
    rows = [
        (str(of.get("why", "")), _plain(of), str(of.get("wanted", "")), _ended(of.get("passed")))
        for of in gate.get("conditions", ())
    ]
    yield table(GATE_HEAD, [list(map(inline, row)) for row in rows])


def _ended(passed: bool | None) -> str:
    return {True: "passed", False: "failed", None: "does not apply"}[passed]


def _plain(of: Any) -> str:
    value, low, high = of.get("value"), of.get("low"), of.get("high")
    if value is None:
        return DASH
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} ({low:.2f} to {high:.2f})"


# ── BBQ ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _table_1(ours: Sequence[Compared], measured: Sequence[Measured]) -> Section:
    head = ("model", *METHODS.values())
    rows = [(name, *(f"{row[method]:.3f}" for method in METHODS)) for name, row in BBQ.items()]
    for base, items in dict.fromkeys((one.base, one.items) for one in ours):
        figures = {one.name: one.figures["overall"].mean for one in ours if (one.base, one.items) == (base, items)}
        over = f" ({_categories(measured, items)})" if len({one.items for one in ours}) > 1 else ""
        rows.append((f"ours: {base}{over}", *(cell(figures.get(method)) for method in METHODS)))
    blocks: list[ReportBlock] = [
        "Accuracy on BBQ, as in table 1 of the paper; the paper's without intervals, over six categories.",
        table(head, [list(map(inline, row)) for row in rows], "lr"),
    ]
    if not ours:
        asked = "only a script, or what it taught," if any(one.published for one in measured) else "no model"
        blocks.append(f"Nothing of ours stands in this table: {asked} was asked BBQ's own questions in this run.")
    else:
        told = "; ".join(f"{_categories(measured, of)}" for of in dict.fromkeys(one.items for one in ours))
        blocks += [inline(f"Ours are over {told}."), _wide(ours, measured)]
    return Section("bbq", "BBQ, beside table 1", tuple(blocks))


def _categories(measured: Sequence[Measured], items: str) -> str:
    """Which categories a set of questions is of, and how many they are: `Age, Nationality, 320 questions`."""
    document = next(one.document for one in measured if one.items == items)
    return f"{', '.join(sorted(document['by_category']))}, {document['n']} questions"


def _others(others: Sequence[Compared], measured: Sequence[Measured]) -> Section | None:
    if not others:
        return None
    told = (
        "Questions in BBQ's layout that are not BBQ's, or answers of a script or of what was trained on its words: "
        "beside no figure of the paper's."
    )
    return Section("sample", "Not BBQ", (told, _wide(others, measured)))


def _wide(methods: Sequence[Compared], measured: Sequence[Measured]) -> str:
    head = (
        "method", "gates", "accuracy", "less SFT", "amb.", "disamb.", "unknown (dis.)", "sDIS", "sAMB", "seeds", "n",
    )  # fmt: skip
    return table(head, [list(map(inline, _row(one, measured))) for one in methods], "llr")


def _row(one: Compared, measured: Sequence[Measured]) -> tuple[str, ...]:
    figures = one.figures
    sd = "" if figures["overall"].sd is None else f" (sd {figures['overall'].sd:.3f})"
    models = [of.model for of in measured if (of.name, of.base, of.items) == (one.name, one.base, one.items)]
    by = "a script" if one.scripted else one.base
    return (
        f"{one.name} ({by})", gates_of(models), cell(figures["overall"].mean), cell(one.differences.get("overall")),
        *(cell(figures[name].mean) for name in ("ambiguous", "disambiguated", "unknown_disambiguated", "sdis", "samb")),
        f"{len(one.seeds)}{sd}", str(one.n),
    )  # fmt: skip


def _baselines(measured: Sequence[Measured]) -> Section | None:
    sets = {one.items: one for one in measured}
    if not sets:
        return None
    blocks: list[ReportBlock] = []
    head = ("what needs no understanding", "accuracy", "ambiguous", "disambiguated", "words alone tell contexts apart")
    for one in sets.values():
        rows = [
            (
                name.replace("_", " "), *(three(of[figure]) for figure in ("overall", "ambiguous", "disambiguated")),
                three(of.get("told_apart")),
            )
            for name, of in one.document["baselines"].items()
        ]  # fmt: skip
        whose = "BBQ" if one.published else "a sample in BBQ's layout"
        blocks += [inline(f"{one.document['n']} questions of {whose}:"), table(head, rows, "lr")]
    controls = [row for one in measured if (row := _control(one))]
    if controls:
        named = ("the irrelevant sentence", "unknown without it", "unknown with it", "accuracy in another form")
        blocks.append(table(named, controls, "lr"))
    return Section("baselines", "Baselines and controls", tuple(blocks))


def _control(one: Measured) -> list[str]:
    added = one.document["controls"].get("irrelevant_sentence")
    other = one.document["controls"].get("other_format")
    if not added or not other:
        return []
    figures = (added["unknown_without"], added["unknown"], other["overall"])
    return [inline(f"{one.name}, seed {one.seed}"), *map(three, figures)]
