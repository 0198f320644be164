"""What whoever runs a scene takes home from Discord: counts, all data as a zip, and what was registered beforehand."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from dataclasses import replace
from datetime import timedelta

import pytest

from elenchus.bot.guild import keep, settings_of
from elenchus.bot.scenes.results_command import zipped
from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from tests.bot.scenes.acting import (
    SEEDS,
    all_posts,
    called,
    finished,
    invitation,
    keep_seeds,
    over,
    panel,
    play_on,
    started,
    taken_part,
    threads_of,
)
from tests.bot.scenes.test_promises import DIARY, SLIP, WEIGHED
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel


def files_in(answer: Answer) -> dict[str, bytes]:
    """The files of an answer by name."""
    shown = [answer.message, *answer.followups]
    return {file.filename: file.data for post in shown for file in post.attachments}


def unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        return {name: folder.read(name) for name in folder.namelist()}


async def played(stage: Stage, bob: Person) -> Channel:
    """A scene that Bob played to its end; its control room."""
    control = await started(stage, subjects=3)
    thread, asked = await taken_part(stage, bob)
    await play_on(thread, bob, asked, DIARY, SLIP, WEIGHED)
    await over(thread)
    await finished(stage, thread)
    return control


@pytest.mark.slow
async def test_results_count_by_version_who_came_how_far_and_how_many_went(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with stage.running():
        control = await played(stage, bob)
        thread, asked = await taken_part(stage, carla)
        await called(thread, carla, asked)
        sure = await carla.press(panel(thread), "Withdraw")
        await carla.press(sure.message, "Yes, withdraw")
        await over(thread)
        dave = stage.discord.world.person("Dave", guild=stage.guild)
        await dave.press(invitation(stage), "Take part")
        await dave.press(await called(all_posts(stage, dave), dave), "I do not agree")
        await until(lambda: sum("Ended early" in text for text in texts(control)) == 2)
        shown = (await stage.alice.slash(control, "scene results")).text
        organisers = files_in(await stage.alice.slash(control, "scene results"))
        answer = await bob.slash((await threads_of(stage, bob, 1))[0], "scene results")
        told, participants = answer.text, files_in(answer)
    assert re.search(r"(treatment|control): 1 began · 1 finished · 1 analysed", shown), shown
    assert re.search(r"(treatment|control): \d+ began · 0 finished · 0 analysed", shown), shown
    assert "1 withdrew · 0 ran out of time" in shown
    assert "1 did not agree, or were not of the age" in shown
    assert "withdrew" not in told, "of the others a participant sees what came out"
    (report,) = [content for name, content in organisers.items() if name.endswith(".md")]
    assert b"How far everybody came" in report
    assert b"1 person did not agree" in report
    (report,) = [content for name, content in participants.items() if name.endswith(".md")]
    assert b"How far everybody came" not in report
    assert b"withdrawn" not in report
    assert b"did not agree" not in report


@pytest.mark.slow
async def test_whoever_runs_it_is_given_all_data_and_nobodys_name(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        control = await played(stage, bob)
        await carla.press(invitation(stage), "Take part")
        await carla.press(await called(all_posts(stage, carla), carla), "I do not agree")
        await until(lambda: any("Ended early" in text for text in texts(control)))
        thread = (await threads_of(stage, bob, 1))[0]
        refused = await bob.slash(thread, "scene results", export=True)
        assert "Only whoever runs this scene" in refused.text
        assert not files_in(refused)
        answer = await stage.alice.slash(control, "scene results", export=True)
        ((name, content),) = files_in(answer).items()
        assert answer.message.ephemeral
        assert "removed 24 hours after" in answer.text
        assert not [post for post in control.messages.values() if post.attachments and not post.ephemeral]
    assert name.endswith("-export.zip")
    files = unzipped(content)
    assert {"export/runs.csv", "export/methods.md", "export/analysis.py", "export/datapackage.json"} <= set(files)
    assert b"demonstration" in files["export/runs.csv"]
    everything = b"".join(files.values())
    assert DIARY.encode() in everything
    names = [str(who.id) for who in (bob, carla, stage.alice)] + ["Bob", "Carla", "Alice"]
    assert [name for name in names if name.encode() in everything] == []
    assert len([name for name in files if "/events-" in name]) == 1, "of who did not agree there is a count"


def test_files_that_discord_does_not_take_are_written_elsewhere() -> None:
    noise = {"runs.csv": random.Random(1).randbytes(3 * 2**20)}
    assert unzipped(zipped(noise, "bandwagon")) == {"export/runs.csv": noise["runs.csv"]}
    with pytest.raises(UsageError, match=r"3\.0 MB.*elenchus scene results bandwagon --export") as refused:
        zipped(noise, "bandwagon", 2**20)
    assert "Discord takes 10" in str(refused.value)


@pytest.mark.slow
async def test_after_a_day_counts_are_left(stage: Stage, bob: Person) -> None:
    async with stage.running() as bot:
        control = await played(stage, bob)
        late = replace(bot.scenes.promises.retention, clock=lambda: events.now() + timedelta(hours=25))
        assert await late.sweep() == 1
        shown = (await stage.alice.slash(control, "scene results")).text
        refused = (await stage.alice.slash(control, "scene results", export=True)).text
    assert re.search(r"1 removed by now: (treatment|control), played, ", shown), shown
    assert "All of it is removed by now" in refused


@pytest.mark.slow
async def test_a_study_is_registered_for_a_server_and_its_results_are_compared_with_that(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        assert stage.app is not None
        await keep_seeds(stage.app.store, stage.guild.id)
        before = await settings_of(stage.app.store, stage.guild.id)
        await keep(stage.app.store, stage.guild.id, before.model_copy(update={"start": "moderators"}))
        refused = await bob.slash(stage.channel, "scene register", scene=SEEDS)
        assert "You may not start" in refused.text
        await keep(stage.app.store, stage.guild.id, before)
        answer = await stage.alice.slash(stage.channel, "scene register", scene=SEEDS)
        files = files_in(answer)
        assert set(files) == {"registration.json", "registration.md"}
        document = json.loads(files["registration.json"])
        assert document["sha256"][:12] in answer.text
        assert document["versions"] == ["treatment", "control"]
        assert answer.message.ephemeral
        control = await played(stage, bob)
        report = next(iter(files_in(await stage.alice.slash(control, "scene results")).values())).decode()
        zipped = files_in(await stage.alice.slash(control, "scene results", export=True))
    assert "Registered" in report or "registered" in report
    assert "Nobody played" in report
    methods = unzipped(next(iter(zipped.values())))["export/methods.md"].decode()
    assert "Departures from the registration: Nobody played" in methods
