"""A network namespace, joined to this machine by a link that can be cut: as another machine that loses its way here."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Network:
    """The namespace and its link. `host` is this machine's address in it."""

    name: str
    host: str

    @property
    def command(self) -> list[str]:
        """Put before a command, runs it there, as a process of the same number."""
        return ["ip", "netns", "exec", self.name]

    def cut(self) -> None:
        """From now on nothing goes through, and nobody is told."""
        _ip("link", "set", self.name, "down")

    def heal(self) -> None:
        """End the cut."""
        _ip("link", "set", self.name, "up")


@contextmanager
def network() -> Iterator[Network | None]:
    """A network for a while; None where this account may make none (root may, in most containers too)."""
    name, third = f"el{os.getpid()}", os.getpid() % 250 + 1
    made = Network(name, f"169.254.{third}.1")
    try:
        _ip("netns", "add", name)
    except (OSError, subprocess.CalledProcessError):
        yield None
        return
    try:
        _ip("link", "add", name, "type", "veth", "peer", "name", "there", "netns", name)
        _ip("address", "add", f"{made.host}/30", "dev", name)
        _ip("link", "set", name, "up")
        for words in (f"address add 169.254.{third}.2/30 dev there", "link set there up", "link set lo up"):
            _ip("-n", name, *words.split())
        yield made
    finally:
        _ip("netns", "delete", name)  # and the link with it


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
