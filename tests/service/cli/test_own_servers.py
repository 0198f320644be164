"""Servers of one's own: named in models.yaml, seated by name, any number at once, and never passed over in silence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from elenchus.bot.guild import GuildSettings
from elenchus.bot.rules import Rules
from elenchus.config import defaults
from elenchus.config.settings import Settings, VendorSettings, load_settings
from elenchus.debate_engine.errors import UsageError
from tests.fakes.llm.loopback import Fail, Fake, Raw, Say, serving
from tests.fakes.llm.unreliable import UnreliableAnthropic, UnreliableGemini, UnreliableOpenAI
from tests.service.cli.program import Program, Result
from tests.service.cli.test_debate import MOTION, refused
from tests.twins import GREENHOUSE

SHORT = ("--topics", "1", "--max-rounds", "1")
KEYS = {"LAB_KEY": "lab-secret-0123", "ATTIC_KEY": "attic-secret-0123"}
SCENE = ("scene", "run", GREENHOUSE, "--condition", "treatment")


async def ran(elenchus: Program, *arguments: str | Path, env: Mapping[str, str] | None = None) -> Result:
    return await asyncio.to_thread(elenchus, *arguments, env=env)


def told(elenchus: Program, **content: Any) -> None:
    """Write the person's models.yaml."""
    elenchus.home.mkdir(exist_ok=True)
    (elenchus.home / "models.yaml").write_text(yaml.safe_dump(content))


@asynccontextmanager
async def three_servers(elenchus: Program) -> AsyncIterator[dict[str, Fake]]:
    """Three servers of one's own, each with another vendor's protocol, two of them with a key."""
    servers: dict[str, Fake] = {
        "lab": UnreliableOpenAI(share=0.0, key=KEYS["LAB_KEY"], models=("llama3",)),
        "annex": UnreliableAnthropic(share=0.0, key="no-key", models=("sage", "thyme")),
        "attic": UnreliableGemini(share=0.0, key=KEYS["ATTIC_KEY"], models=("mint",)),
    }
    async with AsyncExitStack() as stack:
        for fake in servers.values():
            await stack.enter_async_context(serving(fake))
        told(
            elenchus,
            servers={
                "lab": {"speaks": "openai", "url": f"{servers['lab'].url}/v1", "key_env": "LAB_KEY", "concurrency": 3},
                "annex": {"speaks": "anthropic", "url": servers["annex"].url, "usd": {"input": 0, "output": 0}},
                "attic": {"speaks": "gemini", "url": servers["attic"].url, "key_env": "ATTIC_KEY"},
            },
        )
        yield servers


@pytest.mark.slow
async def test_three_servers_of_ones_own_play_in_one_grid(elenchus: Program) -> None:
    async with three_servers(elenchus) as servers:
        grid = await ran(
            elenchus.from_a_shell, "scene", "run", GREENHOUSE, "--subject", "lab:llama3", "--subject", "annex:sage",
            "--others", "attic:mint", "--judge", "annex:thyme", "--judge", "lab:llama3", "--json", env=KEYS,
        )  # fmt: skip
    assert grid.code == 0, grid.err
    assert {row["cell"]["subject"] for row in grid.json["rows"]} >= {"lab:llama3", "annex:sage"}
    assert all(fake.requests for fake in servers.values())
    models = {call["model"] for done in elenchus.events("step_done") for call in done["calls"]}
    assert models == {"lab:llama3", "annex:sage", "annex:thyme", "attic:mint"}
    assert servers["lab"].most_in_flight <= 3, "its own limit holds"
    assert "toy" not in grid.err


@pytest.mark.slow
async def test_a_server_that_refuses_its_key_is_told_by_its_name_and_without_the_key(elenchus: Program) -> None:
    async with three_servers(elenchus) as servers:
        servers["lab"].key = "another"
        seats = ("--pro", "lab:llama3", "--con", "annex:sage", "--judge", "attic:mint", "--crit", "annex:sage")
        result = await ran(elenchus, "debate", MOTION, *seats, *SHORT, "--export", "out", env=KEYS)
        checked = await ran(elenchus, "models", "check", "lab:llama3", env=KEYS)
    assert result.code == 3
    assert "The server lab refused the key in LAB_KEY" in result.err
    assert "The server lab refused the key in LAB_KEY" in checked.out
    stored = b"".join(path.read_bytes() for path in elenchus.home.iterdir() if path.is_file())
    for secret in KEYS.values():
        assert secret not in result.out + result.err + checked.out
        assert secret.encode() not in stored


