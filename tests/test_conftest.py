"""The fence around the tests."""

from __future__ import annotations

import os
import socket

import pytest


@pytest.mark.parametrize("host", ["api.openai.com", "192.0.2.1", "2001:db8::1"])
def test_a_test_cannot_look_up_another_machine(host: str) -> None:
    with pytest.raises(RuntimeError, match="loopback only"):
        socket.getaddrinfo(host, 443)


def test_a_test_cannot_connect_to_another_machine() -> None:
    with socket.socket() as client, pytest.raises(RuntimeError, match="loopback only"):
        client.connect(("192.0.2.1", 443))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_test_can_speak_to_a_server_of_its_own(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection((host, server.getsockname()[1]), timeout=5).close()


def test_the_developers_sessions_are_out_of_reach() -> None:
    assert "elenchus-home" in os.environ["ELENCHUS_HOME"]
