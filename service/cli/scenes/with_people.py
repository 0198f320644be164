"""A scene with people, played once at this terminal: consent first, a debriefing at the end in every case."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid
from elenchus.debate_engine.reports.seats import EMBEDDED
from elenchus.debate_engine.runner import new_id
from elenchus.service.cli import checks, context, failures
from elenchus.service.cli.launch import Options, detached
from elenchus.service.cli.preflight import checked_models, prepare, refuse_unpriced, tell_before
from elenchus.service.cli.scenes.grid_run import tell_estimate
from elenchus.service.cli.session_outcome import play, sits_here
from elenchus.service.cli.turns import login_name
from elenchus.service.lab.consent_file import promises, read_terms
from elenchus.service.lab.grid import GridOptions
from elenchus.service.lab.grid_estimate import planned
from elenchus.service.lab.scene_files import keep_pictures
from elenchus.service.lab.scene_session import adults_only, first_event, played_once, scene_session

if TYPE_CHECKING:
    pass


LONGEST_ID = 200
"""Characters of a participant's id."""


@dataclass(frozen=True, slots=True)
class PeopleOptions:
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


async def play_with_people(wanted: GridOptions, how: Options, taking: PeopleOptions = PeopleOptions()) -> int:
    """Check, then plan or play; the exit code. Without --condition the version is drawn by lot, balanced."""
    settings, out = context.settings(), how.out
    if not wanted.with_people:
        raise UsageError("--mode, --consent, --ethics-approval and --participant-id are for people: name one as human.")
    promised, account = taking.settings(), taking.account
    if not (how.dry_run or how.detach):
        check_somebody_sits_here(wanted)
    session = await scene_session(played_once(wanted, checks.option), promised, settings)
    grid, seats, unnamed = session.grid, session.seats, session.unnamed
    told = [*session.cautions, *too_weak(grid), *adults_only(grid, taking.approval, checks.option)]
    read_here = not (how.dry_run or how.detach) and sits_here() and any(seat.spec == HUMAN for seat in seats)
    for caution in () if read_here else told:
        out.warn(caution)
    async with checked_models(settings, seats, dry_run=how.dry_run) as registry:
        refuse_unpriced(registry, seats, how.run, out, dry_run=how.dry_run)
        if how.dry_run:
            tell_estimate(await planned(session.dearest, settings, registry), unnamed, out)
            return failures.OK
    prepare(how.export, settings)
    async with context.opened(settings, interactive=sits_here() and not (out.json or how.detach)) as app:
        tell_before(out, seats, unnamed)
        await keep_pictures(wanted.scene, settings.own_scenes, [*grid.scenes.values()], app.pictures)
        session_id = new_id()
        started = await first_event(session, app.retention, session_id, account or login_name())
        await app.runner.create(started, session_id)
        if how.detach:
            return await detached(app, session_id, out)
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


def too_weak(grid: Grid) -> list[str]:
    """What a person should know before the embedded model plays beside them."""
    beside = (grid.cast.confederate, grid.cast.moderator, grid.cast.other)
    told = (
        "the embedded model is too weak to act, and slow: a person waits minutes for words that make no sense. Try it "
        "with --others scripted:demo, which speaks filler at once; for a scene that is meant, give another model"
    )
    return [told] if any(spec.startswith(EMBEDDED) for spec in beside) else []
