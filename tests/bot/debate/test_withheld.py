"""A debater that reads its prompt out: nothing of it stands in the thread, in the report or in any file of it."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from tests.bot.stage import DEMO, Stage, finished, posts, texts
from tests.debate_engine.scripted_session import shown

CANARIES = ("Contentiousness is", "never tells you what to do", "Give your opening", "You are the proponent")


def echoing(call: Call) -> str | None:
    """All that it was shown where words are asked for; filler where a form is."""
    return shown(call) if call.schema is None else None


@pytest.mark.slow
async def test_the_thread_says_that_a_speech_was_withheld_and_shows_nothing_of_what_the_debater_was_told(
    stage: Stage,
) -> None:
    stage.scripts["echo"] = ScriptedClient(Script(), echoing)
    async with stage.running():
        thread = await stage.debate(pro="scripted:echo", con=DEMO, judges=DEMO)
        await finished(thread)
    shown_there = "\n".join([*texts(thread), *(str((post.embeds, post.components)) for post in posts(thread))])
    files = [a for post in posts(thread) for a in post.attachments if a.filename.endswith((".md", ".html"))]
    assert "gave away what its speaker was told beforehand" in shown_there
    assert files
    for text in (shown_there, *(file.data.decode() for file in files)):
        assert not [canary for canary in CANARIES if canary.casefold() in text.casefold()]
