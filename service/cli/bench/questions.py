"""`elenchus bench questions`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import checks, context, failures, options
from elenchus.service.cli.bench.running import bias_ids, in_words, measure
from elenchus.service.cli.launching import Options, limits_of
from elenchus.service.cli.options import BudgetTokens, BudgetUsd, DryRun, Json, PriceOption, Seed, UnpricedOk
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.detectors.evaluation.generator import QuestionsConfig, QuestionsResult


def questions(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    bias: Annotated[str, options.bias("--bias", help="What the questions are about.")],
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the file of questions goes.")],
    model: Annotated[str, options.model("--model", help="Who writes them.")] = "",
    number: Annotated[int, typer.Option("-n", metavar="N", help="How many.")] = 3,
    dry_run: DryRun = False,
    budget_tokens: BudgetTokens = None,
    budget_usd: BudgetUsd = None,
    price: PriceOption = "",
    unpriced_ok: UnpricedOk = False,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Have more static questions written; they are marked as generated and not reviewed.

    Use them with: elenchus bench static --questions DIR.
    """
    checks.within(number, 1, 50, "-n", "3")
    limits = limits_of(budget_tokens, budget_usd, price, unpriced_ok=unpriced_ok)
    options = Options(Out(json), limits, seed, dry_run, None)
    options.check()
    (bias_id,) = bias_ids([bias])
    _refuse_to_overwrite(folder, bias_id)
    raise typer.Exit(context.run(_questions(bias_id, folder, model, number, options)))


async def _questions(bias: str, folder: Path, model: str, number: int, options: Options) -> int:
    from elenchus.detectors.evaluation.files import QUESTIONS
    from elenchus.detectors.evaluation.generator import SEAT, QuestionsConfig
    from elenchus.service.lab.default_models import seated

    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(SEAT))

    def made(_registry: Any) -> QuestionsConfig:
        return QuestionsConfig(bias=bias, model=spec, count=number, used=tuple(_fields_of_life(bias)))

    code, session_id = await measure(QUESTIONS, f"{number} questions for {bias}", {SEAT: spec}, unnamed, made, options)
    if code == 0 and session_id and not await _write(session_id, folder, options.out):
        return failures.PROVIDER
    return code


async def _write(session_id: str, folder: Path, out: Out) -> bool:
    """Write the questions that can be used; whether there was one."""
    from elenchus.debate_engine.runner import end_of
    from elenchus.detectors.evaluation.generator import QuestionsResult

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

    from elenchus.debate_engine.reports.files import write_all

    content = {"bias": result.bias, "questions": [one.model_dump(mode="json") for one in result.questions]}
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)
    (path,) = write_all(folder, {f"{result.bias}.yaml": text.encode()})
    return path


def _refuse_to_overwrite(folder: Path, bias: str) -> None:
    """Raises UsageError where the file is there already, or cannot be written."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.reports.files import check_folder

    check_folder(folder)
    if (path := folder / f"{bias}.yaml").exists():
        raise UsageError(f"{path} is there already: choose another folder for --out.")


def _fields_of_life(bias: str) -> list[str]:
    """What our own questions of this bias are about."""
    from elenchus.config.static_questions import load_questions

    return [q.domain for file in in_words(load_questions) if file.bias == bias for q in file.questions]
