"""What members may use, where, how often, and what it may cost: refused before anything is spent or opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.model_rules import refusal
from elenchus.config.settings import DiscordSettings, load_settings
from elenchus.debate_engine.events import StepDone
from elenchus.debate_engine.scenes.canonical import write
from elenchus.debate_engine.scenes.library import find_scene
from tests.bot.stage import DEMO, VOTE, Stage, finished, granted, offer_in, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission

SECRET = "root:x:0:0:the very first line"
ARGUMENT = "Ban cars, as clean air matters."


@pytest.fixture
def owner(stage: Stage) -> Person:
    role = stage.discord.world.role(stage.guild, "owners", Permission.MANAGE_GUILD)
    return stage.discord.world.person("Olga", guild=stage.guild, roles=[role])


async def settle(stage: Stage, **changed: Any) -> None:
    assert stage.app is not None
    settings = GuildSettings(
        **{"debater": DEMO, "judges": (DEMO,), "start": "everyone", "vote_minutes": VOTE, **changed}
    )
    await keep(stage.app.store, stage.guild.id, settings)


async def sessions(stage: Stage) -> int:
    assert stage.app is not None
    return len(await stage.app.log.sessions())


async def everything(stage: Stage) -> list[Answer]:
    """What the bot says to whoever starts anything that the server's default model pays for."""
    return [
        await stage.offer(),
        await stage.alice.slash(stage.channel, "crit", text=ARGUMENT),
        await stage.alice.slash(stage.channel, "detect", text=ARGUMENT),
    ]


def priced(stage: Stage, entries: str) -> None:
    """The owner's own list of models, in which scripted ones may have no price, like any model that no list has."""
    stage.home.mkdir(exist_ok=True)
    (stage.home / "models.yaml").write_text(f"scripted:\n{entries}", encoding="utf-8")


UNPRICED = "  demo: {context: 100000}\n"


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("spec", ["local:{}", "scripted:{}", "engineer@local:{}", "scripted:{}?latency=1"])
@pytest.mark.parametrize("name", ["secret.yaml", "secret.gguf", "passwd"])
async def test_no_member_opens_a_file_of_the_bots_machine(stage: Stage, tmp_path: Path, spec: str, name: str) -> None:
    secret = tmp_path / name
    secret.write_text(SECRET, encoding="utf-8")
    async with stage.running():
        for option in ("pro", "con", "judges"):
            wanted: dict[str, Any] = {option: spec.format(secret)}
            answer = await stage.offer(**wanted)
            assert "for the terminal of the bot's machine alone" in answer.text
            assert "root" not in answer.text


async def test_nor_by_the_settings_a_scene_or_the_servers_default(stage: Stage, tmp_path: Path, owner: Person) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text(SECRET, encoding="utf-8")
    spec = f"scripted:{secret}"
    async with stage.running():
        refused = [
            await owner.slash(stage.channel, "settings set", debater=spec),
            await owner.slash(stage.channel, "settings set", judges=f"{DEMO}, {spec}"),
            await stage.alice.slash(stage.channel, "scene start", scene="unit", model=spec, subject="scripted:demo"),
            await stage.alice.slash(stage.channel, "scene start", scene="unit", subject=spec),
        ]
        await settle(stage, debater=spec)  # kept by an older version
        for answer in [*refused, *await everything(stage)]:
            assert "for the terminal of the bot's machine alone" in answer.text
            assert "root" not in answer.text
        assert await sessions(stage) == 0


async def test_a_list_of_models_that_cannot_be_read_shows_none_of_its_words(stage: Stage) -> None:
    stage.home.mkdir(exist_ok=True)
    (stage.home / "models.yaml").write_text("openai: [a, sk-very-secret\n  }", encoding="utf-8")
    async with stage.running():
        for answer in await everything(stage):
            assert "list of models cannot be read" in answer.text
            assert "secret" not in answer.text
            assert str(stage.home) not in answer.text


# ── the owner's models ───────────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_word_of_the_owner_everything_is_had_but_scripts_and_files() -> None:
    assert not refusal("openai:gpt-6-luna", (), ())
    assert not refusal("local:smollm2-135m", (), ())
    for spec in ("scripted:demo", "scripted:demo?latency=1", "local:/etc/passwd", "local:~/x.gguf", "local:x.gguf"):
        assert "terminal" in refusal(spec, (), ()), spec


