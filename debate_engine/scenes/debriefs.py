"""What a debrief may say of the subject's own answers: what was stated, and how often something came over trials. Pure.

A place is a name in braces: a factor, a measure, a single trial (`lines_3`), the mean of a block's numbers
(`lines_mean`), or a count over its critical items: `lines_critical` (how many there are), `lines_errors`,
`lines_right`, `lines_chosen_OPTION`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from elenchus.debate_engine.scenes.faults import Fault, Place
from elenchus.debate_engine.scenes.measures import Stated
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.trials import Trials, told
from elenchus.debate_engine.scenes.versions import at, places

MISSING = "–"
"""In the place of what was not stated."""

_PLACE = re.compile(r"(?<!\{)\{ *(\w+) *\}(?!\})")


def counts(scene: Scene, stated: Mapping[str, Stated | None]) -> dict[str, str]:
    """What is counted over the trials of a version, in words; MISSING where a critical answer is not there."""
    found: dict[str, str] = {}
    for block in scene.trials:
        found |= {f"{block.name}_{what}": _told(value) for what, value in _over(block, stated)}
    return found


def _over(block: Trials, stated: Mapping[str, Stated | None]) -> Iterator[tuple[str, Stated | None]]:
    values = [stated.get(one.name) for one in block.measures]
    judged = any(item.right for item in block.items)
    both = zip(block.items, values, strict=True)
    critical = [(item, value) for item, value in both if item.critical and (item.right or not judged)]
    known = all(value is not None for _, value in critical)
    answers = [told(value) for _, value in critical]
    yield "critical", len(critical)
    for name, value in block.counts(stated).items():
        yield name.removeprefix(f"{block.name}_"), value
    if judged:
        yield "right", sum(item.right == told(value) for item, value in critical) if known else None
    for option in block.answer.answers.choices:
        yield f"chosen_{_slug(option)}", answers.count(option) if known else None


def _slug(option: str) -> str:
    return re.sub(r"\W+", "_", option.casefold()).strip("_")


def _told(value: Stated | None) -> str:
    return (
        MISSING
        if value is None
        else f"{value:,.2f}".rstrip("0").rstrip(".")
        if isinstance(value, float)
        else f"{value}"
    )


def names(scene: Scene) -> tuple[str, ...]:
    """What a debrief of the scene may name in braces; what varies within subjects stands there with its level.

    Raises UnreadableWhen.
    """
    levels, met = next(iter(places(scene).values()))
    version = at(scene, levels, met) if scene.factors else scene
    factors = (factor.name for factor in scene.factors if not factor.within)
    asked = (one.name for one in version.measures)
    trials = (one.name for block in version.trials for one in block.measures)
    return (*factors, *asked, *counts(version, {}), *trials)


def faults(scene: Scene) -> Iterator[Fault]:
    """Places of the debrief that cannot be filled."""
    known = names(scene)
    for name in dict.fromkeys(_PLACE.findall(scene.debrief)):
        if name not in known:
            single = {one.name for block in scene.trials for one in block.measures}
            have = ", ".join(one for one in known if one not in single) or "nothing"
            yield Fault(Place("debrief"), f"{{{name}}} is nothing that a debrief can tell", f"name one of: {have}")