async def test_a_server_whose_key_is_missing_is_refused_before_anything_is_spent(elenchus: Program) -> None:
    async with three_servers(elenchus) as servers:
        result = await ran(elenchus, "crit", "-", "--model", "lab:llama3", "--json", env={"ATTIC_KEY": "x"})
        doctor = await ran(elenchus, "doctor", "--json", env=KEYS)
    assert result.code == 2
    assert not servers["lab"].requests
    found = {one["provider"]: one for one in doctor.json["vendors"]}
    assert {name: found[name]["answers"] for name in servers} == dict.fromkeys(servers, True)
    assert not any(secret in doctor.out for secret in KEYS.values())


# ── what takes the seats that nobody names ───────────────────────────────────────────────────────────────────────


@pytest.mark.slow
async def test_a_bare_debate_is_held_by_the_server_of_openai_base_url_when_no_key_is_set(elenchus: Program) -> None:
    async with serving(UnreliableOpenAI(share=0.0, key="no-key", models=("llama3", "phi4"))) as server:
        env = {"OPENAI_BASE_URL": f"{server.url}/v1"}
        result = await ran(elenchus.from_a_shell, "debate", MOTION, *SHORT, "--json", env=env)
    assert result.code == 0, result.err
    assert sorted(told_of(result.err, "openai:llama3")) == ["con", "crit", "judges", "pro"]
    assert "the first of 2 models of OPENAI_BASE_URL" in result.err
    assert len(server.requests) == result.json["usage"]["calls"]
    assert "smollm2" not in result.err


def told_of(err: str, spec: str) -> list[str]:
    """The seats that were told to take this model by default."""
    (line,) = [line for line in err.splitlines() if f": {spec} (default: " in line]
    return line.partition(": ")[0].split(", ")


