"""`elenchus scene new` and `elenchus scene save`: a scene written by a model, for a person to review."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.config.catalogue import bias_meant
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.protocols.scene_writing.protocol import WRITER
from elenchus.debate_engine.protocols.scene_writing.schemas import MAX_ROLES, MIN_ROLES, WritingConfig
from elenchus.debate_engine.reports.as_json import session_json
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.run_ends import Run, end_of
from elenchus.debate_engine.runner import started_of
from elenchus.service.cli import checks, context
from elenchus.service.cli.failures import PROVIDER
from elenchus.service.cli.launch import Launch, Options, launch
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.session_lookup import find
from elenchus.service.cli.session_outcome import next_step
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.detection import refuse_a_person
from elenchus.service.lab.new_sessions import NewSession
from elenchus.service.lab.scene_files import free_name, neutral_of, store
from elenchus.service.lab.seats import context_of

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.app import App

LONGEST_WISH = 2_000


def wishes_of(bias: str, about: str, language: str, roles: int, *, fixed: bool = False) -> WritingConfig:
    """What the writer is told, from the options. Raises UsageError."""
    checks.within(roles, MIN_ROLES, MAX_ROLES, "--roles", "3")
    wishes = {"about": clean(about).strip()[:LONGEST_WISH], "language": clean(language).strip(), "roles": roles}
    wishes |= {"fixed": fixed}
    return WritingConfig.model_validate({**_of_the_catalogue(bias), **wishes})


def _of_the_catalogue(name: str) -> dict[str, Any]:
    """What the writer is told of the bias. Raises UsageError."""
    try:
        entry = bias_meant(name)
    except ValueError as error:
        raise UsageError(f"A scene elicits a bias of the catalogue: {error}.") from error
    definition = " ".join(part for part in (entry.definition, entry.mindscope) if part)
    return {
        "bias": entry.id,
        "name": entry.name,
        "definition": definition,
        "elements": list(entry.elements),
        "recipe": entry.recipe,
        "called": list(entry.aliases),
    }


async def write_scene(cfg: WritingConfig, model: str, save: Path | None, options: Options) -> int:
    """Have a model write a scene, or plan it; the exit code. Raises UsageError."""
    settings = context.settings()
    spec, unnamed = await seated(settings, "", lambda unnamed: model.strip() or unnamed.debater(WRITER))
    refuse_a_person(spec)
    refuse_files_that_are_there(save, save and neutral_of(save))
    seats = [Seat(name=WRITER, spec=spec)]

    def configured(registry: Registry) -> WritingConfig:
        return cfg.model_copy(update={"writer": spec, **context_of(registry, seats)})

    session = NewSession("scene-writing", f"a scene on {cfg.name}", seats, configured)
    return (await launch(Launch(session, unnamed, ended=partial(concluded, save)), settings, options))[0]


async def save_scene(session: str, save: Path | None, out: CommandOutput) -> int:
    """Write the scene of a finished session into a file; the exit code. Raises UsageError."""
    refuse_files_that_are_there(save, save and neutral_of(save))
    async with context.opened() as app:
        session_id = (await find(app.log, session)).id
        recorded = await app.log.read(session_id)
        run = end_of(session_id, recorded)
        if started_of(recorded).protocol != "scene-writing" or run is None or run.outcome is None:
            raise UsageError(
                f"{session_id} is no finished `elenchus scene new`: `elenchus sessions list` shows them all."
            )
        return await concluded(save, app, run, out)


async def concluded(save: Path | None, app: App, run: Run, out: CommandOutput, _export: Path | None = None) -> int:
    """Write the file, print the document, and say what comes next; the exit code."""
    document = session_json(SessionView.of(run.session_id, await app.log.read(run.session_id)))
    written = run.outcome or {}
    if run.state != "finished":
        out.document(document | {"file": None})
        out.tell(f"{run.session_id} is {run.state}\n{next_step(run)}\nthen: elenchus scene save {run.session_id}")
        return run.exit_code
    if not written["text"]:
        out.document(document | {"file": None})
        out.tell(f"no scene came of it ({written['unwritten']}); try again, or take another --model")
        return PROVIDER
    path = save or free_name(app.settings.own_scenes, written["bias"])
    twin = stored_with_twin(path, written)
    out.document(document | {"file": str(path), "twin_file": str(twin) if twin else None})
    _tell_written(out, path, written, written["problems"])
    if twin is None:
        out.warn(f"it has no neutral twin ({written['untwinned']}): write one by hand, or try again")
    else:
        _tell_written(out, twin, written, written["twin_problems"])
    return 0


def stored_with_twin(path: Path, written: dict[str, Any]) -> Path | None:
    """Write the scene and its twin beside it, each naming the other's file; the twin's, None where there is none."""
    twin = neutral_of(path)
    bias = written["bias"]
    files = {f'twin: "{bias}-neutral.md"': f'twin: "{twin.name}"', f'twin: "{bias}.md"': f'twin: "{path.name}"'}
    for place, text in ((path, written["text"]), (twin, written["twin"])):
        lines = [files.get(line, line) for line in text.split("\n")]
        if text:
            store(place, "\n".join(lines))
    return twin if written["twin"] else None


def _tell_written(out: CommandOutput, path: Path, written: dict[str, Any], problems: list[dict[str, Any]]) -> None:
    for problem in problems:
        out.warn(f"{path}:{problem['line']}: {problem['what']}; {problem['remedy']}")
    out.line(f"{path}: “{written['title']}”, not reviewed yet")
    out.tell(f"read it, mend what you like, and accept it: elenchus scene review {path}")


def refuse_files_that_are_there(*paths: Path | None) -> None:
    """Raises UsageError: nothing of a person's is overwritten."""
    for path in paths:
        if path is not None and path.exists():
            raise UsageError(f"The file {path} is there already: give another name.")
