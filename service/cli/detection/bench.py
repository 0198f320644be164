"""`elenchus bench static` and `unlabelled`: everything is checked, then planned or run as one session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.detectors.checks import SEAT
from elenchus.detectors.evaluation.items import drawn, first_of_each, items_of, own_texts, read_samples, recorded_items
from elenchus.detectors.evaluation.schemas import Item, Sample, StaticConfig, UnlabelledConfig
from elenchus.detectors.evaluation.spec import STATIC, UNLABELLED
from elenchus.detectors.evaluation.static import static_seats
from elenchus.detectors.evaluation.unlabelled import unlabelled_seats
from elenchus.detectors.schemas import SCREENED_METHODS, Method
from elenchus.service.cli import context
from elenchus.service.cli.failures import OK
from elenchus.service.cli.launch import Launch, Options, launch
from elenchus.service.cli.output import CommandOutput
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.detection import bias_named, candidates_added, method_named, weights_named
from elenchus.service.lab.new_sessions import NewSession
from elenchus.service.lab.seats import context_of

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.cli.session_outcome import Ended
    from elenchus.service.lab.default_models import DefaultModels

CHEAP = ("zero-shot", "cot")

T = TypeVar("T")

A_PERSON = "a person"


async def measure(  # noqa: PLR0913 - each by its name
    protocol: str,
    title: str,
    seats: Mapping[str, str],
    unnamed: DefaultModels,
    made: Callable[[Registry], FrozenModel],
    options: Options,
    *,
    judge: str = "",
    ended: Ended | None = None,
    writes: Path | None = None,
    readings: int = 0,
) -> tuple[int, str]:
    """Plan the run, or do it; the exit code and the session's id ("" for a plan).

    `made` gives the settings once the models are known to be there. `judge` is the one seat on which a person may sit.
    `ended`, `readings`: see `Launch`. `writes`: what the command writes once a run that recalls answers has ended,
    which who goes on with the session does not. Raises UsageError, MissingKey.
    """
    if any(is_human(spec) for name, spec in seats.items() if name != judge):
        raise UsageError("A bench measures models and needs a model on this seat: give --model provider:model.")

    sitting = [Seat(name=name, spec=spec) for name, spec in seats.items()]
    session = NewSession(protocol, title, sitting, made)
    wanted = Launch(session, unnamed, long=True, readings=readings, ended=ended)
    code, session_id = await launch(wanted, context.settings(), options)
    if writes is not None and (options.detach or code != OK):
        again = "the same command without --detach" if options.detach else "the same command"
        options.out.tell(f"{writes} is written by {again}, once that is over: what was answered is not asked again")
    return code, session_id


def in_words(work: Callable[[], T]) -> T:
    """What a reader of files gives, its ValueError as a UsageError."""
    try:
        return work()
    except ValueError as error:
        raise UsageError(f"{error}.") from error


def context_in(registry: Registry, specs: Mapping[str, str]) -> dict[str, Any]:
    """`context_tokens` of the model that reads least; nothing where only people sit."""
    return context_of(registry, [Seat(name=name, spec=spec) for name, spec in specs.items()])


def named(spec: str) -> str:
    """A judge as it stands in titles and results: its model, or that it is a person, but not who."""
    return A_PERSON if is_human(spec) else spec


def bias_ids(names: Sequence[str]) -> list[str]:
    """The ids of biases by any of their names. Raises UsageError."""
    return [bias_named(name) for name in names]


async def measure_static(
    items: Sequence[Item], models: list[str], judge: str, repeats: tuple[int, int], options: Options, *, cache: bool
) -> int:
    """Ask the models and judge; the exit code. Raises UsageError."""
    given = all(item.answer for item in items)
    if given:
        _refuse_what_would_be_passed_over(models, repeats[0], options)
    (specs, judge), unnamed = await seated(
        context.settings(), "", lambda unnamed: _specs(models, judge, unnamed, given)
    )
    if len(set(specs)) < len(specs):
        raise UsageError("--model names a model twice: give each one once, and --repeats for more answers.")
    seats = static_seats(specs, judge)

    def made(registry: Registry) -> StaticConfig:
        return StaticConfig(
            items=tuple(items),
            models=tuple(specs),
            repeats=repeats[0],
            judge_repeats=repeats[1],
            cache=cache,
            judge=named(seats[SEAT]),
            **context_in(registry, seats),
        )

    title = f"{len(items)} static questions"
    return (await measure(STATIC.name, title, seats, unnamed, made, options, judge=SEAT))[0]


def _specs(models: list[str], judge: str, unnamed: DefaultModels, given: bool) -> tuple[list[str], str]:
    """Who is examined, and who judges."""
    specs = [spec.strip() for spec in models] or ([] if given else [unnamed.debater("the model under test")])
    return specs, judge.strip() or unnamed.judge("judge")


def _refuse_what_would_be_passed_over(models: list[str], repeats: int, options: Options) -> None:
    """Raises UsageError for an option about answers, where every record has its own."""
    given = {"--model": bool(models), "--repeats": repeats > 1, "--temperature": options.run.temperature is not None}
    if passed_over := [name for name, there in given.items() if there]:
        raise UsageError(f"Every record has its answer, and only the judge is asked: leave out {passed_over[0]}.")


def static_items(folder: Path | None, records: Path | None, biases: Sequence[str], limit: int | None) -> list[Item]:
    """The questions to ask, or the records to judge. Raises UsageError."""
    if folder and records:
        raise UsageError("--questions and --records say the same in two ways: give one of them.")
    found = recorded_items(records) if records else in_words(lambda: items_of(folder))
    wanted = [item for item in found if not biases or item.bias in biases]
    if missing := [bias for bias in biases if bias not in {item.bias for item in wanted}]:
        raise UsageError(f"There is no question for {', '.join(missing)}.")
    return first_of_each(wanted, limit)


async def compare_methods(
    samples: Sequence[Sample], methods: Sequence[Method], model: str, weights: str, screen: str, options: Options, *,
    cache: bool,
) -> int:  # fmt: skip
    """Look for biases in the samples by every method; the exit code. Raises UsageError."""
    names = unlabelled_seats(methods)
    spec, unnamed = await seated(context.settings(), "", lambda unnamed: model.strip() or unnamed.debater(*names))
    seats = dict.fromkeys(names, spec)
    counted = weights_named(weights)
    if weights and "full" not in methods:
        raise UsageError("--weights counts the referees' scores, which only --method full has: leave it out.")
    near = candidates_added(screen, screened=any(method in SCREENED_METHODS for method in methods))

    def made(registry: Registry) -> UnlabelledConfig:
        return UnlabelledConfig(
            samples=tuple(samples),
            methods=tuple(methods),
            weights=counted,
            near=near,
            cache=cache,
            **context_in(registry, seats),
        )

    title = f"{len(samples)} texts, {spec}"
    return (await measure(UNLABELLED.name, title, seats, unnamed, made, options))[0]


def samples_of(texts: Path | None, limit: int | None, seed: int) -> Sequence[Sample]:
    """The texts to look at. Raises UsageError."""
    found = read_samples(texts) if texts else own_texts()
    ids = [sample.id for sample in found]
    if twice := sorted({name for name in ids if ids.count(name) > 1}):
        raise UsageError(f"The id {twice[0]!r} stands at several texts: give each its own, or none.")
    return drawn(found, len(found) if limit is None else limit, seed)


def methods_named(names: Sequence[str] | None) -> tuple[Method, ...]:
    """The methods by name, each once; the cheap ones where none is named. Raises UsageError."""
    return tuple(dict.fromkeys(method_named(name) for name in names or CHEAP))


async def show_cache(out: CommandOutput) -> None:
    """Tell which answers are kept, by model."""
    async with context.opened() as app:
        kept = await app.answers.overview()
    rows = [asdict(of) for of in kept]
    out.document({"answers": sum(of.answers for of in kept), "hits": sum(of.hits for of in kept), "by_model": rows})
    if out.json:
        return
    if not kept:
        out.line("No answers are kept.")
        return
    from elenchus.service.cli.tables import WordTable

    cells = [(of.model, f"{of.answers:,}", f"{of.hits:,}", f"{of.bytes:,}") for of in kept]
    out.show(WordTable.of(("model", "answers", "used again", "bytes"), cells, numbers=3))


async def clear_cache(out: CommandOutput) -> None:
    """Remove them all."""
    async with context.opened() as app:
        removed = await app.answers.clear()
    out.document({"removed": removed})
    if not out.json:
        out.line(f"{removed} kept answer{'' if removed == 1 else 's'} removed")
