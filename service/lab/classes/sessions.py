"""One person's session in a class: its first event, made of the class's plan; and making it, once."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.human_seat import HUMAN, ROBOT
from elenchus.debate_engine.protocols.rulegen.config import Assignment
from elenchus.debate_engine.protocols.rulegen.study.grid import seed_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.log import EventLog
    from elenchus.debate_engine.pictures import PictureStore
    from elenchus.debate_engine.privacy.pseudonyms import Pseudonyms
    from elenchus.debate_engine.runner import Runner
    from elenchus.debate_engine.shared import Shared
    from elenchus.service.lab.classes.classroom import ClassPlan, Classroom, Person
    from elenchus.service.lab.personal_data import PersonalData
    from elenchus.service.lab.retention import Retention


@dataclass(frozen=True, slots=True)
class Parts:
    """What classes need of the application that they are in."""

    settings: Settings
    log: EventLog
    registry: Registry
    runner: Runner
    store: KeyValueStore
    pseudonyms: Pseudonyms
    pictures: PictureStore
    people: PersonalData
    retention: Retention
    shared: Shared


async def called(parts: Parts, room: Classroom, person: Person) -> str:
    """How somebody is called in the log; from then on their session expects them. Raises StorageError."""
    if person.robot:
        return f"{ROBOT}{person.number}"
    if person.called:
        return person.called
    return await parts.pseudonyms.of(person.account(room), person.session)


def started_for(room: Classroom, plan: ClassPlan, person: Person, name: str) -> SessionStarted:
    """The first event of somebody's session. Pure.

    A robot's is a pilot, which results over all sessions of a scene leave out, and has a lot of its own.
    """
    template = plan.started
    config = {**template.config, "pilot": person.robot}
    if config.get("versions"):
        study = room.robots_study if person.robot else room.study
        of = tuple(config["versions"])
        lot = Assignment(study=study, holder=person.session, seed=room.seed, of=of)
        config["assignment"] = lot.model_dump(mode="json")
    seats = tuple(
        seat.model_copy(update={"spec": f"{HUMAN}:{name}"}) if seat.name == room.subject else seat
        for seat in template.seats
    )
    seed = seed_of(room.seed, person.number)
    return template.model_copy(update={"config": config, "seats": seats, "seed": seed})


async def made(parts: Parts, room: Classroom, plan: ClassPlan, person: Person) -> None:
    """Make somebody's session, unless it is there. Raises StorageError."""
    try:
        await parts.log.info(person.session)
    except UnknownSession:
        await parts.retention.promise(person.session)
        name = await called(parts, room, person)
        with suppress(UsageError):  # it was made meanwhile
            await parts.log.create(person.session, started_for(room, plan, person, name))
