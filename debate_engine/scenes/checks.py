"""What a scene is looked through for: texts that tell those who play what it is about, orders to models, exclusions by
what may come from the version, false twins.

Roles hear their own background, task and style, the content of the rules they start, and the system's messages. None
of these may name the target bias: by its name, an alias, or the words that are left of a name without "effect" and the
like, where these are not everyday words. Twins are one scene whose confederates tempt in the treatment and are neutral
in the control; nothing else may differ, or nobody could tell what made the difference. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from elenchus.config.catalogue import Bias, find_bias, load_biases
from elenchus.debate_engine.scenes import versions
from elenchus.debate_engine.scenes.faults import Fault, Place, entry
from elenchus.debate_engine.scenes.outcome import names_in
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.trials import Item

_GENERIC = "effect|bias|fallacy|illusion|heuristic|hypothesis|paradox|phenomenon|error"
_EVERYDAY_WORDS = """
ambiguity attention attraction availability belief choice cheerleader clustering concorde confirmation conformity
contrast control current decoy default desirability difficulty distinction durability framing frequency group herding
identifiable immediacy impact information labour moment negativity normality of omission optimism option order ostrich
outcome own pessimism planning position positive present recency resulting saving stereotype streak survival survivor
time unit unpacking valence validity
"""
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())
"""What is left of some names, and says nothing of the bias when it stands alone."""

_ALWAYS = (rf"(?:cognitive|psychological|mental)\s+(?:{_GENERIC})", r"bias(?:es)?", "fallac(?:y|ies)")
_COMMANDS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:rules?|instructions?|prompts?|directions?|guidelines)\b"
    r"|\b(?:system|developer) prompt\b|\byou are (?:now )?(?:an? )?(?:AI|language model|assistant|chatbot)\b"
    r"|\bas an? (?:AI|language model)\b|<\|?(?:im_start|system|assistant)\b",
    re.IGNORECASE,
)


def giveaways(scene: Scene, *called: str) -> Iterator[Fault]:
    """Each text that names the bias to those who play, with its place; `called` are more names of the bias."""
    bias = next((bias for bias in load_biases() if bias.id == scene.bias), None)
    named = _pattern((*(key_words(bias) if bias else ()), *called))
    for place, whose, text in _heard(scene):
        if found := named.search(text):
            yield Fault(
                place,
                f"{whose} names the bias (“{found[0]}”), which nobody who plays may hear of",
                "say what is done without naming it",
            )


def orders_to_models(scene: Scene) -> Iterator[Fault]:
    """Each text that reads like an order to a model: it is played as words of the scene, and obeyed by nobody."""
    whole = [(Place("background"), "the scene's background", scene.background)]
    for place, whose, text in (*whole, *_heard(scene)):
        if found := _COMMANDS.search(text):
            yield Fault(
                place,
                f"{whose} speaks to a model (“{' '.join(found[0].split())}”)",
                "write what a person in the scene would be told; prompts treat it as material, never as an order",
            )


def unknown_bias(scene: Scene) -> Iterator[Fault]:
    """A bias that the catalogue does not have."""
    if not scene.bias or any(bias.id == scene.bias for bias in load_biases()):
        return
    try:
        meant = f"write {find_bias(scene.bias).id}"
    except ValueError:
        meant = "take one from `elenchus biases list`"
    yield Fault(entry("bias"), f"no bias has the id {scene.bias}", f"{meant}, or leave it empty")


def late_exclusions(scene: Scene) -> Iterator[Fault]:
    """Each exclusion by what is asked after the versions have parted, and may come from them; of a consistent scene."""
    played = list(versions.versions(scene).values())
    named = {rule: names_in(rule) for rule in scene.plan.exclusions}
    if len(played) < 2:
        return
    before = versions.asked_alike(played) | {factor.name for factor in scene.factors}
    for rule, names in named.items():
        if late := next((name for name in names if name not in before), None):
            yield Fault(
                entry("exclusions"),
                f"“{rule}” leaves people out by {late}, which is asked after the versions have parted and may come "
                "from them",
                "leave nobody out by it and count it beside the result, or ask it before anything differs",
            )


def key_words(bias: Bias) -> tuple[str, ...]:
    """Everything that names the bias: name and aliases, and what they come to without `effect` and the like."""
    names = [" ".join(re.findall(r"\w+", called.casefold())) for called in (bias.name, *bias.aliases)]
    bare = [re.sub(rf"\s*\b(?:{_GENERIC})\b\s*", " ", name).strip() for name in names]
    telling = [words for words in bare if len(words) > 4 and not set(words.split()) <= _EVERYDAY]
    telling = [words for words in telling if not words.startswith("of ")]
    whole = [name for name in names if name not in _EVERYDAY]
    return tuple(dict.fromkeys([*whole, *telling]))


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """What gives the bias away: its names, spaces and hyphens alike, also in the plural."""
    words = [r"[\s-]+".join(map(re.escape, name.split())) + "s?" for name in names if name.split()]
    return re.compile(rf"\b(?:{'|'.join(sorted((*words, *_ALWAYS), key=len, reverse=True))})\b", re.IGNORECASE)


def _heard(scene: Scene) -> Iterator[tuple[Place, str, str]]:
    """Each text that somebody who plays is told, where it stands, and whose it is."""
    for index, role in enumerate(scene.roles):
        yield (
            Place("role", index),
            f"the text of {role.name}",
            f"{role.name} {role.background} {role.task} {role.style}",
        )
    for index, rule in enumerate(scene.rules):
        told = rule.message if rule.mode == "self-receiving" else f"{rule.content} {rule.says}"
        yield Place("rule", index), "the system's message" if rule.message else "the rule", told
    for one in scene.measures:
        yield Place("measures", name=one.name), f"the question of {one.name}", f"{one.words_read} {one.why}"
    for block in scene.trials:
        yield Place("trials", name=block.name), f"the text of {block.name}", f"{block.show} {block.answer.words_read}"
        for number, item in enumerate(block.items, 1):
            yield Place("trials", name=block.name), f"item {number} of {block.name}", " ".join(_values(item))
    yield from ((Place("answers"), "an answer to a question", text) for text in scene.answers)
    for index, picture in enumerate(scene.pictures):
        yield Place("picture", index), f"the alt text of {picture.name}", picture.alt


def _values(item: Item) -> Iterator[str]:
    """What stands in the places of a block's texts, at every level."""
    for value in item.values.values():
        yield from (value,) if isinstance(value, str) else value.values()


