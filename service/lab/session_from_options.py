"""From the options of a session to the session itself, with default models on the seats that nobody names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.service.lab import new_sessions
from elenchus.service.lab.default_models import DefaultModels, seated
from elenchus.service.lab.options import CritOptions, DebateOptions, RunOptions, SweepOptions
from elenchus.service.lab.seats import debate_seats, sweep_seats

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.service.lab.new_sessions import NewSession


async def session_from(options: RunOptions, settings: Settings, model: str = "") -> tuple[NewSession, DefaultModels]:
    """The session that these options describe, and which of its seats were left to default models.

    `model` takes every seat that nobody names. Raises UsageError.
    """
    match options:
        case DebateOptions():
            seats, unnamed = await seated(settings, model, lambda unnamed: debate_seats(options, unnamed))
            return new_sessions.debate(options, seats), unnamed
        case SweepOptions():
            seats, unnamed = await seated(settings, model, lambda unnamed: sweep_seats(options, unnamed))
            return new_sessions.sweep(options, seats), unnamed
        case CritOptions(model=reader):
            seat, unnamed = await seated(
                settings, model, lambda u: Seat(name="crit", spec=reader.strip() or u.debater("crit"))
            )
            return new_sessions.crit(options, seat), unnamed
    from elenchus.service.lab import detection, protocol_session

    match options:
        case detection.DetectOptions():
            cfg = detection.config_of(options)
            seats, unnamed = await seated(settings, model, lambda u: detection.detect_seats(options, cfg, u.debater))
            return detection.detection(cfg, seats), unnamed
        case protocol_session.ProtocolOptions():
            seats, unnamed = await seated(
                settings, model, lambda u: protocol_session.protocol_seats(options, u.debater)
            )
            return protocol_session.protocol_session(options, seats), unnamed
    raise UsageError(f"{type(options).__name__} describes no session: give options of a debate, for one.")
