"""Scripts of a server's own: taken in, checked, shown with what is to be mended; and what cannot be played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.rendering import embeds
from elenchus.bot.scenes.add_command import preview
from elenchus.debate_engine.scenes.canonical import check, read, write
from elenchus.debate_engine.scenes.review import to_be_reviewed
from elenchus.debate_engine.scenes.script import check_any, read_any
from tests.bot.scenes.acting import finished, offered, play_on, started, taken_part
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.twins import twin_scenes

WILD = Path(__file__).parents[4] / "shared" / "data" / "rulegen_scripts"
GREENHOUSE = write(twin_scenes()["greenhouse"])

LENIENT = """\
Scenario: the choice of a tea

Roles:
- Ada (Subject): lives on the ground floor. Task: choose a tea.
- Ben (Confederate): praises the green tea.
- Cleo (Moderator): leads through the tasting.

Rules:
1. [Unicast][FTO] Cleo asks Ada which tea she would take.
2. [Unicast][FEL] Ada tells Cleo her tea and why.
3. [Broadcast][ADV] Ben tells everyone that all others took green.
"""


async def added(stage: Stage, text: str | bytes, name: str = "mine.md", **options: Any) -> Answer:
    data = text if isinstance(text, bytes) else text.encode()
    return await stage.alice.slash(stage.channel, "scene add", script=(name, data), **options)


async def test_a_script_is_checked_shown_kept_and_can_be_played_by_a_member(stage: Stage, bob: Person) -> None:
    async with stage.running():
        shown = await added(stage, GREENHOUSE, "My Greenhouse.md")
        for part in ("Kept as `my-greenhouse`;", "Ravi (subject)", "of them", "Can it be played?: Yes."):
            assert part in shown.text, part
        assert shown.ephemeral
        listed = (await stage.alice.slash(stage.channel, "scene list")).text
        assert "`my-greenhouse`" in listed
        assert "of this server" in listed
        choices = await stage.alice.complete(stage.channel, "scene start", "scene", "my-")
        assert choices == [{"name": "my-greenhouse: An afternoon in the greenhouse", "value": "my-greenhouse"}]
        await started(stage, scene="my-greenhouse")
        thread, asked = await taken_part(stage, bob)
        speeches = sum(rule.initiator == "Ravi" for rule in read(GREENHOUSE).rules)
        await play_on(thread, bob, asked, *(["Well."] * speeches))
        assert (await finished(stage, thread)).ended == ""


async def test_a_script_outlives_the_bot_and_is_its_servers_alone(stage: Stage) -> None:
    async with stage.running():
        await added(stage, GREENHOUSE)
    other = stage.discord.world.guild("Elsewhere")
    place = stage.discord.world.text_channel(other, "general")
    eve = stage.discord.world.person("Eve", guild=other)
    async with stage.running():
        assert "`mine`" in (await stage.alice.slash(stage.channel, "scene list")).text
        assert "`mine`" not in (await eve.slash(place, "scene list")).text


async def test_what_is_wrong_is_named_by_line_with_its_remedy_and_nothing_is_kept(stage: Stage) -> None:
    broken = GREENHOUSE.replace("(subject)", "(other)").replace("**unicast, ", "**whispering, ", 1)
    line = next(n for n, text in enumerate(broken.split("\n"), 1) if "whispering" in text)
    async with stage.running():
        shown = await added(stage, broken)
        assert "nothing was kept" in shown.text
        assert f"line {line}:" in shown.text
        assert "use one of: unicast, broadcast" in shown.text
        assert "the scene has no subject" in shown.text
        assert "`mine`" not in (await stage.alice.slash(stage.channel, "scene list")).text


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("scene.md", b"\x00\x01\xff\xfe" * 50, "nothing was kept"),
        ("scene.md", b"", "nothing was kept"),
        ("scene.png", b"# Rules", "A script is a text file"),
        ("big.md", b"a" * 5_000_000, "A script is a text file"),
    ],
)
async def test_what_is_no_script_is_refused(stage: Stage, name: str, data: bytes, words: str) -> None:
    async with stage.running():
        assert words in (await added(stage, data, name)).text


async def test_a_lenient_script_is_read_and_says_what_is_still_to_be_written(stage: Stage) -> None:
    async with stage.running():
        shown = await added(stage, LENIENT, "tea.txt", bias="bandwagon-effect")
        assert "Ada (subject)" in shown.text
        assert "Not before what is listed below is mended" in shown.text
        assert "nothing says what is observed; write how the bias shows itself" in shown.text
        (written,) = [a for post in shown.followups or [shown.message] for a in post.attachments]
        assert written.filename == "tea.md"
        assert [role.name for role in check(written.data.decode())[0].roles] == ["Ada", "Ben", "Cleo"]
        assert "nothing says what is observed" in (await offered(stage, scene="tea")).text


async def test_a_scene_without_a_debrief_is_played_by_models_alone(stage: Stage, bob: Person) -> None:
    head, _, _ = GREENHOUSE.partition("# Debrief")
    async with stage.running():
        shown = await added(stage, head)
        assert "By models only: without a debrief no person can take part" in shown.text
        assert "there is no debrief" in (await offered(stage, scene="mine")).text
        assert "there is no debrief" in (await offered(stage, scene="mine", subject=bob.mention)).text
        control = await started(stage, scene="mine", subject="scripted:scene")
        await until(lambda: any("The scene is played." in text for text in texts(control)))


async def test_what_a_model_wrote_and_nobody_has_reviewed_is_not_played_at_all(stage: Stage) -> None:
    async with stage.running():
        shown = await added(stage, write(to_be_reviewed(read(GREENHOUSE), "scripted:demo")))
        assert "no person has reviewed it yet" in shown.text
        assert "No person has reviewed" in (await offered(stage, scene="mine")).text
        assert "No person has reviewed" in (await offered(stage, scene="mine", subject="scripted:scene")).text


@pytest.mark.parametrize(
    ("wrong", "words"),
    [(("# Debrief", "# Purpose of old"), "no debrief"), (("Ravi", "Ravindra"), "nobody sits on Ravindra")],
)
async def test_a_twin_that_cannot_be_played_so_is_found_before_anybody_takes_part(
    stage: Stage, wrong: tuple[str, str], words: str
) -> None:
    twin = write(twin_scenes()["greenhouse-neutral"])
    broken = twin.partition("# Debrief")[0] if "Debrief" in wrong[0] else twin.replace(*wrong)
    async with stage.running():
        await added(stage, GREENHOUSE.replace("greenhouse-neutral.md", "mine-neutral.md"))
        assert "Kept" in (await added(stage, broken, "mine-neutral.md")).text
        assert words in (await offered(stage, scene="mine")).text
        assert "Start this scene?" in (await offered(stage, scene="mine", conditions="treatment")).text


async def test_a_twin_in_which_more_differs_than_a_confederate_is_told(stage: Stage) -> None:
    twin = write(twin_scenes()["greenhouse-neutral"]).replace("greenhouse.md", "mine.md")
    scene = GREENHOUSE.replace("greenhouse-neutral.md", "mine-neutral.md")
    async with stage.running():
        await added(stage, twin, "mine-neutral.md")
        assert "no confederate" not in (await added(stage, scene)).text
        told = (await added(stage, scene.replace("Welcome the helpers", "Praise whole sachets"))).text
    line = next(n for n, text in enumerate(scene.split("\n"), 1) if "Welcome the helpers" in text)
    assert f"line {line}:** no confederate starts it, and the twin has another one" in told
    assert "Kept as `mine`" in told


def test_what_is_still_to_be_written_is_told_once() -> None:
    source = (LENIENT + "4. [Self-receiving] Ada receives news of the prices.\n").encode()
    told = "\n".join(
        f"{one.description} {one.fields}" for one in preview("tea", read_any(source).scene(), check_any(source))
    )
    assert told.count("only described") == 1
    assert told.count("no debrief") == 1


@pytest.mark.slow
@pytest.mark.skipif(not WILD.is_dir(), reason="LOUD SKIP: the wild scripts are not beside the repository")
async def test_scripts_in_the_wild_are_shown_within_discords_limits(stage: Stage) -> None:
    scripts = sorted(path for path in WILD.rglob("*") if path.suffix in (".md", ".txt"))
    assert len(scripts) > 50
    for path in scripts:
        source = path.read_bytes()
        made = preview("wild", read_any(source).scene(), check_any(source))
        assert all(sum(map(embeds.size, group)) <= embeds.SUM for group in embeds.packed(made)), path.name
        assert all(embeds.size(one) <= embeds.ROOM for one in made), path.name
    async with stage.running():
        for path in scripts[:: len(scripts) // 3]:
            shown = await added(stage, path.read_bytes(), "wild.md")
            assert "Kept as `wild`" in shown.text or "nothing was kept" in shown.text, path.name


async def test_who_may_not_start_scenes_neither_adds_nor_lists_them(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await stage.alice.slash(stage.channel, "scene list")
        assert stage.app is not None
        await keep(stage.app.store, stage.guild.id, GuildSettings(start="moderators"))
        refused = await bob.slash(stage.channel, "scene add", script=("a.md", GREENHOUSE.encode()))
        assert "You may not start" in refused.text
        shown = (await bob.slash(stage.channel, "scene list")).text
        assert "bandwagon" not in shown
        assert await bob.complete(stage.channel, "scene start", "scene", "band") == []
        assert "No scene looks for subjects" in shown


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scene": "nowhere"}, "There is no scene nowhere here"),
        ({"confederate": "scripted:a scripted:b"}, "fewer seats for a confederate"),
        ({"subject": "scripted:a scripted:b", "subjects": 1}, "no more named ones than that"),
        ({"model": "no-such-model"}, "no-such-model"),
    ],
)
async def test_what_cannot_be_started_is_refused_in_a_sentence(
    stage: Stage, options: dict[str, Any], words: str
) -> None:
    async with stage.running():
        answer = await offered(stage, **options)
        assert words in answer.text
    assert not [place for place in stage.guild.channels.values() if place.is_thread]