# ── twins ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_SAME = "give both the same words: whatever elicits the bias is for a confederate to bring in"


def unlike(scene: Scene, twin: Scene) -> Iterator[Fault]:
    """Where the scene differs from its twin in what is no confederate's, or does not differ at all."""
    if (scene.condition or "treatment") == (twin.condition or "treatment"):
        yield Fault(
            entry("condition"),
            f"it and its twin {scene.twin} are the same condition",
            "make one the control",
        )
    if [(role.name, role.kind) for role in scene.roles] != [(role.name, role.kind) for role in twin.roles]:
        yield Fault(Place("roles"), f"its twin {scene.twin} has other roles", "give both the same names and kinds")
    elif len(scene.rules) != len(twin.rules):
        yield Fault(Place("rules"), f"its twin {scene.twin} has {len(twin.rules)} rules", "give both as many")
    elif (scene.roles, scene.rules) == (twin.roles, twin.rules):
        yield Fault(entry("twin"), f"its twin {scene.twin} says the same", "make the twin's confederate neutral")
    else:
        yield from _in_place(scene, twin)
    here, there = ([(one.name, one.file, one.alt) for one in each.pictures] for each in (scene, twin))
    if here != there:
        yield Fault(Place("pictures"), f"its twin {scene.twin} has other pictures", "show both the same pictures")
    if scene.observation != twin.observation:
        yield Fault(Place("observation"), "its twin is observed in another way", "observe both in the same way")


def _in_place(scene: Scene, twin: Scene) -> Iterator[Fault]:
    confederates = {*scene.confederates}
    for index, (role, other) in enumerate(zip(scene.roles, twin.roles, strict=True)):
        if role != other and role.name not in confederates:
            yield Fault(Place("role", index), f"{role.name}, no confederate, is told something else in the twin", _SAME)
    for index, (rule, opposite) in enumerate(zip(scene.rules, twin.rules, strict=True)):
        if rule != opposite and not {rule.initiator, opposite.initiator} <= confederates:
            yield Fault(Place("rule", index), "no confederate starts it, and the twin has another one", _SAME)
