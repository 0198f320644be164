"""From what a teacher says to a class: checked, with nothing spent and nobody asked before it is begun."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.rulegen.casting import speaking
from elenchus.debate_engine.protocols.rulegen.config import Terms
from elenchus.debate_engine.scenes.versions import common_to
from elenchus.service.lab.batches import run_options_of
from elenchus.service.lab.classes.classroom import MOST_BOTS, MOST_PEOPLE, ClassPlan, Classroom
from elenchus.service.lab.classes.publication import LEAST
from elenchus.service.lab.grid import scene_started
from elenchus.service.lab.grid_estimate import planned
from elenchus.service.lab.options import RunOptions
from elenchus.service.lab.scene_files import keep_pictures, teachers_page
from elenchus.service.lab.scene_session import SceneOptions, SceneSession, adults_only, checked_scene, seats_in

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import Seat, SessionStarted
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.pictures import PictureStore
    from elenchus.debate_engine.scenes.scene import Scene

LEAST_MINUTES = 3.0
"""Of a person's time for one answer, where the scene's file says less or nothing."""
_FOR_TEACHERS = re.compile(r"\s*\(`elenchus [^`]*`\)")
"""Commands in questions: a class reads these from the wall."""
_AFTERWARDS = re.compile(r"^## (?:Afterwards|Danach)$", re.MULTILINE)
"""The heading of a page for teachers under which the questions stand."""
_QUESTION = re.compile(r"^\d+\.\s+(.*(?:\n(?!\d+\.\s|\s*\n|#).*)*)", re.MULTILINE)


class ClassOptions(RunOptions):
    """A scene for a class. Empty: what the scene has, and default models for roles whose lines are not written.

    `people` are expected, `bots` answering robots besides. With `slips` everybody has a code of their own. A person has
    `answer_minutes` for one answer (None: as long as the scene's file says for all of it, three at least); whatever is
    under way after `hours` is closed. A budget is for all sessions together.
    """

    scene: str
    conditions: tuple[str, ...] = ()
    people: int = Field(default=30, ge=0, le=MOST_PEOPLE, examples=[30])
    bots: int = Field(default=0, ge=0, le=MOST_BOTS, examples=[5])
    slips: bool = False
    confederate: str = ""
    moderator: str = ""
    others: str = ""
    judges: tuple[str, ...] = ()
    model: str = ""
    mode: str = ""
    terms: Terms | None = None
    ethics_approval: str = Field(default="", max_length=500)
    answer_minutes: float | None = Field(default=None, ge=0.5, le=1_440, examples=[5])
    hours: float = Field(default=2.0, ge=0.1, le=48, examples=[2])

    @property
    def played(self) -> dict[str, Any]:
        """The options of each session."""
        beside = ("conditions", "confederate", "moderator", "others", "judges", "model", "mode", "terms",
                  "ethics_approval", "scene", *RunOptions.model_fields)  # fmt: skip
        return {name: getattr(self, name) for name in beside} | {"subjects": (HUMAN,)}


class VersionSpread(NamedTuple):
    """So many people on so many versions, which are too few for what each version is to show; `most` versions would do
    (1 where even that may be too many).
    """

    people: int
    versions: int
    most: int

    @property
    def told(self) -> str:
        """In a sentence."""
        return (
            f"{self.people} people on {self.versions} versions are about {self.people / self.versions:.0f} in each: a "
            f"version that fewer than {LEAST} met is shown together with another one, and one of fewer than "
            f"{2 * LEAST} has no distribution. Choose {self.most} of them, or fewer."
        )


class ClassEstimate(NamedTuple):
    """What a class takes at the most. `cautions` are what to know beforehand; besides, whether only `adults` may play
    it, as nobody is named who allowed it for others, and how thinly people are `spread`.
    """

    plan: dict[str, Any]
    cautions: tuple[str, ...]
    adults: str
    spread: VersionSpread | None

    @property
    def told(self) -> tuple[str, ...]:
        """All that is to be known beforehand, a sentence each."""
        return tuple(filter(None, (*self.cautions, self.adults, self.spread and self.spread.told)))


class NewClass(NamedTuple):
    """A class that can be begun; `cautions` are what to know beforehand."""

    room: Classroom
    plan: ClassPlan
    cautions: tuple[str, ...]


async def new_class(
    options: ClassOptions,
    settings: Settings,
    registry: Registry,
    pictures: PictureStore,
    *,
    class_id: str,
    now: datetime,
) -> NewClass:
    """The class, checked; but for its pictures nothing is kept. Raises UsageError, ProviderError, StorageError."""
    if not options.people + options.bots:
        raise UsageError("Nobody is expected: say how many people there are.")
    scene = await _scene(options, settings, registry)
    await keep_pictures(options.scene, settings.own_scenes, [*scene.grid.scenes.values()], pictures)
    questions = await asyncio.to_thread(questions_in, options.scene, settings.own_scenes)
    return await asyncio.to_thread(_made, options, scene, questions, class_id, now)


async def estimated(options: ClassOptions, settings: Settings, registry: Registry) -> ClassEstimate:
    """What all sessions of a class ask of models at the most: calls, tokens, dollars; nothing for fixed lines."""
    scene = await _scene(options, settings, registry)
    whole = scene.dearest.model_copy(update={"n": max(1, options.people + options.bots)})
    plan = (await planned(whole, settings, registry)).document
    adults = "".join(adults_only(scene.grid, options.ethics_approval))
    cautions = tuple(one for one in scene.cautions if one != adults)
    return ClassEstimate(plan, cautions, adults, spread_of(options.people, len(scene.grid.conditions)))


def spread_of(people: int, versions: int) -> VersionSpread | None:
    """How thinly people are spread, None where each version has enough of them to show what came out in it."""
    if not people or versions < 2 or people // versions >= 2 * LEAST:
        return None
    return VersionSpread(people, versions, max(1, people // (2 * LEAST)))


async def _scene(options: ClassOptions, settings: Settings, registry: Registry) -> SceneSession:
    played = await asyncio.to_thread(SceneOptions.of, options.played, settings.own_scenes)
    scene = await checked_scene(played, settings, registry)
    subject_of([*scene.grid.scenes.values()])
    if any(is_human(seat.spec) for seat in scene.seats if seat.name != _subject(scene)):
        raise UsageError("In a class people are subjects, each in a scene of their own: name models for the others.")
    return scene


def _subject(scene: SceneSession) -> str:
    return subject_of([*scene.grid.scenes.values()])


def subject_of(versions: Sequence[Scene]) -> str:
    """The role that people play. Raises UsageError where there are several, or none that speaks, in any version."""
    found = {
        role.name for one in versions for role in one.roles if role.kind == "subject" and role.name in speaking(one)
    }
    if len(found) != 1:
        raise UsageError(
            f"A class plays a scene with one subject who speaks; this one has {len(found)}. Play it on Discord, or by "
            "`elenchus scene run`."
        )
    return found.pop()


def _made(
    options: ClassOptions, scene: SceneSession, questions: Sequence[str], class_id: str, now: datetime
) -> NewClass:
    grid, subject = scene.grid, _subject(scene)
    chosen = {name: grid.scenes[name] for name in grid.conditions}
    minutes = grid.whole.plan.minutes
    wait = options.answer_minutes or max(float(minutes[1] if minutes else 0), LEAST_MINUTES)
    room = Classroom(
        id=class_id, code="", scene=grid.name, title=common_to(chosen).title, subject=subject,
        conditions=grid.conditions, people=options.people, bots=options.bots, slips=options.slips,
        seed=secrets.randbelow(2**31) if options.seed is None else options.seed % 2**31,
        minutes=minutes, answer_seconds=60.0 * wait, created=now, until=now + timedelta(hours=options.hours),
        questions=tuple(questions), **scene.promised,
    )  # fmt: skip
    spread = spread_of(options.people, len(grid.conditions))
    plan = ClassPlan(whole=grid.whole, versions=grid.scenes, started=_started(scene, options, room))
    return NewClass(room, plan, (*scene.cautions, *([spread.told] if spread else [])))


def _started(scene: SceneSession, options: ClassOptions, room: Classroom) -> SessionStarted:
    """The first event of a session; each has its share of the budget."""
    grid, everybody = scene.grid, options.people + options.bots
    chosen = {name: grid.scenes[name] for name in grid.conditions}
    seats = {seat.name: seat for one in chosen.values() for seat in seats_in(grid, one)}
    drawn = {"versions": chosen} if len(chosen) > 1 else {}
    started = scene_started(
        common_to(chosen), [_with_time(seat, room) for seat in seats.values()], run_options_of(grid), room.seed,
        debriefing="when asked", **drawn, **scene.promised,
    )  # fmt: skip
    shares = {
        "budget_usd": options.budget_usd and options.budget_usd / everybody,
        "budget_tokens": options.budget_tokens and max(1, options.budget_tokens // everybody),
    }
    return started.model_copy(update=shares)


def _with_time(seat: Seat, room: Classroom) -> Seat:
    return (
        seat.model_copy(update={"deadline": room.answer_seconds, "title": seat.name}) if is_human(seat.spec) else seat
    )


def questions_in(scene: str, own: Path) -> list[str]:
    """The questions for a discussion, from the scene's page for teachers; none where there is no page."""
    with suppress(UsageError):
        after = _AFTERWARDS.split(teachers_page(scene, own), 1)[1:]
        part = "".join(after).partition("\n## ")[0]
        return [_FOR_TEACHERS.sub("", " ".join(found.split())) for found in _QUESTION.findall(part)]
    return []
