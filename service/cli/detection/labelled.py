"""`elenchus bench evaluator` and `questions`: judges against people's labels, and more questions to ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.files import check_folder, write_all
from elenchus.detectors.checks import SEAT
from elenchus.detectors.evaluation.evaluator import result_of
from elenchus.detectors.evaluation.items import human_of, labelled_items
from elenchus.detectors.evaluation.presentation import files_of
from elenchus.detectors.evaluation.questions import SEAT as WRITER
from elenchus.detectors.evaluation.records import Record, read_records
from elenchus.detectors.evaluation.schemas import (
    EvaluatorConfig,
    EvaluatorResult,
    QuestionsConfig,
    QuestionsResult,
    Row,
)
from elenchus.detectors.evaluation.spec import EVALUATOR, QUESTIONS
from elenchus.detectors.evaluation.tables import evaluator_tables
from elenchus.service.cli import context, failures
from elenchus.service.cli.detection.bench import context_in, in_words, measure, named
from elenchus.service.cli.launch import Options
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.session_outcome import written
from elenchus.service.lab.default_models import seated

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry


def labelled_records(file: Path) -> Sequence[Record]:
    """The records of a file. Raises UsageError naming the first row that nobody has labelled."""
    records = read_records(file, needs=())

    judged = any(record.judge for record in records)
    for record in records:
        where = f"{file}, row {record.row}"
        if all(label is None for label in human_of(record)):
            raise UsageError(f"{where}: no person has labelled it: fill human, or presence of bias, with yes or no.")
        if not judged and not (record.answer and record.bias):
            raise UsageError(f"{where}: a judge needs an answer and the name of a bias.")
    return records


async def measure_judge(
    records: Sequence[Record], specs: tuple[str, str], repeats: int, options: Options, *, cache: bool
) -> int:
    """Have a judge label the answers that people have labelled; the exit code. `specs`: `--judge` and `--model`."""
    judge, model = specs
    seats, unnamed = await seated(
        context.settings(), model, lambda unnamed: {SEAT: judge.strip() or unnamed.judge(SEAT)}
    )

    def made(registry: Registry) -> EvaluatorConfig:
        return EvaluatorConfig(
            items=tuple(labelled_items(records)),
            repeats=repeats,
            seed=options.run.seed or 0,
            cache=cache,
            judge=named(seats[SEAT]),
            **context_in(registry, seats),
        )

    title = f"{len(records)} labelled answers, judge {named(seats[SEAT])}"
    return (await measure(EVALUATOR.name, title, seats, unnamed, made, options, judge=SEAT))[0]


def compare_labels(records: Sequence[Record], judge: str, options: Options) -> None:
    """Compare the labels that the file has itself. Raises UsageError."""
    if judge or options.dry_run:
        raise UsageError("The file has the judge's answers itself, and nobody is asked: leave out --judge, --dry-run.")
    result = _result(records, options.run.seed or 0)
    options.out.document(result.model_dump(mode="json"))
    if not options.out.json:
        options.out.line("\n\n".join(evaluator_tables(result)))
    if options.export:
        _write(result, options.export, options.out)


def _result(records: Sequence[Record], seed: int) -> EvaluatorResult:
    rows = tuple(
        Row(item=record.id or f"row-{record.row}", bias=record.bias, human=human_of(record), judge=record.judge)
        for record in records
    )
    return result_of(rows, seed)


def _write(result: EvaluatorResult, folder: Path, out: CommandOutput) -> None:
    check_folder(folder)
    files = write_all(folder, {name: text.encode() for name, text in files_of(result).items()})
    out.tell(written(files, folder))


async def write_questions(bias: str, folder: Path, model: str, number: int, options: Options) -> int:
    """Have questions written, and store those that can be used; the exit code."""
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(WRITER))

    def made(_registry: Any) -> QuestionsConfig:
        return QuestionsConfig(bias=bias, model=spec, count=number, used=tuple(_fields_of_life(bias)))

    code, session_id = await measure(
        QUESTIONS.name, f"{number} questions for {bias}", {WRITER: spec}, unnamed, made, options
    )
    if code == 0 and session_id and not await _write_file(session_id, folder, options.out):
        return failures.PROVIDER
    return code


async def _write_file(session_id: str, folder: Path, out: CommandOutput) -> bool:
    """Write the questions that can be used; whether there was one."""
    from elenchus.debate_engine.run_ends import end_of

    async with context.opened() as app:
        run = end_of(session_id, await app.log.read(session_id))
    assert run is not None, "the session has just finished"
    result = QuestionsResult.model_validate(run.outcome)
    for why in result.refused:
        out.warn(f"one that was written cannot be used: {why}")
    if result.questions:
        out.tell(f"{len(result.questions)} questions are in {_file(result, folder)}, generated and not reviewed")
    else:
        out.tell(f"none of them can be used, so {folder} was not written: try again, or another --model")
    return bool(result.questions)


def _file(result: QuestionsResult, folder: Path) -> Path:
    import yaml

    content = {"bias": result.bias, "questions": [one.model_dump(mode="json") for one in result.questions]}
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)
    (path,) = write_all(folder, {f"{result.bias}.yaml": text.encode()})
    return path


def refuse_to_overwrite(folder: Path, bias: str) -> None:
    """Raises UsageError where the file is there already, or cannot be written."""
    check_folder(folder)
    if (path := folder / f"{bias}.yaml").exists():
        raise UsageError(f"{path} is there already: choose another folder for --out.")


def _fields_of_life(bias: str) -> list[str]:
    """What our own questions of this bias are about."""
    from elenchus.config.static_questions import load_questions

    return [q.domain for file in in_words(load_questions) if file.bias == bias for q in file.questions]
