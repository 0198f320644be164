"""A process of its own that runs a class whose people answer; each answer is named once it is taken. It is killed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from elenchus.service.lab.classes import taking_part
from elenchus.service.lab.classes.class_progress import Member
from elenchus.service.lab.classes.live_class import LiveClass
from tests.service.lab.classes.room import agreeing, opened

PACE = 0.02


async def answers(live: LiveClass, member: Member) -> None:
    """Answer one turn after the other, for as long as it lasts."""
    revision = 0
    while True:
        if turn := member.progress.asked_now:
            await asyncio.sleep(PACE)
            value = agreeing(10.0 + member.person.number)(turn)
            await taking_part.answer(live.parts, member, turn.step, value, "test")
            print(f"{member.person.id} {turn.step}", flush=True)
        revision = await member.changed.after(revision)


async def main(home: Path, class_id: str) -> None:
    """Go on with the class until killed."""
    async with opened(home) as (_, classes):
        live = await classes.open(class_id)
        await asyncio.gather(*(answers(live, one) for one in live.progress.members.values()))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
