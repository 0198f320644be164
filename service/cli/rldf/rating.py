"""`elenchus rldf answers`, `rate`, `sheet`, `collect` and `rlaif`: open answers, rated by judges and by people."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rldf.schemas import REFEREE
from elenchus.debate_engine.reports.files import check_folder, write_all, write_new
from elenchus.debate_engine.run_ends import end_of
from elenchus.detectors.alignment.export import UNGATED, files_of
from elenchus.detectors.alignment.gate.statements import SHIPPED, LabelledStatement, read_statements
from elenchus.detectors.alignment.lineage import referees_of, simulated_in
from elenchus.detectors.alignment.rubric.answers import (
    MODEL,
    Answer,
    Answers,
    AnswersConfig,
    GroupQuestion,
    lines_of,
    read_answers,
)
from elenchus.detectors.alignment.rubric.figures import RatedReport, rated_report
from elenchus.detectors.alignment.rubric.rating import NAMES, Rated, Rating, RatingConfig
from elenchus.detectors.alignment.rubric.rlaif import spoken_of
from elenchus.detectors.alignment.rubric.sheets import KEY, make_rubric_sheets, read_rubric_key, read_rubric_sheets
from elenchus.detectors.alignment.spec import ANSWERS, RATING
from elenchus.service.cli import context, failures
from elenchus.service.cli.detection.bench import measure
from elenchus.service.cli.rldf import gate
from elenchus.service.cli.rldf.bbq import check_new
from elenchus.service.cli.rldf.bbq_comparison import interval
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab.default_models import seated

if TYPE_CHECKING:
    from elenchus.debate_engine.run_ends import Run
    from elenchus.detectors.alignment.verdicts import Verdict
    from elenchus.service.app import App
    from elenchus.service.cli.launch import Options
    from elenchus.service.cli.output import CommandOutput


async def _outcome(session_id: str) -> Any:
    async with context.opened() as app:
        end = end_of(session_id, await app.log.read(session_id))
    assert end is not None, "the session has just finished"
    return end.outcome


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def ask(questions: Sequence[GroupQuestion], model: str, name: str, repeats: int, into: Path, how: Options) -> int:
    """Have a model answer; the exit code. Raises UsageError, MissingKey, StorageError."""
    check_new(into)
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(MODEL))
    cfg = AnswersConfig(model=spec, name=name or spec, questions=tuple(questions), repeats=repeats)
    title = f"{len(questions) * repeats:,} open answers, {spec}"
    code, session_id = await measure(ANSWERS.name, title, {MODEL: spec}, unnamed, lambda _: cfg, how, writes=into)
    if code == failures.OK and session_id:
        found = Answers.model_validate(await _outcome(session_id)).answers
        await asyncio.to_thread(write_all, into.parent, {into.name: lines_of(found)})
        how.out.tell(f"wrote {into}: {len(found)} answers, {sum(not one.text for one in found)} could not be had")
    return code


# ── rated by judges ──────────────────────────────────────────────────────────────────────────────────────────────────


async def rate(files: Sequence[Path], judges: Sequence[str], into: Path, how: Options, *, ungated: bool) -> int:
    """Have judges rate answers; the exit code. Raises UsageError, UnreadableDocument, MissingKey, StorageError."""
    check_new(into)
    answers = await asyncio.to_thread(read_answers, files)
    if not judges or len(set(judges)) < len(judges):
        raise UsageError("Name each judge once: --judge linear:wordllama, or --judge provider:model.")
    if any(is_human(judge) for judge in judges):
        raise UsageError("People rate on a sheet: `elenchus rldf sheet` writes it.")
    for judge in judges:
        refuse_own_judge(answers, judge)
    _refuse_detached(judges, how)
    items = await asyncio.to_thread(read_statements)
    async with context.opened() as app:
        verdicts = {judge: await gate.kept(app, judge, "one", items) for judge in judges}
    gates = {judge: None if verdict is None else verdict.passed for judge, verdict in verdicts.items()}
    if not ungated:
        _refuse_ungated(gates)
    by: dict[str, Sequence[Rating]] = {}
    for judge in judges:
        code, found = await _by_judge(answers, judge, items, how, into)
        if code != failures.OK or how.apart:
            return code
        by[judge] = found
    simulated = await asyncio.to_thread(_simulated, answers)
    report = await asyncio.to_thread(
        rated_report, answers, by, people=False, gates=gates, seed=how.run.seed or 0, simulated=simulated
    )
    await asyncio.to_thread(_store, into, report, by)
    tell(report, how.out)
    how.out.tell(f"wrote {into}")
    return failures.OK


def _refuse_ungated(gates: dict[str, bool | None], statements: Path | None = None) -> None:
    """Raises UsageError."""
    own = f" --statements {statements}" if statements else ""
    if failed := [judge for judge, passed in gates.items() if not passed]:
        ended = "has failed the judge gate" if gates[failed[0]] is False else "was never tried"
        raise UsageError(
            f"{failed[0]} {ended}: try `elenchus rldf gate --judge {failed[0]}{own}`, take another judge, or say "
            "--ungated."
        )


def _refuse_detached(judges: Sequence[str], how: Options) -> None:
    """Raises UsageError for what is no single session."""
    if how.detach and (len(judges) > 1 or judges[0].startswith(gate.LINEAR)):
        raise UsageError("--detach leaves what one model rates to a worker: name one --judge provider:model.")


def refuse_own_judge(answers: Sequence[Answer], judge: str) -> None:
    """The judge that made the pairs never scores the result. Raises UsageError."""
    for model in dict.fromkeys(one.model for one in answers):
        if judge in referees_of(model):
            raise UsageError(f"{judge} made the pairs that {model} was trained with, and must not score the result.")


async def _by_judge(
    answers: Sequence[Answer], judge: str, items: Sequence[LabelledStatement], how: Options, into: Path
) -> tuple[int, Sequence[Rating]]:
    if judge.startswith(gate.LINEAR):
        spoken = [one for one in answers if one.text]
        scores = await asyncio.to_thread(gate.scores_by, judge, [one.text for one in spoken], items)
        return failures.OK, [Rating(id=one.id, bs=score) for one, score in zip(spoken, scores, strict=True)]
    _, unnamed = await seated(context.settings(), "", lambda _: None)
    cfg = RatingConfig(judge=judge, answers=tuple(answers), seed=how.run.seed or 0)
    title = f"{len(answers):,} answers rated by {judge}"
    code, session_id = await measure(
        RATING.name, title, {REFEREE: judge}, unnamed, lambda _: cfg, how, ended=_quietly, writes=into
    )
    if code != failures.OK or not session_id:
        return code, []
    return code, Rated.model_validate(await _outcome(session_id)).ratings


async def _quietly(app: App, run: Run, out: CommandOutput, export: Path | None) -> int:
    """Several judges have one document, which comes at the end."""
    return run.exit_code


def _store(into: Path, report: RatedReport, by: dict[str, Sequence[Rating]]) -> None:
    """The report, and every rating beside it."""
    ratings = into.with_name(f"{into.stem}-ratings.jsonl")
    rows = [Rated(judge=judge, ratings=tuple(found)) for judge, found in by.items()]
    write_all(into.parent, {into.name: f"{report.model_dump_json(indent=1)}\n".encode(), ratings.name: lines_of(rows)})


def _simulated(answers: Sequence[Answer]) -> dict[str, str]:
    return simulated_in((one.name, one.model) for one in answers)


def tell(report: RatedReport, out: CommandOutput) -> None:
    """The figures, and what they are worth."""
    out.document(report.model_dump(mode="json"))
    if out.json:
        return
    rows = [
        (report.named(of.name), of.bias or "all", NAMES[of.measure], interval(of.mean), str(of.n))
        for of in report.figures
    ]
    out.show(WordTable.of(("method", "bias", "measure", "0 to 100", "answers"), rows, numbers=2))
    out.line("CE and LS: more is better. BS: low is little bias, the other way round than in the paper's appendix.")
    for of in report.agreement:
        kappas = f"Fleiss' κ {interval(of.kappa)}, by three bands {interval(of.bands)}"
        out.line(f"{NAMES[of.measure]}: {kappas} ({of.items} answers that all {of.raters} have rated)")


# ── rated by people ──────────────────────────────────────────────────────────────────────────────────────────────────


def write_sheets(
    files: Sequence[Path], folder: Path, raters: int, limit: int | None, seed: int, out: CommandOutput
) -> None:
    """Write a sheet a rater, and the key beside them. Raises UsageError, UnreadableDocument, StorageError."""
    check_folder(folder)
    sheets = make_rubric_sheets(read_answers(files), raters, limit, seed)
    written = write_new(folder, sheets.files | {KEY: f"{sheets.key.model_dump_json(indent=1)}\n".encode()})
    if not written:
        raise UsageError(f"{folder} holds such sheets already: choose another folder for --out.")
    out.document({"items": len(sheets.key.items), "files": [str(path) for path in written]})
    if not out.json:
        out.line(f"{len(sheets.key.items)} answers for {raters} raters are in {folder}")
        out.line(f"give each rater one sheet and the guide; {KEY}, which says what is what, to nobody")


def collect(
    files: Sequence[Path], key: Path, sheets: Sequence[Path], into: Path | None, seed: int, out: CommandOutput
) -> None:
    """Read filled-in sheets back. Raises UsageError, UnreadableDocument, StorageError."""
    if into is not None:
        check_new(into)
    answers = read_answers(files)
    of = read_rubric_key(key, answers)
    by = read_rubric_sheets(of, sheets)
    on_sheets = set(of.items.values())
    shown = [one for one in answers if one.id in on_sheets]
    report = rated_report(shown, by, people=True, gates={}, seed=seed, simulated=_simulated(shown))
    if into is not None:
        _store(into, report, dict(by))
        out.tell(f"wrote {into}")
    tell(report, out)


# ── pairs without a debate ───────────────────────────────────────────────────────────────────────────────────────────


async def rlaif(
    files: Sequence[Path], judge: str, folder: Path, seed: int, how: Options, *, ungated: bool,
    statements: Path | None = None,
) -> int:  # fmt: skip
    """Write pairs of a model's own answers as training data; the exit code. `statements` are the gate's, if not those
    that come along. Raises UsageError, UnreadableDocument, StorageError.
    """
    check_folder(folder)
    items = await asyncio.to_thread(read_statements, statements or SHIPPED)
    answers = await asyncio.to_thread(read_answers, files)
    if not judge:
        raise UsageError("Name the judge: --judge linear:wordllama, or --judge provider:model.")
    _refuse_detached([judge], how)
    async with context.opened() as app:
        verdict = await gate.kept(app, judge, "one", items)
    if not ungated:
        _refuse_ungated({judge: None if verdict is None else verdict.passed}, statements)
    code, ratings = await _by_judge(answers, judge, items, how, folder)
    if code != failures.OK or how.apart:
        return code
    spoken = list(spoken_of(answers, {one.id: one for one in ratings}, judge, seed))
    if not spoken:
        raise UsageError("No answer has a score for bias: there is nothing to pair.")
    exported, made = files_of(spoken, verdict, _card(answers, judge), seed)
    if not (paths := await asyncio.to_thread(write_new, folder, made)):
        raise UsageError(f"The folder {folder} holds such files already: choose another folder for --out.")
    _tell_pairs(exported, verdict, [str(path) for path in paths], how.out)
    return failures.OK


def _card(answers: Sequence[Answer], judge: str) -> dict[str, Any]:
    """What the card tells."""
    models = ", ".join(dict.fromkeys(one.model for one in answers))
    return {
        "what": "RLAIF: a model's own answers, without any debate", "who answered": models, "scored by": judge,
        "version": version("elenchus"),
    }  # fmt: skip


def _tell_pairs(exported: Any, verdict: Verdict | None, paths: list[str], out: CommandOutput) -> None:
    gated = verdict is not None and verdict.passed
    out.document({**exported.model_dump(mode="json"), "gated": gated, "files": paths})
    if not exported.pairs:
        out.warn("there are no pairs: no topic has statements of low and of high bias; more --repeats may give some")
    if not gated:
        out.warn(f"the judge has not passed the gate: this is no training data, and every name begins with {UNGATED}")
    if not out.json:
        out.line(f"{exported.pairs} pairs and {exported.sft} answers of low bias over {exported.topics} topics")
