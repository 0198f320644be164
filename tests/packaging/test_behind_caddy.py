"""The Caddyfile and compose.yaml: Caddy itself before the server, over TLS and HTTP/2, without a daemon of Docker."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from elenchus.config.settings import Settings, variables_of
from tests.service.cli.program import Program
from tests.service.cli.served import Server, free_port, served

ROOT = Path(__file__).parents[2]
CADDY = shutil.which("caddy")
with_caddy = pytest.mark.skipif(CADDY is None, reason="caddy is not installed: apt-get install caddy")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def caddy(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {**os.environ, **environment}
    return subprocess.run([str(CADDY), *arguments], env=known, capture_output=True, text=True, check=False)


@with_caddy
def test_caddy_takes_the_file_and_would_write_it_in_the_same_way() -> None:
    checked = caddy("validate", "--config", str(ROOT / "Caddyfile"), "--adapter", "caddyfile", DOMAIN="x.example")
    assert checked.returncode == 0, checked.stderr
    assert caddy("fmt", str(ROOT / "Caddyfile")).stdout == (ROOT / "Caddyfile").read_text(encoding="utf-8")


@contextmanager
def proxied(folder: Path, server: Server, port: int) -> Iterator[ssl.SSLContext]:
    """Caddy with our file before the server, and what trusts the certificate that it has made for itself."""
    config = folder / "Caddyfile"
    config.write_text(
        "{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
        f"import {ROOT / 'Caddyfile'}\n",
        encoding="utf-8",
    )
    known = {
        **os.environ, "DOMAIN": f"https://localhost:{port}", "UPSTREAM": server.url.removeprefix("http://"),
        "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config"),
    }  # fmt: skip
    with (folder / "caddy.log").open("w") as log:
        process = subprocess.Popen(
            [str(CADDY), "run", "--config", str(config), "--adapter", "caddyfile"], env=known, stdout=log, stderr=log
        )
    try:
        yield trusting(folder / "data" / "caddy" / "pki" / "authorities" / "local" / "root.crt", process, port)
    except AssertionError:
        print((folder / "caddy.log").read_text(encoding="utf-8"))
        raise
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def trusting(root: Path, process: subprocess.Popen[bytes], port: int) -> ssl.SSLContext:
    """What trusts Caddy's own certificate, once it answers by TLS."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            context = ssl.create_default_context(cafile=root)
            with connected(port, context):
                return context
        except OSError:
            time.sleep(0.05)
    raise AssertionError("Caddy does not answer")


def connected(port: int, context: ssl.SSLContext) -> ssl.SSLSocket:
    """A connection by TLS."""
    plain = socket.create_connection(("localhost", port), 30)
    try:
        return context.wrap_socket(plain, server_hostname="localhost")
    except OSError:
        plain.close()
        raise


def get(url: str, context: ssl.SSLContext, token: str = "", **headers: str) -> Any:
    """An answer that is open."""
    sent = headers | ({"Authorization": f"Bearer {token}"} if token else {})
    asked = urllib.request.Request(url, headers=sent)  # noqa: S310 - our own address
    return urllib.request.urlopen(asked, timeout=30, context=context)  # noqa: S310


@with_caddy
def test_behind_caddy_people_come_by_tls_and_http_2_and_events_come_at_once(
    tmp_path: Path,
) -> None:
    (tmp_path / "folder").mkdir()
    elenchus, port = Program(tmp_path / "home", tmp_path / "folder"), free_port()
    public = f"https://localhost:{port}"
    here = {"ELENCHUS_WEB_PUBLIC_URL": public, "ELENCHUS_WEB_TRUSTED_PROXIES": "127.0.0.1, ::1"}
    with served(elenchus, env=here) as server:
        assert server.url == public
        assert server.link.startswith(f"{public}/sign-in?link=el_")
        server.url = f"http://127.0.0.1:{server.port}"
        with proxied(tmp_path, server, port) as trust:
            by_h2 = ssl.create_default_context(cadata=ssl.DER_cert_to_PEM_cert(trust.get_ca_certs(binary_form=True)[0]))
            by_h2.set_alpn_protocols(["h2", "http/1.1"])
            with connected(port, by_h2) as connection:
                assert connection.selected_alpn_protocol() == "h2"
            with get(f"{public}/readyz", trust) as ready:
                assert json.load(ready) == {"ready": True}
                assert "max-age" in ready.headers["Strict-Transport-Security"]
            with pytest.raises(urllib.error.HTTPError, match="404"):
                get(f"{public}/metrics", trust, server.token)
            _see_events_come(public, server, trust)
        assert server.end() == 0


def _see_events_come(public: str, server: Server, trust: ssl.SSLContext) -> None:
    """A stream through the proxy shows a command within a second of its being given."""
    session = server.debate(con="scripted:demo?latency=60")
    address = f"{public}/api/v1/sessions/{session}/stream"
    with get(address, trust, server.token, **{"Accept-Encoding": "gzip"}) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert stream.headers["Content-Encoding"] is None
        began = time.monotonic()
        server.ask(f"/api/v1/sessions/{session}/commands", {"command": "heat", "value": 0.25})
        for line in stream:
            if b"heat" in line and b"event:" in line:
                break
        print(f"a command was seen through the proxy after {time.monotonic() - began:.3f} s")
        assert time.monotonic() - began < 5


# ── compose.yaml ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_setting_that_compose_gives_is_one_that_the_program_has() -> None:
    known = {name for names in variables_of(Settings).values() for name in names}
    assert set(COMPOSE["services"]["elenchus"]["environment"]) <= known


def test_caddy_and_the_server_meet_in_one_network_whose_addresses_are_those_that_are_believed() -> None:
    server, proxy = COMPOSE["services"]["elenchus"], COMPOSE["services"]["caddy"]
    assert set(server["networks"]) & set(proxy["networks"]) == {"inside"}
    (subnet,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert server["environment"]["ELENCHUS_WEB_TRUSTED_PROXIES"] == subnet["subnet"]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert "ports" not in server


def test_what_the_caddyfile_asks_for_compose_gives() -> None:
    wanted = set(re.findall(r"\{\$(\w+)", (ROOT / "Caddyfile").read_text(encoding="utf-8")))
    assert wanted == set(COMPOSE["services"]["caddy"]["environment"])
    port = COMPOSE["services"]["caddy"]["environment"]["UPSTREAM"].rpartition(":")[2]
    assert port == str(Settings(home=Path()).web.port)
    assert f"EXPOSE {port}" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
