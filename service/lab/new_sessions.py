"""From options and seats to a session: checked and estimated, and nothing spent before it is begun."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from elenchus.config.settings import DEFAULT_MODEL
from elenchus.config.validation import fault_told
from elenchus.debate_engine.dry_run.estimate import unpriced
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.judging.protocol import debating_judges
from elenchus.debate_engine.protocols.registry import package_of
from elenchus.debate_engine.protocols.socrasynth.schemas import DebateConfig
from elenchus.debate_engine.reports.seats import EMBEDDED, OF_EMBEDDED, kind_of
from elenchus.service.lab.options import CritOptions, DebateOptions, RunOptions, SweepOptions
from elenchus.service.lab.seats import context_of, specs_of

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry

Configured = Callable[["Registry"], "FrozenModel | dict[str, Any]"]
"""Gives the protocol's settings once the models are known to be there."""


@dataclass(frozen=True)
class NewSession:
    """A session to be. `source` is the session whose words this one examines."""

    protocol: str
    title: str
    seats: Sequence[Seat]
    configured: Configured
    source: str = ""

    def first_event(
        self, registry: Registry, run: RunOptions, seed: int | None = None, *, unpriced_usd: float | None = None
    ) -> SessionStarted:
        """The session's first event, with these models. `seed` is our own chance's (default: drawn).

        Raises UsageError, MissingKey or another ProviderError for a model that is not to be had.
        """
        for spec in specs_of(self.seats):
            registry.model(spec)
        return first_event(
            self.protocol, self.title, self.configured(registry), self.seats, run, seed,
            unpriced_usd=unpriced_usd, source=self.source,
        )  # fmt: skip


def first_event(
    protocol: str,
    title: str,
    config: FrozenModel | Mapping[str, Any],
    seats: Sequence[Seat],
    run: RunOptions,
    seed: int | None = None,
    **more: Any,
) -> SessionStarted:
    """The first event of any session, of this version of Elenchus; `more` are further fields of it.

    `seed` is our own chance's: by default that of the options, which models get too, else a drawn one.
    """
    from importlib.metadata import version

    chance = seed if seed is not None else secrets.randbelow(2**31) if run.seed is None else run.seed
    fields = {
        "seed_models": run.seed is not None,
        **_same(run, "temperature", "budget_tokens", "budget_usd", "unpriced_ok"),
        **more,
    }
    return SessionStarted(
        protocol=protocol,
        title=title,
        config=config.model_dump(mode="json") if isinstance(config, FrozenModel) else dict(config),
        seats=tuple(seat.model_copy(update={"price": run.price}) if run.price else seat for seat in seats),
        seed=chance,
        version=version("elenchus"),
        protocol_version=package_of(protocol).version,
        **fields,
    )


# ── the protocols ────────────────────────────────────────────────────────────────────────────────────────────────


def debate(options: DebateOptions, seats: Sequence[Seat], vote_seconds: float | None = None) -> NewSession:
    """A debate; the audience may vote for so long before and after it (else as the options say), but not on an open
    question.
    """
    seconds = options.vote_seconds if vote_seconds is None else vote_seconds
    cfg = DebateConfig(
        motion=options.motion,
        open_question=options.open_question,
        brief=options.brief.strip(),
        topics=len(options.agenda) or options.topics,
        words_per_topic=options.words,
        vote_seconds=None if options.open_question else seconds,
        judges=tuple(seat.name for seat in seats if seat.name.startswith("judge-")),
        **_same(options, "max_rounds", "heat", "decay", "floor", "stop", "simultaneous", "coach", "agenda"),
        **_same(options, "approve_agenda", "compare_qa", "language"),
    )

    def configured(registry: Registry) -> DebateConfig:
        return cfg.model_copy(update={"small": registry.small_seats(seats)})

    return NewSession("socrasynth", cfg.motion, seats, configured)


def crit(options: CritOptions, seat: Seat, by: str = "") -> NewSession:
    """CRIT on a text, read by who sits on `seat`; `by` is whose text it is, "" where nobody's to be forgotten."""
    config: dict[str, Any] = {
        "title": options.title,
        "document": options.document.strip(),
        "sources": [source.model_dump() for source in options.sources],
        "max_reasons": options.max_reasons,
        "language": options.language,
    }
    config |= {"by": by} if by else {}

    def configured(registry: Registry) -> dict[str, Any]:
        return {**config, **context_of(registry, [seat])}

    return NewSession("crit", options.title, [seat], configured)


def sweep(options: SweepOptions, seats: Sequence[Seat]) -> NewSession:
    """A motion argued at several heats. Raises UsageError."""
    from elenchus.debate_engine.protocols.sweep.schemas import SweepConfig

    try:
        cfg = SweepConfig(**_same(options, "motion", "heats", "topics", "samples", "agenda", "language"))
    except ValidationError as error:
        raise UsageError(fault_told(error.errors(include_url=False)[0])) from error

    return NewSession("sweep", cfg.motion, seats, lambda _: cfg)


def _same(options: FrozenModel, *names: str) -> dict[str, Any]:
    """Options that a protocol's settings call by the same names."""
    return {name: getattr(options, name) for name in names}


# ── what is known beforehand ─────────────────────────────────────────────────────────────────────────────────────


def warnings(seats: Sequence[Seat], set_by: str = DEFAULT_MODEL) -> Iterator[str]:
    """What a reader of the result should know beforehand; `set_by` names what sets a model for all unnamed seats."""
    same = debating_judges(seats)
    people = {seat.name for seat in seats if is_human(seat.spec)}
    if models := [name for name in same if name not in people]:
        judging = "judges" if len(models) == 1 else "judge"
        yield f"{', '.join(models)} {judging} with a model that debates too: models tend to favour their own words"
    if own := [name for name in same if name in people]:
        yield f"{', '.join(own)}: a person judges a debate in which they speak themselves"
    yield from _of_models(seats, set_by)


def _of_models(seats: Sequence[Seat], set_by: str) -> Iterator[str]:
    small = [seat for seat in seats if seat.spec.startswith(EMBEDDED)]
    if small and (real := sorted({seat.spec for seat in seats if kind_of(seat.spec) in ("model", "local")})):
        names = ", ".join(dict.fromkeys(seat.name for seat in small))
        yield (
            f"{small[0].spec}, a toy, sits on {names} beside {', '.join(real)}: name other models there, or one for "
            f"all seats that are not named, with {set_by}"
        )
    if small:
        yield OF_EMBEDDED
    if any(seat.spec.startswith("scripted:") for seat in seats):
        yield "a script speaks and scores where a model would: it shows how everything works, and nothing else"


def refuse_uncounted(
    registry: Registry, seats: Sequence[Seat], options: RunOptions, remedies: str = "give price, or say unpriced_ok"
) -> None:
    """Raises UsageError where a budget of dollars cannot hold back a model, unless that was agreed to."""
    if (whose := uncounted(registry, seats, options.budget_usd)) and not options.unpriced_ok:
        raise UsageError(f"A budget of dollars cannot hold back {whose}: {remedies}.")


def uncounted(registry: Registry, seats: Sequence[Seat], budget_usd: float | None) -> str:
    """The models that a budget of dollars cannot hold back, as nobody knows their price, in words; "" for none."""
    specs = unpriced(registry, seats) if budget_usd is not None else []
    return f"{', '.join(specs)}, whose price is not known" if specs else ""
