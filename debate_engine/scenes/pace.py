"""How long a person sits before a version of a scene, estimated from its words. Pure; reckoned, not measured on people.

Read: adults read plain prose silently at about 238 words a minute (Brysbaert 2019, a summary of 190 studies); 200 are
assumed, for younger readers and for looking back. The rest is an assumption of ours, said where it is printed.
"""

from __future__ import annotations

from collections.abc import Iterator

from elenchus.debate_engine.scenes.measures import FreeText
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.trials import shown

READ, TYPED = 200, 25
"""Words a minute."""
ANSWERED_IN, JUDGED_IN = 12, 8
"""Seconds over a question that is answered by a choice or a number, and over one of many judgements of one kind."""
OWN_WORDS = 15
"""Words of an answer in words of one's own, where it may be that long."""
AROUND = 350
"""Words around the scene: what is agreed to before it, and who played whom and what is published after it."""


def told_to(scene: Scene, name: str) -> Iterator[str]:
    """Each text that somebody reads while a version is played: who one is, what reaches one, what one is asked.

    Of a block of trials one item: what comes again and again is looked at, not read.
    """
    for role in scene.roles:
        if role.name == name:
            yield f"{role.background} {role.task}"
    for rule in scene.rules:
        if rule.initiator == name:
            yield rule.content
        elif name in rule.receivers:
            yield f"{rule.message} {rule.says}"
    yield from (one.words_read for one in scene.measures)
    for block in scene.trials:
        text, measure = shown(block, 1, 1)
        yield f"{text} {measure.words_read}"


def words_to(scene: Scene, name: str) -> int:
    """So many words are read by `name` while a version is played."""
    return sum(len(text.split()) for text in told_to(scene, name))


def minutes_of(scene: Scene) -> float:
    """Minutes of a version for its subject, from the consent to the end of the debrief."""
    name = next(iter(scene.subjects), "")
    read = words_to(scene, name) + len(scene.debrief.split()) + AROUND
    judged = sum(len(block.items) for block in scene.trials)
    own = [one for one in scene.measures if isinstance(one, FreeText)]
    typed = sum(min(one.words, OWN_WORDS) for one in own)
    spoken = [rule for rule in scene.rules if rule.initiator == name and not rule.measures and not rule.trials]
    typed += OWN_WORDS * len(spoken)
    answered = len(scene.measures) - len(own)
    return read / READ + typed / TYPED + (answered * ANSWERED_IN + judged * JUDGED_IN) / 60