async def test_a_server_that_does_not_say_what_it_has_is_not_passed_over_for_the_embedded_model(
    elenchus: Program,
) -> None:
    async with serving(UnreliableOpenAI(share=0.0, key="no-key")) as server:
        result = await ran(elenchus, "debate", MOTION, "--json", env={"OPENAI_BASE_URL": f"{server.url}/v1"})
        named = await ran(
            elenchus, "debate", MOTION, "--dry-run", "--json",
            env={"OPENAI_BASE_URL": f"{server.url}/v1", "ELENCHUS_MODEL": "openai:llama3"},
        )  # fmt: skip
    assert "ELENCHUS_MODEL=openai:MODEL" in refused(result)
    assert {row["model"] for row in named.json["by_seat"]} == {"openai:llama3"}
    gone = await ran(elenchus, "debate", MOTION, "--json", env={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    assert "cannot be reached" in refused(gone)


def test_a_front_end_that_has_not_asked_the_server_gets_a_sentence_and_no_toy(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, openai=VendorSettings(base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(defaults.Unasked, match="set ELENCHUS_MODEL to openai:MODEL"):
        defaults.judges(settings)
    program = SimpleNamespace(settings=settings)
    with pytest.raises(UsageError, match="set ELENCHUS_MODEL to openai:MODEL"):
        _ = Rules(program, GuildSettings()).defaults  # type: ignore[arg-type]
    assert Rules(program, GuildSettings(debater="openai:x", judges=("openai:x",))).defaults.debater == "openai:x"  # type: ignore[arg-type]


async def test_judges_of_a_scene_that_nobody_named_are_no_toy_beside_ones_own_server(elenchus: Program) -> None:
    async with serving(UnreliableOpenAI(share=0.0, key="no-key", models=("llama3",))) as server:
        told(elenchus, servers={"lab": {"speaks": "openai", "url": f"{server.url}/v1"}})
        plan = await ran(elenchus, *SCENE, "--subject", "lab:llama3", "--others", "lab:llama3", "--dry-run", "--json")
        shown = await ran(elenchus, *SCENE, "--subject", "lab:llama3", "--others", "lab:llama3", "--dry-run")
    judges = [one["model"] for one in plan.json["others"] if one["seat"].startswith("judge-")]
    assert judges == ["lab:llama3"] * 3
    assert plan.json["defaults"] == [
        {"seats": ["judge-1", "judge-2", "judge-3"], "model": "lab:llama3", "why": "the only model of the server lab"}
    ]
    assert "judges: lab:llama3 (default: the only model of the server lab)" in shown.err


async def test_behind_another_address_a_key_does_not_stand_for_a_model_that_is_not_there(elenchus: Program) -> None:
    async with serving(UnreliableOpenAI(share=0.0, models=("qwen",))) as server:
        env = {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": server.key}
        plan = await ran(elenchus, "debate", MOTION, "--dry-run", "--json", env=env)
        server.models = ("qwen", "gpt-6-luna")
        proxy = await ran(elenchus, "debate", MOTION, "--dry-run", "--json", env=env)
    assert {row["model"] for row in plan.json["by_seat"]} == {"openai:qwen"}
    assert {row["model"] for row in proxy.json["by_seat"]} == {"openai:gpt-6-luna"}


A, B, FILE, NAMED = "openai:a", "openai:b", "gemini:file", "anthropic:named"
ORDER = [
    ("named beats all", ("--pro", NAMED, "--model", B), A, {"pro": NAMED, "con": B}),
    ("--model beats the variable", ("--model", B), A, {"con": B, "crit": B, "judge-3": B}),
    ("the variable beats the file", (), A, {"con": A, "judge-1": A}),
    ("the file beats a vendor's key", (), "", {"con": FILE, "judge-3": FILE}),
    (
        "crit takes the default, not the judges' model",
        ("--judge", NAMED, "--model", B),
        "",
        {"crit": B, "judge-1": NAMED},
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "variable", "expected"), [row[1:] for row in ORDER], ids=[row[0] for row in ORDER])
def test_the_order_in_which_unnamed_seats_find_their_model(
    inside: Callable[..., Result], elenchus: Program, monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...], variable: str, expected: dict[str, str],
) -> None:  # fmt: skip
    told(elenchus, default=FILE)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("ELENCHUS_MODEL", variable)
    plan = inside("debate", MOTION, *options, "--dry-run", "--json")
    assert plan.code == 0, plan.err
    seats = {row["seat"]: row["model"] for row in plan.json["by_seat"]}
    assert {seat: seats[seat] for seat in expected} == expected


@pytest.mark.slow
def test_every_command_that_seats_models_takes_a_default_by_option(
    inside: Callable[..., Result], elenchus: Program
) -> None:
    (elenchus.folder / "x.yaml").write_text("rules: []\n")
    (elenchus.folder / "text.md").write_text("Homework harms, because children sleep badly.")
    (elenchus.folder / "records.csv").write_text("id,bias,answer,human\n1,Anchoring,I guess 7.,yes\n")
    model = ("--model", "scripted:x.yaml", "--dry-run", "--json")
    for command in (
        ("debate", MOTION), ("sweep", MOTION), ("scene", "run", GREENHOUSE), ("scene", "new", "--bias", "anchoring"),
        ("crit", "text.md"), ("detect", "text.md"), ("bench", "unlabelled", "--limit", "2"),
        ("bench", "evaluator", "records.csv"), ("bench", "questions", "--bias", "anchoring", "--out", "new"),
    ):  # fmt: skip
        plan = inside(*command, *model)
        assert plan.code == 0, (command, plan.err)
        rows = plan.json.get("by_seat") or plan.json["others"]
        assert {row["model"] for row in rows} == {"scripted:x.yaml"}, command


def test_a_toy_beside_real_models_is_warned_of_by_name(
    inside: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    from elenchus.debate_engine.events import Seat
    from elenchus.service.lab.new_sessions import warnings

    specs = {"pro": "lab:llama3", "con": "openai:gpt", "judge-1": "local:smollm2-135m", "judge-2": "local:smollm2-135m"}
    seats = [Seat(name=name, spec=spec) for name, spec in specs.items()]
    (toy, _) = warnings(seats)
    assert toy.startswith("local:smollm2-135m, a toy, sits on judge-1, judge-2 beside lab:llama3, openai:gpt: ")
    assert toy.endswith(" not named, with ELENCHUS_MODEL")
    assert len(list(warnings(seats[2:]))) == 1, "alone it is only told what it is worth"
    monkeypatch.setenv("ELENCHUS_MODEL", "human")
    assert "takes only a seat that is named" in refused(inside("debate", MOTION, "--dry-run", "--json"))
    monkeypatch.setenv("ELENCHUS_MODEL", "llama3")
    said = refused(inside("debate", MOTION, "--dry-run", "--json"))
    assert "'llama3' names no model" in said
    assert "It comes from ELENCHUS_MODEL." in said


# ── models.yaml ──────────────────────────────────────────────────────────────────────────────────────────────────

GOOD = {"speaks": "openai", "url": "http://127.0.0.1:9/v1"}


@pytest.mark.parametrize(
    ("servers", "says"),
    [
        ({"lab": {"speaks": "openai"}}, "servers → lab → url: Field required"),
        ({"lab": GOOD | {"speaks": "klingon"}}, "servers → lab → speaks: "),
        ({"lab": GOOD | {"url": "ftp://x"}}, "servers → lab → url: "),
        ({"lab": GOOD | {"concurency": 4}}, "servers → lab → concurency: "),
        ({"lab": GOOD | {"concurrency": 0}}, "servers → lab → concurrency: "),
        ({"lab": GOOD | {"models": {"m": {"usd": {"input": -1, "output": 0}}}}}, "models → m → usd → input"),
        ({"openai": GOOD}, "servers: 'openai' has a meaning already"),
        ({"human": GOOD}, "servers: 'human' has a meaning already"),
        ({"My Lab": GOOD}, "servers: 'My Lab' is no server's name"),
        (["lab"], "servers: under `servers:` each name has"),
    ],
)
def test_a_faulty_server_is_told_by_file_and_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, servers: Any, says: str
) -> None:
    monkeypatch.setenv("ELENCHUS_HOME", str(tmp_path))
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"servers": servers}))
    with pytest.raises(ValueError, match=r"models\.yaml: ") as error:
        load_settings(None)
    assert says in str(error.value)


def test_the_key_of_a_server_shows_nowhere_in_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELENCHUS_HOME", str(tmp_path))
    monkeypatch.setenv("LAB_KEY", "lab-secret-0123")
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"servers": {"lab": GOOD | {"key_env": "LAB_KEY"}}}))
    settings = load_settings(None)
    assert settings.servers["lab"].key is not None
    assert "lab-secret" not in f"{settings!r} {settings.model_dump_json()}"


