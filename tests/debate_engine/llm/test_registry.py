"""Models by name: what is refused before anything is spent, what is shared, what a call costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from elenchus.config.settings import ServerSettings, Settings, VendorSettings
from elenchus.debate_engine.errors import MissingKey, ProviderError, UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.llm.client import Usage
from elenchus.debate_engine.llm.registry import ModelSpec, Registry, parse_spec
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.service.lab.servers import asked
from tests.debate_engine.llm.test_gguf import gguf
from tests.debate_engine.llm.vendors import VENDORS, Vendor, a_call, every_vendor
from tests.fakes.llm.loopback import KEY, Fail, serving

ROOT = Path(__file__).parents[3]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def with_server(home: Path, vendor: Vendor, url: str, key: str | None = KEY) -> Settings:
    own = VendorSettings(key=SecretStr(key) if key else None, base_url=url, retries=2)
    return Settings(home=home).model_copy(update={vendor.name: own})


@pytest.mark.parametrize(
    "text, spec",
    [
        ("openai:gpt-6-luna", ModelSpec("openai", "gpt-6-luna")),
        (" anthropic:claude-haiku-5-5 ", ModelSpec("anthropic", "claude-haiku-5-5")),
        ("local:/models/a b.gguf", ModelSpec("local", "/models/a b.gguf")),
        ("openai:ft:gpt-4o:me", ModelSpec("openai", "ft:gpt-4o:me")),
    ],
)
def test_a_model_is_named_provider_and_name(text: str, spec: ModelSpec) -> None:
    assert parse_spec(text) == spec
    assert str(spec) == text.strip()


@pytest.mark.parametrize("text", ["gpt-6", "", "mistral:large", "openai", "openai:", "human", ":x"])
def test_another_name_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match=r"write (PROVIDER|openai):MODEL"):
        parse_spec(text)


def test_the_known_providers_are_named() -> None:
    with pytest.raises(UsageError, match="openai, anthropic, gemini, local, scripted"):
        parse_spec("mistral:large")


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
def test_a_missing_key_is_refused_before_anything_is_spent(settings: Settings, provider: str) -> None:
    with pytest.raises(MissingKey, match=f"set {provider.upper()}_API_KEY"):
        Registry(settings).model(f"{provider}:some-model")


def test_a_local_model_that_is_not_there_is_refused_with_what_to_do(settings: Settings, tmp_path: Path) -> None:
    registry = Registry(settings)
    with pytest.raises(UsageError, match="There is no file"):
        registry.model(f"local:{tmp_path}/none.gguf")
    with pytest.raises(UsageError, match=r"neither smollm2-135m nor the path of a \.gguf"):
        registry.model("local:llama")
    (tmp_path / "bad.gguf").write_bytes(b"something else, long enough for a header")
    with pytest.raises(ProviderError, match="is not a GGUF"):
        registry.model(f"local:{tmp_path}/bad.gguf")


@every_vendor
async def test_a_model_answers_through_its_server_and_is_tried_again(vendor: Vendor, tmp_path: Path) -> None:
    failures: list[str] = []

    async def failed(attempt: int, error: ProviderError, retry_in: float | None) -> None:
        failures.append(f"{attempt} {type(error).__name__}")

    async with serving(vendor.fake()) as server:
        server.will(Fail(503, headers={"retry-after": "0.01"}))
        registry = Registry(with_server(tmp_path, vendor, server.url))
        model = registry.model(f"{vendor.name}:model-1")
        reply = await model.complete(a_call(model=model.name), None, failed)
        await registry.aclose()
    assert reply.text == "Streets are for people."
    assert failures == ["1 ProviderBusy"]


def test_a_server_of_ones_own_needs_no_key(tmp_path: Path) -> None:
    registry = Registry(with_server(tmp_path, VENDORS[0], "http://127.0.0.1:9/v1", key=None))
    assert registry.model("openai:own-model").spec == "openai:own-model"


@every_vendor
async def test_a_servers_own_headers_go_with_every_call_and_with_the_question_for_its_models(
    vendor: Vendor, tmp_path: Path
) -> None:
    wanted = {"X-Team": "seven of nine"}
    async with serving(vendor.fake(wants=wanted, models=("model-1",))) as server:
        url = server.url + ("/v1" if vendor.name == "openai" else "")
        for headers, answers in ((wanted, True), ({}, False)):
            lab = ServerSettings.model_validate({"speaks": vendor.name, "url": url, "key": KEY, "headers": headers})
            settings = Settings(home=tmp_path, servers={"lab": lab})
            registry = Registry(settings)
            model = registry.model("lab:model-1")
            found = await asked(settings, "lab")
            assert (found.answers, found.welcome) == (True, answers)
            if answers:
                assert (await model.client.complete(a_call())).text == "Streets are for people."
            else:
                with pytest.raises(ProviderError, match="The header X-Team is missing"):
                    await model.client.complete(a_call())
            await registry.aclose()


def test_a_vendor_has_one_client_and_one_set_of_limits(tmp_path: Path) -> None:
    registry = Registry(with_server(tmp_path, VENDORS[0], "http://127.0.0.1:9/v1"))
    one, two = registry.model("openai:a"), registry.model("openai:b")
    assert one.client is two.client
    assert one.limits is two.limits
    assert one.limits.attempts == 3
    assert registry.model("scripted:demo").client is not registry.model("scripted:demo?latency=1").client


def test_costs_follow_the_catalogue_and_unknown_is_not_free(tmp_path: Path) -> None:
    registry = Registry(Settings(home=tmp_path, openai=VendorSettings(key=SecretStr(KEY))))
    used = Usage(1_000_000, 1_000_000, 500_000)
    assert registry.model("openai:gpt-6-luna").cost(used) == pytest.approx(0.05 + 0.005 + 0.50)
    assert registry.model("scripted:demo").cost(used) == 0
    assert registry.model("openai:nobody-knows").cost(used) is None
    assert registry.model("openai:nobody-knows").context_tokens > 8000


def test_a_persons_own_prices_win_and_a_bad_file_is_named(tmp_path: Path) -> None:
    own = tmp_path / "models.yaml"
    own.write_text("openai:\n  my-model: {context: 9000, usd: {input: 1, output: 2}}\n")
    settings = Settings(home=tmp_path, openai=VendorSettings(key=SecretStr(KEY)))
    model = Registry(settings).model("openai:my-model")
    assert (model.context_tokens, model.cost(Usage(1_000_000, 1_000_000))) == (9000, 3.0)
    own.write_text("openai:\n  my-model: {contekst: 9000}\n")
    with pytest.raises(UsageError, match=r"models\.yaml.*my-model.*contekst"):
        Registry(settings).model("openai:my-model")


def test_a_script_by_name_is_the_registered_one(settings: Settings) -> None:
    script = ScriptedClient()
    assert Registry(settings, {"mine": script}).model("scripted:mine").client is script
    with pytest.raises(UsageError, match=r"use scripted:demo, or the path of a \.yaml file"):
        Registry(settings).model("scripted:mine")


def test_keys_show_in_no_repr(tmp_path: Path) -> None:
    settings = with_server(tmp_path, VENDORS[0], "http://127.0.0.1:9/v1")
    registry = Registry(settings)
    model = registry.model("openai:a")
    shown = (
        repr(settings)
        + str(settings)
        + settings.model_dump_json()
        + repr(registry)
        + repr(model)
        + repr(vars(model.client))
    )
    assert KEY not in shown


def test_importing_the_registry_brings_nothing_heavy() -> None:
    heavy = ["openai", "anthropic", "google.genai", "xllamacpp", "aiohttp", "httpx2", "yaml", "numpy"]
    code = f"import sys, elenchus.debate_engine.llm.registry; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "size, own, profile",
    [
        ("135M", "", "small"),
        ("999M", "", "small"),
        ("1.0B", "", "standard"),
        ("", "", "standard"),
        ("1.7B", "profile: small", "small"),
        ("135M", "profile: standard", "standard"),
        ("135M", "context: 512", "small"),
    ],
)
async def test_a_model_below_a_billion_parameters_is_small_unless_models_yaml_says_otherwise(
    tmp_path: Path, size: str, own: str, profile: str
) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(size=size))
    settings = Settings(home=tmp_path)
    settings.own_models.parent.mkdir(parents=True, exist_ok=True)
    settings.own_models.write_text(f"local:\n  {path}: {{{own}}}\nopenai:\n  tiny: {{profile: small}}\n")
    registry = Registry(settings, dry_run=True)
    assert registry.model_info(ModelSpec("local", str(path))).profile == profile
    specs = {"pro": f"local:{path}", "con": "openai:tiny", "crit": "openai:large", "judge-1": "human"}
    small = registry.small_seats([Seat(name=name, spec=spec) for name, spec in specs.items()])
    assert small == (("pro", "con") if profile == "small" else ("con",))
    await registry.aclose()
