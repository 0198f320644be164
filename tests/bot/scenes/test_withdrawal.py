"""A subject withdraws, or is forgotten, while the scene is on."""

from __future__ import annotations

import asyncio
import re

from tests.bot.scenes.acting import (
    all_posts,
    called,
    finished,
    invitation,
    log_of,
    over,
    panel,
    play_on,
    started,
    taken_part,
)
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.people import Person

REMOVED = "What you had said was removed"
LAST_SUMMER = "Luna gave eleven kilos, Sol gave seven, says my seventeen-page diary."


async def test_who_withdraws_leaves_no_words_anywhere_and_is_told_all_the_same(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        last = await play_on(thread, bob, asked, LAST_SUMMER)
        await called(thread, bob, last)
        await until(lambda: any("seventeen-page" in text for text in texts(control)))
        sure = await bob.press(panel(thread), "Withdraw")
        assert "You need give no reason" in sure.text
        assert "You have withdrawn" in (await bob.press(sure.message, "Yes, withdraw")).text
        await over(thread)
        assert (await finished(stage, thread)).ended == "withdrawn"
        await until(lambda: not any("seventeen-page" in text for text in [*texts(thread), *texts(control)]))
        log = "\n".join(str(r.line()) for r in await log_of(stage, thread))
        assert stage.app is not None
        pseudonyms, account = stage.app.pseudonyms, f"discord:{bob.id}"
        for _ in range(100):
            if await pseudonyms.find(account) is None:
                break
            await asyncio.sleep(0.1)
        assert await pseudonyms.find(account) is None, "nor has the key file"
        told = "\n".join(texts(thread))
        shown = (await stage.alice.slash(control, "scene results")).text
    assert "1 of 1" not in shown
    assert re.search(r"\*\*people, \w+\*\*: came out – · 95 % interval – · left out 1\b", shown), "it counts nowhere"
    assert "seventeen-page" not in log
    assert REMOVED in told
    assert "You have stopped, and that is perfectly fine" in told
    assert "Afterwards: what this was about" in told
    assert not panel(thread, "").components, "nothing can be pressed any more"
    assert any("Ended early" in text for text in texts(control))


async def test_who_withdraws_before_agreeing_is_let_go(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        await called(thread, bob)
        sure = await bob.press(panel(thread), "Withdraw")
        await bob.press(sure.message, "Yes, withdraw")
        await over(thread)
        assert (await finished(stage, thread)).ended == "withdrawn"
        await until(lambda: any(r for r in texts(thread) if "You have stopped" in r))
    assert REMOVED not in "\n".join(texts(thread)), "nothing was said"


async def test_who_withdraws_before_speaking_is_not_told_that_words_were_removed(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        await called(thread, bob, asked)
        sure = await bob.press(panel(thread), "Withdraw")
        await bob.press(sure.message, "Yes, withdraw")
        await over(thread)
        await finished(stage, thread)
    assert REMOVED not in "\n".join(texts(thread))


async def test_who_only_asked_something_is_told_that_it_was_removed(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        await called(thread, bob, asked)
        form = await bob.press(panel(thread), "Ask a question…")
        await bob.fill(form.modal, {"text": "Is it about seventeen kinds?"})
        await until(lambda: "Is it about seventeen kinds?" in "\n".join(texts(thread)))
        sure = await bob.press(panel(thread), "Withdraw")
        await bob.press(sure.message, "Yes, withdraw")
        await over(thread)
        await until(lambda: REMOVED in "\n".join(texts(thread)))
        assert "seventeen kinds" not in "\n".join(texts(thread))


async def test_privacy_forget_is_a_withdrawal_too_and_takes_the_member_out_of_the_key(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        control = await started(stage)
        thread, asked = await taken_part(stage, bob)
        await play_on(thread, bob, asked, LAST_SUMMER)
        exported = await bob.slash(stage.channel, "privacy export")
        assert b"seventeen-page" in exported.message.attachments[0].data
        sure = await bob.slash(stage.channel, "privacy forget")
        await bob.press(sure.with_buttons, "Remove it for good")
        await over(thread)
        await until(lambda: not any("seventeen-page" in text for text in [*texts(thread), *texts(control)]))
        assert stage.app is not None
        assert await stage.app.pseudonyms.find(f"discord:{bob.id}") is None
        assert "seventeen-page" not in "\n".join(str(r.line()) for r in await log_of(stage, thread))
