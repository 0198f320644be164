"""Personas with a mind: made, looked at as of any day, fed, asked, surveyed, taken home and deleted.

A mind is one session of the protocol `mind`, which rests until it is given something. Its id follows from its place (a
server on Discord, "" for what belongs to no other place) and its name, so that no place has two of one name. Whatever
it is given lies in its log before it is carried out: when that breaks off, it is carried out with the next thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from elenchus.debate_engine import events
from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import (
    Fed,
    GivenToMind,
    OpinionRating,
    OpinionsRated,
    Seat,
    SessionStarted,
    Surveyed,
    Talked,
)
from elenchus.debate_engine.printable import is_blank, one_line
from elenchus.debate_engine.protocols.cognition.config import Character, MindConfig
from elenchus.debate_engine.protocols.cognition.methods import PERSONA
from elenchus.debate_engine.protocols.cognition.projection import (
    Exchange,
    MindProjection,
    Reading,
    Survey,
    as_of,
    mind_of,
)
from elenchus.debate_engine.protocols.cognition.schemas import Flow
from elenchus.service.lab import mind_work, new_sessions, person_records
from elenchus.service.lab.default_models import DefaultModels, seated
from elenchus.service.lab.mind_options import MindOptions, config_of, is_id_in, mind_id
from elenchus.service.lab.mind_rules import check, check_ratings, taken, unborn, unmade
from elenchus.service.lab.new_sessions import NewSession
from elenchus.service.lab.seats import seat_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.log import EventLog, SessionInfo
    from elenchus.debate_engine.pictures import PictureStore
    from elenchus.debate_engine.run_context import OnDraft
    from elenchus.service.lab.personal_data import PersonalData

PROTOCOL = "mind"
STILLBORN = timedelta(minutes=1)
"""After so long a mind that has no profile and that nobody runs is none: making it broke off."""

T = TypeVar("T", Reading, Survey, Exchange)


class Prepared(NamedTuple):
    """A mind that can be made. `unnamed` tells of a default model."""

    session: NewSession
    started: SessionStarted
    unnamed: DefaultModels


@dataclass(frozen=True, slots=True)
class Minds:
    """The minds of one log. `name` is a mind's name, or its session; `place` is where names are one; `by` says who does
    it, as the log calls them.
    """

    settings: Settings
    registry: Registry
    people: PersonalData
    pictures: PictureStore | None = None

    @property
    def log(self) -> EventLog:
        """Where they live."""
        return self.people.log

    # ── making, finding, deleting ────────────────────────────────────────────────────────────────────────────────

    async def prepared(
        self, options: MindOptions, *, by: str, place: str = "", unpriced_usd: float | None = None
    ) -> Prepared:
        """The mind, checked: nothing is spent, and nothing made. `unpriced_usd` is what a million tokens without a
        known price count for. Raises UsageError, ProviderError.
        """
        if await self._is_taken(options.name, place):
            raise taken(options.name)
        config = config_of(options, by, place)

        def one(unnamed: DefaultModels) -> Seat:
            return seat_of(PERSONA, options.model, unnamed.debater)

        seat, unnamed = await seated(self.settings, "", one)
        if seat.spec.startswith("human"):
            raise UsageError("A mind is a model: give provider:model. A person remembers by themselves.")

        def configured(registry: Registry) -> MindConfig:
            return config.model_copy(update={"small": bool(registry.small_seats([seat]))})

        session = NewSession(PROTOCOL, options.name, [seat], configured)
        started = session.first_event(self.registry, options, unpriced_usd=unpriced_usd)
        if unpriced_usd is None:
            new_sessions.refuse_uncounted(self.registry, session.seats, options)
        return Prepared(session, started, unnamed)

    async def create(self, options: MindOptions, *, by: str, place: str = "") -> MindProjection:
        """Make a mind; of one that does not come to be nothing is left. Raises UsageError, ElenchusError."""
        made = await self.prepared(options, by=by, place=place)
        await self.begin(options.name, made.started, place)
        return await self.born(options.name, place)

    async def begin(self, name: str, started: SessionStarted, place: str = "") -> None:
        """Make the session of a mind that was `prepared`; nothing is asked yet. Raises UsageError."""
        if await self._is_taken(name, place):
            raise taken(name)
        session = mind_id(name, place)
        with suppress(UnknownSession):  # what an earlier attempt has left
            await self.log.delete(session)
        try:
            await self.people.runner.create(started, session)
        except UsageError:
            if await self._exists(session):
                raise taken(name) from None
            raise

    async def born(self, name: str, place: str = "") -> MindProjection:
        """The mind of a session that was begun; where none comes of it, nothing is left. Raises ElenchusError."""
        session = mind_id(name, place)
        run = await mind_work.run(self.people.runner, session)
        found = mind_of(await self.log.read(session))
        if found.mind is None:
            await self.log.delete(session)
            raise unborn(name, run)
        return found

    async def _is_taken(self, name: str, place: str) -> bool:
        """Whether there is a mind of this name, or one is being made now."""
        session = mind_id(name, place)
        try:
            info, born = await self.log.info(session), mind_of(await self.log.read(session)).mind is not None
        except UnknownSession:
            return False
        begun_now = info.state == "running" and events.now() - info.created < STILLBORN
        return born or info.owner is not None or begun_now

    async def _exists(self, session: str) -> bool:
        try:
            await self.log.info(session)
        except UnknownSession:
            return False
        return True

    async def all(self, place: str = "") -> list[SessionInfo]:
        """The minds of a place, the newest first: `title` is the name. Their logs are not read."""
        found = [info for info in await self.log.sessions() if info.protocol == PROTOCOL]
        return [info for info in found if is_id_in(place, info.id)]

    async def events(self, name: str, place: str = "") -> list[events.Recorded]:
        """The log of a mind. Raises UsageError where there is none of this name."""
        try:
            found = await self.log.read(mind_id(name, place))
        except UnknownSession:
            found = []
        first = found[0].event if found else None
        if not isinstance(first, SessionStarted) or first.config.get("place", "") != place:
            raise UsageError(f"There is no mind called {name!r} here.")
        return found

    async def look(
        self, name: str, place: str = "", *, day: date | None = None, iteration: int | None = None
    ) -> MindProjection:
        """A mind now, at the end of a day (UTC), or after an iteration. Raises UsageError."""
        recorded = await self.events(name, place)
        found = as_of(recorded, day, iteration)
        if found.mind is None:
            made = recorded[0].at.date()
            raise UsageError(f"{name} was not there yet on {day}: it was made on {made}." if day else unmade(name))
        return found

    async def export(self, name: str, folder: str | Path, place: str = "") -> list[Path]:
        """Write report, data and pictures into a folder; their paths. Raises UsageError, StorageError."""
        from elenchus.debate_engine.reports.export import export

        recorded = await self.events(name, place)
        return (await export(mind_id(name, place), recorded, Path(folder), self.pictures)).files

    async def delete(self, name: str, place: str = "") -> None:
        """Delete a mind with all that it holds. Raises UsageError while it is at work."""
        session = mind_id(name, place)
        await self.events(name, place)
        if (await self.log.info(session)).owner is not None:
            raise UsageError(f"{name} is at work: wait until it is done.")
        await self.log.delete(session)
        await person_records.remove(self.people.store, session=session)

    # ── giving it something ──────────────────────────────────────────────────────────────────────────────────────

    async def feed(self, name: str, flow: Flow, *, by: str, place: str = "") -> Reading:
        """Have it read something. Raises UsageError, MindWaits."""
        given = Fed(by=by, texts=flow.texts, title=flow.title, source=flow.source)
        return await self._given(name, place, given, Reading)

    async def survey(self, name: str, questions: tuple[str, ...] = (), *, by: str, place: str = "") -> Survey:
        """Have it rate opinions, by default those it was made with. Raises UsageError, MindWaits."""
        asked = await self.questions(name, questions, place)
        return await self._given(name, place, Surveyed(by=by, questions=asked), Survey)

    async def ask(self, name: str, text: str, *, by: str, place: str = "", on_draft: OnDraft | None = None) -> Exchange:
        """Say something to it. Raises UsageError, MindWaits."""
        return await self._given(name, place, Talked(by=by, text=text.strip()), Exchange, on_draft)

    async def estimate(self, name: str, *given: GivenToMind, place: str = "") -> dict[str, Any]:
        """What it would ask and cost at the most to give it this: see `estimated`. Nothing is asked.

        What waits in its log, such as a debate that it has heard, is carried out along with it, and counted.
        """
        for one in given:
            check(name, one)
        recorded = await self.events(name, place)
        first, found = recorded[0].event, mind_of(recorded)
        assert isinstance(first, SessionStarted)
        if found.mind is None:
            raise UsageError(unmade(name))
        config = MindConfig.model_validate(first.config).model_copy(
            update={"profile": found.mind.profile, "character": Character(), "person": "myself"}  # it is made already
        )
        started = first.model_copy(update={"config": config.model_dump(mode="json")})
        waiting = [r.event for r in found.waiting.values() if isinstance(r.event, GivenToMind)]
        new = [one for one in given if found.waits(one) is None]
        return await estimated(self.settings, self.registry, started, given=(*waiting, *new))

    async def questions(self, name: str, questions: tuple[str, ...] = (), place: str = "") -> tuple[str, ...]:
        """The opinions of a survey, each once: these, else those that it was made with. Raises UsageError."""
        asked = tuple(dict.fromkeys(one_line(one) for one in questions if not is_blank(one)))
        if questions and not asked:
            raise UsageError("The opinions to rate are empty: write one, or none for those that it was made with.")
        config = mind_of(await self.events(name, place)).config
        if not (asked := asked or (config.opinions if config else ())):
            raise UsageError(f"There are no opinions to rate: give some, as {name} was made without any.")
        return asked

    async def rate(
        self, name: str, ratings: Mapping[str, int], *, by: str, place: str = "", iteration: int | None = None
    ) -> None:
        """Say how a person takes the persona to rate opinions, after an iteration (default: the last one).

        Raises UsageError.
        """
        mind = await self.look(name, place)
        after = mind.iteration if iteration is None else iteration
        check_ratings(name, mind, ratings, after)
        rated = tuple(OpinionRating(opinion=opinion, rating=rating) for opinion, rating in ratings.items())
        await self.log.send(mind_id(name, place), OpinionsRated(by=by, iteration=after, ratings=rated))

    async def give(self, name: str, event: GivenToMind, place: str = "") -> int:
        """Put something into its log, where it waits to be carried out (`carried_out`); its number there.

        What waits there already, as a program that fed it was killed, is not put there again. Raises UsageError.
        """
        check(name, event)
        if (waits := (await self.look(name, place)).waits(event)) is not None:
            return waits
        return (await self.log.send(mind_id(name, place), event)).seq

    async def _given(
        self, name: str, place: str, event: GivenToMind, kind: type[T], on_draft: OnDraft | None = None
    ) -> T:
        """Give it, and have it carried out; what came of it."""
        seq = await self.give(name, event, place)
        came = await self.carried_out(name, seq, place, on_draft)
        assert isinstance(came, kind)
        return came

    async def carried_out(
        self, name: str, seq: int, place: str = "", on_draft: OnDraft | None = None
    ) -> Reading | Survey | Exchange:
        """Have what stands in its log carried out by whoever runs the mind; what came of the command with this number.

        Raises MindWaits where it is kept and could not be carried out.
        """
        return await mind_work.carried_out(self.people.runner, name, mind_id(name, place), seq, on_draft)
