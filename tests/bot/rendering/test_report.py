"""The files of a post: the plot and the report."""

from __future__ import annotations

import asyncio
import json

from elenchus.bot.rendering.report import MOST_FILES, ROOM, filled, fitting, secret_ballots
from elenchus.debate_engine.events import Recorded, Voted, now
from elenchus.debate_engine.protocols.judging.votes import audience_vote
from elenchus.debate_engine.reports.canvas import drawing
from tests.bot.rendering.threads import all_posts

PNG = b"\x89PNG\r\n\x1a\n"


async def test_the_plot_is_an_image_with_its_figures_in_words(debate: list[Recorded]) -> None:
    post = next(post for post in all_posts(debate) if post.pending_file == "plot")
    made = await filled(post, "demo", debate)
    (file,) = made.files
    assert file.content.startswith(PNG)
    assert file.name == made.embeds[-1].image == "heat-and-quality.png"
    assert "Round 1: heat 0.67" in file.alt
    assert len(file.alt) <= 1_024
    assert made.embeds[:-1] == post.embeds


async def test_the_closing_message_brings_the_report_in_all_its_forms(debate: list[Recorded]) -> None:
    made = await filled(all_posts(debate)[-1], "demo", debate)
    files = {file.name: file.content for file in made.files}
    assert {"report.md", "report.html", "scores.csv", "events.jsonl"} <= files.keys()
    assert len(files) <= MOST_FILES
    assert sum(map(len, files.values())) <= ROOM
    assert len(files["events.jsonl"].splitlines()) == len(debate)
    assert json.loads(files["run.json"])


def test_the_files_that_are_handed_out_number_the_voters_and_name_none() -> None:
    votes = [("discord:7", "before", "pro"), ("discord:9", "before", "con"), ("discord:7", "after", "con")]
    events = [
        Recorded(seq=n, at=now(), event=Voted.model_validate({"by": by, "when": when, "side": side}))
        for n, (by, when, side) in enumerate(votes, 1)
    ]
    shown = secret_ballots(events)
    assert [r.event.model_dump()["by"] for r in shown] == ["voter-1", "voter-2", "voter-1"]
    assert audience_vote(shown) == audience_vote(events)
    assert [r.seq for r in shown] == [1, 2, 3]


async def test_drawing_does_not_hold_up_the_event_loop(debate: list[Recorded]) -> None:
    with drawing():  # so the other drawing waits; would the event loop wait with it, nothing here would ever go on
        post = asyncio.create_task(filled(all_posts(debate)[-1], "demo", debate))
        for _ in range(20):
            await asyncio.sleep(0.01)
        assert not post.done()
    assert (await post).files


async def test_a_post_that_needs_no_files_is_left_alone(debate: list[Recorded]) -> None:
    post = all_posts(debate)[0]
    assert await filled(post, "demo", debate) is post


def test_what_does_not_fit_stays_away_the_least_first() -> None:
    contents = {"report.html": b"h" * 6, "report.md": b"m" * 5, "scores.csv": b"s" * 3, "notes.txt": b"n"}
    assert [file.name for file in fitting(contents, room=9)] == ["report.html", "scores.csv"]
    assert [file.name for file in fitting(contents, room=20)] == ["report.html", "report.md", "scores.csv"]


def test_pictures_of_any_protocol_are_attached_and_the_one_that_was_posted_before_comes_last() -> None:
    contents = {"posted.png": PNG, "posted.svg": b"", "course.png": PNG, "run.json": b"{}"}
    assert [file.name for file in fitting(contents)] == ["run.json", "course.png", "posted.png"]
