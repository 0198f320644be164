"""`/debate start` with an agenda: typed, or in a file, by the rules of the terminal's `--agenda`."""

from __future__ import annotations

from types import SimpleNamespace

import discord
import pytest

from elenchus.bot.attachments import agenda_in
from elenchus.bot.debate.start_command import topics_of
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import TurnOpened
from elenchus.debate_engine.runner import started_of
from tests.bot.people.seated import kinds, turn_of
from tests.bot.stage import Stage, finished, offer_in, texts, until
from tests.debate_engine.llm.test_hostile_servers import Flood
from tests.debate_engine.llm.test_transport import served
from tests.fakes.discord.people import Person

BOMB = "a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\ntopics: [*c,*c,*c,*c,*c,*c]\n"


async def test_a_typed_agenda_is_debated_and_nobody_is_asked_for_one(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention, agenda="speed vs. safety: on the way to school; cost vs. comfort")
        turn = await turn_of(thread, bob)
        assert "the opening speech" in turn.content
        config = started_of(await stage.events(thread)).config
        assert [(t["pro_concern"], t["con_concern"], t["scope"]) for t in config["agenda"]] == [
            ("speed", "safety", "on the way to school"), ("cost", "comfort", ""),
        ]  # fmt: skip
        opened = [e for e in await kinds(stage, thread, TurnOpened) if isinstance(e, TurnOpened)]
        assert not [e.step for e in opened if "agenda" in e.step]
        assert any("speed vs. safety" in text for text in texts(thread))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("topics.md", "# Topics\n\n1. speed vs. safety: roads\n2. cost vs. comfort\n"),
        ("topics.yaml", "topics:\n  - {pro: speed, con: safety, scope: roads}\n  - cost vs. comfort\n"),
        ("topics.json", '[{"pro": "speed", "con": "safety"}, "cost versus comfort"]'),
    ],
)
async def test_an_attached_agenda_is_read_as_the_terminal_reads_it(stage: Stage, name: str, text: str) -> None:
    async with stage.running():
        thread = await stage.debate(agenda_file=(name, text.encode()))
        await finished(thread)
        config = started_of(await stage.events(thread)).config
        assert [t["con_concern"] for t in config["agenda"]] == ["safety", "comfort"]
        assert config["topics"] == 2


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.md", b"no topics here", "has no topics"),
        ("a.md", b"- one vs.", "is no topic"),
        ("a.md", b"- a vs. b\n" * 11, "leave at most 10"),
        ("a.md", b"\xff\xfe\x00", "no text in UTF-8"),
        ("a.md", b"- a vs. b\n" * 20_000, "may have 100,000 bytes"),
        ("a.yaml", BOMB.encode(), "aliases"),
        ("a.yaml", b"- !!python/object:os.system x", "cannot be read"),
        ("a.yaml", b"- !!timestamp x", "cannot be read"),
        ("a.json", b"[" * 50_000, "cannot be read"),
    ],
)
async def test_what_is_no_agenda_is_refused_in_one_sentence(
    stage: Stage, name: str, data: bytes, sentence: str
) -> None:
    async with stage.running():
        answer = await stage.offer(agenda_file=(name, data))
        assert sentence in answer.text
        assert "reference" in answer.text
        assert "Traceback" not in answer.text


async def test_the_offer_of_a_debate_with_an_agenda_can_be_started(stage: Stage) -> None:
    async with stage.running():
        pressed = await stage.alice.press(offer_in(await stage.offer(agenda="a vs. b")), "Start")
        await until(lambda: "The debate is in" in pressed.text)


def test_a_typed_agenda_without_two_sides_is_refused() -> None:
    assert topics_of("") == ()
    with pytest.raises(UsageError, match="is no topic"):
        topics_of("speed; cost vs. comfort")


async def test_a_file_is_read_no_further_than_an_agenda_goes_whatever_size_it_is_said_to_have() -> None:
    flood = Flood(b"- a vs. b\n" * 6_000, "text/plain")
    async with served(flood.handle) as url:
        data = {"id": 1, "filename": "a.md", "size": 10, "url": f"{url}/a.md", "proxy_url": ""}
        attached = discord.Attachment(data=data, state=SimpleNamespace(http=None))  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="may have 100,000 bytes"):
            await agenda_in(attached)
    assert flood.sent < 16 << 20, "what was on its way in the sockets comes on top"
