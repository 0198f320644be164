"""From the options of `elenchus detect` to its session; all is checked before anything is spent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.examined_text import speakers_of, turns_of
from elenchus.detectors.schemas import Turn
from elenchus.service.cli import checks, context
from elenchus.service.cli.launch import Options, launch_from
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.session_lookup import find
from elenchus.service.cli.text_file import name_of_file_or_input, text_of_file_or_input
from elenchus.service.lab import detection
from elenchus.service.lab.options import LONGEST_DOCUMENT, options_of

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.storage.vector_store import Progress


async def start_detection(how: dict[str, Any], examined: tuple[str, str, str], options: Options) -> int:
    """Check it, then plan or run it; the exit code. `examined`: file, session and speaker. Raises UsageError."""
    settings = context.settings()
    file, session, speaker = examined
    options_of(detection.DetectOptions, {**how, "turns": ()}, checks.option)  # before anything is read
    what = await (_said_in(session, speaker, settings) if session else asyncio.to_thread(_written_in, file))
    said = options_of(detection.DetectOptions, how | what, checks.option)

    async def library_is_there(app: App) -> None:
        await app.library.names()  # built where it is not there yet, and told where it cannot be had, before any cost

    return await launch_from(said, options, ready=library_is_there, building=_building(options.out))


def _written_in(file: str) -> dict[str, Any]:
    """A file's text, or standard input's."""
    text = clean(text_of_file_or_input(file, LONGEST_DOCUMENT, "text")).strip()
    if not text:
        raise UsageError("The text is empty: give one in which somebody decides or argues.")
    return {"title": name_of_file_or_input(file), "turns": (Turn(text=text),)}


async def _said_in(beginning: str, speaker: str, settings: Settings) -> dict[str, Any]:
    """A session's turns, and whose words count."""
    async with context.opened(settings) as app:
        info = await find(app.log, beginning)
        turns = turns_of(await app.log.read(info.id))
    speakers = speakers_of(turns)
    if not turns:
        raise UsageError(f"Nothing was said in {info.id} yet: there is nothing to examine.")
    if speaker and speaker not in speakers:
        raise UsageError(f"Nobody called {speaker!r} spoke in {info.id}: it was {', '.join(speakers)}.")
    return {"title": f"{info.title} ({info.id})", "turns": turns, "source": info.id, "speaker": speaker}


def _building(out: CommandOutput) -> Progress:
    return lambda done, of: out.tell(f"building the knowledge library: {done} of {of} biases")
