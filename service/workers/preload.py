"""What a worker imports before it counts as living: its first sessions, and those that it takes over, would wait."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from elenchus.config.models import VENDORS
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm import sdks
from elenchus.debate_engine.protocols.registry import BUILT_IN, spec_of
from elenchus.debate_engine.protocols.spec import UnusableProtocol

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.registry import Registry


def preload(registry: Registry) -> None:
    """Import every protocol of ours, and the SDKs of the vendors that can be called. Takes seconds: for a thread."""
    for name in BUILT_IN:
        with suppress(UnusableProtocol):  # its sessions say so
            _ = spec_of(name).runs
    import_module("jinja2")
    with suppress(UsageError):  # a catalogue that cannot be read is told where it is needed
        _ = registry.catalogue
    registry.expect(f"{provider}:any" for provider in (*VENDORS, *registry.servers))
    sdks.load()
