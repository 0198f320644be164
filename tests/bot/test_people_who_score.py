"""A member scores a text (`/crit scorer:`) or looks for a bias (`/detect detector:`): the same forms as in a debate."""

from __future__ import annotations

import re

from elenchus.debate_engine.events import SessionFinished
from tests.bot.detection.looking import TEXT, confirmed, looking
from tests.bot.people.seated import agree, settle, turn_of
from tests.bot.people.test_members import files_with
from tests.bot.stage import Stage, finished, posts, texts, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message

ARGUMENT = "Cities should ban cars, because the air gets cleaner."
FORMS = {
    "claim": "Cities should ban cars.", "reasons": "because the air gets cleaner | The air gets cleaner.",
    "justification": "Cleaner air is measured.", "quotes": "", "validity": "7", "credibility": "5",
    "how": "By one reason.", "holds": "", "fails": "",
}  # fmt: skip


async def answer_all(who: Person, thread: Channel, form: Answer, forms: dict[str, str]) -> int:
    """Fill in this form, and that of every further turn until the session is over; how many turns that were."""
    done = {(await turn_of(thread, who)).id}
    while True:
        keys = re.findall(r"'custom_id': '([a-z_.]+)'", str(form.modal.body))
        assert "Your answer is in." in (await who.fill(form.modal, {key: forms.get(key, "") for key in keys})).text

        def open_turns() -> list[Message]:
            calls = [p for p in posts(thread) if who.id in p.pinged and "el:turn:" in str(p.components)]
            return [post for post in calls if post.id not in done]

        await until(lambda: open_turns() or any("report.md" in text for text in texts(thread)))
        if not (calls := open_turns()):
            return len(done)
        done.add(calls[0].id)
        form = await who.press(calls[0], "Answer")


async def test_a_member_who_agrees_scores_a_text_and_the_score_is_theirs(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await stage.alice.slash(stage.channel, "crit", text=ARGUMENT, scorer=bob.mention, private=True)
        thread = stage.thread()
        assert bob.id in thread.thread_members, "who scores is let into a private thread"
        turn = await turn_of(thread, bob)
        assert "another member's" in (await stage.alice.press(turn, "Answer")).text
        asked = await bob.press(turn, "Answer")
        assert "What is recorded" in asked.text
        form = await bob.press(asked.message, "I agree")
        assert await answer_all(bob, thread, form, FORMS) >= 4
        (over,) = [r.event for r in await stage.events(thread) if isinstance(r.event, SessionFinished)]
    assert over.outcome["claim"] == "Cities should ban cars."
    assert over.outcome["reasons"][0]["gamma"] is not None


async def test_who_does_not_agree_to_score_leaves_no_trace_and_no_score(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await stage.alice.slash(stage.channel, "crit", text=ARGUMENT, scorer=bob.mention)
        thread = stage.thread()
        asked = await bob.press(await turn_of(thread, bob), "Answer")
        assert "Nothing of yours is stored" in (await bob.press(asked.message, "I do not agree")).text
        await finished(thread)
        await until(lambda: files_with(stage, str(bob.id)) == [])
    assert "no score" in "\n".join(texts(thread)).casefold() or "no claim" in "\n".join(texts(thread)).casefold()


async def test_a_member_looks_for_a_bias_and_a_restart_in_the_middle_loses_nothing(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        offer = await stage.alice.slash(
            stage.channel, "detect", text=TEXT, bias="Sunk cost fallacy", detector=bob.mention
        )
        assert "a member" in offer.text
        thread = await confirmed(stage, stage.alice, offer)
        form = await agree(bob, await turn_of(thread, bob))
    async with stage.running():
        quote = " ".join(TEXT.split()[:6])
        await answer_all(bob, thread, form, {"reason": f"“{quote}” is why.", "present": "yes"})
        (over,) = [r.event for r in await stage.events(thread) if isinstance(r.event, SessionFinished)]
    assert over.outcome["verdict"] == "found"
    assert "is why." in str([(post.content, post.embeds) for post in posts(thread)])


async def test_a_detector_who_lets_the_time_go_by_finds_nothing_that_counts(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        await settle(stage, turn_seconds=0.4)
        offer = await stage.alice.slash(
            stage.channel, "detect", text=TEXT, bias="Sunk cost fallacy", detector=bob.mention
        )
        thread = await confirmed(stage, stage.alice, offer)
        await finished(thread)
        (over,) = [r.event for r in await stage.events(thread) if isinstance(r.event, SessionFinished)]
        await until(lambda: files_with(stage, str(bob.id)) == [])
    assert over.outcome["verdict"] == "unread"


async def test_nobody_detects_in_words_of_their_own_or_where_no_detector_sits(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        own = await bob.slash(stage.channel, "detect", text=TEXT, bias="Sunk cost fallacy", detector=bob.mention)
        assert "words of their own" in own.text
        none = await stage.alice.slash(stage.channel, "detect", text=TEXT, method="dialogue", detector=bob.mention)
        assert "nobody sits there" in none.text
