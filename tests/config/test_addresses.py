"""A password or key in an address is shown nowhere."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from elenchus.config.addresses import proxy_for, shown_address, without_secrets


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://api.example/v1", "https://api.example/v1"),
        ("http://ada:s3cret@lab:8080/v1", "http://***@lab:8080/v1"),
        ("http://ada:p@ss@lab/v1", "http://***@lab/v1"),
        ("http://token@lab", "http://***@lab"),
        ("http://lab/v1?key=s3cret&version=2", "http://lab/v1?key=***&version=***"),
        ("http://lab/v1#s3cret", "http://lab/v1"),
        ("redis://:s3cret@cache:6379/0", "redis://***@cache:6379/0"),
    ],
)
def test_an_address_is_shown_without_what_lets_one_in(url: str, shown: str) -> None:
    assert shown_address(url) == shown


secrets = st.text("abcXYZ019-_.~!$*+,;:", min_size=6)


@given(
    secrets,
    secrets,
    st.sampled_from(["key", "api_key", "access_token", "X-Goog-Signature", "password", "subscription-key"]),
)
def test_a_text_that_quotes_an_address_keeps_its_secrets(user: str, secret: str, name: str) -> None:
    address, more = f"http://{user}x:{secret}@lab/v1?page=2&{name}={secret}&n=1", "https://docs.example/?page=3"
    text = f"GET {address} failed (see {more}, ada@lab.example)"
    shown = without_secrets(text)
    assert secret not in shown.replace("***", "")
    assert "page=2" in shown
    assert "lab/v1" in shown
    assert shown.endswith("failed (see https://docs.example/?page=3, ada@lab.example)")


@pytest.mark.parametrize("password", ["pro/xypw", "pro#xypw", "pro?xypw", "xypw//", "p:x/y", "p@x/ypw"])
def test_a_password_is_hidden_whole_where_a_sign_in_it_would_end_the_host(password: str) -> None:
    address = f"http://puser:{password}@127.0.0.1:9"
    assert shown_address(address) == "http://***@127.0.0.1:9"
    assert without_secrets(f"GET {address} failed") == "GET http://***@127.0.0.1:9 failed"


@pytest.mark.parametrize("plain", ["https://medium.example/@ada/x", "http://lab:8080/models/a@b", "http://[::1]:8/a@b"])
def test_an_at_sign_in_a_path_hides_nothing(plain: str) -> None:
    assert without_secrets(plain) == shown_address(plain) == plain


@pytest.mark.parametrize("piece", ["a.", "http://", "?", "http://a:b", "http://u:x/", "&a", "@http://a:b"])
def test_a_long_text_is_read_in_a_time_that_grows_with_its_length(piece: str) -> None:
    text, started = f"http://{piece * 60_000}", time.process_time()
    without_secrets(text)
    assert time.process_time() - started < 5


def test_a_proxy_is_taken_for_the_servers_that_it_is_meant_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert proxy_for("https://api.openai.com/v1") is None
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:3128")
    monkeypatch.setenv("NO_PROXY", "localhost,127.0.0.1")
    assert proxy_for("https://api.openai.com/v1") == "http://proxy:3128"
    assert proxy_for("https://localhost:8080/v1") is None
    assert proxy_for("http://api.openai.com/v1") is None


def test_a_secret_of_our_own_is_hidden_wherever_it_stands() -> None:
    ours = "el_" + "aB3-_" * 8 + "xyz"
    for text in (f"http://lab/sign-in?link={ours}", f"/sign-in?link={ours}&x=1", f"Bearer {ours}", f"({ours})"):
        assert ours not in without_secrets(text)
        assert "el_***" in without_secrets(text) or "***" in without_secrets(text)
    assert without_secrets("el_capitan and label_" + "x" * 50) == "el_capitan and label_" + "x" * 50
