"""Which addresses of the network a page may be fetched from: those of the public internet, and nothing besides. Pure.

Python's own `is_global` takes multicast for global, and addresses that carry another one in them, which a gateway
beside us would send to places inside: NAT64, 6to4, Teredo, IPv4 in IPv6. So IPv6 is what stands in 2000::/3, without
these.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

PORTS = frozenset({80, 443, 8080, 8443})
"""Where pages are served."""

_UNICAST = IPv6Network("2000::/3")
_REFUSED = tuple(
    ip_network(text)
    for text in (
        "192.0.0.0/24",  # the protocols' own: not all versions of Python know
        "192.88.99.0/24",  # the relays of 6to4
        "64:ff9b::/96",  # NAT64
        "64:ff9b:1::/48",  # NAT64 within a network
        "2001::/23",  # the protocols' own, Teredo in it
        "2002::/16",  # 6to4
        "3fff::/20",  # for documents, as 2001:db8::/32
    )
)


def refusal(address: str, port: int) -> str:
    """Why nothing may be fetched from there, as a part of a sentence; "" where it may."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return f"{address[:60]} is no address"
    if not is_public(ip):
        return f"{ip} is no public address of the internet"
    return "" if port in PORTS else f"pages are not fetched from port {port}"


def is_public(ip: IPv4Address | IPv6Address) -> bool:
    """Whether anybody in the internet may be there."""
    if not ip.is_global or ip.is_multicast or ip.is_reserved or ip.is_unspecified or ip.is_loopback or ip.is_link_local:
        return False
    if any(_in(ip, network) for network in _REFUSED):
        return False
    return isinstance(ip, IPv4Address) or ip in _UNICAST


def _in(ip: IPv4Address | IPv6Address, network: IPv4Network | IPv6Network) -> bool:
    return ip.version == network.version and ip in network