def test_the_owners_list_and_the_servers_both_bind() -> None:
    owners = ("openai:gpt-6-*", "local:*")
    assert not refusal("openai:gpt-6-luna", owners, ("openai:*",))
    assert "openai:gpt-6-" in refusal("anthropic:claude-opus-5-5", owners, ())
    assert "(openai:" in refusal("local:smollm2-135m", owners, ("openai:*",))
    assert "terminal" in refusal("local:/etc/passwd", owners, ())
    assert "terminal" in refusal("scripted:demo", ("*",), ())
    assert not refusal("scripted:demo?latency=2", ("scripted:demo*",), ())
    assert "terminal" in refusal("scripted:/etc/passwd", ("scripted:*",), ("*",))
    assert not refusal("local:/models/own.gguf", ("local:/models/own.gguf",), ())
    assert "terminal" in refusal("local:/models/other.gguf", ("local:/models/own.gguf", "local:*"), ())


def test_the_owner_names_models_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELENCHUS_DISCORD_MODELS", "openai:*,  local:smollm2-135m ,")
    assert load_settings(None).discord.models == ("openai:*", "local:smollm2-135m")


async def test_what_is_not_allowed_is_refused_and_not_offered(stage: Stage) -> None:
    stage.settings = DiscordSettings(models=("scripted:demo*",))
    async with stage.running():
        answer = await stage.offer(pro="local:smollm2-135m")
        assert "is not among the models that may be used here (scripted:demo" in answer.text
        assert await stage.alice.complete(stage.channel, "debate start", "pro", "smollm2", motion="x") == []
    stage.settings = granted()
    async with stage.running():
        offered = await stage.offer(pro="local:smollm2-135m")
        assert await stage.alice.complete(stage.channel, "debate start", "con", "smollm2", motion="x")
        await settle(stage, models=("scripted:*",))
        assert await stage.alice.complete(stage.channel, "debate start", "con", "smollm2", motion="x") == []
        pressed = await stage.alice.press(offer_in(offered), "Start")
        await until(lambda: "is not among the models" in pressed.text)
        assert await sessions(stage) == 0


# ── places, quotas ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_nothing_is_started_outside_the_servers_channels(stage: Stage) -> None:
    other = stage.discord.world.text_channel(stage.guild, "lobby")
    commands: dict[str, dict[str, Any]] = {
        "debate start": {"motion": "Cars?"}, "crit": {"text": ARGUMENT}, "detect": {"text": ARGUMENT},
        "scene start": {"scene": "unit", "subject": "scripted:demo"},
    }  # fmt: skip
    async with stage.running():
        await settle(stage, channels=(stage.channel.id,))
        for command, options in commands.items():
            refused = await stage.alice.slash(other, command, **options)
            assert "use #debates" in refused.text, command
        await stage.debate()


async def test_a_member_starts_as_much_as_the_server_allows_and_others_still_may(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, member_starts=2)
        await finished(await stage.debate())
        await stage.alice.slash(stage.channel, "crit", text=ARGUMENT)
        for answer in await everything(stage):
            assert "You have started 2 of 2 in 24 hours" in answer.text
        assert "Start this debate?" in (await stage.offer(bob)).text
    async with stage.running():  # it is not forgotten by a restart
        assert "You have started 2 of 2" in (await stage.offer()).text


async def test_an_offer_that_was_made_before_the_quota_was_used_is_not_started(stage: Stage) -> None:
    async with stage.running():
        await settle(stage, member_starts=1)
        first, second = offer_in(await stage.offer()), offer_in(await stage.offer())
        pressed = await stage.alice.press(first, "Start")
        await until(lambda: "The debate is in" in pressed.text)
        refused = await stage.alice.press(second, "Start")
        await until(lambda: "You have started 1 of 1" in refused.text)
        assert await sessions(stage) == 1


async def test_between_two_starts_a_member_waits_as_long_as_the_server_says(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, member_minutes=10)
        await stage.debate()
        refused = await stage.offer()
        assert "a pause between two: again in 10 min" in refused.text
        assert "Start this debate?" in (await stage.offer(bob)).text


