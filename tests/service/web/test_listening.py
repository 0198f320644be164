"""Where the web front end listens, and what is said where it cannot."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from contextlib import closing

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.service.web.listening import Listening, listen


def ports(found: Listening) -> set[int]:
    return {one.getsockname()[1] for one in found.sockets}


def test_it_listens_here_and_says_where() -> None:
    with closing(listen("127.0.0.1", 0)) as found:
        (port,) = ports(found)
        assert found.url == found.here == f"http://127.0.0.1:{port}"
        assert found.names == {"127.0.0.1"}
        assert not found.is_for_others
        socket.create_connection(("127.0.0.1", port)).close()


def test_a_name_with_several_addresses_gets_one_port_for_all() -> None:
    with closing(listen("localhost", 0)) as found:
        assert len(ports(found)) == 1
        assert found.url == f"http://localhost:{ports(found).pop()}"
        assert not found.is_for_others


def test_an_address_of_the_newer_kind_stands_in_brackets() -> None:
    with closing(listen("::1", 0)) as found:
        assert found.url == f"http://[::1]:{ports(found).pop()}"


def test_behind_a_proxy_everybody_comes_by_its_address() -> None:
    with closing(listen("127.0.0.1", 0, public_url="https://Debate.example.org")) as found:
        assert found.url == found.here == "https://Debate.example.org"
        assert found.names == {"127.0.0.1", "debate.example.org"}
        assert found.is_for_others


def test_a_port_that_is_taken_is_told_and_leaves_nothing_open() -> None:
    with closing(listen("127.0.0.1", 0)) as first:
        port = ports(first).pop()
        with pytest.raises(UsageError, match=rf"^Port {port} of 127\.0\.0\.1 is taken, perhaps by another Elenchus: "):
            listen("127.0.0.1", port)
    listen("127.0.0.1", port).close()


def tried(how: str, before: str = "") -> str:
    """What comes of it in a process of its own: the tests may look at no other machine, nor at the way there."""
    code = (
        "import os; from elenchus.service.web.listening import listen; from elenchus.debate_engine.errors import *\n"
        f"{before}\n"
        f"try: found = listen({how})\n"
        "except UsageError as error: print(error)\n"
        "else: print(found.url, found.here, found.is_for_others, sorted(found.names))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def test_an_address_that_is_not_ours_is_told() -> None:
    said = tried("'203.0.113.9', 0")
    assert said == "203.0.113.9 is no address of this machine: give one with --host, or say --lan.\n"


@pytest.mark.parametrize("host", ["a" * 70, "..", "no-such-host.invalid"])
def test_a_host_that_is_nowhere_is_told(host: str) -> None:
    assert "is no host that can be found: give an address of this machine." in tried(f"{host!r}, 0")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another account")
def test_a_port_without_the_right_to_it_is_told() -> None:
    said = tried("'127.0.0.1', 81", "import encodings.idna; os.setuid(54321)")
    if said.startswith("http"):
        pytest.skip("this system lets anybody listen at small ports")
    assert said.startswith("This account may not listen at port 81: give a --port above 1023"), said


def test_in_its_network_it_listens_at_its_address_and_here() -> None:
    said = tried("'', 0, lan=True")
    if said.startswith("This machine has no address in a network: "):
        return
    url, here, *rest = said.split(maxsplit=3)
    assert here.startswith("http://127.0.0.1:")
    host = re.fullmatch(r"http://([\d.]+):\d+", url)
    assert host
    assert url.rpartition(":")[2] == here.rpartition(":")[2]
    assert rest == ["True", f"{sorted([host[1], '127.0.0.1'])}\n"]


def test_where_it_listens_everywhere_people_come_by_its_address_in_the_network() -> None:
    url, here, *_ = tried("'0.0.0.0', 0").split()
    assert here.startswith("http://127.0.0.1:")
    assert "0.0.0.0" not in url
