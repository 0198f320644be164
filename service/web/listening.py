"""Where the web front end listens, and by which addresses people reach it from here and from elsewhere."""

from __future__ import annotations

import errno
import socket
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from elenchus.debate_engine.errors import UsageError

HERE = "127.0.0.1"
WAITING = 1024
"""Connections that may wait to be taken: a class opens its pages in one moment."""


class PortTaken(UsageError):
    """Somebody listens there already."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Sockets that listen. People reach us at `url`, whoever sits at this machine at `here`: addresses without a path.

    `names` are the hosts of both and of the sockets.
    """

    sockets: tuple[socket.socket, ...]
    url: str
    here: str
    names: frozenset[str]

    @property
    def is_for_others(self) -> bool:
        """Whether people on other machines reach us."""
        return self.url != self.here or not is_loopback(_host_of(self.url))

    def close(self) -> None:
        """Listen no more."""
        for one in self.sockets:
            one.close()


def listen(host: str, port: int, *, lan: bool = False, public_url: str = "") -> Listening:
    """Listen at a host and port (0: any that is free); with `lan` at this machine's address in its network, and here.

    Raises UsageError for what cannot be listened at, in a sentence.
    """
    address = lan_address() if lan else host
    sockets = _bound([address, HERE] if lan else [address], port)
    port = sockets[0].getsockname()[1]
    everywhere = address in ("0.0.0.0", "::")  # noqa: S104 - what the person has asked for
    seen = (_lan_address() or HERE) if everywhere else address
    here = HERE if everywhere or lan else address
    url = public_url or _url(seen, port)
    names = {address, seen, here, _host_of(url)} - {"0.0.0.0", "::"}  # noqa: S104
    return Listening(sockets, url, public_url or _url(here, port), frozenset(name.casefold() for name in names))


def lan_address() -> str:
    """This machine's address in its network. Raises UsageError where it has none."""
    if (found := _lan_address()) is None:
        raise UsageError(
            "This machine has no address in a network: connect it to one, or name its address with --host."
        )
    return found


def _lan_address() -> str | None:
    """The address from which it would reach another network, else the one of its name. Nothing is sent."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation, which nobody has
        if not is_loopback(found := str(probe.getsockname()[0])):
            return found
    with suppress(OSError):
        return next((one for one in socket.gethostbyname_ex(socket.gethostname())[2] if not is_loopback(one)), None)
    return None


def _bound(hosts: list[str], port: int) -> tuple[socket.socket, ...]:
    """Sockets at all addresses of these hosts, all at one port. Raises UsageError; then nothing listens."""
    with ExitStack() as opened:
        sockets: list[socket.socket] = []
        for host in hosts:
            for family, address in _addresses(host, port):
                sockets.append(opened.enter_context(_socket(family, address, port)))
                port = sockets[0].getsockname()[1]
        opened.pop_all()
    return tuple(sockets)


def _addresses(host: str, port: int) -> list[tuple[socket.AddressFamily, str]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UsageError(f"{host} is no host that can be found: give an address of this machine.") from None
    return list(dict.fromkeys((family, str(address[0])) for family, _, _, _, address in found))


def _socket(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(address != "::"))
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((address, port))
        made.listen(WAITING)
        made.setblocking(False)
    except OSError as error:
        made.close()
        refused = PortTaken if error.errno == errno.EADDRINUSE else UsageError
        raise refused(_why(error, address, port)) from None
    return made


def _why(error: OSError, address: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {port} of {address} is taken, perhaps by another Elenchus: give another --port, or 0 for any."
        case errno.EADDRNOTAVAIL:
            return f"{address} is no address of this machine: give one with --host, or say --lan."
        case errno.EACCES | errno.EPERM:
            return f"This account may not listen at port {port}: give a --port above 1023, and a proxy the other."
    return f"Nothing can listen at {address}, port {port} ({error.strerror or error}): give another --host or --port."


def _url(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}" if port == 80 else f"http://{shown}:{port}"


def _host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def is_loopback(host: str) -> bool:
    """Whether an address leads to the very machine that asks."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
