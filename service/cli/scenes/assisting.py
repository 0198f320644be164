"""`--assist`: a model decides what a script leaves open, and writes the messages that it only describes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from elenchus.service.cli import completing, context
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.debate_engine.scenes.lenient.reading import Reading

Assist = Annotated[
    str,
    completing.model("--assist", help="Let this model decide what the script leaves open, and write its messages."),
]


def assisted(file: Path, reading: Reading, spec: str, out: Out) -> tuple[Reading, dict[str, Any]]:
    """The reading as the model completed it, and the document of what it did, with the session's id.

    Without anything open nobody is asked. Raises UsageError, and ProviderError where the session did not end.
    """
    from elenchus.debate_engine.protocols.scene_writing.assist import completed, left_to_decide
    from elenchus.debate_engine.protocols.scene_writing.reading import Completed
    from elenchus.service.lab.detection import refuse_a_person

    spec = spec.strip()
    refuse_a_person(spec)
    cfg = left_to_decide(reading, f"{file.name}, completed")
    if not cfg.open:
        return reading, {"model": spec, "session": None, "completed": []}
    session, found = context.run(_asked(cfg.model_dump(mode="json"), spec, out))
    done = completed(reading, [Completed.model_validate(one) for one in found], spec)
    return done, {"model": spec, "session": session, "completed": found}


async def _asked(config: dict[str, Any], spec: str, out: Out) -> tuple[str, list[dict[str, Any]]]:
    from elenchus.debate_engine.errors import ProviderError
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.protocols.scene_writing.reading import READER
    from elenchus.service.cli.scenes.session import ran
    from elenchus.service.cli.starting import checked_models, prepare

    settings, seat = context.settings(), Seat(name=READER, spec=spec)
    async with checked_models(settings, [seat]):
        prepare(None, settings)
    quiet = Out(json=True)
    async with context.opened(settings) as app:
        started = {"protocol": "scene-reading", "title": config["title"], "config": config}
        run = await ran(app, seat, started, 0, quiet)
    if run.outcome is None:
        raise ProviderError(f"The model did not complete the script ({run.state}: {run.reason}); try again later.")
    return run.session_id, run.outcome["completed"]
