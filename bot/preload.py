"""What is imported before the bot says that it is there: an import holds up every acknowledgement while it lasts."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module

from rich.cells import cell_len

from elenchus.bot.completions import Completions
from elenchus.config.catalogue import load_biases
from elenchus.config.persona_catalogue import load_personas
from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.llm import sdks
from elenchus.debate_engine.protocols.registry import spec_of

MODULES = (
    "elenchus.debate_engine.llm.anthropic",
    "elenchus.debate_engine.llm.gemini",
    "elenchus.debate_engine.llm.local",
    "elenchus.debate_engine.llm.openai",
    "elenchus.debate_engine.llm.scripted",
    "elenchus.debate_engine.mind_seat",
    "elenchus.debate_engine.protocols.cognition.stub",
    "elenchus.debate_engine.protocols.crit.stub",
    "elenchus.debate_engine.protocols.rulegen.stub",
    "elenchus.debate_engine.protocols.socrasynth.stub",
    "elenchus.detectors.dry_run",
    "numpy",
)
"""What the event loop would import when it is first needed; and numpy, which breaks where several threads that draw,
count or look something up import it at once. The rest of what they need is imported in threads."""


PROTOCOLS = ("socrasynth", "crit", "rulegen", "detect", "mind")
"""What sessions on Discord may be."""


def preload(completions: Completions) -> None:
    """Import it all, also the SDKs of the models on offer, and look up what is offered while somebody types.

    Takes seconds: for a thread.
    """
    for name in MODULES:
        import_module(name)
    for name in PROTOCOLS:
        spec = spec_of(name)
        _ = spec.runs, spec.present
    cell_len("–")  # rich reads its table of characters' widths when it first meets one that is not ASCII
    load_personas()
    load_biases()
    with suppress(ElenchusError):  # whoever chooses a model is told
        completions.models()
    registry = completions.services.registry
    registry.expect(f"{server}:any" for server in registry.servers)  # their models need no name here
    sdks.load()
