"""Wires everything together: the one place that knows which storage, which models and which protocols there are."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from elenchus.config.settings import Settings, load_settings
from elenchus.debate_engine.day_budget import DayBudgets
from elenchus.debate_engine.errors import ElenchusError, ProviderError, StorageError, UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import HumanSeat, is_human
from elenchus.debate_engine.llm.cache import ModelReplies, ReplyCache
from elenchus.debate_engine.llm.likelihood import LocalLikelihood
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.participant import Answer, Ask, Declined, Participant
from elenchus.debate_engine.pictures import PictureStore
from elenchus.debate_engine.privacy.pseudonyms import Pseudonyms
from elenchus.debate_engine.protocols.cognition.heard_in_session import tell_minds
from elenchus.debate_engine.retrieval import Recall
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.runner import Runner, SeatMaker, parts_of
from elenchus.service.lab.allocation import StoredAllocation
from elenchus.service.named_log import named_log
from elenchus.service.protocols import Protocols
from elenchus.service.shared import payer_in, replies_over, shared_of
from elenchus.service.store import open_store, pseudonyms_of, queue_of
from elenchus.service.tracing import traced
from elenchus.storage.embeddings import recall_of_this_machine
from elenchus.storage.key_value import SqlKeyValueStore, SqlReplyCache

if TYPE_CHECKING:
    from collections.abc import Mapping

    from elenchus.debate_engine.llm.scripted import ScriptedClient
    from elenchus.debate_engine.shared import Shared
    from elenchus.detectors.library import Library
    from elenchus.service.lab.classes.sessions import Parts
    from elenchus.service.lab.local_lab import LocalLab
    from elenchus.service.lab.minds import Minds
    from elenchus.service.lab.personal_data import PersonalData
    from elenchus.service.lab.retention import Retention
    from elenchus.service.workers.queue import JobQueue
    from elenchus.storage.vector_store import Progress, VectorCollection


@dataclass(frozen=True, slots=True)
class App:
    """What a front end works with. `runner` runs sessions over `log`; `registry` holds the models.

    `store` keeps a front end's small documents, `answers` what a bench need not ask again, both in the
    database, whichever log the sessions are in; `library` is what detections know of biases; `shared` is what all
    processes of the house count together.
    """

    settings: Settings
    log: EventLog
    registry: Registry
    runner: Runner
    store: SqlKeyValueStore
    answers: SqlReplyCache
    library: Library
    shared: Shared

    @property
    def pseudonyms(self) -> Pseudonyms:
        """The key to people's made-up names."""
        return pseudonyms_of(self.settings)

    @property
    def pictures(self) -> PictureStore:
        """The pictures that sessions show."""
        return PictureStore(self.settings.pictures)

    @property
    def people(self) -> PersonalData:
        """What is held on people, and its removal."""
        from elenchus.service.lab.personal_data import PersonalData

        return PersonalData(self.log, self.runner, self.store, self.pseudonyms)

    @property
    def retention(self) -> Retention:
        """What people in scenes were promised, and how it is kept."""
        from elenchus.service.lab.retention import Retention

        return Retention(self.people)

    @property
    def minds(self) -> Minds:
        """Personas with a mind."""
        from elenchus.service.lab.minds import Minds

        return Minds(self.settings, self.registry, self.people, self.pictures)

    @property
    def class_parts(self) -> Parts:
        """What classes need of it."""
        from elenchus.service.lab.classes.sessions import Parts

        return Parts(
            self.settings, self.log, self.registry, self.runner, self.store, self.pseudonyms, self.pictures,
            self.people, self.retention, self.shared,
        )  # fmt: skip


@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    log: EventLog | None = None,
    leave_on: frozenset[str] = frozenset(),
    scripts: Mapping[str, ScriptedClient] | None = None,
    building: Progress | None = None,
) -> AsyncIterator[App]:
    """The application of this process. `leave_on`: see `Runner`; `scripts` are scripted models by name.

    `log` is where the sessions are, which the caller closes; by default what the settings say, else the database.
    `building` is told how far the knowledge library is, when its first use has to build it.

    Raises StorageError, NewerSchema, DamagedLog, UsageError.
    """
    async with AsyncExitStack() as stack:
        if settings.home.is_file():
            raise StorageError(
                f"{settings.home} is a file: give the folder that keeps the sessions (ELENCHUS_HOME), or a new one."
            )
        stack.enter_context(traced(settings.tracing.endpoint or ""))
        database = await open_store(settings)
        stack.push_async_callback(database.aclose)
        if log is None and settings.sessions.log:
            log = await named_log(settings.sessions.log, settings.home)
            stack.push_async_callback(log.aclose)
        shared = await shared_of(settings)
        stack.push_async_callback(shared.aclose)
        registry = Registry(settings, scripts, shared=shared)
        stack.push_async_callback(registry.aclose)
        library, stored = library_of(settings, building)
        if stored is not None:
            stack.push_async_callback(stored.aclose)
        # The cache is emptied in the transaction of a redaction: beside another log it would quote who was forgotten.
        cache = replies_over(shared, database.reply_cache) if log is None else None
        lots = StoredAllocation(database.key_value_store, log or database)
        recall = recall_of_this_machine(settings.memories.index)
        protocols = Protocols(library, lots, LocalLikelihood(registry, cache), recall)
        minds = MindAccess(log or database, protocols.recall)
        day = DayBudgets(settings.day, shared, payer_in(database.key_value_store))
        runner = Runner(log or database, protocols, seat_maker(registry, cache, minds), leave_on, tell_minds, day)
        if log is None and not scripts and (queue := queue_of(settings)):
            stack.push_async_callback(queue.aclose)
            runner = _queued(runner, queue)
        yield App(
            settings, runner.log, registry, runner, database.key_value_store, database.reply_cache, library, shared
        )


