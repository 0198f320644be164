"""Under which name a person at this terminal stands in a session's log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.registry import told_by
from elenchus.service.cli.people.desk import person

if TYPE_CHECKING:
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.service.app import App


async def name_in(app: App, started: SessionStarted, name: str = "") -> str:
    """The person's own name (default: the login); in a scene the pseudonym, so that the log holds no account."""
    name = name or person()
    return await app.pseudonyms.of(name) if told_by(started.protocol).has_subjects else name
