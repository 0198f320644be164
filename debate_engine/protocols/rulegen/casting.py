"""Before the first word: is the scene fit to be played, and is every seat taken? Nothing is spent where it is not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

from elenchus.config.catalogue import load_biases
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig, Target
from elenchus.debate_engine.protocols.rulegen.moves import is_fixed, moves_of
from elenchus.debate_engine.scenes.checks import giveaways
from elenchus.debate_engine.scenes.consistency import inconsistencies, left_open
from elenchus.debate_engine.scenes.faults import Fault
from elenchus.debate_engine.scenes.review import demand_reviewed
from elenchus.debate_engine.scenes.scene import SYSTEM, Scene


def config_for(scene: Scene, seats: Sequence[Seat], **settings: Any) -> SceneConfig:
    """The settings for playing a scene on these seats: who is a person, who judges (`judge-…`), the bias's entry.

    `settings` are others of SceneConfig. Raises UsageError where the scene cannot be played so.
    """
    names = {role.name for role in scene.roles}
    people = tuple(seat.name for seat in seats if seat.name in names and is_human(seat.spec))
    judges = [seat for seat in seats if seat.name.startswith("judge-") and seat.name not in names]
    _check_judges([seat.spec for seat in seats if seat.name in people], judges)
    cfg = SceneConfig(
        scene=scene,
        target=target_of(scene.bias),
        people=people,
        models={seat.name: seat.spec for seat in seats if people and not is_human(seat.spec)},
        judges=tuple(seat.name for seat in judges),
        human_judges=tuple(seat.name for seat in judges if is_human(seat.spec)),
        **settings,
    )
    check_playable(cfg, {seat.name for seat in seats})
    return cfg


def _check_judges(players: Collection[str], judges: Sequence[Seat]) -> None:
    """Raises UsageError where one of the people who play (their specs) is to judge, or somebody is to judge twice."""
    people = [seat.spec for seat in judges if is_human(seat.spec)]
    if set(people) & set(players):
        raise UsageError("Who plays in a scene cannot judge it: name another judge.")
    if len(set(people)) < len(people):
        raise UsageError("The judges are the same person twice: name each once.")


def target_of(bias: str) -> Target | None:
    """The catalogue's entry of a bias (its id) as judges are told of it; None for "". Raises UsageError."""
    if not bias:
        return None
    entry = next((entry for entry in load_biases() if entry.id == bias), None)
    if entry is None:
        raise UsageError(f"No bias has the id {bias}; `elenchus biases list` shows them all.")
    definition = " ".join(part for part in (entry.definition, entry.mindscope) if part)
    return Target(name=entry.name, definition=definition, elements=entry.elements)


def check_playable(cfg: SceneConfig, seats: Collection[str]) -> None:
    """Raises UsageError naming what keeps the scene from being played: in the scene, or a seat that nobody takes."""
    for scene in cfg.scenes:
        demand_reviewed(scene)
    if fault := next(_faults(cfg), None):
        where = f"rule {fault.place.index + 1}: " if fault.place.part == "rule" else ""
        raise UsageError(f"The scene cannot be played: {where}{fault.what}; {fault.remedy}.")
    if unread := next((one for scene in cfg.scenes for one in scene.pictures if not one.sha256), None):
        raise UsageError(f"The scene cannot be played: {unread.file} is not beside it; put the picture there.")
    names = {role.name for role in cfg.scene.roles}
    if taken := names & set(cfg.judges):
        raise UsageError(f"The scene cannot be played: {min(taken)} is a role and a judge; rename the role.")
    if unknown := set(cfg.people) - names:
        raise UsageError(f"The scene cannot be played: {min(unknown)} is no role; its roles are {', '.join(names)}.")
    ever_asked = [name for scene in cfg.scenes for name in asked(scene)]
    supervised = any(is_supervised(scene, set(asked(scene)) - set(cfg.people)) for scene in cfg.scenes)
    needed = [*ever_asked, *([SYSTEM] if supervised else ()), *(cfg.judges if cfg.evaluated else ())]
    if empty := [name for name in dict.fromkeys(needed) if name not in seats]:
        raise UsageError(f"The scene cannot be played: nobody sits on {', '.join(empty)}; name a model or a person.")


def speaking(scene: Scene) -> tuple[str, ...]:
    """The roles that ever speak, in the order in which they first do."""
    moves = (move for rule in scene.rules if rule.mode != "self-receiving" for move in moves_of(rule))
    return tuple(dict.fromkeys(move.speaker for move in moves))


def asked(scene: Scene) -> tuple[str, ...]:
    """The roles that are ever asked for words or values, in that order: all but those whose lines are all fixed."""
    free = (rule for rule in scene.rules if rule.mode != "self-receiving" and not is_fixed(rule))
    return tuple(dict.fromkeys(move.speaker for rule in free for move in moves_of(rule)))


def is_supervised(scene: Scene, models: Collection[str]) -> bool:
    """Whether the system agent has something to look at: `models` play, and somebody speaks in words of their own.

    Values are no words: what is no answer is not taken by the form.
    """
    spoken = (rule for rule in scene.rules if rule.mode != "self-receiving")
    return bool(models) and any(not (rule.says or rule.measures or rule.trials) for rule in spoken)


def with_fixed_lines(scene: Scene) -> tuple[str, ...]:
    """The roles that speak, and whose lines are all fixed: nobody sits on their seats."""
    return tuple(name for name in speaking(scene) if name not in asked(scene))


def _faults(cfg: SceneConfig) -> Iterator[Fault]:
    """What is wrong; of what was left open only that which this way of playing needs."""
    needless = {"debrief"} if not cfg.people else set()
    if not cfg.evaluated:
        needless.add("observation")
    for scene in cfg.scenes:
        wrong, open_ = _faults_in(scene.model_dump_json(), cfg.target.name if cfg.target else "")
        yield from wrong
        yield from (fault for fault in open_ if fault.place.part not in needless)


@lru_cache(maxsize=64)
def _faults_in(scene: str, bias: str) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """What is wrong with a scene (its JSON), and what was left open in it. Of a class's it is looked at once."""
    read = Scene.model_validate_json(scene)
    told = giveaways(read, bias) if bias else ()
    return (*inconsistencies(read), *told), tuple(left_open(read))
