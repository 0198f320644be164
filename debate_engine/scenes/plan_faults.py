"""What keeps a scene's plan from making sense: its contrasts, its number of subjects, its minutes, its strata."""

from __future__ import annotations

from collections.abc import Iterator

from elenchus.debate_engine.scenes import contrasts, factors, versions
from elenchus.debate_engine.scenes.faults import Fault, entry
from elenchus.debate_engine.scenes.scene import Scene


def of_the_plan(scene: Scene) -> Iterator[Fault]:
    """The contrasts compare versions that there are, and the planned number of subjects fills every cell."""
    labels = [factors.label(levels) for levels in versions.arms_of(scene)]
    design = versions.design_of(scene)
    for contrast in scene.plan.contrasts:
        try:
            contrasts.check(contrast, design)
        except contrasts.UnreadableContrast as error:
            yield Fault(entry("contrasts"), str(error), "name a level of each factor, or * for any")
            continue
        if not scene.outcome and not contrasts.strata_of(contrast, design.of_whole_runs()):
            what = f"“{contrast.compare}” compares what one subject meets, and judges see each subject once"
            yield Fault(entry("contrasts"), what, "write an `outcome` over what is stated at each level")
    yield from _of_the_strata(scene)
    if scene.plan.n is not None and scene.plan.n < len(labels):
        remedy = f"plan at least {len(labels)}, better {len(labels) * 20}"
        yield Fault(entry("n"), f"{scene.plan.n} subjects do not fill {len(labels)} versions", remedy)
    if scene.plan.minutes and not 0 < scene.plan.minutes[0] <= scene.plan.minutes[1]:
        yield Fault(entry("minutes"), "minutes are no time from … to …", "write `minutes: [5, 8]`")


def uneven_cells(scene: Scene) -> Iterator[Fault]:
    """A planned number of subjects that the versions cannot share out evenly."""
    n, arms = scene.plan.n, len(versions.arms_of(scene))
    if n is not None and n % arms:
        near = f"{n - n % arms} or {n - n % arms + arms}"
        what = f"{n} subjects are not shared out evenly among {arms} versions: some have one more than others"
        yield Fault(entry("n"), what, f"plan {near}")


def untold_deception(scene: Scene) -> Iterator[Fault]:
    """People are to play it, others meet another version, and nothing says whether that is kept from them."""
    if scene.factors and scene.debrief and not scene.plan.deception:
        what = "nothing says whether something is kept from people until the end, so their consent does not tell them"
        remedy = "write `deception: omission` (others meet another version), `active` (something is not so), or `none`"
        yield Fault(entry("factors"), what, remedy)


def _of_the_strata(scene: Scene) -> Iterator[Fault]:
    """Versions are balanced within answers of which there are few, and which are there when a version is drawn."""
    if not scene.plan.strata:
        return
    where, few = entry("strata"), {one.name for one in scene.measures if one.answers.values is not None}
    if len(scene.subjects) > 1:
        yield Fault(where, "there are strata and several subjects", "take the strata out, or play one subject a scene")
    common = versions.first_difference(versions.versions(scene).values())
    before = {name for rule in scene.rules[:common] for name in rule.measures}
    for name in scene.plan.strata:
        if name not in few:
            remedy = "name a measure with options: choice, yes-no, likert or rating"
            yield Fault(where, f"the stratum {name} is no measure of few answers", remedy)
        elif name not in before:
            yield Fault(
                where, f"the stratum {name} is asked when the versions have parted", "ask it in a rule before that"
            )
