"""A scene with people, played once at this terminal: consent first, a debriefing at the end in every case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid, seats_of, styled
from elenchus.debate_engine.reports.seats import EMBEDDED
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.versions import common_to
from elenchus.service.cli import context, failures
from elenchus.service.cli.launch import Options
from elenchus.service.cli.preflight import checked_models, prepare, refuse_unpriced, tell_before
from elenchus.service.cli.scenes.grid_run import tell_estimate
from elenchus.service.cli.session_outcome import play, sits_here
from elenchus.service.cli.turns import login_name
from elenchus.service.lab.consent_file import promises, read_terms
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.grid import GridOptions, cautions, grid_of, run_options_of, scene_started, study_of_grid
from elenchus.service.lab.grid_estimate import planned
from elenchus.service.lab.lots import assignment_of
from elenchus.service.lab.scene_files import keep_pictures

if TYPE_CHECKING:
    from elenchus.debate_engine.scenes.scene import Scene
    from elenchus.service.app import App


LONGEST_ID = 200
"""Characters of a participant's id."""


@dataclass(frozen=True, slots=True)
class Taking:
    """What people are promised, and who takes part: options that only a scene with people has.

    `participant` is the id that a recruiting platform has given; it stands in the key file alone.
    """

    mode: str = ""
    consent: Path | None = None
    approval: str = ""
    participant: str = ""

    def settings(self) -> dict[str, Any]:
        """Those of the scene. Raises UsageError."""
        return promises(self.mode, read_terms(self.consent) if self.consent else None, self.approval)

    @property
    def account(self) -> str:
        """Under which account the person at this terminal stands in the key, "" for the login. Raises UsageError."""
        told = self.participant.strip()
        if len(told) > LONGEST_ID or not (told.isprintable() and told.isascii()):
            raise UsageError(f"An id of a participant has at most {LONGEST_ID} plain letters, digits and signs.")
        return f"participant:{told}" if told else ""


async def play_with_people(wanted: GridOptions, how: Options, taking: Taking = Taking()) -> int:
    """Check, then plan or play; the exit code. Without --condition the version is drawn by lot, balanced."""
    settings, out = context.settings(), how.out
    if not wanted.with_people:
        raise UsageError("--mode, --consent, --ethics-approval and --participant-id are for people: name one as human.")
    promised, account = taking.settings(), taking.account
    if not how.dry_run:
        check_somebody_sits_here(wanted)
    grid, unnamed = await seated(settings, wanted.model, lambda unnamed: grid_of(_once(wanted), settings, unnamed))
    told = [*cautions(wanted, grid, settings.own_scenes), *too_weak(grid), *adults_only(grid, taking.approval)]
    by_version = {name: _seats(grid, grid.scenes[name]) for name in grid.conditions}
    seats = [*{seat.name: seat for own in by_version.values() for seat in own}.values()]
    read_here = not how.dry_run and sits_here() and any(seat.spec == HUMAN for seat in seats)
    for caution in () if read_here else told:
        out.warn(caution)
    async with checked_models(settings, seats, dry_run=how.dry_run) as registry:
        refuse_unpriced(registry, seats, how.run, out, dry_run=how.dry_run)
        if how.dry_run:
            dearest = max(
                grid.conditions, key=lambda name: len(by_version[name])
            )  # those of as many cost about the same
            once = grid.model_copy(update={"conditions": (dearest,)})
            tell_estimate(await planned(once, settings, registry), unnamed, out)
            return failures.OK
    prepare(how.export, settings)
    async with context.opened(settings, interactive=sits_here() and not out.json) as app:
        tell_before(out, seats, unnamed)
        await keep_pictures(wanted.scene, settings.own_scenes, [*grid.scenes.values()], app.pictures)
        session_id = await start(app, grid, promised, account)
        out.tell(f"session {session_id}")
        code = await play(app, session_id, out, export=how.export)
    for caution in told if read_here else ():  # whoever plays is to read nothing that is meant for whoever runs it
        out.warn(caution)
    return code


def check_somebody_sits_here(wanted: GridOptions) -> None:
    """Raises UsageError where a person is to play here and can type nothing: nobody would ever agree."""
    from elenchus.service.cli.displays import nobody_types

    here = (*wanted.subjects, wanted.confederate, wanted.moderator, wanted.others)
    if HUMAN in here and nobody_types():
        raise UsageError(
            "Nobody can type here, so nobody can be asked whether they agree: run it at a terminal, or name who "
            f"answers at another one ({HUMAN}:NAME, with `elenchus sessions answer`)."
        )


def adults_only(grid: Grid, approval: str) -> list[str]:
    """Said of a scene for younger people that keeps something from them, where nobody has allowed that."""
    plan = grid.whole.plan
    if plan.least_age(approval) == plan.age:
        return []
    told = (
        "something is kept from people until the end, so it is for adults; where an ethics board, or at a school "
        "whoever has to, allowed it for younger ones, say who: --ethics-approval TEXT"
    )
    return [told]


def too_weak(grid: Grid) -> list[str]:
    """What a person should know before the embedded model plays beside them."""
    beside = (grid.cast.confederate, grid.cast.moderator, grid.cast.other)
    told = (
        "the embedded model is too weak to act, and slow: a person waits minutes for words that make no sense. Try it "
        "with --others scripted:demo, which speaks filler at once; for a scene that is meant, give another model"
    )
    return [told] if any(spec.startswith(EMBEDDED) for spec in beside) else []


def _once(wanted: GridOptions) -> GridOptions:
    """Raises UsageError where a person would be asked to play several times."""
    if wanted.n > 1 or len(wanted.subjects) > 1 or len(wanted.styles) > 1 or wanted.at_once is not None:
        raise UsageError(
            "With a person a scene is played once: give one --subject, at most one --style, no -n, no --at-once, "
            "and run it again for the next person."
        )
    if wanted.styles and any(is_human(spec) for spec in wanted.subjects):
        raise UsageError("A person decides in their own way: leave out --style.")
    return wanted


async def start(app: App, grid: Grid, promised: Mapping[str, Any], account: str = "") -> str:
    """Make the session, people under their made-up names, with what they are `promised`; its id.

    Who sits here goes by the `account`, "" for the login. First of all it is noted that the session is to be removed:
    whatever dies afterwards, no name stays in the key.
    """
    versions = {name: styled(grid.scenes[name], grid.styles[0]) for name in grid.conditions}
    session = new_id()
    await app.retention.promise(session)
    drawn_later: dict[str, Any] = {}
    if len(versions) > 1:
        lot = await assignment_of(app.store, study_of_grid(grid), session, versions)
        drawn_later = {"assignment": lot, "versions": versions}
    scene = common_to(versions)
    specs = {seat.name: seat for one in versions.values() for seat in _seats(grid, one)}
    seats = tuple([await _under_made_up_name(app, session, seat) for seat in specs.values()])
    if any(seat.spec == HUMAN for seat in seats):
        await app.pseudonyms.of(account or login_name(), session)
    started = scene_started(scene, seats, run_options_of(grid), pilot=grid.pilot, **drawn_later, **promised)
    return await app.runner.create(started, session)


def _seats(grid: Grid, scene: Scene) -> tuple[Seat, ...]:
    return seats_of(scene, grid.subjects[0], grid.cast, grid.price)


async def _under_made_up_name(app: App, session: str, seat: Seat) -> Seat:
    name = seat.spec.removeprefix(f"{HUMAN}:") if is_human(seat.spec) and seat.spec != HUMAN else ""
    return seat.model_copy(update={"spec": f"{HUMAN}:{await app.pseudonyms.of(name, session)}"}) if name else seat
