"""Packages from outside, installed in a folder as pip leaves them there: a module, and what is known of it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from elenchus.debate_engine.protocols.registry import GROUP
from tests.service.cli.program import ROOT

FRAME = """
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.protocols.presentation import *
from elenchus.debate_engine.protocols.spec import *

SPEAK = Prompt.parse("---\\nid: p/speak\\nvariables: [topic]\\n---\\n%% task\\nSpeak on {{ topic | line }}.")


async def talk(s, config):
    text = await s.ask("talk", "speaker", SPEAK, topic=config.get("topic", "tea"))
    await s.say("said", "speaker", ["*"], text)
    return {"words": len(text.split())}

"""
"""A protocol in which one seat speaks; what a test is about comes behind it."""


def install(folder: Path, protocol: str, source: str, place: str = "", version: str = "2.5") -> dict[str, str]:
    """The environment of a machine on which a package was installed that brings this protocol."""
    module = protocol.replace("-", "_")
    (folder / f"{module}.py").write_text(FRAME + dedent(source), encoding="utf-8")
    return known(folder, protocol, place or f"{module}:SPEC", version)


def known(folder: Path, protocol: str, place: str, version: str = "2.5") -> dict[str, str]:
    """The same for a protocol that stands at a place of its own."""
    module = protocol.replace("-", "_")
    info = folder / f"{module}-{version or 0}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {protocol}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{protocol} = {place}\n", encoding="utf-8")
    return {"PYTHONPATH": f"{folder}:{ROOT}"}
