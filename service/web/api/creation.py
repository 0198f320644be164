"""What is begun over HTTP: its options, and the session that they make."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab import new_sessions
from elenchus.service.lab.mind_seats import under_their_names, with_minds
from elenchus.service.lab.prepared_session import options_for, options_model, prepared
from elenchus.service.lab.scene_files import keep_pictures
from elenchus.service.lab.scene_session import SceneOptions, checked_scene, first_event
from elenchus.service.shared import PAYERS

if TYPE_CHECKING:
    from elenchus.service.lab.options import Named, RunOptions
    from elenchus.service.web.server import WebService

SCENE = "scene"
"""What a session of a scene is called outside."""


def model_of(protocol: str) -> type[RunOptions]:
    """The options of such a session."""
    return SceneOptions if protocol == SCENE else options_model(protocol)


async def options_from(protocol: str, given: dict[str, Any], service: WebService, *, named: Named = str) -> RunOptions:
    """The options of a session; `named` calls them as who asks does. Raises UsageError."""
    if protocol == SCENE:
        scene = await asyncio.to_thread(SceneOptions.of, given, service.app.settings.own_scenes, named)
        return await with_minds(scene, service.app.minds)
    options = await with_minds(options_for(protocol, given, named), service.app.minds)
    if weights := str(getattr(options, "weights", "")).strip():
        await asyncio.to_thread(_refuse_file, weights)
    return options


def _refuse_file(weights: str) -> None:
    """Raises UsageError for weights that would be read from a file of the server."""
    from elenchus.detectors.decision.weights import built_in

    if weights not in built_in():
        raise UsageError(f"Over a service weights are named: take one of {', '.join(built_in())}.")


async def begin(options: RunOptions, service: WebService, session: str, by: str) -> list[str]:
    """Make a session with this id and run it; what is to be known of it. It is paid for by a grant, where what a person
    may use a day is limited. Raises UsageError, ProviderError.
    """
    app = service.app
    if app.settings.day.limited:
        await app.store.put(PAYERS, session, {"grant": by})
    if isinstance(options, SceneOptions):
        return await begin_scene(options, service, session)
    made = await prepared(options, app.settings, app.registry)
    seats = tuple(await under_their_names(made.started.seats, app.minds))
    await service.own.start(made.started.model_copy(update={"seats": seats}), session)
    return [*made.warnings, *made.unnamed]


async def begin_scene(options: SceneOptions, service: WebService, session: str) -> list[str]:
    """The same of a scene, played once. Each person's seat waits for whoever is given its link."""
    app = service.app
    scene = await checked_scene(options, app.settings, app.registry)
    await keep_pictures(options.scene, app.settings.own_scenes, [*scene.grid.scenes.values()], app.pictures)
    started = await first_event(scene, app.retention, session, by_seat=True)
    await service.own.start(started, session)
    return [*scene.cautions, *new_sessions.warnings(scene.seats), *scene.unnamed.told()]
