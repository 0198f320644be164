"""Which addresses of the network are public."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

import pytest
from hypothesis import given, strategies as st

from elenchus.detectors.evaluation.cogbench.flows.addresses import is_public, refusal

INSIDE = (
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.1.2.3", "169.254.169.254", "172.16.0.1", "192.0.0.8",
    "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "240.0.0.1", "255.255.255.255",
    "224.0.0.1", "239.1.1.1", "224.0.1.1", "192.88.99.1",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1",
    "fec0::1", "ff02::1", "ff0e::1", "2001:db8::1", "3fff::1", "2001:10::1", "100::1", "5f00::1",
    "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::1", "2002:808:808::1", "2001:0:1::1",
)  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_not_global_or_carries_another_address_is_refused(address: str) -> None:
    assert "is no public address" in refusal(address, 80)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450:4001:800::200e"])
def test_a_public_address_may_be_fetched_from_where_pages_are_served(address: str) -> None:
    assert refusal(address, 443) == refusal(address, 80) == ""
    assert "from port 22" in refusal(address, 22)


@pytest.mark.parametrize("address", ["", "localhost", "1.2.3", "example.org", "0x7f.1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    assert "is no address" in refusal(address, 80)


@given(st.integers(0, 2**32 - 1))
def test_no_address_that_carries_an_inner_one_is_public(inner: int) -> None:
    carried = (
        (0xFFFF << 32) + inner,
        inner,
        (0x64FF9B << 96) + inner,
        (0x2002 << 112) + (inner << 80),
        (0x20010000 << 96) + inner,
    )
    assert not any(is_public(IPv6Address(address)) for address in carried)


@given(st.ip_addresses())
def test_what_python_calls_private_reserved_or_multicast_is_never_public(address: object) -> None:
    ip = ip_address(str(address))
    if not ip.is_global or ip.is_multicast or ip.is_private:
        assert not is_public(ip)