@asynccontextmanager
async def open_lab(
    home: str | Path | None = None,
    *,
    model: str = "",
    settings: Settings | None = None,
    log: EventLog | None = None,
    scripts: Mapping[str, ScriptedClient] | None = None,
) -> AsyncIterator[LocalLab]:
    """A laboratory over the sessions in `home` (default: ELENCHUS_HOME, else the user's data folder).

    `model` takes every seat that nobody names. `settings` replace what the environment says; `log` has the sessions in
    place of the one in `home`, and the caller closes it; `scripts` are scripted models by name. A session that lacks
    budget or a provider is paused. Raises UsageError, StorageError.
    """
    from elenchus.service.lab.local_lab import LocalLab

    known = _known(home, model, settings)
    async with AsyncExitStack() as stack:
        stack.enter_context(_logged_where_asked())
        left_on = frozenset({"budget", "provider"})
        app = await stack.enter_async_context(open_app(known, log=log, leave_on=left_on, scripts=scripts))
        lab = LocalLab(app.settings, app.log, app.registry, app.runner, app.people)
        try:
            yield lab
        finally:
            await lab.aclose()


def _queued(runner: Runner, queue: JobQueue) -> Runner:
    """The same runner, whose sessions workers run where there are any."""
    from elenchus.service.workers.queued_runner import QueuedRunner

    return QueuedRunner(**parts_of(runner), queue=queue)


@contextmanager
def _logged_where_asked() -> Iterator[None]:
    """Inside, nothing is logged to standard error of itself: a program that sets up `logging` has tracebacks there."""
    ours, quiet = logging.getLogger("elenchus"), logging.NullHandler()
    ours.addHandler(quiet)
    try:
        yield
    finally:
        ours.removeHandler(quiet)


def _known(home: str | Path | None, model: str, settings: Settings | None) -> Settings:
    """The settings, with what was said otherwise."""
    from elenchus.service.lab.default_models import with_option

    try:
        known = settings or load_settings()
    except ValueError as error:
        raise UsageError(str(error)) from error
    known = with_option(known, model, "model")
    return known if home is None else known.model_copy(update={"home": Path(home).expanduser().absolute()})


def library_of(settings: Settings, building: Progress | None = None) -> tuple[Library, VectorCollection | None]:
    """The library with the collection to close; without the extra `detect` the catalogue itself, and nothing to close.

    Nothing is opened or built before it is asked.
    """
    from elenchus.detectors.library import CatalogueLibrary, StoredLibrary, entries

    if find_spec("chromadb") is None:
        return CatalogueLibrary(), None
    from elenchus.storage.embeddings import EMBEDDINGS
    from elenchus.storage.vector_store import StoreLocation, VectorCollection

    place = StoreLocation(settings.library_dir, settings.library.server)
    stored = VectorCollection(entries, EMBEDDINGS[settings.library.embedding], place, building)
    return StoredLibrary(stored), stored


class MindAccess(NamedTuple):
    """Where the minds are that take seats, and what finds their memories."""

    log: EventLog
    recall: Recall


def drafted_for_people() -> Collection[str]:
    """The forms that a stand-in drafts for the person on its seat."""
    from elenchus.debate_engine.protocols.socrasynth.schemas import PREPARED

    return PREPARED


def seat_maker(registry: Registry, answers: ReplyCache | None = None, minds: MindAccess | None = None) -> SeatMaker:
    """Puts people, models and minds on their seats; `answers` keeps what models answered, for who asks it again."""

    def make_seat(seat: Seat, room: RunContext) -> Participant:
        if is_human(seat.spec):
            stand_in = model_seat(seat, seat.stand_in, room) if seat.stand_in else None
            drafted = drafted_for_people() if seat.prepares else ()
            return HumanSeat(room, seat.deadline, stand_in, drafted, seat.most_words)
        model = model_seat(seat, seat.spec, room)
        if not seat.mind or not isinstance(model, ModelSeat):
            return model
        from elenchus.debate_engine.mind_seat import MindSeat

        if minds is None:
            return MissingSeat(UsageError("No mind can be seated here."))
        return MindSeat(model, seat.mind, minds.log, minds.recall)

    def model_seat(seat: Seat, spec: str, room: RunContext) -> Participant:
        try:
            kept = ModelReplies(answers, spec, registry.behind(registry.model_spec(spec))) if answers else None
            return ModelSeat(
                room, registry.model(spec, seat.price), Persona(seat.title or seat.name, seat.manner), kept
            )
        except ElenchusError as error:
            return MissingSeat(error)

    return make_seat


@dataclass(frozen=True, slots=True)
class MissingSeat:
    """A model that is not to be had here. The session can be read and redacted; it pauses when the model is asked."""

    error: ElenchusError

    async def answer(self, ask: Ask) -> Answer | Declined:
        """Raises why the model is not to be had: a reason to pause, as a model that is there later can go on."""
        if isinstance(self.error, ProviderError):
            raise self.error
        raise ProviderError(str(self.error))

    def most(self, ask: Ask) -> tuple[int, float]:
        """Nothing is spent."""
        return 0, 0.0
