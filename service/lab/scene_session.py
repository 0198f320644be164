"""One session of a scene, with people or models on its seats: who is promised what, which version is drawn, and how
people are called. A grid of many runs with models is `grid_session`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import Field

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.rulegen.config import Terms
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid, seats_of, styled
from elenchus.debate_engine.scenes.versions import common_to
from elenchus.service.lab.allocation import assignment_of
from elenchus.service.lab.batches import run_options_of
from elenchus.service.lab.consent_file import promises
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.grid import GridOptions, cautions, grid_of, scene_started, study_of_grid
from elenchus.service.lab.new_sessions import refuse_uncounted
from elenchus.service.lab.options import Named, options_of
from elenchus.service.lab.seats import specs_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import Seat, SessionStarted
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.scenes.scene import Scene
    from elenchus.service.lab.default_models import DefaultModels
    from elenchus.service.lab.retention import Retention


OptionsT = TypeVar("OptionsT", bound=GridOptions)


class SceneOptions(GridOptions):
    """One play of a scene that is in the catalogue. `mode` says what people are promised: a demonstration, or a study
    by its own `terms`; `ethics_approval` who allowed it.
    """

    mode: str = ""
    terms: Terms | None = None
    ethics_approval: str = Field(default="", max_length=500)

    @classmethod
    def of(cls, given: Mapping[str, Any], own: Path, named: Named = str) -> SceneOptions:
        """What was given, checked; the scene is one of the folder `own` or of the library, never another file.

        Reads files: call it off the event loop. Raises UsageError.
        """
        options = options_of(cls, given, named)
        return played_once(options.model_copy(update={"scene": in_catalogue(options.scene, own)}))

    @property
    def promised(self) -> dict[str, Any]:
        """Those settings of the scene that say what people are promised. Raises UsageError."""
        if not self.with_people and (self.mode or self.terms or self.ethics_approval):
            raise UsageError("mode, terms and ethics_approval are for people: name one as human.")
        return promises(self.mode, self.terms, self.ethics_approval) if self.with_people else {}


class SceneSession(NamedTuple):
    """A scene that can be played; `unnamed` are the default models on its seats, `cautions` what to know beforehand."""

    grid: Grid
    promised: Mapping[str, Any]
    cautions: tuple[str, ...]
    unnamed: DefaultModels

    @property
    def seats(self) -> list[Seat]:
        """Everybody's seat in any version, each once."""
        by_version = (seats_in(self.grid, self.grid.scenes[name]) for name in self.grid.conditions)
        return [*{seat.name: seat for own in by_version for seat in own}.values()]

    @property
    def dearest(self) -> Grid:
        """One run of the version with the most seats: what a run costs at the most."""
        sizes = {name: len(seats_in(self.grid, self.grid.scenes[name])) for name in self.grid.conditions}
        return self.grid.model_copy(update={"conditions": (max(sizes, key=sizes.__getitem__),)})


async def scene_session(options: GridOptions, promised: Mapping[str, Any], settings: Settings) -> SceneSession:
    """The scene, checked; nothing is made. `promised` are the settings that say what people are promised.

    Raises UsageError.
    """
    once = played_once(options)
    grid, unnamed = await seated(settings, options.model, lambda u: grid_of(once, settings, u))
    return SceneSession(grid, promised, tuple(cautions(options, grid, settings.own_scenes)), unnamed)


async def checked_scene(options: SceneOptions, settings: Settings, registry: Registry) -> SceneSession:
    """A scene with what people are promised, whose models are there. Raises UsageError, ProviderError."""
    scene = await scene_session(options, options.promised, settings)
    for spec in specs_of(scene.seats):
        registry.model(spec)
    refuse_uncounted(registry, scene.seats, options)
    told = adults_only(scene.grid, options.ethics_approval) if options.with_people else []
    return scene._replace(cautions=(*scene.cautions, *told))


