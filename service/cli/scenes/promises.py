"""What people in scenes are promised, at the terminal: codes at the end, taking back, removing, who may see what."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.people.datasheet import HEAD, datasheet
from elenchus.debate_engine.protocols.rulegen.people.retention import config_of, end_reason
from elenchus.debate_engine.runner import started_of
from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab import codes
from elenchus.service.lab.consent_file import promises, read_terms
from elenchus.service.lab.grid import versions_of

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Recorded
    from elenchus.service.app import App


async def keep_promises(
    app: App, session: str, recorded: list[Recorded], out: CommandOutput, *, played: bool = True
) -> list[Recorded]:
    """What is done when a scene is over: codes for who `played` here, and nothing is kept of who agreed to nothing.

    The events that are left; none where nothing was to be kept.
    """
    if config_of(recorded) is None:
        return recorded
    for seat in (one.name for one in started_of(recorded).seats if played and one.spec == HUMAN):
        await tell_codes(app, session, recorded, seat, out)
    try:
        await app.retention.settle(session)
        if end_reason(recorded)[0] == "not kept":
            await app.retention.sweep()
        return await app.log.read(session)
    except UnknownSession:
        out.tell("nothing of it is kept")
        out.document({"id": session, "state": "removed"})
        return []


async def tell_codes(app: App, session: str, recorded: list[Recorded], seat: str, out: CommandOutput) -> None:
    """Show the codes of a seat to the person at this terminal; nothing before the log has how it ended."""
    if found := await codes.completion_code(app.store, session, recorded, seat):
        out.tell(f"code for who recruited you ({found[0]}): {found[1]}")
    if code := await codes.new_withdrawal_code(app.store, session, recorded, seat):
        out.tell(f"to take back what you said, keep this code, it is shown once: {code}")
        out.tell("it is used by: elenchus scene withdraw CODE")


async def leave_to_the_next(out: CommandOutput) -> bool:
    """Once who played here has read it all, nothing of it stays on the screen, nor in what can be scrolled up to.

    Whether that was done: where nobody sits at a terminal nothing happens.
    """
    from elenchus.service.cli.displays import typed_lines
    from elenchus.service.cli.live.keyboard import clear_screen, drop_typed_ahead, is_interactive

    if out.json or not is_interactive() or out.console.is_dumb_terminal:
        return False
    drop_typed_ahead()
    out.tell("press Enter when you have read this and kept your codes: the screen is cleared for the next")
    async with aclosing(typed_lines()) as lines:
        await anext(lines, "")
    clear_screen()
    return True


async def withdraw(code: str, out: CommandOutput) -> None:
    """Remove the session of whoever has this code. Raises UsageError for a code that is not known."""
    async with context.opened() as app:
        gone = await app.retention.withdraw(code)
    out.document({"withdrawn": True, "removed": gone})
    if not out.json:
        later = "nothing of it is left here" if gone else "what a bot shows, or has in use, goes at its next look"
        out.line(f"it is taken back: {later}; files that somebody has downloaded cannot be called back")


async def check_code(code: str, out: CommandOutput) -> None:
    """Say which ending a completion code stands for. Raises UsageError for none."""
    async with context.opened() as app:
        ending = await codes.ending_behind(app.store, code)
    if ending is None:
        raise UsageError("No such code was given: look whether it is typed as it was shown.")
    out.document({"ending": ending})
    if not out.json:
        out.line(ending)


async def sweep(out: CommandOutput) -> None:
    """Remove what is over its time."""
    async with context.opened() as app:
        removed = await app.retention.sweep()
    out.document({"removed": removed})
    if not out.json:
        out.line(f"{removed} session{'' if removed == 1 else 's'} removed")


def show_datasheet(name: str, mode: str, consent: Path | None, others: str, out: CommandOutput) -> None:
    """Who may see what of the people in a scene."""
    _, versions = versions_of(name, context.settings().own_scenes)
    scene = next(iter(versions.values()))
    people = tuple(role.name for role in scene.roles if role.kind == "subject")
    models = {"others": others} if others else {}
    told = promises(mode, read_terms(consent) if consent else None)
    cfg = SceneConfig(scene=scene, people=people, models=models, judges=(), **told)
    rows = datasheet(cfg)
    out.document({"mode": cfg.mode, "rows": [dict(zip(HEAD, row, strict=True)) for row in rows]})
    if not out.json:
        out.line(f"{scene.title}: who may see what ({cfg.mode})")
        shown = WordTable()
        for heading in HEAD:
            shown.add_column(heading, ratio=1)
        for row in rows:
            shown.add_row(*row)
        out.show(shown)
