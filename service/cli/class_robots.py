"""A class of answering robots alone, led from its lobby to what came out: a rehearsal, labelled as what it is."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.rulegen.study import words

if TYPE_CHECKING:
    from elenchus.service.cli.output import CommandOutput
    from elenchus.service.lab.classes.classes import Classes
    from elenchus.service.lab.classes.classroom import Phase
    from elenchus.service.lab.classes.live_class import LiveClass
    from elenchus.service.lab.classes.publication import Group


async def play_with_robots(classes: Classes, class_id: str, out: CommandOutput) -> None:
    """Lead a class of answering robots from its lobby to what came out, and tell it, labelled as what it is."""
    live = await classes.open(class_id)
    steps: tuple[Phase, ...] = ("playing", "closed", "debrief", "revealed")
    for phase in steps:
        await _until_ready(live, phase)
        await classes.advance(class_id, phase, "elenchus class", sure=True)
        out.tell(f"the class of robots: {phase}")
    revision = 0
    while live.progress.revealed is None:
        revision = await live.progress.changed.after(revision)
    for line in robots_told(live):
        out.tell(line)


async def _until_ready(live: LiveClass, phase: Phase) -> None:
    """Wait until every robot has come as far as this phase asks for."""
    from elenchus.debate_engine.protocols.rulegen.people.person_progress import ENDED

    progress, revision = live.progress, 0
    ready: dict[Phase, Collection[str]] = {"closed": ("waiting", *ENDED), "revealed": ENDED}
    there, wanted = progress.members.values(), ready.get(phase)
    while len(there) < progress.room.bots or (wanted and not all(one.progress.stage in wanted for one in there)):
        revision = await progress.changed.after(revision)


def robots_told(live: LiveClass) -> list[str]:
    """What came out among robots, a line each."""
    shown = live.progress.revealed
    if shown is None:
        return []
    told = [f"{shown.analysed} answering robots (simulated: they answer by lot, nobody has said any of it)"]
    told += [f"  {group.name or 'all'}: n = {group.n}{_middle(group, shown.unit)}" for group in shown.groups]
    told += [f"  {sentence}" for effect in shown.effects for sentence in effect.sentences]
    return [*told, *([shown.why] if shown.why else [])]


def _middle(group: Group, unit: str) -> str:
    if group.mean is not None:
        return f", mean {words.number(group.mean, unit)}"
    return f", {group.share:.0%}" if group.share is not None else ""
