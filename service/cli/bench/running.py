"""What the commands of the bench have in common: everything is checked, then planned or run as one session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from elenchus.service.cli import context

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Value
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.rehearsal import PaceOf, Plan
    from elenchus.service.cli.launching import Options
    from elenchus.service.lab.default_models import Unnamed

T = TypeVar("T")

A_PERSON = "a person"
NoCache = Annotated[bool, typer.Option("--no-cache", help="Ask everything anew, also what was answered before.")]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="Take no more than N.")]


async def measure(
    protocol: str,
    title: str,
    seats: Mapping[str, str],
    unnamed: Unnamed,
    made: Callable[[Registry], Value],
    options: Options,
    *,
    judge: str = "",
) -> tuple[int, str]:
    """Plan the run, or do it; the exit code and the session's id ("" for a plan).

    `made` gives the settings once the models are known to be there. `judge` is the one seat on which a person may sit.
    Raises UsageError, MissingKey.
    """
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.human import is_human
    from elenchus.detectors.evaluation.plan import plan
    from elenchus.service.cli.launching import Launch, launch
    from elenchus.service.lab.start import SessionSpec

    if any(is_human(spec) for name, spec in seats.items() if name != judge):
        raise UsageError("A bench measures models and needs a model on this seat: give --model provider:model.")

    def planned(cfg: Any, _seats: Sequence[Seat], pace_of: PaceOf) -> Plan:
        return plan(protocol, cfg, seats, pace_of)

    sitting = [Seat(name=name, spec=spec) for name, spec in seats.items()]
    session = SessionSpec(protocol, title, sitting, made, planned)
    return await launch(Launch(session, unnamed, long=True), context.settings(), options)


def in_words(work: Callable[[], T]) -> T:
    """What a reader of files gives, its ValueError as a UsageError."""
    from elenchus.debate_engine.errors import UsageError

    try:
        return work()
    except ValueError as error:
        raise UsageError(f"{error}.") from error


def context_in(registry: Registry, specs: Mapping[str, str]) -> dict[str, Any]:
    """`context_tokens` of the model that reads least; nothing where only people sit."""
    from elenchus.debate_engine.events import Seat
    from elenchus.service.lab.seats import context_of

    return context_of(registry, [Seat(name=name, spec=spec) for name, spec in specs.items()])


def named(spec: str) -> str:
    """A judge as it stands in titles and results: its model, or that it is a person, but not who."""
    from elenchus.debate_engine.human import is_human

    return A_PERSON if is_human(spec) else spec


def bias_ids(names: list[str] | None) -> list[str]:
    """The ids of biases by any of their names. Raises UsageError."""
    from elenchus.service.lab.detection import bias_named

    return [bias_named(name) for name in names or ()]