# ── models list, models check ────────────────────────────────────────────────────────────────────────────────────


async def test_only_models_that_answer_are_marked(elenchus: Program) -> None:
    async with three_servers(elenchus) as servers:
        servers["annex"].key = "another"
        listed = await ran(elenchus, "models", "list", "--json", env=KEYS)
        shown = await ran(elenchus, "models", "list", env={**KEYS, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    answers = {row["spec"]: row["answers"] for row in listed.json}
    assert (answers["lab:llama3"], answers["attic:mint"]) == (True, True)
    assert not any(answer for spec, answer in answers.items() if spec.startswith(("annex:", "openai:", "anthropic:")))
    assert any(line.startswith("✓") and "lab:llama3" in line for line in shown.out.splitlines())
    assert not any(line.startswith("✓") and "openai:" in line for line in shown.out.splitlines())
    assert "openai: cannot be reached" in shown.out
    assert "annex: answers and refuses the key" in shown.out


async def test_a_model_is_tried_with_a_text_a_form_and_a_stream_each_told(elenchus: Program) -> None:
    async with serving(UnreliableOpenAI(share=0.0, key="no-key", models=("llama3",))) as server:
        env = {"OPENAI_BASE_URL": f"{server.url}/v1", "ELENCHUS_OPENAI_RETRIES": "0"}
        well = await ran(elenchus, "models", "check", "--json", env=env)
        assert well.code == 0, well.err
        assert [one["spec"] for one in well.json] == ["openai:llama3"], "what a debate would take"
        assert [(one["what"], one["passed"]) for one in well.json[0]["checks"]] == [
            ("text", True), ("form", True), ("stream", True),
        ]  # fmt: skip
    for faults, passed in (
        ((Fail(503), ), {"text": False, "form": True, "stream": True}),
        ((Say("Green."), Say("no form at all")), {"text": True, "form": False, "stream": True}),
        ((Say("Green."), Say('{"colour": "green", "sure": "yes"}'), Raw(b"<html>")),
         {"text": True, "form": True, "stream": False}),
    ):  # fmt: skip
        async with serving(UnreliableOpenAI(share=0.0, key="no-key", models=("llama3",))) as server:
            server.will(*faults)
            env = {"OPENAI_BASE_URL": f"{server.url}/v1", "ELENCHUS_OPENAI_RETRIES": "0"}
            ill = await ran(elenchus, "models", "check", "openai:llama3", "--json", env=env)
        assert ill.code == 3
        assert {one["what"]: one["passed"] for one in ill.json[0]["checks"]} == passed
        assert all(one["said"] for one in ill.json[0]["checks"])
