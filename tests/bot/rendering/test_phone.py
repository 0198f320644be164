"""What a thread shows fits a phone, says whose side a person is on, and leaves nothing to press that is over."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from elenchus.bot.panel import content
from elenchus.bot.rendering import tables
from elenchus.bot.rendering.embeds import PHONE, table
from elenchus.bot.strings import catalogue
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.llm.client import Usage
from elenchus.debate_engine.protocols.judging.schemas import Judgement
from elenchus.debate_engine.reports.spending import CallUsage
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.session_status import SessionStatus
from tests.bot.people.seated import speak, turn_for
from tests.bot.rendering.threads import all_posts
from tests.bot.stage import Stage, posts, until
from tests.debate_engine.reports.debates import debate_in
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission

CODE = re.compile(r"```\n(.*?)\n```", re.DOTALL)


@pytest.mark.parametrize("whole", ["debate", "with_people", "unread", "open_question", "hostile_debate"])
def test_no_line_of_a_block_is_longer_than_a_phone_shows(whole: str, request: pytest.FixtureRequest) -> None:
    events: list[Recorded] = request.getfixturevalue(whole)
    texts = [
        text
        for post in all_posts(events)
        for e in post.embeds
        for text in (e.description, *(f.value for f in e.fields))
    ]
    for block in (found for text in texts for found in CODE.findall(text)):
        assert [line for line in block.split("\n") if len(line) > PHONE] == []


def test_a_wide_table_is_a_list_with_its_heads_and_a_narrow_one_stays() -> None:
    wide = table(("topic", "Γ", "standing"), [["1. Clean air vs. income", "5.0", "8.6"], ["2. Streets", "", "4.6"]])
    assert wide == "- **1. Clean air vs. income**: Γ 5.0 · standing 8.6\n- **2. Streets**: standing 4.6"
    assert table(("a", "b"), [["x", "1"]]).startswith("```")


def unbroken(text: str) -> list[str]:
    """What a phone cannot break and shows wider than its line: words without a space, as they are seen."""
    seen = re.sub(r"<(?:[@#]|t:)[^>]*>", "mention", text)
    return [word for word in seen.split() if cell_len(word.strip("*_`~-")) > PHONE]


def test_what_is_too_wide_is_found_and_what_a_client_shows_as_a_name_or_a_time_is_not() -> None:
    wide = "x" * (PHONE + 1)
    assert unbroken(f"**{wide}** fits {'x' * PHONE}") == [f"**{wide}**"]
    assert unbroken("<@123456789012345678901234567890123456> <t:1234567890123456789012345678901:R>") == []


@pytest.mark.parametrize("whole", ["debate", "with_people", "unread", "open_question"])
def test_no_field_list_or_title_holds_what_a_phone_cannot_break(whole: str, request: pytest.FixtureRequest) -> None:
    events: list[Recorded] = request.getfixturevalue(whole)
    shown = [e for post in all_posts(events) for e in post.embeds]
    shown += [content.shown(SessionStatus.of("s", events[:n])).embed for n in range(1, len(events))]
    texts = [
        t for e in shown for t in (e.title, e.description, e.footer, *(x for f in e.fields for x in (f.name, f.value)))
    ]
    assert len(texts) > 100
    assert [word for text in texts for word in unbroken(text)] == []
    labels = [b.label for post in all_posts(events) for b in post.buttons]
    assert [label for label in labels if cell_len(label) > PHONE] == []


def test_no_sentence_of_the_bot_holds_what_a_phone_cannot_break() -> None:
    texts = [text for known in catalogue().values() for text in ([known] if isinstance(known, str) else known)]
    assert [word for text in texts for word in unbroken(text)] == []


@pytest.mark.parametrize("usd", [None, 1234.5678])
def test_the_panel_fits_a_phone_with_large_numbers_too(usd: float | None) -> None:
    use = CallUsage(
        123_456, Usage(1_234_567_890), known_usd=usd or 0, priced=122_222 if usd else 0, unpriced_tokens=123_456
    )
    told = "\n".join(content.use_of_budget(use, 9_999_999_999, 99_999.0, ceiling) for ceiling in (None, 12.5))
    course = content.gammas([7.25] * 40)
    heat = content.heat(1.0, ("opening", 0.9, 1.0))
    assert [word for text in (told, course, heat) for word in unbroken(text)] == []


# ── the headline ─────────────────────────────────────────────────────────────────────────────────────────────────────


def judged(debate: list[Recorded], votes: str, named: tuple[int, int], **changed: object) -> str:
    """The headline where the judges vote so (A, B or a dash for an unread judge) and name A and B so often."""
    verdict = debate_in(SessionView.of("demo", debate)).verdict
    assert verdict is not None
    sure = {"winner_by_majority": "A", "winner_by_total": "A", "winner": "A", "a": 97.5, "b": 96.0, **changed}
    one = verdict.votes[0].model_dump()
    cast = [{**one, "judge": f"judge-{n}", "vote": vote if vote in "AB" else None} for n, vote in enumerate(votes, 1)]
    told = {**verdict.model_dump(), **sure, "votes": cast, "named": {"A": named[0], "B": named[1], "tie": 1}}
    return tables.verdict(Judgement.model_validate(told), lambda seat: seat)[0].description.split("\n")[0]


@pytest.mark.parametrize(
    ("votes", "named", "said"),
    [
        ("AAA", (18, 0), "**The side for the motion wins**"),
        ("AA-", (12, 1), "**The side for the motion wins**"),
        ("AAA", (10, 8), "is ahead: the judges agree only in part"),
        ("AAB", (16, 2), "is ahead: the judges agree only in part"),
        ("AAB", (10, 8), "is ahead by points, but the judges agree no better than by chance"),
        ("A", (6, 0), "how far judges agree cannot be told"),
        ("AA", (0, 0), "how far judges agree cannot be told"),
    ],
)
def test_the_headline_is_as_strong_as_the_winners_that_judges_name(
    debate: list[Recorded], votes: str, named: tuple[int, int], said: str
) -> None:
    headline = judged(debate, votes, named)
    assert said in headline
    assert ("wins" in headline) == (said == "**The side for the motion wins**")


def test_majority_and_points_that_differ_make_no_winner(debate: list[Recorded]) -> None:
    assert "do not name the same side" in judged(debate, "AAB", (18, 0), winner_by_majority="B")
    tie = {"winner": "tie", "winner_by_majority": "tie", "winner_by_total": "tie"}
    assert judged(debate, "AB", (3, 3), **tie) == "**A tie**"


# ── on the wire ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_answered_turns_and_closed_votes_lose_their_buttons_and_a_speech_says_its_side(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(con=bob.mention)
        vote = await until(lambda: next((p for p in posts(thread) if "before the debate?" in p.content), None))
        turn = await turn_for(thread, bob, "opening speech")
        await until(lambda: not vote.components)
        assert "where do you stand before the debate?** This vote is over." in vote.content
        assert "waits for you" not in vote.content
        assert turn.components
        await speak(bob, turn, first=True)
        mark = turn.content.rpartition("\n")[2]
        await until(lambda: not turn.components)
        assert turn.content == f"The turn of {bob.mention} is over: the opening speech.\n{mark}"
        said = await until(lambda: next((p for p in posts(thread) if "seventeen bees" in p.content), None))
        assert said.author.name == "Bob (con)"


async def test_a_turn_that_is_answered_after_a_restart_loses_its_buttons_too(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(con=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
    async with stage.running():
        await bob.press(turn, "Pass")
        await until(lambda: not turn.components)
        assert f"The turn of {bob.mention} is over: the opening speech." in turn.content
        assert "it is your turn" not in turn.content
        assert [post for post in posts(thread) if "el:turn:" in str(post.components) and post.id <= turn.id] == []


async def test_manage_threads_counts_where_a_channel_gives_it_and_there_alone(stage: Stage, bob: Person) -> None:
    other = stage.discord.world.text_channel(stage.guild, "elsewhere")
    async with stage.running():
        here = await stage.debate(pro="scripted:demo?latency=60", con="scripted:demo?latency=60")
        answer = await stage.alice.slash(other, "debate start", motion="Trams?", topics=1, rounds=1)
        await stage.alice.press(answer.with_buttons, "Start")
        await until(lambda: stage.bot and len([*stage.bot.bindings]) == 2)
        there = max((c for c in stage.guild.channels.values() if c.is_thread), key=lambda c: c.id)
        assert "may not steer" in (await bob.slash(here, "debate pause")).text
        changes.allow(stage.discord.world, stage.channel, bob.member, Permission.MANAGE_THREADS)
        assert "may not steer" not in (await bob.slash(here, "debate pause")).text
        assert "may not steer" in (await bob.slash(there, "debate pause")).text
