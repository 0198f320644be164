"""What is wrong with what a scene measures: the questions, who is asked them where, and in which order. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from elenchus.debate_engine.scenes import outcome, versions
from elenchus.debate_engine.scenes.faults import Fault, Place, listed
from elenchus.debate_engine.scenes.measures import Measure, stated
from elenchus.debate_engine.scenes.scene import Rule, Scene

MAX_MEASURES, MAX_TRIALS = 200, 500
"""Questions of a scene, and items of all its trials: more than that nobody answers in one sitting."""

END = ("outcome", "manipulation", "met-before", "suspicion")
"""In which order a subject is asked at the end: what comes later gives away more."""


def of_the_measures(scene: Scene) -> Iterator[Fault]:
    """Each measure has a name of its own, and what it needs: a reason, a fitting example, what is right."""
    items = sum(len(block.items) for block in scene.trials)
    if len(scene.measures) > MAX_MEASURES:
        what = f"the scene has {len(scene.measures):,} measures"
        yield Fault(Place("measures"), what, f"leave at most {MAX_MEASURES}")
    if items > MAX_TRIALS:
        yield Fault(Place("trials"), f"the trials have {items:,} items in all", f"leave at most {MAX_TRIALS}")
    names = [one.name for one in (*scene.measures, *scene.trials)]
    if twice := next((name for n, name in enumerate(names) if name in names[:n]), ""):
        yield Fault(Place("measures", name=twice), f"there are two measures named {twice}", _RENAME)
    for one in scene.measures:
        yield from (Fault(Place("measures", name=one.name), what, remedy) for what, remedy in _of_a_measure(one))


_RENAME = "give each a name of its own"


def _of_a_measure(one: Measure) -> Iterator[tuple[str, str]]:
    if one.serves == "demographic" and not (one.optional and one.why):
        remedy = f"write `optional: true` and `why: …` to {one.name}"
        yield f"{one.name} asks of the person, without a reason or a way round", remedy
    if one.example is not None and not _fits(one):
        yield f"the example of {one.name} is no answer to it", "write an answer that the form accepts, or take it out"
    if one.serves == "attention" and not one.right:
        yield f"nothing says what is right for {one.name}", 'write `right: colour = "blue"`'


def _fits(measure: Measure) -> bool:
    """Whether the measure's example is an answer to it."""
    try:
        stated(measure, measure.example)
    except ValueError:
        return False
    return True


def of_what_rules_measure(scene: Scene) -> Iterator[Fault]:
    """Rules of subjects measure what there is."""
    names, blocks = [one.name for one in (*scene.measures, *scene.trials)], [block.name for block in scene.trials]
    for index, rule in enumerate(scene.rules):
        where = Place("rule", index)
        if (rule.measures or rule.trials) and rule.initiator not in scene.subjects:
            yield Fault(
                where, f"{rule.initiator} is no subject, and is measured", f"let {listed(scene.subjects)} start it"
            )
        if rule.measures and rule.trials:
            yield Fault(where, "it measures and has trials", "make two rules of it")
        if unknown := next((name for name in rule.measures if name not in names), ""):
            what = f"it measures {unknown}, which no measure is called"
            yield Fault(Place("rule", index, "measure"), what, f"take one of: {listed(names)}")
        if rule.trials and rule.trials not in blocks:
            what = f"no block of trials is called {rule.trials}"
            yield Fault(Place("rule", index, "trials"), what, f"take one of: {listed(blocks)}")


def measured_once(scene: Scene) -> Iterator[Fault]:
    """Each measure is stated once in every version; each fault once, at the rules of the scene."""
    played = (versions.played_rules(scene, levels, met) for levels, met in versions.places(scene).values())
    yield from dict.fromkeys(fault for rules in played for fault in _of_a_version(scene, rules))


def _of_a_version(scene: Scene, played: Sequence[tuple[int, Rule]]) -> Iterator[Fault]:
    """What is measured twice; where nothing is, what is not measured at all."""
    measured: set[str] = set()
    for index, rule in played:
        for line, names in (("measure", rule.measures), ("trials", (rule.trials,) if rule.trials else ())):
            for name in names:
                if name in measured:
                    remedy = "measure each once, or write `each:` with what varies within subjects"
                    what = f"it measures {name}, which has been measured already"
                    yield Fault(Place("rule", index, line), what, remedy)
                    return
                measured.add(name)
    blocks = {block.name for block in scene.trials}
    for name in (*(one.name for one in scene.measures), *blocks):
        if name not in measured and not any(one.startswith(f"{name}_") for one in measured):
            place = Place("trials" if name in blocks else "measures", name=name)
            yield Fault(place, f"no rule measures {name}", f"write `measure: {name}` below one")
            return


def of_the_end(scene: Scene) -> Iterator[Fault]:
    """The last questions are asked in their order."""
    serves = {one.name: one.serves for one in scene.measures}
    told = _what_comes_out(scene)
    asked = [(index, name) for index, rule in enumerate(scene.rules) for name in (*rule.measures, rule.trials) if name]
    ranked = [(index, name, "outcome" if name in told else serves.get(name, "")) for index, name in asked]
    for (_, first, before), (index, then, after) in pairwise(one for one in ranked if one[2] in END):
        if END.index(after) < END.index(before):
            what = f"{then} ({after}) is asked after {first} ({before}), which gives it away"
            yield Fault(Place("rule", index, "measure"), what, f"ask in this order: {', '.join(END)}")


def _what_comes_out(scene: Scene) -> set[str]:
    """The measures and the blocks of trials of which the outcome speaks."""
    if not scene.outcome:
        return set()
    told = set(outcome.names_in(scene.outcome))
    blocks = {block.name for block in scene.trials if told & {*block.counted, *(one.name for one in block.measures)}}
    return told | blocks
