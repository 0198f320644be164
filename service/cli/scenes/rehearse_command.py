"""A scene rehearsed at a terminal: each version played by example answers, and what each role saw of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import EVERYONE
from elenchus.debate_engine.protocols.rulegen.rehearsal import Line, Rehearsal, Rehearsed, rehearse
from elenchus.debate_engine.scenes.library import twin_of
from elenchus.debate_engine.scenes.pace import minutes_of
from elenchus.debate_engine.scenes.versions import versions
from elenchus.service.cli import context
from elenchus.service.lab.scene_files import named

if TYPE_CHECKING:
    from elenchus.debate_engine.scenes.scene import Scene
    from elenchus.service.cli.output import CommandOutput

_SAID = {
    "consent": "is told beforehand",
    "part": "is told of the part",
    "question": "is asked",
    "debrief": "is told afterwards",
    "keep": "is asked afterwards",
}


def show(given: str, wanted: Sequence[str], promised: Mapping[str, Any], others: str, out: CommandOutput) -> None:
    """Rehearse a scene, with its twin where it has one, people `promised` what they will be when it is played beside
    this model. Raises UsageError for a version that there is not.
    """
    called, scene, folder = named(given, context.settings().own_scenes)
    scenes = [scene, *([twin_of(scene, folder)] if scene.twin else [])]
    minutes = {label: minutes_of(version) for one in scenes for label, version in versions(one).items()}
    if unknown := [label for label in wanted if label not in minutes]:
        raise UsageError(f"There is no version {unknown[0]!r}; the versions are {', '.join(filter(None, minutes))}.")
    done = context.run(_rehearsed(scenes, wanted, promised, others))
    out.document(_document(called, done, minutes))
    for line in _lines(scene, done, minutes) if not out.json else ():
        out.line(line)


async def _rehearsed(
    scenes: Sequence[Scene], wanted: Sequence[str], promised: Mapping[str, Any], others: str
) -> Rehearsal:
    done = [await rehearse(scene, wanted, promised, others) for scene in scenes]
    return Rehearsal(tuple(play for one in done for play in one.plays), tuple(p for one in done for p in one.problems))


def _document(called: str, done: Rehearsal, minutes: Mapping[str, float]) -> dict[str, Any]:
    plays = [play.as_json() for play in done.plays]
    about = {label: round(of, 1) for label, of in minutes.items()}
    return {"scene": called, "minutes": about, "plays": plays, "problems": list(done.problems)}


def _lines(scene: Scene, done: Rehearsal, minutes: Mapping[str, float]) -> Iterator[str]:
    about = max(minutes.values())
    yield f"{scene.title}: rehearsed with example answers; nobody was asked, and nothing is kept"
    yield f"It takes the one who plays about {about:.0f} minutes (reckoned from the words, not measured on people)."
    seen: list[str] = []
    for play in done.plays:
        again = play.version in seen
        yield from _again(play) if again else _play(play, scene, first=not seen)
        seen.append(play.version)
    if scene.answers:
        yield "\nQuestions that no rule foresees are answered, one after another:"
        yield from (f"  {n}. {text}" for n, text in enumerate(scene.answers, 1))
        yield "  then the last one again" if scene.plan.questions == "fixed" else "  then by the moderator's seat"
    yield ""
    yield from (f"warning: {problem}" for problem in done.problems)
    if not done.problems:
        yield "Every rule plays, and every outcome can come out otherwise." if scene.outcome else "Every rule plays."


def _play(play: Rehearsed, scene: Scene, *, first: bool) -> Iterator[str]:
    """A version in full: what the subjects see, and by number what others see of it."""
    yield f"\n━━ {play.version or 'the scene'} ━━"
    subjects = [role.name for role in scene.roles if role.kind == "subject"]
    for number, line in enumerate(play.lines, 1):
        if line.kind != "consent" or first:
            yield from _shown(number, line)
    for role in scene.roles:
        numbers = _runs(play.views[role.name]) or "nothing"
        yield f"{role.name} ({role.kind}) {'sees' if role.name in subjects else 'hears and says'}: {numbers}"
    yield f"It came out: {_came_out(play)}"


def _runs(numbers: Sequence[int]) -> str:
    """Numbers in rising order as a person reads them: "1–4, 7"."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in found)


def _again(play: Rehearsed) -> Iterator[str]:
    """The same version with other answers: these, and what came out."""
    asked = [line for line in play.lines if line.kind == "question" and isinstance(line.given, Mapping)]
    given = {name: value for line in asked for name, value in line.given.items()}  # type: ignore[union-attr]
    answers = "; ".join(f"{name}: {_told(value)}" for name, value in given.items())
    yield f"With other answers ({answers}) it comes out: {_came_out(play)}"


def _came_out(play: Rehearsed) -> str:
    told = [f"{one.rule}{f' ({one.met})' if one.met else ''}: {one.told}" for one in play.outcomes]
    return "; ".join(told) or "the scene has no rule for what came out"


def _shown(number: int, line: Line) -> Iterator[str]:
    to = "all" if EVERYONE in line.to else ", ".join(line.to)
    head = f"{to} {_SAID[line.kind]}" if line.kind in _SAID else f"{line.speaker} → {to}"
    first, *more = line.text.splitlines() or [""]
    yield f"{number:3}. {head}: {first}"
    yield from (f"     {text}" for text in more)
    if isinstance(line.given, Mapping):
        yield f"     answered: {'; '.join(f'{name}: {_told(value)}' for name, value in line.given.items())}"


def _told(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"
