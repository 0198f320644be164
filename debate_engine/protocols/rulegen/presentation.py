"""How a scene is told."""

from __future__ import annotations

from elenchus.debate_engine.protocols.rulegen.report import scene_sections, scene_sentences
from elenchus.debate_engine.protocols.rulegen.shown import ended, shown
from elenchus.debate_engine.protocols.spec import Presentation

PRESENTATION = Presentation(shown=shown, ended=ended, summary=scene_sentences, sections=scene_sections)
