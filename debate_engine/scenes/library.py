"""The scenes that come with the program (`config/scenes/`), and those of other folders; each is called as its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from elenchus import config
from elenchus.config.catalogue import bias_meant
from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.scenes.canonical import Check, read
from elenchus.debate_engine.scenes.checks import unlike
from elenchus.debate_engine.scenes.faults import Fault, entry
from elenchus.debate_engine.scenes.lenient.reader import LARGEST
from elenchus.debate_engine.scenes.picture_files import with_pictures
from elenchus.debate_engine.scenes.scene import Scene

BUILT_IN = Path(config.__file__).with_name("scenes")

TEACHERS = "-teacher.md"
"""How the name of a page for teachers ends, beside the scene's own; it is no scene."""


def scene_files(folder: Path) -> list[Path]:
    """The files of a folder that hold scenes, by name: pages for teachers are none."""
    paths = (path for path in folder.glob("*.md") if not path.name.endswith(TEACHERS))
    return sorted(paths, key=lambda path: path.stem)


def load_scenes(folder: Path = BUILT_IN) -> dict[str, Scene]:
    """Every scene of a folder by name, sorted. Raises FaultyScene for a file that is no scene."""
    return {path.stem: _scene_in(path) for path in scene_files(folder)}


def find_scene(name: str, folder: Path = BUILT_IN, *, also: Sequence[str] = ()) -> Scene:
    """The scene of this name, in any case. Raises UsageError naming those with a name like it, of `also` too."""
    names = [path.stem for path in scene_files(folder)]
    if name.casefold() in names:
        return _scene_in(folder / f"{name.casefold()}.md")
    near = sorted(get_close_matches(name.casefold(), [*names, *also], n=4, cutoff=0.5))
    hint = f"near it: {', '.join(near)}" if near else "`elenchus scene list` shows those there are"
    raise UsageError(f"There is no scene {name!r}; {hint}.")


def scene_meant(text: str, folder: Path = BUILT_IN) -> str:
    """The name of the scene that a person means who types this: the name with blanks, or the bias that it elicits.

    The text itself where there is none such; a scene in another language than English is meant by its name alone.
    Raises UsageError, naming them, where several are about the bias.
    """
    names, plain = [path.stem for path in scene_files(folder)], "-".join(text.casefold().split())
    if plain in names:
        return plain
    try:
        bias = bias_meant(text, slips=False)  # what is run by mistake costs something
    except ValueError:
        return text
    known = load_scenes(folder)
    english = {name: one for name, one in known.items() if one.language == "en" and one.condition != "control"}
    about = {name: one.title for name, one in english.items() if one.bias == bias.id}
    if len(about) > 1:
        listed = ", ".join(f"{name} (“{title}”)" for name, title in about.items())
        raise UsageError(f"Several scenes are about “{bias.name}”: {listed}. Choose one of them by its name.")
    return next(iter(about), text)


def _read(path: Path, what: str = "scene") -> Scene:
    text = read_text(path, LARGEST, what)
    return with_pictures(read(text), path.parent, text)


def _scene_in(path: Path) -> Scene:
    try:
        return _read(path)
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error


def twin_of(scene: Scene, folder: Path = BUILT_IN) -> Scene:
    """The scene's twin, which stands in the same folder. Raises UsageError where it has none or the file is missing."""
    if not scene.twin:
        raise UsageError("The scene names no twin; write `twin:` and its file's name into the front matter.")
    try:
        return _read(folder / scene.twin, "scene's twin")
    except UnreadableDocument as error:
        raise UsageError(f"{error}: put the file beside the scene.") from error


def beside_its_twin(folder: Path) -> Check:
    """A look at a scene of this folder beside the twin that it names, if it names one."""

    def look(scene: Scene) -> Iterator[Fault]:
        if not scene.twin:
            return
        try:
            twin = twin_of(scene, folder)
        except UsageError:
            yield Fault(entry("twin"), f"its twin {scene.twin} is no scene that can be read",
                        "write it beside this one, or take the line out")  # fmt: skip
        else:
            yield from unlike(scene, twin)

    return look