def in_catalogue(name: str, own: Path) -> str:
    """The scene of this name, in the folder `own` or in the library, as `GridOptions` takes it; never another file.

    Raises UsageError.
    """
    from elenchus.debate_engine.scenes.library import find_scene, scene_files, scene_meant

    for path in scene_files(own):
        if path.stem.casefold() == name.casefold():
            return str(path)
    meant = scene_meant(name).casefold()
    find_scene(meant)
    if Path(name).exists() or Path(meant).exists():
        raise UsageError(f"A file called {name!r} lies where the service was started: start it in another folder.")
    return meant


def played_once(wanted: OptionsT, named: Named = str) -> OptionsT:
    """The same. Raises UsageError where several sessions are meant."""
    if wanted.n > 1 or len(wanted.subjects) > 1 or len(wanted.styles) > 1 or wanted.at_once is not None:
        raise UsageError(
            f"With a person a scene is played once: give one {named('subjects')}, at most one {named('styles')}, no "
            f"{named('n')}, no {named('at_once')}, and run it again for the next person."
        )
    if wanted.styles and any(is_human(spec) for spec in wanted.subjects):
        raise UsageError(f"A person decides in their own way: leave out {named('styles')}.")
    return wanted


def adults_only(grid: Grid, approval: str, named: Named = str) -> list[str]:
    """Said of a scene for younger people that keeps something from them, where nobody has allowed that."""
    plan = grid.whole.plan
    if plan.least_age(approval) == plan.age:
        return []
    told = (
        "something is kept from people until the end, so it is for adults; where an ethics board, or at a school "
        f"whoever has to, allowed it for younger ones, say who: {named('ethics_approval')}"
    )
    return [told]


async def first_event(
    session: SceneSession, retention: Retention, session_id: str, account: str = "", *, by_seat: bool = False
) -> SessionStarted:
    """The session's first event, under which it is to be made; its people stand in the key by then.

    Who is called `human` and nothing else goes by the `account`; `by_seat`: each of them is somebody else. First of all
    it is noted that the session is to be removed one day: whatever dies afterwards, no name stays in the key.
    """
    grid, people = session.grid, retention.people
    versions = {name: styled(grid.scenes[name], grid.styles[0]) for name in grid.conditions}
    if session.promised:
        await retention.promise(session_id)
    drawn_later: dict[str, Any] = {}
    if len(versions) > 1:
        lot = await assignment_of(people.store, study_of_grid(grid), session_id, versions)
        drawn_later = {"assignment": lot, "versions": versions}
    scene = common_to(versions)
    specs = {seat.name: seat for one in versions.values() for seat in seats_in(grid, one)}
    seats_of_people = [_somebody_else(seat, session_id) if by_seat else seat for seat in specs.values()]
    seats = tuple([await _under_made_up_name(retention, session_id, seat) for seat in seats_of_people])
    if account and people.pseudonyms and any(seat.spec == HUMAN for seat in seats):
        await people.pseudonyms.of(account, session_id)
    return scene_started(scene, seats, run_options_of(grid), pilot=grid.pilot, **drawn_later, **session.promised)


def seats_in(grid: Grid, scene: Scene) -> tuple[Seat, ...]:
    """Everybody's seat in this version."""
    return seats_of(scene, grid.subjects[0], grid.cast, grid.price)


def _somebody_else(seat: Seat, session: str) -> Seat:
    """A person's seat whose account is the seat's own."""
    return seat.model_copy(update={"spec": f"{HUMAN}:web:{session}:{seat.name}"}) if seat.spec == HUMAN else seat


async def _under_made_up_name(retention: Retention, session: str, seat: Seat) -> Seat:
    name = seat.spec.removeprefix(f"{HUMAN}:") if is_human(seat.spec) and seat.spec != HUMAN else ""
    key = retention.people.pseudonyms
    known = await key.of(name, session) if name and key else ""
    return seat.model_copy(update={"spec": f"{HUMAN}:{known}"}) if known else seat
