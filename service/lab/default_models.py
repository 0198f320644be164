"""Who takes the seats that nobody names: the order of `config.defaults`, once one's own servers are asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from elenchus.config import defaults
from elenchus.config.settings import ModelChoice
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import is_human

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import Seat
    from elenchus.service.lab.servers import ServerAnswers

T = TypeVar("T")


class _ToAsk(Exception):
    """A seat wants a default, and a server must be asked first. Never leaves this file."""


@dataclass
class DefaultModels:
    """Gives models to seats that nobody names, and remembers which. `asked`: the servers have been asked already."""

    settings: Settings
    asked: bool = False
    taken: dict[str, ModelChoice] = field(default_factory=dict)

    def debater(self, *seats: str) -> str:
        """Who debates, for these seats."""
        self._check()
        chosen = defaults.available(self.settings)[0]
        self.taken.update(dict.fromkeys(seats, chosen))
        return chosen.spec

    def judges(self) -> list[str]:
        """Who judges: `judge-1` and so on."""
        self._check()
        found = defaults.judging(self.settings)
        self.taken.update({f"judge-{n}": chosen for n, chosen in enumerate(found, 1)})
        return [chosen.spec for chosen in found]

    def judge(self, seat: str) -> str:
        """The first of those who judge, for this seat."""
        self._check()
        chosen = defaults.judging(self.settings)[0]
        self.taken[seat] = chosen
        return chosen.spec

    def by_option(self, seat: str) -> str:
        """What was chosen outright (`--model`, ELENCHUS_MODEL, models.yaml) for this seat; "" where nothing was."""
        return self.debater(seat) if self.settings.chosen and not self.asked else ""

    def as_one_of(self, seat: str, others: Sequence[Seat]) -> str:
        """The model of the first of these seats that has one, for this seat; a default where none has."""
        of = next((other for other in others if not is_human(other.spec)), None)
        if of is None:
            return self.debater(seat)
        self.taken[seat] = self.taken.get(of.name) or ModelChoice(spec=of.spec, why=f"as {of.name}")
        return of.spec

    def told(self) -> Iterator[str]:
        """A line for each model that was chosen, with the seats and why: `judges: lab:llama3 (default: …)`."""
        for row in self.document():
            yield f"{_in_words(row['seats'])}: {row['model']} (default: {row['why']})"

    def document(self) -> list[dict[str, Any]]:
        """The same as JSON."""
        seats: dict[ModelChoice, list[str]] = {}
        for seat, chosen in self.taken.items():
            seats.setdefault(chosen, []).append(seat)
        return [{"seats": names, "model": chosen.spec, "why": chosen.why} for chosen, names in seats.items()]

    def _check(self) -> None:
        if not self.asked and defaults.to_ask(self.settings):
            raise _ToAsk


def _in_words(seats: list[str]) -> str:
    judges = [seat for seat in seats if seat.startswith("judge-")]
    if len(judges) < 2:
        return ", ".join(seats)
    return ", ".join([*(seat for seat in seats if seat not in judges), "judges"])


async def seated(settings: Settings, model: str, build: Callable[[DefaultModels], T]) -> tuple[T, DefaultModels]:
    """What `build` makes of the seats, and which it left to the defaults; `model` is the option `--model`.

    It may read files: it works off the event loop. A server of one's own is asked which models it has only where a
    seat needs it. Raises UsageError.
    """
    settings = with_option(settings, model)
    try:
        unnamed = DefaultModels(settings)
        return await asyncio.to_thread(build, unnamed), unnamed
    except _ToAsk:
        unnamed = DefaultModels(await settled(settings), asked=True)
        return await asyncio.to_thread(build, unnamed), unnamed


def with_option(settings: Settings, model: str, called: str = "--model") -> Settings:
    """The settings when the option of this name has named a model. Raises UsageError where a default is none."""
    from elenchus.debate_engine.llm.registry import parse_spec

    if spec := model.strip():
        settings = settings.model_copy(update={"chosen": (ModelChoice(spec=spec, why=called),)})
    for chosen in settings.chosen:
        if is_human(chosen.spec):
            raise UsageError(f"{chosen.why} names {chosen.spec!r}, but a person takes only a seat that is named.")
        try:
            parse_spec(chosen.spec, settings.servers)
        except UsageError as error:
            raise UsageError(f"{error} It comes from {chosen.why}.") from error
    return settings


async def settled(settings: Settings) -> Settings:
    """The settings with the models for unnamed seats in `chosen`; servers of one's own are asked what they have.

    Raises UsageError where only such a server is there and it does not tell.
    """
    if not defaults.to_ask(settings):
        return settings
    keyed = [name for name in defaults.CHEAP if getattr(settings, name).key]
    chosen = await asyncio.gather(*(_of_vendor(settings, name) for name in keyed))
    return settings.model_copy(update={"chosen": tuple(chosen) or (await _of_server(settings),)})


async def _of_vendor(settings: Settings, name: str) -> ModelChoice:
    """A vendor's cheap model; behind an address of one's own the first it has, where it has another list."""
    cheap = ModelChoice(spec=f"{name}:{defaults.CHEAP[name]}", why=f"{name.upper()}_API_KEY is set")
    if not getattr(settings, name).base_url:
        return cheap
    from elenchus.service.lab.servers import asked

    found = await asked(settings, name)
    if not found.models or defaults.CHEAP[name] in found.models:
        return cheap
    return ModelChoice(spec=f"{name}:{found.models[0]}", why=_which(found, f"{name.upper()}_BASE_URL"))


async def _of_server(settings: Settings) -> ModelChoice:
    """The model of the first server of one's own."""
    from elenchus.service.lab.servers import asked

    name = defaults.own_servers(settings)[0]
    called = f"the server {name}" if name in settings.servers else f"{name.upper()}_BASE_URL"
    found = await asked(settings, name)
    if not found.models:
        why = found.said if not found.welcome else "it has no list of models"
        raise UsageError(
            f"Which models {called} has cannot be asked ({why}): name one with --model {name}:MODEL, or set "
            f"ELENCHUS_MODEL={name}:MODEL."
        )
    return ModelChoice(spec=f"{name}:{found.models[0]}", why=_which(found, called))


def _which(found: ServerAnswers, called: str) -> str:
    number = len(found.models)
    return f"the only model of {called}" if number == 1 else f"the first of {number} models of {called}"
