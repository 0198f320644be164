"""What a front end has once a session was asked for and checked: its first event, and what is to be known of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab import new_sessions
from elenchus.service.lab.options import CritOptions, DebateOptions, Named, RunOptions, SweepOptions, options_of
from elenchus.service.lab.session_from_options import session_from

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.debate_engine.llm.registry import Registry


class Prepared(NamedTuple):
    """A session that can be made. `unnamed` says which default models took the seats that nobody named."""

    started: SessionStarted
    warnings: tuple[str, ...]
    unnamed: tuple[str, ...]


def option_models() -> dict[str, type[RunOptions]]:
    """The options of our own sessions, by what such a session is called outside."""
    from elenchus.service.lab.detection import DetectOptions

    return {"debate": DebateOptions, "crit": CritOptions, "sweep": SweepOptions, "detect": DetectOptions}


def options_model(protocol: str) -> type[RunOptions]:
    """The options of sessions of this kind, as it is called outside; of an installed package's: those of any."""
    from elenchus.service.lab.protocol_session import ProtocolOptions

    return option_models().get(protocol, ProtocolOptions)


def called(options: RunOptions) -> str:
    """What a session with these options is called outside. Raises UsageError where they describe none."""
    from elenchus.service.lab.protocol_session import ProtocolOptions

    if isinstance(options, ProtocolOptions):
        return options.protocol
    if found := [name for name, model in option_models().items() if isinstance(options, model)]:
        return found[0]
    raise UsageError(f"{type(options).__name__} describes no session: give options of a debate, for one.")


def options_for(protocol: str, given: Mapping[str, Any], named: Named = str) -> RunOptions:
    """What was given for a session of this protocol, checked; `named` calls options as who asks does.

    Raises UsageError.
    """
    model = options_model(protocol)
    whole = dict(given) | ({"protocol": protocol} if "protocol" in model.model_fields else {})
    return options_of(model, whole, named)


async def prepared(options: RunOptions, settings: Settings, registry: Registry) -> Prepared:
    """The session, checked: nothing is spent, and nothing made. Raises UsageError, ProviderError."""
    session, unnamed = await session_from(options, settings)
    started = session.first_event(registry, options)
    new_sessions.refuse_uncounted(registry, session.seats, options)
    return Prepared(started, tuple(new_sessions.warnings(session.seats)), tuple(unnamed.told()))
