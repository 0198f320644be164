"""The scenes that come with the program, read once for all tests."""

from __future__ import annotations

from elenchus.debate_engine.scenes.library import load_scenes

SCENES = load_scenes()
