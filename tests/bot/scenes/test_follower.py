"""What following a scene costs."""

from __future__ import annotations

from tests.bot.posting.test_follower import held
from tests.bot.scenes.acting import client, log_of, panel, started, taken_part
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.people import Person


async def test_a_scene_that_waits_for_who_runs_it_keeps_no_log_in_memory(stage: Stage, bob: Person) -> None:
    stage.scripts["scene"] = client()
    async with stage.running():
        control = await started(stage, conditions="treatment")
        thread, _ = await taken_part(stage, bob)
        await stage.alice.press(panel(control, "el:room:"), "Pause")
        await until(lambda: any("⏸ Paused" in text for text in texts(control)))
        length = len(await log_of(stage, thread))
    before = held()
    async with stage.running():
        form = await stage.alice.press(panel(control, "el:room:"), "A word to…")
        await stage.alice.fill(form.modal, {"to": "Robin", "text": "Take your time."})
        await until(lambda: any("Take your time." in text for text in texts(control)))  # it is followed
        await until(lambda: held() - before < length / 2)  # what reads it for a moment lets it go