# ── money ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_model_of_unknown_price_is_refused_however_much_money_there_is(stage: Stage) -> None:
    priced(stage, UNPRICED)
    async with stage.running():
        for money in ({"day_usd": 0.0001}, {"day_usd": 1_000.0}, {}):
            await settle(stage, **money)
            scene = await stage.alice.slash(stage.channel, "scene start", scene="unit", subject="scripted:demo")
            for answer in [*await everything(stage), await stage.offer(budget=0.0001), scene]:
                assert "Nobody knows what scripted:demo costs" in answer.text
                assert "unpriced_usd" in answer.text
        assert await sessions(stage) == 0


async def test_nor_does_it_stand_in_for_a_person(stage: Stage, bob: Person) -> None:
    free = "scripted:demo?latency=0"
    priced(stage, f"{UNPRICED}  'demo?latency=0': {{usd: {{input: 0, output: 0}}}}\n")
    async with stage.running():
        await settle(stage, judges=(free,))
        assert "Nobody knows what scripted:demo costs" in (await stage.offer(pro=bob.mention, con=free)).text


async def test_with_a_ceiling_its_calls_count_by_that_and_the_budget_binds(stage: Stage) -> None:
    priced(stage, UNPRICED)
    async with stage.running():
        await settle(stage, unpriced_usd=10.0)
        answer = await stage.offer(budget=0.05)
        assert "unknown" not in answer.text
        pressed = await stage.alice.press(offer_in(answer), "Start")
        await until(lambda: "The debate is in" in pressed.text)
        thread = stage.thread()
        await until(lambda: any("Press Budget…" in str(post.embeds) for post in thread.messages.values()))
        calls = [call for r in await stage.events(thread) if isinstance(r.event, StepDone) for call in r.event.calls]
        assert calls, "it began"
        assert sum(call.input_tokens + call.output_tokens for call in calls) * 10.0 / 1_000_000 <= 0.05
        await settle(stage, unpriced_usd=10.0, day_usd=0.04)
        assert "budget of today has" in (await stage.offer()).text


async def test_no_debate_is_given_more_than_the_day_has_left(stage: Stage) -> None:
    async with stage.running():
        await settle(stage, day_usd=2.0)
        thread = await stage.debate(pro="scripted:demo?latency=60", con="scripted:demo?latency=60", budget=1.5)
        refused = await stage.alice.slash(thread, "debate budget", usd=50.0)
        assert "allows this debate $2.00 at the most" in refused.text
        assert "The budget is now $1.90" in (await stage.alice.slash(thread, "debate budget", usd=1.9)).text


# ── scripts of scenes, settings ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_member_does_not_put_a_scene_in_the_place_of_anothers(stage: Stage, bob: Person) -> None:
    unit = write(find_scene("unit")).encode()
    moderators = stage.discord.world.role(stage.guild, "mods", Permission.MANAGE_THREADS)
    carol = stage.discord.world.person("Carol", guild=stage.guild, roles=[moderators])
    dave = stage.discord.world.person("Dave", guild=stage.guild)
    async with stage.running():
        for who, name, said in (
            (bob, "mine.md", "Kept as `mine`"), (bob, "mine.md", "Kept as `mine`"), (dave, "mine.md", "is not yours"),
            (dave, "unit.md", "is not yours"), (carol, "mine.md", "Kept as `mine`"),
        ):  # fmt: skip
            assert said in (await who.slash(stage.channel, "scene add", script=(name, unit))).text


async def test_who_manages_the_server_sets_all_this_and_sees_it(stage: Stage, owner: Person) -> None:
    async with stage.running():
        shown = await owner.slash(
            stage.channel, "settings set", models="openai:gpt-6-luna, scripted:*", channels=f"<#{stage.channel.id}>",
            member_starts=3, member_minutes=5.0, unpriced_usd=20.0,
        )  # fmt: skip
        for part in ("openai:gpt-6-luna, scripted:", f"<#{stage.channel.id}>", "5 min", "$20 a million tokens"):
            assert part in shown.text, part
        wrongs: list[dict[str, Any]] = [{"models": "gpt"}, {"channels": "general"}, {"debater": "local:smollm2-135m"}]
        for wrong in wrongs:
            assert "reference" in (await owner.slash(stage.channel, "settings set", **wrong)).text
        await owner.slash(stage.channel, "settings reset", setting="models")
        assert "all that the bot's owner allows" in (await owner.slash(stage.channel, "settings show")).text
