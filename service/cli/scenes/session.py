"""A session of one model that works on a scene: started, run and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.runner import Run
    from elenchus.service.app import App
    from elenchus.service.cli.output import Out


async def ran(app: App, seat: Seat, started: dict[str, Any], seed: int | None, out: Out) -> Run:
    """Run it to its end, or until it is paused. `started` are the first event's fields besides seat and seed."""
    import secrets
    from importlib.metadata import version

    from elenchus.debate_engine.events import SessionStarted
    from elenchus.service.cli.conduct import conduct
    from elenchus.service.cli.displays import display_of

    session_id = await app.runner.start(
        SessionStarted(
            seats=(seat,),
            seed=secrets.randbelow(2**31) if seed is None else seed,
            version=version("elenchus"),
            **started,
        )
    )
    out.tell(f"session {session_id}")
    return await conduct(app.log, app.runner, session_id, display_of(out, session_id, frozenset()))
