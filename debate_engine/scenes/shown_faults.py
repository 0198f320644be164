"""What is wrong with what is shown and said: the texts of trials, the pictures, the words that are fixed. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elenchus.debate_engine.scenes import templates, trials, versions
from elenchus.debate_engine.scenes.faults import Fault, Place, listed
from elenchus.debate_engine.scenes.scene import Rule, Scene
from elenchus.debate_engine.scenes.trials import Item, Trials


def of_the_trials(scene: Scene) -> Iterator[Fault]:
    """The places in a block's texts are filled in every item, at every level."""
    known = {trials.ROUND, *(factor.name for factor in scene.factors)}
    levels = [{level.name for level in factor.levels} for factor in scene.factors]
    for block in scene.trials:
        for number, item in enumerate(block.items, 1):
            for problem, remedy in _of_an_item(block, item, known, levels):
                what = f"item {number} of {block.name}{problem}"
                yield Fault(Place("trials", name=block.name), what, remedy)


def _of_an_item(block: Trials, item: Item, known: set[str], levels: Sequence[set[str]]) -> Iterator[tuple[str, str]]:
    for text in (block.show, block.answer.ask):
        try:
            templates.check(text, {*known, *item.values})
        except templates.UnknownPlace as error:
            yield f": {error}", "write the value beside it"
    if any(set(value) not in levels for value in item.by_level):
        yield " has no text for some level", "give it a text for each level of one factor"


def of_the_pictures(scene: Scene) -> Iterator[Fault]:
    """What shows a picture is a message or an item, and names one that there is."""
    names = [one.name for one in scene.pictures]
    for index, rule in enumerate(scene.rules):
        where = Place("rule", index, "picture")
        if rule.picture and rule.mode != "self-receiving":
            remedy = "name it below a message of the system, or in an item of trials"
            yield Fault(where, "a picture stands below a rule in which somebody speaks", remedy)
        if rule.picture and rule.picture not in names:
            yield Fault(where, *_no_picture(rule.picture, names))
    for block in scene.trials:
        for number, item in enumerate(block.items, 1):
            for name in sorted(_pictures_of(item) - {*names}):
                what, remedy = _no_picture(name, names)
                yield Fault(Place("trials", name=block.name), f"item {number} of {block.name}: {what}", remedy)


def unused_pictures(scene: Scene) -> Iterator[Fault]:
    """Each picture is shown by something."""
    shown = {rule.picture for rule in scene.rules}
    shown |= {name for block in scene.trials for item in block.items for name in _pictures_of(item)}
    for index, one in enumerate(scene.pictures):
        if one.name not in shown:
            into = (
                f'write `"picture": "{one.name}"` into an item, or `picture: {one.name}` below a message of the system'
            )
            yield Fault(Place("picture", index), f"nothing shows the picture {one.name}", f"{into}; or take it out")


def _pictures_of(item: Item) -> set[str]:
    return ({item.picture} if isinstance(item.picture, str) else {*item.picture.values()}) - {""}


def _no_picture(name: str, names: Sequence[str]) -> tuple[str, str]:
    remedy = f"take one of: {listed(names)}" if names else f"say what {name} is under # Pictures"
    return f"no picture is called {name}", remedy


def of_fixed_words(scene: Scene) -> Iterator[Fault]:
    """Words are fixed of those who are no subjects, or of a subject who has stated what they tell."""
    for index, rule in enumerate(scene.rules):
        where = Place("rule", index, "says")
        if rule.says and rule.mode == "self-receiving":
            remedy = "write them below the rule, each line after `> `"
            yield Fault(where, "the system's words stand behind `says:`", remedy)
        if rule.says and rule.initiator in scene.subjects and not rule.measures:
            yield Fault(where, f"the words of {rule.initiator}, a subject, are fixed", "leave them to the subject")


def places_in_fixed_words(scene: Scene) -> Iterator[Fault]:
    """Fixed words name what is there by then, in every version; each fault once, at the rules of the scene."""
    played = (versions.played_rules(scene, levels, met) for levels, met in versions.places(scene).values())
    yield from dict.fromkeys(fault for rules in played for fault in _of_a_version(scene, rules))


def _of_a_version(scene: Scene, played: Sequence[tuple[int, Rule]]) -> Iterator[Fault]:
    known = [*(role.name for role in scene.roles), *(factor.name for factor in scene.factors)]
    for index, rule in played:
        known += [*rule.measures, *([rule.trials] if rule.trials else [])]
        try:
            templates.check(rule.says, known)
        except templates.UnknownPlace as error:
            remedy = "name a role, a factor, or a measure that was stated before"
            yield Fault(Place("rule", index, "says"), str(error), remedy)
